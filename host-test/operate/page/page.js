// The operator's page: overview of the inbox, events, and the decisions of operators: requeue, release, and resolve
// an unknown send. The content of events and of service responses is untrusted, and is shown only as text nodes.

const REFRESH_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;
const REQUEUE_WITHIN_MS = 300_000;
const PAGE = 50;
const WAITS_LONG_MS = 300_000;
const FORMATTED_UP_TO = 64_000; // characters
const DEEPEST_INDENT = 24;
const STATES = {
  pending: ['Pending', 'Stored, and waiting for a worker or the forwarder. The oldest come first.'],
  leased: ['Leased', 'A worker or the forwarder processes them. When a lease ends, its event is pending again.'],
  dead: ['Dead', 'They failed, and are not retried until you requeue them.'],
  quarantined: ['Quarantined', 'Each arrived under the key of another event, or repeats an event under another key. Compare both events, then release it or leave it.'],
  done: ['Done', 'Processed. Their keys are remembered as long as the events are stored.'],
};
const FLOW = {
  stored: 'stored', replays: 'replays', duplicates: 'duplicates', conflicts: 'conflicts', refused: 'refused',
  done: 'done', failed: 'failed attempts', dead: 'died',
};
const IN = ['stored', 'replays', 'duplicates', 'conflicts', 'refused'];
const OUT = ['done', 'failed', 'dead'];
const TONES = { dead: 'is-bad', quarantined: 'is-warn', done: 'is-good' };

const $ = (id) => document.getElementById(id);
const number = (value) => new Intl.NumberFormat('en').format(value);
const count = (value, noun) => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const minuteOf = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Makes an element with a class and children; strings become text. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null));
  return element;
}

