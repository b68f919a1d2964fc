// The list of events in one state, each with a line of its text.

import { $, age, ask, count, draw, link, make, now, number, page, plain } from './kit.js';
import { confirm } from './dialog.js';

const PAGE = 50;
const REQUEUE_WITHIN_MS = 300_000;

/** Names and descriptions of the lists, the worst state first. A stuck event is pending or leased. */
export const STATES = {
  dead: ['Dead', 'These events failed. They are not retried until an operator requeues them.'],
  stuck: ['Stuck', 'Pending or leased events that have a failed attempt, or that were leased 5 times without a reported error. They are retried.'],
  quarantined: ['Quarantined', 'Each of these events arrived under the key of another event, or repeats an event under another key. Compare both events, then release the quarantined event or leave it.'],
  pending: ['Pending', 'These events wait for a worker or the forwarder, the oldest first.'],
  leased: ['Leased', 'A worker or the forwarder processes these events. If a lease ends, its event is leased again.'],
  done: ['Done', 'These events are processed. Their keys are remembered as long as the events are stored.'],
};

function address({ state, kind, after = '0' }) {
  const query = new URLSearchParams({ ...(kind && { kind }), ...(after !== '0' && { after }) }).toString();
  return `#${state}${query && '?'}${query}`;
}

const list = async (state, query) => {
  const selected = state === 'stuck' ? { stuck: true } : { state };
  return (await ask(`events?${new URLSearchParams({ ...selected, limit: PAGE + 1, ...query })}`)).events;
};

export const readList = ({ state, kind, after }) => list(state, { after, ...(kind && { kind }) });

/** Returns the number of stuck events as text: `50+` if the first page does not show all. */
export const readStuck = async () => {
  const { length } = await list('stuck', {});
  return length > PAGE ? `${PAGE}+` : number(length);
};

const kinds = new Set();

export function showList(to, events) {
  const [name, help] = STATES[to.state];
  const shown = events.slice(0, PAGE);
  const total = to.kind ? undefined : page.overview.counts[to.state];
  for (const { kind } of shown) if (kinds.size < 100) kinds.add(kind);
  if (document.activeElement !== $('kind')) $('kind').value = to.kind;
  $('requeue-all').hidden = to.state !== 'dead' || !shown.length;
  draw('list', [to, events, total, kinds.size], () => {
    $('list-title').textContent = name;
    $('list-help').textContent = help;
    $('requeue-all').textContent = to.kind ? 'Requeue all of this kind' : 'Requeue all';
    $('kinds').replaceChildren(...[...kinds].sort().map((kind) => Object.assign(make('option'), { value: kind })));
    $('events').replaceChildren(...shown.map(row));
    $('list-empty').textContent = shown.length ? ''
      : to.after !== '0' ? 'No more events.' : to.kind ? 'No event of this kind.' : to.state === 'pending' ? 'No event waits.' : 'No events.';
    $('pages').replaceChildren(...[
      shown.length ? make('span', 'quiet', total === undefined ? `${count(shown.length, 'event')} shown` : `${number(shown.length)} of ${count(total, 'event')} shown`) : null,
      to.after === '0' ? null : link(address({ ...to, after: '0' }), 'First page'),
      events.length > PAGE ? link(address({ ...to, after: String(shown.at(-1).id) }), 'Next page') : null,
    ].filter(Boolean));
  });
}

/** Returns the row of an event. The whole row is one link. */
function row(event) {
  const { state, due_ms: due, attempts, failures } = event;
  const ended = { dead: ['died ', event.dead_at_ms], done: ['done ', event.done_at_ms] }[state];
  const when = make('span', 'when', ...(ended && ended[1] !== null ? [ended[0], age(ended[1])] : [age(event.received_at_ms)]));
  const tried = !attempts ? '' : `${count(attempts, 'lease')}${failures ? `, ${number(failures)} failed` : ''}`;
  const more = make('span', 'more quiet', tried);
  if (state === 'leased') more.append(due > now() ? ' · ends ' : ' · ended ', age(due));
  if (state === 'pending' && due > now()) more.append(tried && ' · ', 'again ', age(due));
  const why = event.last_error ?? (state === 'dead' ? 'The worker gave no reason.' : null);
  return make('li', '', link(`#event/${event.id}`, make('span', 'id', number(event.id)), make('bdi', event.text.startsWith('{') ? 'text mono' : 'text', plain(event.text)), when,
    make('span', 'what quiet', make('bdi', '', plain(event.kind)), ' · ', make('bdi', 'mono', plain(event.key))), more,
    why && make('bdi', 'why', plain(why.slice(0, 300)))));
}

/** Handles the controls of the list. `route` returns the parsed address of the page. */
export function openList(route) {
  $('filter').addEventListener('submit', (submitted) => submitted.preventDefault());
  $('kind').addEventListener('change', () => {
    location.hash = address({ state: route().state ?? 'pending', kind: $('kind').value });
  });
  $('requeue-all').addEventListener('click', () => {
    const { kind } = route();
    const { now_ms: until, counts } = page.overview;
    confirm({
      title: kind ? 'Requeue all dead events of this kind?' : `Requeue ${count(counts.dead, 'dead event')}?`,
      text: `${kind ? `Kind: ${plain(kind)}\n` : ''}The events become pending and are leased again. Their attempts are counted from 0. Events that die after this moment stay dead.`,
      yes: 'Requeue all',
      act: async () => {
        const body = { ...(kind && { kind }), until_ms: until };
        const { requeued } = await ask('requeue', { method: 'POST', body, within: REQUEUE_WITHIN_MS });
        return `Requeued ${count(requeued, 'event')}.`;
      },
    });
  });
}
