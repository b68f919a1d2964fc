// A chart of the last hour by minute: deliveries above the zero line, results of processing below it, on one scale.

import { $, count, draw, make, minute as time, number, page } from './kit.js';

/** Labels of each kind: singular and plural. */
const IN = { stored: ['stored', 'stored'], duplicates: ['duplicate', 'duplicates'], replays: ['replay', 'replays'], conflicts: ['conflict', 'conflicts'], refused: ['refused', 'refused'] };
const OUT = { done: ['done', 'done'], failed: ['failed attempt', 'failed attempts'], dead: ['died', 'died'] };
const ALL = { ...IN, ...OUT };
const ALWAYS = ['stored', 'done'];
const [HEIGHT, TOP, BOTTOM] = [190, 8, 22];

let picked = null;

const sum = (minutes, kinds) => minutes.reduce((all, minute) => all + kinds.reduce((some, kind) => some + (minute[kind] ?? 0), 0), 0);
const words = (minute) => Object.keys(ALL).filter((kind) => minute[kind]).map((kind) => count(minute[kind], ...ALL[kind])).join(', ') || 'nothing';

/** Returns the end of the scale: 2, 4, 10, 20, 40, 100 and so on, because half of it must be a whole number. */
function end(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [2, 4, 10, 20].map((step) => step * power).find((step) => step >= most);
}

export function showFlow() {
  const { flow, now_ms: at, started_at_ms: started } = page.overview;
  const first = Math.floor(at / 60_000) - 59;
  const seen = new Map(flow.map((minute) => [Math.floor(minute.minute_ms / 60_000), minute]));
  const minutes = Array.from({ length: 60 }, (_, index) => seen.get(first + index) ?? { minute_ms: (first + index) * 60_000 });
  const width = Math.max(240, $('chart').clientWidth);
  const isOpen = $('minutes').closest('details').open;
  draw('flow', [minutes, width, isOpen], () => {
    drawChart(minutes, width, started);
    const hour = Object.fromEntries(Object.keys(ALL).map((kind) => [kind, sum(minutes, [kind])]));
    $('chart').setAttribute('aria-label', `The last hour: ${words(hour)}. Left and right arrow keys read each minute.`);
    $('legend').replaceChildren(...[['In', IN], ['Out', OUT]].map(([side, kinds]) => make('ul', '', make('li', 'quiet', side),
      ...Object.keys(kinds).filter((kind) => hour[kind] || ALWAYS.includes(kind))
        .map((kind) => make('li', '', make('i', kind), count(hour[kind], ...kinds[kind]))))));
    if (isOpen) drawTable(minutes);
  });
}

function drawTable(minutes) {
  const line = (cell, values) => make('tr', '', make('th', '', values[0]), ...values.slice(1).map((value) => make(cell, '', value)));
  $('minutes').replaceChildren(line('th', ['minute', ...Object.values(ALL).map(([, several]) => several)]),
    ...minutes.toReversed().map((minute) => line('td', [time(minute.minute_ms), ...Object.keys(ALL).map((kind) => number(minute[kind] ?? 0))])));
}

function shape(tag, attributes, text = '') {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

function drawChart(minutes, width, started) {
  const chart = $('chart');
  const most = end(Math.max(...minutes.flatMap((minute) => [IN, OUT].map((kinds) => sum([minute], Object.keys(kinds))))));
  const left = 12 + 7 * number(most).length;
  const [slot, tall, zero] = [(width - left) / 60, HEIGHT - TOP - BOTTOM, (HEIGHT + TOP - BOTTOM) / 2];
  const scale = tall / 2 / most;
  chart.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
  const shapes = [];
  const text = (x, y, anchor, written) => shapes.push(shape('text', { x, y, 'text-anchor': anchor }, written));
  const before = minutes.findIndex((minute) => minute.minute_ms + 60_000 > started) * slot;
  if (before) shapes.push(shape('rect', { class: 'unseen', x: left, y: TOP, width: before, height: tall }));
  for (const tick of [1, 0.5, 0, -0.5, -1].map((part) => part * most)) {
    const y = zero - tick * scale;
    shapes.push(shape('line', { class: tick ? '' : 'axis', x1: left, x2: width, y1: y, y2: y }));
    text(left - 6, y + 4, 'end', number(Math.abs(tick)));
  }
  if (before > 130) text(left + 8, TOP + 16, 'start', 'before the last start');
  minutes.forEach((minute, index) => {
    for (const [kinds, sign] of [[IN, -1], [OUT, 1]]) {
      let y = zero;
      for (const kind of Object.keys(kinds).filter((each) => minute[each])) {
        const height = Math.max(2, minute[kind] * scale);
        shapes.push(shape('rect', { class: kind, x: left + index * slot + 0.5, y: Math.min(y, y + sign * height), width: Math.max(1, slot - 1), height }));
        y += sign * height;
      }
    }
  });
  text(left, HEIGHT - 6, 'start', time(minutes[0].minute_ms));
  text(width, HEIGHT - 6, 'end', 'now');
  const picks = minutes.map((_, index) => {
    const pick = shape('rect', { class: 'pick', x: left + index * slot, y: TOP, width: slot, height: tall });
    pick.addEventListener('pointerenter', () => choose(index));
    return pick;
  });
  function choose(index) {
    picked = index === null ? null : Math.min(59, Math.max(0, index));
    picks.forEach((pick, at) => pick.classList.toggle('on', at === picked));
    $('minute').textContent = picked === null ? '' : `${time(minutes[picked].minute_ms)}: ${words(minutes[picked])}`;
  }
  chart.onpointerleave = chart.onblur = () => choose(null);
  chart.onkeydown = (pressed) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[pressed.key];
    if (step) choose((picked ?? 59 + (step < 0)) + step);
  };
  chart.replaceChildren(...shapes, ...picks);
  choose(picked);
}

const showIfVisible = () => page.overview && !$('flow').hidden && showFlow();
$('minutes').closest('details').addEventListener('toggle', showIfVisible);
new ResizeObserver(showIfVisible).observe($('flow'));