function shape(tag, attributes, text = '') {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

/** Escapes characters that could reorder, hide or end a line: control, bidirectional and invisible characters. */
const plain = (text) => text.replace(/(?![\n\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
  found.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''));

function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [minutes, hours, days] = [60, 3600, 86400].map((unit) => Math.floor(seconds / unit));
  const both = (large, unit, small, smaller) => `${number(large)} ${unit}${small ? ` ${small} ${smaller}` : ''}`;
  if (days) return both(days, 'd', hours % 24, 'h');
  if (hours) return both(hours, 'h', minutes % 60, 'min');
  return minutes ? `${minutes} min` : `${seconds} s`;
}

let serverAhead = 0; // Milliseconds; ages follow the server's clock.
const now = () => Date.now() + serverAhead;

/** Returns a time that updates its age: `12 s ago`, `in 3 min`. */
function age(at) {
  const element = make('time', 'age');
  element.dataset.at = at;
  element.dateTime = new Date(at).toISOString();
  element.title = moment.format(at);
  element.textContent = aged(at);
  return element;
}

const aged = (at) => (at > now() ? `in ${duration(at - now())}` : `${duration(now() - at)} ago`);
const timed = (at) => make('span', '', `${moment.format(at)}, `, age(at));

// Requests.

class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

let token = sessionStorage.getItem('operator-token');

async function ask(path, { method = 'GET', body, within = ANSWER_WITHIN_MS, as = token } = {}) {
  const headers = { Authorization: `Bearer ${as}` };
  if (body) headers['Content-Type'] = 'application/json';
  const response = await fetch(path, {
    method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(within),
    cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer',
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  if (response.status === 401 && as === token) signOut('This token is no longer accepted.');
  throw new Problem(response.status, String(answer.detail ?? `The answer was ${response.status}.`));
}

function reason(error) {
  if (error instanceof Problem) return error.message;
  return error.name === 'TimeoutError' ? 'It took too long to answer.' : 'It cannot be reached.';
}

// Sign-in and sign-out.

$('sign-in').addEventListener('submit', async (submitted) => {
  submitted.preventDefault();
  const given = $('token').value.trim();
  const button = $('sign-in').querySelector('button');
  button.disabled = true;
  try {
    if (!/^[\x21-\x7e]+$/.test(given)) throw new Problem(401, '');
    await ask('/v1/overview', { as: given });
    token = given;
    sessionStorage.setItem('operator-token', token);
    enter();
  } catch (error) {
    $('sign-in-error').textContent = error.status === 401 ? 'This token is not accepted.' : reason(error);
    $('token').select();
  }
  button.disabled = false;
});

$('sign-out').addEventListener('click', () => {
  history.replaceState(null, '', location.pathname);
  signOut('');
});

/** Deletes the token and all data shown with it. */
function signOut(why) {
  token = null;
  sessionStorage.removeItem('operator-token');
  turn += 1;
  clearTimeout(next);
  overview = answeredAt = failure = null;
  drawn.clear();
  $('confirm').close();
  for (const id of ['states', 'chart', 'legend', 'minutes', 'minute', 'kinds', 'events', 'pages', 'event', 'about',
    'unknown', 'counted', 'sends-empty', 'confirm-title', 'confirm-text', 'confirm-fields', 'list-title', 'list-empty', 'notice', 'trouble']) $(id).replaceChildren();
  $('kind').value = decider = '';
  document.title = 'Inbox';
  $('inbox').hidden = true;
  $('sign-in').hidden = false;
  $('sign-in-error').textContent = why;
  $('token').value = '';
  $('token').focus();
}

function enter() {
  $('token').value = $('sign-in-error').textContent = '';
  $('sign-in').hidden = true;
  $('inbox').hidden = false;
  refresh();
}

// Refresh.

let turn = 0; // Number of the last refresh; an older response is discarded.
let next;
let overview = null;
let answeredAt = null;
let failure = null;
const drawn = new Map();

/** Draws only if the data has changed, so that focus and selection stay. */
function draw(part, data, how) {
  const key = JSON.stringify(data);
  if (drawn.get(part) === key) return;
  drawn.set(part, key);
  const focused = document.activeElement?.getAttribute('href');
  how();
  if (focused && !document.activeElement?.getAttribute('href')) {
    [...document.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus();
  }
}

/** Parses the address: `#STATE?kind=&after=`, `#event/ID`, or `#sends`. */
function route() {
  const [path, query = ''] = location.hash.slice(1).split('?');
  const id = /^event\/([1-9]\d{0,15})$/.exec(path)?.[1];
  if (id) return { id };
  if (path === 'sends') return { sends: true };
  const parameters = new URLSearchParams(query);
  return {
    state: Object.hasOwn(STATES, path) ? path : 'pending',
    kind: parameters.get('kind') ?? '',
    after: /^\d{1,15}$/.exec(parameters.get('after') ?? '')?.[0] ?? '0',
  };
}

function address({ state, kind, after = '0' }) {
  const query = new URLSearchParams({ ...(kind && { kind }), ...(after !== '0' && { after }) }).toString();
  return `#${state}${query && '?'}${query}`;
}

async function refresh() {
  clearTimeout(next);
  if (!token) return;
  turn += 1;
  const mine = turn;
  const to = route();
  try {
    const read = to.id ? readEvent : to.sends ? readSends : readList;
    const [glance, shown] = await Promise.all([ask('/v1/overview'), read(to)]);
    if (mine !== turn) return;
    // Without an address, the page opens with unknown sends if any exist.
    if (!overview && !location.hash && glance.sends?.counts.unknown) {
      overview = glance;
      history.replaceState(null, '', '#sends');
      return refresh();
    }
    overview = glance;
    serverAhead = glance.now_ms - Date.now();
    answeredAt = Date.now();
    failure = null;
    showOverview();
    $('event').hidden = !to.id;
    $('sends').hidden = !to.sends;
    $('flow').hidden = $('list').hidden = Boolean(to.id || to.sends);
    if (to.id) showEvent(to, shown);
    else if (to.sends) showSends(shown);
    else {
      showList(to, shown);
      showFlow();
    }
  } catch (error) {
    if (mine !== turn) return;
    failure = reason(error);
  }
  tick();
  if (document.visibilityState === 'visible') next = setTimeout(refresh, REFRESH_MS);
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') refresh();
  else clearTimeout(next);
});

addEventListener('hashchange', () => {
  $('notice').hidden = true;
  refresh();
});

function tick() {
  if (!token) return;
  for (const element of document.querySelectorAll('.age')) element.textContent = aged(Number(element.dataset.at));
  $('inbox').classList.toggle('stale', failure !== null);
  $('trouble').hidden = failure === null;
  if (failure === null) {
    $('as-of').textContent = answeredAt ? `as of ${clock.format(answeredAt)}` : '';
  } else {
    $('as-of').textContent = answeredAt
      ? `no answer since ${clock.format(answeredAt)}, ${duration(Date.now() - answeredAt)}` : 'no answer yet';
    if ($('trouble').textContent !== failure) $('trouble').textContent = failure;
  }
}
setInterval(tick, 1_000);

function notify(text) {
  $('notice').textContent = text;
  $('notice').hidden = false;
}

// Overview.

function showOverview() {
  const { counts, oldest_waiting_ms: oldest, sends, version, started_at_ms: started } = overview;
  const to = route();
  const unknown = sends?.counts.unknown;
  const waiting = oldest === null ? '' : `oldest ${duration(oldest)}`;
  const holder = counts.pending ? 'pending' : 'leased';
  const tiles = Object.entries(STATES).map(([state, [name]]) => {
    const tone = state === holder && oldest >= WAITS_LONG_MS ? 'is-warn' : counts[state] && state !== 'done' ? TONES[state] : '';
    return { state, name, tone: tone ?? '', note: state === holder ? waiting : '', events: counts[state] };
  });
  if (sends) {
    const since = sends.oldest_unknown_ms === null ? '' : `oldest ${duration(sends.oldest_unknown_ms)}`;
    const note = sends.as_of_ms === null ? 'being counted' : since;
    tiles.unshift({ state: 'sends', name: 'Unknown sends', tone: unknown ? 'is-bad' : '', note, events: unknown });
  }
  const current = to.sends ? 'sends' : to.state;
  draw('states', [tiles, current], () => {
    $('states').classList.toggle('with-sends', Boolean(sends));
    $('states').replaceChildren(...tiles.map(({ state, name, tone, note, events }) => {
      const link = make('a', tone, make('span', 'name', name), make('span', 'count', number(events)), make('span', 'note', note));
      link.href = `#${state}`;
      if (current === state) link.setAttribute('aria-current', 'page');
      return link;
    }));
  });
  document.title = `${unknown ? `${number(unknown)} unknown · ` : ''}${counts.dead ? `${number(counts.dead)} dead · ` : ''}Inbox`;
  $('about').textContent = `messaging ${version}, running since ${moment.format(started)}`;
}

// Last hour: arrivals above the line, results below it.

let picked = null;

function showFlow() {
  const { flow, now_ms: at, started_at_ms: started } = overview;
  const first = Math.floor(at / 60_000) - 59;
  const seen = new Map(flow.map((minute) => [Math.floor(minute.minute_ms / 60_000), minute]));
  const minutes = Array.from({ length: 60 }, (_, index) => seen.get(first + index) ?? { minute_ms: (first + index) * 60_000 });
  const width = Math.max(240, Math.round($('chart').parentElement.clientWidth - 34));
  draw('flow', [minutes, width, $('minutes').closest('details').open], () => drawFlow(minutes, width, started));
}

function drawFlow(minutes, width, started) {
  const total = (minute, kinds) => kinds.reduce((sum, kind) => sum + (minute[kind] ?? 0), 0);
  const [above, below] = [IN, OUT].map((kinds) => Math.max(...minutes.map((minute) => total(minute, kinds))));
  const [top, bottom, left, height] = [12, 22, 12 + 7 * number(Math.max(above, below)).length, 180];
  const scale = (height - top - bottom) / (above + below || 1);
  const zero = top + (above + below ? above : 1) * scale;
  const slot = (width - left) / 60;
  const chart = $('chart');
  chart.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const shapes = [];
  const before = minutes.findIndex((minute) => minute.minute_ms + 60_000 > started);
  if (before !== 0) {
    const until = (before < 0 ? 60 : before) * slot;
    shapes.push(shape('rect', { class: 'unseen', x: left, y: top, width: until, height: height - top - bottom }));
    if (until > 90) shapes.push(shape('text', { x: left + 8, y: top + 16 }, 'not running'));
  }
  const label = (y, value) => shapes.push(
    shape('line', { x1: left, x2: width, y1: y, y2: y }), shape('text', { x: left - 6, y: y + 4, 'text-anchor': 'end' }, number(value)));
  if (above) label(zero - above * scale, above);
  if (below) label(zero + below * scale, below);
  minutes.forEach((minute, index) => {
    const bar = (kind, y, tall) => shapes.push(shape('rect', { class: kind, x: left + index * slot + 0.5, y, width: Math.max(1, slot - 1.5), height: tall }));
    let y = zero;
    for (const kind of IN) {
      if (!minute[kind]) continue;
      const tall = Math.max(2, minute[kind] * scale);
      bar(kind, y -= tall, tall);
    }
    y = zero;
    for (const kind of OUT) {
      if (!minute[kind]) continue;
      const tall = Math.max(2, minute[kind] * scale);
      bar(kind, y, tall);
      y += tall;
    }
  });
  shapes.push(shape('line', { class: 'axis', x1: left, x2: width, y1: zero, y2: zero }));
  for (const [index, anchor] of [[0, 'start'], [30, 'middle']]) {
    shapes.push(shape('text', { x: left + index * slot, y: height - 6, 'text-anchor': anchor }, minuteOf.format(minutes[index].minute_ms)));
  }
  shapes.push(shape('text', { x: width, y: height - 6, 'text-anchor': 'end' }, 'now'));
  if (!above && !below) shapes.push(shape('text', { x: (width + left) / 2, y: zero / 2 + 20, 'text-anchor': 'middle' }, 'no deliveries'));
  const picks = minutes.map((minute, index) => {
    const pick = shape('rect', { class: 'pick', x: left + index * slot, y: top, width: slot, height: height - top - bottom });
    pick.addEventListener('pointerenter', () => choose(index));
    return pick;
  });
  const say = (minute) => [...IN, ...OUT].filter((kind) => minute[kind]).map((kind) => `${number(minute[kind])} ${FLOW[kind]}`).join(', ') || 'nothing';
  function choose(index) {
    picked = index === null ? null : Math.min(59, Math.max(0, index));
    picks.forEach((pick, at) => pick.classList.toggle('on', at === picked));
    $('minute').textContent = picked === null ? '' : `${minuteOf.format(minutes[picked].minute_ms)}: ${say(minutes[picked])}`;
  }
  chart.onpointerleave = chart.onblur = () => choose(null);
  chart.onkeydown = (pressed) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[pressed.key];
    if (step) choose((picked ?? 59 + (step < 0)) + step);
  };
  chart.replaceChildren(...shapes, ...picks);
  choose(picked);
  const hour = Object.fromEntries([...IN, ...OUT].map((kind) => [kind, minutes.reduce((sum, minute) => sum + (minute[kind] ?? 0), 0)]));
  chart.setAttribute('aria-label', `The last hour: ${say(hour)}. Left and right arrow keys read each minute.`);
  $('legend').replaceChildren(...[['In', IN], ['Out', OUT]].flatMap(([side, kinds]) => [make('li', 'quiet', side),
    ...kinds.map((kind) => make('li', '', make('i', kind), `${number(hour[kind])} ${FLOW[kind]}`))]));
  if ($('minutes').closest('details').open) {
    const line = (cell, values) => make('tr', '', make('th', '', values[0]), ...values.slice(1).map((value) => make(cell, '', value)));
    $('minutes').replaceChildren(
      line('th', ['minute', ...Object.values(FLOW)]),
      ...minutes.toReversed().map((minute) => line('td', [minuteOf.format(minute.minute_ms), ...[...IN, ...OUT].map((kind) => number(minute[kind] ?? 0))])));
  }
}

$('minute').setAttribute('aria-live', 'polite');
$('minutes').closest('details').addEventListener('toggle', () => overview && showFlow());
new ResizeObserver(() => overview && !$('flow').hidden && showFlow()).observe($('flow'));

// List of events in a state.

const kinds = new Set();

async function readList({ state, kind, after }) {
  const query = new URLSearchParams({ state, after, limit: PAGE + 1, ...(kind && { kind }) });
  return (await ask(`/v1/events?${query}`)).events;
}

function showList(to, events) {
  const [name, help] = STATES[to.state];
  const shown = events.slice(0, PAGE);
  const total = to.kind ? null : overview.counts[to.state];
  for (const { kind } of shown) if (kinds.size < 100) kinds.add(kind);
  if (document.activeElement !== $('kind')) $('kind').value = to.kind;
  $('requeue-all').hidden = to.state !== 'dead' || !shown.length;
  draw('list', [to, events, total, kinds.size], () => {
    $('list-title').textContent = name;
    $('list-help').textContent = help;
    $('requeue-all').textContent = to.kind ? 'Requeue all of this kind' : 'Requeue all';
    $('kinds').replaceChildren(...[...kinds].sort().map((kind) => {
      const option = make('option');
      option.value = kind;
      return option;
    }));
    $('events').replaceChildren(...shown.map(listed));
    $('list-empty').textContent = shown.length ? ''
      : to.after !== '0' ? 'No more.' : to.kind ? 'None of this kind.' : to.state === 'pending' ? 'Nothing waits.' : 'None.';
    const link = (text, after) => {
      const element = make('a', '', text);
      element.href = address({ ...to, after });
      return element;
    };
    $('pages').replaceChildren(...[
      shown.length ? make('span', 'quiet', total === null ? `${number(shown.length)} shown` : `${number(shown.length)} of ${number(total)} shown`) : null,
      to.after === '0' ? null : link('First page', '0'),
      events.length > PAGE ? link('Next page', String(shown.at(-1).id)) : null,
    ].filter(Boolean));
  });
}

function tries({ attempts, failures }) {
  if (!attempts) return '';
  return failures ? `${count(attempts, 'lease')}, ${number(failures)} failed` : count(attempts, 'lease');
}

function listed(event) {
  const link = make('a', '', number(event.id));
  link.href = `#event/${event.id}`;
  link.setAttribute('aria-label', `Event ${event.id}`);
  const when = make('span', 'when');
  const more = make('span', 'more quiet');
  if (event.state === 'dead' && event.dead_at_ms !== null) when.append('died ', age(event.dead_at_ms));
  else if (event.state === 'done' && event.done_at_ms !== null) when.append('done ', age(event.done_at_ms));
  else when.append(age(event.received_at_ms));
  if (event.state === 'leased') more.append('until ', age(event.due_ms));
  else if (event.state === 'pending' && event.due_ms > now()) more.append('again ', age(event.due_ms));
  else more.append(tries(event));
  const why = event.last_error ?? (event.state === 'dead' ? 'No reason was given.' : null);
  return make('li', '', link, make('span', 'kind', plain(event.kind)), when,
    make('bdi', 'key mono', plain(event.key)), more, why && make('bdi', 'why', plain(why.slice(0, 300))));
}

$('filter').addEventListener('submit', (submitted) => submitted.preventDefault());
$('kind').addEventListener('change', () => {
  location.hash = address({ state: route().state ?? 'pending', kind: $('kind').value });
});

$('requeue-all').addEventListener('click', () => {
  const { kind } = route();
  const until = overview.now_ms;
  confirm({
    title: kind ? 'Requeue all dead events of this kind?' : `Requeue all ${count(overview.counts.dead, 'dead event')}?`,
    text: `${kind ? `Kind: ${plain(kind)}\n` : ''}They become pending and are leased again. Their attempts are counted from 0. Events that become dead after this moment stay dead.`,
    yes: 'Requeue all',
    act: async () => {
      const { requeued } = await ask('/v1/requeue', { method: 'POST', body: { ...(kind && { kind }), until_ms: until }, within: REQUEUE_WITHIN_MS });
      return `Requeued ${count(requeued, 'event')}.`;
    },
  });
});

// Single event.

let asReceived = false;

async function readEvent({ id }) {
  try {
    const event = await ask(`/v1/events/${id}`);
    const first = !event.first_id ? null : await ask(`/v1/events/${event.first_id}`).catch((error) => {
      if (error.status === 404) return null;
      throw error;
    });
    return { event, first };
  } catch (error) {
    if (error.status === 404 || error.status === 400) return { event: null };
    throw error;
  }
}

function showEvent(to, { event, first }) {
  draw('event', [to, event, first, asReceived], () => {
    if (!event) {
      $('event').replaceChildren(make('h2', '', `There is no event ${number(to.id)}`),
        make('p', 'quiet', 'Old done events are deleted.'));
      return;
    }
    const action = actionFor(event);
    let button = null;
    if (action) {
      button = make('button', 'primary', action.name);
      button.addEventListener('click', () => confirm(action));
    }
    const back = make('a', '', `All ${event.state}`);
    back.href = `#${event.state}`;
    $('event').replaceChildren(
      make('div', 'row', make('h2', '', `Event ${number(event.id)} `, make('span', `badge ${TONES[event.state] ?? ''}`, event.state)), back, button),
      facts(event), make('h3', '', 'History'), story(event), make('h3', '', 'JSON'), ...json(event, first));
  });
}

function facts(event) {
  const rows = [
    ['Key', event.key, 'mono'], ['Message', event.message_id, 'mono'], ['Kind', event.kind],
    ['Trace', event.traceparent, 'mono'], ['Trace state', event.tracestate, 'mono'],
  ];
  return make('dl', '', ...rows.filter(([, value]) => value !== null)
    .flatMap(([name, value, look]) => [make('dt', '', name), make('dd', look, plain(value))]));
}

function story(event) {
  const steps = [['', 'Received ', timed(event.received_at_ms)]];
  const link = (id) => {
    const element = make('a', '', `event ${number(id)}`);
    element.href = `#event/${id}`;
    return element;
  };
  if (event.first_id) steps.push(['is-warn', 'Another event came first under its key: ', link(event.first_id)]);
  else if (event.replay_of) steps.push(['is-warn', 'An equal event came first under another key: ', link(event.replay_of)]);
  else if (event.state === 'quarantined') steps.push(['is-warn', 'Another event came first under its key.']);
  if (event.attempts) steps.push(['', `Leased ${event.attempts === 1 ? 'once' : `${number(event.attempts)} times`}, ${number(event.failures)} failed`]);
  if (event.last_error !== null) steps.push(['is-bad', 'Last error: ', make('bdi', '', plain(event.last_error))]);
  if (event.state === 'pending') steps.push(['', ...(event.due_ms > now() ? ['Can be leased again ', timed(event.due_ms)] : ['Can be leased now'])]);
  if (event.state === 'leased') steps.push(['', 'Leased until ', timed(event.due_ms)]);
  if (event.done_at_ms !== null) steps.push(['is-good', 'Done ', timed(event.done_at_ms)]);
  if (event.dead_at_ms !== null) steps.push(['is-bad', 'Dead ', timed(event.dead_at_ms)]);
  return make('ol', 'history', ...steps.map(([tone, ...texts]) => make('li', tone, ...texts)));
}

function json(event, first) {
  const choice = make('div', 'row choice', ...[['Formatted', false], ['As received', true]].map(([name, raw]) => {
    const button = make('button', '', name);
    button.setAttribute('aria-pressed', String(asReceived === raw));
    button.addEventListener('click', () => {
      asReceived = raw;
      showEvent({ id: String(event.id) }, { event, first });
      [...$('event').querySelectorAll('.choice button')].find((other) => other.textContent === name)?.focus();
    });
    return button;
  }));
  const block = ({ payload }, other) => {
    const text = make('pre');
    text.tabIndex = 0;
    const large = payload.length > FORMATTED_UP_TO || (other?.payload.length ?? 0) > FORMATTED_UP_TO;
    if (asReceived || large) text.textContent = asReceived ? payload : plain(payload);
    else text.append(...formatted(payload, other && new Set(lines(other.payload).map(({ text: line }) => line))));
    return large && !asReceived ? [make('p', 'quiet', 'Too large to be formatted.'), text] : [text];
  };
  if (!first) return [choice, ...block(event)];
  return [choice, make('p', 'quiet', 'Lines that the other does not have are marked.'), make('div', 'two',
    make('div', '', make('h3', '', `Event ${number(first.id)}, which came first`), ...block(first, event)),
    make('div', '', make('h3', '', 'This event'), ...block(event, first)))];
}

/** Splits JSON into indented lines of unchanged tokens, so that no number loses precision and no member is lost. */
function lines(json) {
  const all = [];
  let depth = 0;
  let line;
  const open = () => all.push(line = { indent: ' '.repeat(2 * Math.min(depth, DEEPEST_INDENT)), tokens: [] });
  open();
  const found = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+|"/gs) ?? [];
  found.forEach((token, index) => {
    const empty = '}]'.includes(token) && '{['.includes(found[index - 1] ?? '');
    if ('}]'.includes(token)) {
      depth = Math.max(0, depth - 1);
      if (!empty) open();
    }
    const kind = token[0] === '"' ? (found[index + 1] === ':' ? 'name' : 'text') : '[]{},:'.includes(token) ? '' : 'atom';
    line.tokens.push([kind, token === ':' ? ': ' : plain(token)]);
    if ('{['.includes(token)) depth += 1;
    if (token === ',' || ('{['.includes(token) && !'}]'.includes(found[index + 1] ?? '}'))) open();
  });
  for (const each of all) each.text = each.tokens.map(([, token]) => token).join('').replace(/,$/, '');
  return all;
}

function formatted(json, elsewhere) {
  return lines(json).map(({ indent, tokens, text }) => {
    const marked = elsewhere && !elsewhere.has(text);
    return make('span', '', indent, make(marked ? 'mark' : 'span', '', ...tokens.map(([kind, token]) => (kind ? make('span', kind, token) : token))), '\n');
  });
}

/** Returns the possible decision of an operator about an event, or null. */
function actionFor(event) {
  const { id, state } = event;
  const again = `It becomes pending and is leased again. Its attempts are counted from 0.`;
  const text = {
    dead: again,
    quarantined: !event.replay_of
      ? `${again} It is processed in addition to the first event, under its own key.`
      : `It equals event ${number(event.replay_of)} under another key, and would be processed twice.\n${again}`,
    leased: `A worker has leased it until ${clock.format(event.due_ms - serverAhead)}, and may be processing it. It would then be processed twice.\n${again}`,
    done: `It was already processed.\n${again}`,
    pending: event.attempts ? `It can be leased at once. Its attempts are counted from 0.` : null,
  }[state];
  if (!text) return null;
  const name = state === 'dead' ? 'Requeue' : 'Release';
  return {
    name, text, yes: name, title: `${name} event ${number(id)}?`,
    act: async () => {
      // A release ignores the state of the event. Checks that the state that the operator saw has not changed.
      const { state: current } = await ask(`/v1/events/${id}`);
      if (current !== state) throw new Problem(409, `It is ${current} by now. Look at it again.`);
      const { requeued } = await ask(`/v1/events/${id}/${name.toLowerCase()}`, { method: 'POST', ...(state !== 'dead' && { body: {} }) });
      return requeued === 0 ? `Event ${number(id)} was no longer dead.` : `Event ${number(id)} is pending.`;
    },
  };
}

// Unknown sends.

let decider = ''; // Name of the operator in the last decision, reused in the next.

async function readSends() {
  try {
    return await ask('/v1/sends');
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

function showSends(list) {
  const { sends, as_of_ms: at, counts } = list ?? { sends: [] };
  $('counted').replaceChildren(...(at ? ['counted ', age(at)] : list ? ['being counted'] : []));
  draw('sends', [sends, counts?.unknown, Boolean(at), Boolean(list)], () => {
    $('unknown').replaceChildren(...sends.map(unknownSend));
    const more = list && counts.unknown > sends.length ? `${number(counts.unknown - sends.length)} more. These are the oldest.` : '';
    $('sends-empty').textContent = !list ? 'This server has no journal of sends: start it with --journal.'
      : sends.length ? more : at ? 'None.' : 'The journal is being counted.';
  });
}

function unknownSend(send) {
  const { key, outcome, attempts, began_ms: began, gives_up_ms: gaveUp, ended_ms: ended } = send;
  const rows = [
    ['Began', timed(began)],
    ended === null ? ['Given up', timed(gaveUp)] : ['Ended', timed(ended)],
    ['Attempts', number(attempts)],
    ...(outcome ? [['Known', plain(`${outcome.stage}${outcome.status === null ? '' : `, status ${outcome.status}`}`)]] : []),
    ...send.resolutions.map(({ attempt, created, by, reason, at_ms: at }) => ['Decided', make('span', '', timed(at),
      plain(`: attempt ${attempt} ${created === null ? 'was not created' : `created ${created}`}, by ${by}: ${reason}`))]),
    ...send.also_created.map((id) => ['Also created', plain(id)]),
  ];
  const decide = (text, found) => {
    const button = make('button', '', text);
    button.setAttribute('aria-label', `${text} ${key}`);
    button.addEventListener('click', () => confirm(found));
    return button;
  };
  return make('li', '',
    make('div', 'row', make('bdi', 'key mono', plain(key)), age(began)),
    make('p', 'why', outcome ? plain(outcome.detail) : 'The sender was lost. Nothing is known about the request.'),
    make('dl', '', ...rows.flatMap(([term, value]) => [make('dt', '', term), make('dd', '', value)])),
    outcome?.refusal ? said(outcome.refusal) : null,
    make('p', 'row end', decide('The message exists', existing(send)), decide('Not created', missing(send))));
}

/** Shows the service's response to the operator who looks for the message. */
function said({ status, code, message, details, body }) {
  const lines = [`status ${status}${code === null ? '' : `, ${code}`}`, message, ...details.map(({ field, message: text }) =>
    (field === null ? text : `${field}: ${text}`))].filter(Boolean);
  const text = make('pre', '', plain(body));
  text.tabIndex = 0;
  return make('details', '', make('summary', '', 'Reply of the service'), make('p', '', plain(lines.join('\n'))), text);
}

const existing = (send) => decision(send, {
  title: 'Does the message exist?', yes: 'It exists',
  text: 'Sends with this key return this message, and send nothing.',
  fields: [['created', 'Its identifier in the service']],
  found: ({ created }) => ({ created }),
});

const missing = (send) => decision(send, {
  title: 'Was no message created?', yes: 'Not created',
  text: 'The next send with this key sends a message. If the first message exists after all, the recipient gets both.',
  fields: [],
  found: () => ({ not_created: true }),
});

function decision({ key, attempts }, { title, text, yes, fields, found }) {
  return {
    title, yes, text: `Key: ${plain(key)}\n${text}`,
    fields: [...fields, ['by', 'Your name'], ['reason', 'How you know']],
    act: async (given) => {
      const { by, reason } = given;
      decider = by;
      const body = { key, attempt: attempts, ...found(given), by, reason };
      const { state } = await ask('/v1/sends/resolve', { method: 'POST', body });
      return `${plain(key)} is ${state}.`;
    },
  };
}

// Confirmation dialog.

let confirmed = null;

/** Asks for confirmation before `act` runs. `fields` are names and labels of the inputs of `act`. */
function confirm({ title, text, yes, act, fields = [] }) {
  confirmed = act;
  $('confirm-fields').replaceChildren(...fields.flatMap(([field, label]) => {
    const input = make('input');
    Object.assign(input, { id: `confirm-${field}`, name: field, autocomplete: 'off', value: field === 'by' ? decider : '' });
    const element = make('label', '', label);
    element.htmlFor = input.id;
    return [element, input];
  }));
  $('confirm-title').textContent = title;
  $('confirm-text').textContent = text;
  $('confirm-yes').textContent = yes;
  $('confirm-error').textContent = '';
  $('confirm').showModal();
}

$('confirm-no').addEventListener('click', () => $('confirm').close());
$('confirm').addEventListener('cancel', (asked) => $('confirm-yes').disabled && asked.preventDefault());
$('confirm-yes').addEventListener('click', async () => {
  const buttons = [$('confirm-yes'), $('confirm-no')];
  const inputs = [...$('confirm-fields').querySelectorAll('input')];
  const empty = inputs.find((input) => !input.value.trim());
  if (empty) {
    $('confirm-error').textContent = `${empty.labels[0].textContent} is missing.`;
    return empty.focus();
  }
  for (const button of buttons) button.disabled = true;
  try {
    const notice = await confirmed(Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()])));
    $('confirm').close();
    notify(notice);
  } catch (error) {
    $('confirm-error').textContent = reason(error);
  }
  for (const button of buttons) button.disabled = false;
  refresh();
});

if (token) enter();
else signOut('');
