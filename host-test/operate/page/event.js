// One event: its facts, history and JSON, and the decisions of an operator about it.

import { $, ask, askIfAny, block, button, draw, facts, link, make, moment, now, number, plain, problem, timed } from './kit.js';
import { confirm } from './dialog.js';

const FORMATTED_UP_TO = 64_000; // characters
const DEEPEST_INDENT = 24;
const TONES = { dead: 'is-bad', quarantined: 'is-warn', done: 'is-good' };

let asReceived = false;

export async function readEvent({ id }) {
  const event = await askIfAny(`events/${id}`);
  return { event, first: event?.first_id ? await askIfAny(`events/${event.first_id}`) : null };
}

export function showEvent(to, { event, first }) {
  draw('event', [to, event, first, asReceived], () => {
    if (!event) {
      $('event').replaceChildren(make('h2', '', `There is no event ${number(to.id)}`),
        make('p', 'quiet', 'Old done events are deleted.'));
      return;
    }
    const { id, state } = event;
    const decision = decisionAbout(event);
    $('event').replaceChildren(
      make('div', 'row', make('h2', '', `Event ${number(id)} `, make('span', `badge ${TONES[state] ?? ''}`, state)),
        link(`#${state}`, `All ${state}`), decision && button(decision.danger ? 'danger' : 'primary', decision.yes, () => confirm(decision))),
      facts([
        ['Key', event.key, 'mono'], ['Message', event.message_id, 'mono'], ['Kind', event.kind],
        ['Trace', event.traceparent, 'mono'], ['Trace state', event.tracestate, 'mono'],
      ].filter(([, value]) => value !== null).map(([name, value, look]) => [name, plain(value), look])),
      make('h3', '', 'History'), history(event), make('h3', '', 'JSON'), ...json(event, first));
  });
}

function history(event) {
  const { attempts, state, due_ms: due } = event;
  const to = (id) => link(`#event/${id}`, `event ${number(id)}`);
  const steps = [
    ['', 'Received ', timed(event.received_at_ms)],
    event.first_id ? ['is-warn', 'Another event with this key came first: ', to(event.first_id)]
      : event.replay_of ? ['is-warn', 'An equal event came first under another key: ', to(event.replay_of)]
        : state === 'quarantined' && ['is-warn', 'Another event with this key came first.'],
    attempts && ['', `Leased ${attempts === 1 ? 'once' : `${number(attempts)} times`}, ${number(event.failures)} failed`],
    ...event.attempted_at_ms.map((began) => ['', 'Attempt began ', timed(began)]),
    event.last_error !== null && ['is-bad', 'Last error: ', make('bdi', '', plain(event.last_error))],
    state === 'pending' && (due > now() ? ['', 'Can be leased again ', timed(due)] : ['', 'Can be leased now']),
    state === 'leased' && ['', due > now() ? 'Lease ends ' : 'Lease ended ', timed(due)],
    event.done_at_ms !== null && ['is-good', 'Done ', timed(event.done_at_ms)],
    event.dead_at_ms !== null && ['is-bad', 'Dead ', timed(event.dead_at_ms)],
  ];
  return make('ol', 'history', ...steps.filter(Boolean).map(([tone, ...texts]) => make('li', tone, ...texts)));
}

/** Returns the possible decision of an operator about an event, or null. */
function decisionAbout({ id, state, attempts, replay_of: replayed, due_ms: due }) {
  const again = 'It becomes pending and is leased again. Its attempts are counted from 0.';
  const twice = 'After a release it may be processed twice.';
  const [text, danger] = {
    dead: [again],
    quarantined: replayed ? [`It equals event ${number(replayed)}, which came under another key. ${twice}\n${again}`, true]
      : [`${again} It is processed in addition to the first event, under its own key.`, true],
    leased: [`A worker has leased it until ${moment(due)}, and may be processing it. ${twice}\n${again}`, true],
    done: [`It was already processed. ${twice}\n${again}`, true],
    pending: attempts ? ['It can be leased at once. Its attempts are counted from 0.'] : [],
  }[state];
  if (!text) return null;
  const verb = state === 'dead' ? 'Requeue' : 'Release';
  return {
    text, danger, yes: verb, title: `${verb} event ${number(id)}?`,
    act: async () => {
      // A release ignores the state of the event. This request checks that the operator saw the current state.
      const { state: current } = await ask(`events/${id}`);
      if (current !== state) throw problem(409, `The event is now ${current}. Look at it again.`);
      const { requeued } = await ask(`events/${id}/${verb.toLowerCase()}`, { method: 'POST' });
      return requeued === 0 ? `Event ${number(id)} was no longer dead.` : `Event ${number(id)} is pending.`;
    },
  };
}

function json(event, first) {
  const choice = make('div', 'row choice', ...[['Formatted', false], ['As received', true]].map(([name, raw]) => {
    const element = button('', name, () => {
      asReceived = raw;
      showEvent({ id: String(event.id) }, { event, first });
      [...$('event').querySelectorAll('.choice button')].find((other) => other.textContent === name)?.focus();
    });
    element.setAttribute('aria-pressed', String(asReceived === raw));
    return element;
  }));
  const text = ({ payload }, other) => {
    if (asReceived) return [block(payload)];
    const isLarge = payload.length > FORMATTED_UP_TO || (other?.payload.length ?? 0) > FORMATTED_UP_TO;
    if (isLarge) return [make('p', 'quiet', 'Too large to be formatted.'), block(plain(payload))];
    return [block(...formatted(payload, other && new Set(lines(other.payload).map(({ text: line }) => line))))];
  };
  if (!first) return [choice, ...text(event)];
  return [choice, make('p', 'quiet', 'Lines that the other event does not have are marked.'), make('div', 'two',
    make('div', '', make('h3', '', `Event ${number(first.id)}, which came first`), ...text(first, event)),
    make('div', '', make('h3', '', 'This event'), ...text(event, first)))];
}

/** Splits JSON into indented lines of unchanged tokens. A parser would round numbers and drop duplicate members. */
function lines(payload) {
  const all = [];
  let depth = 0;
  let line;
  const open = () => all.push(line = { indent: ' '.repeat(2 * Math.min(depth, DEEPEST_INDENT)), tokens: [] });
  open();
  const found = payload.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+|"/gs) ?? [];
  found.forEach((token, index) => {
    const empty = '}]'.includes(token) && '{['.includes(found[index - 1] ?? '');
    if ('}]'.includes(token)) {
      depth = Math.max(0, depth - 1);
      if (!empty) open();
    }
    const kind = token[0] === '"' ? (found[index + 1] === ':' ? 'name' : 'string') : '[]{},:'.includes(token) ? '' : 'atom';
    line.tokens.push([kind, token === ':' ? ': ' : plain(token)]);
    if ('{['.includes(token)) depth += 1;
    if (token === ',' || ('{['.includes(token) && !'}]'.includes(found[index + 1] ?? '}'))) open();
  });
  for (const each of all) each.text = each.tokens.map(([, token]) => token).join('').replace(/,$/, '');
  return all;
}

function formatted(payload, elsewhere) {
  return lines(payload).map(({ indent, tokens, text }) => {
    const marked = elsewhere && !elsewhere.has(text);
    return make('span', '', indent, make(marked ? 'mark' : 'span', '', ...tokens.map(([kind, token]) => (kind ? make('span', kind, token) : token))), '\n');
  });
}
