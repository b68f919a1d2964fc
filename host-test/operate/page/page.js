// The operator's page: sign-in, overview, and the view that the address selects. The content of events and of service
// responses is untrusted, and is shown only as text nodes.

import { $, ask, clock, draw, duration, focusLink, link, make, moment, number, page, plain, problem, reason, TOKEN, updateAges } from './kit.js';
import { openDialogs } from './dialog.js';
import { readEvent, showEvent } from './event.js';
import { showFlow } from './flow.js';
import { openList, readList, readStuck, showList, STATES } from './list.js';
import { readSends, showSends } from './sends.js';

const REFRESH_MS = 5_000;
const WAITS_LONG_MS = 300_000;
const TONES = { sends: 'is-bad', dead: 'is-bad', stuck: 'is-warn', quarantined: 'is-warn' };

// Sign-in and sign-out.

$('sign-in').addEventListener('submit', async (submitted) => {
  submitted.preventDefault();
  const given = $('token').value.trim();
  const button = $('sign-in').querySelector('button');
  button.disabled = true;
  try {
    if (!/^[\x21-\x7e]+$/.test(given)) throw problem(401, '');
    await ask('overview', { as: given });
    page.token = given;
    sessionStorage.setItem(TOKEN, given);
    enter();
  } catch (error) {
    $('sign-in-error').textContent = error.status === 401 ? 'This token is not accepted.' : reason(error);
    $('token').select();
  }
  button.disabled = false;
});

/** Deletes the token, and reloads the page to remove all data. The new page shows `why`. */
function signOut(why, address) {
  sessionStorage.removeItem(TOKEN);
  history.replaceState(why, '', address);
  location.reload();
}

$('sign-out').addEventListener('click', () => signOut('', location.pathname));

function enter() {
  $('token').value = '';
  $('sign-in').hidden = true;
  $('inbox').hidden = false;
  refresh();
}

// Refresh.

let turn = 0; // Number of the last refresh. Responses to older refreshes are discarded.
let next;
let answeredAt = null;
let failure = null;
let cameFrom = null;

/** Parses the address: `#STATE?kind=&after=`, `#event/ID`, or `#sends`. */
function route() {
  const [path, query = ''] = location.hash.slice(1).split('?');
  const id = /^event\/([1-9]\d{0,15})$/.exec(path)?.[1];
  if (id) return { id, read: readEvent, show: showEvent };
  if (path === 'sends') return { state: 'sends', read: readSends, show: showSends };
  const parameters = new URLSearchParams(query);
  return {
    state: Object.hasOwn(STATES, path) ? path : 'pending', read: readList, show: showList,
    kind: parameters.get('kind') ?? '',
    after: /^\d{1,15}$/.exec(parameters.get('after') ?? '')?.[0] ?? '0',
  };
}

async function refresh() {
  clearTimeout(next);
  if (!page.token) return;
  const mine = turn += 1;
  try {
    const [glance, stuck] = await Promise.all([ask('overview'), readStuck()]);
    const tiles = tilesOf(glance, stuck);
    if (!location.hash) history.replaceState(null, '', `#${worst(tiles)}`);
    const { read, show, ...to } = route();
    const shown = await read(to);
    if (mine !== turn) return;
    page.overview = glance;
    page.serverAhead = glance.now_ms - Date.now();
    answeredAt = Date.now();
    failure = null;
    showOverview(tiles, to.state);
    $('event').hidden = !to.id;
    $('sends').hidden = show !== showSends;
    $('flow').hidden = $('list').hidden = show !== showList;
    show(to, shown);
    if (show === showList) showFlow();
    if (cameFrom && to.id) $('event').focus();
    else if (cameFrom) focusLink($('events'), cameFrom);
    cameFrom = null;
  } catch (error) {
    if (mine !== turn) return;
    if (error.status === 401) return signOut('This token is no longer accepted.');
    failure = reason(error);
  }
  tick();
  if (document.visibilityState === 'visible') next = setTimeout(refresh, REFRESH_MS);
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') refresh();
  else clearTimeout(next);
});

addEventListener('hashchange', ({ oldURL }) => {
  cameFrom = new URL(oldURL).hash;
  $('notice').hidden = true;
  refresh();
});

function tick() {
  updateAges();
  $('inbox').classList.toggle('stale', failure !== null);
  $('trouble').hidden = failure === null;
  const since = answeredAt && clock(answeredAt);
  $('as-of').textContent = failure === null ? since && `as of ${since}`
    : since ? `no answer since ${since}, ${duration(Date.now() - answeredAt)}` : 'no answer yet';
  if ($('trouble').textContent !== failure) $('trouble').textContent = failure;
}
setInterval(tick, 1_000);

// Overview.

/** Returns the tiles, the worst state first. */
function tilesOf({ counts, oldest_waiting_ms: oldest, sends }, stuck) {
  const since = (ms) => (ms === null ? '' : `oldest ${duration(ms)}`);
  const oldestIn = counts.pending ? 'pending' : 'leased';
  const tiles = Object.entries(STATES).map(([state, [name]]) => ({
    state, name, events: state === 'stuck' ? stuck : number(counts[state]),
    note: state === oldestIn ? since(oldest) : state === 'stuck' && stuck !== '0' ? 'being retried' : '',
    isLate: state === oldestIn && oldest >= WAITS_LONG_MS,
  }));
  if (!sends) return tiles;
  const note = sends.as_of_ms === null ? 'being counted' : since(sends.oldest_unknown_ms);
  return [{ state: 'sends', name: 'Unknown sends', events: number(sends.counts.unknown), note }, ...tiles];
}

const worst = (tiles) => tiles.find(({ events }) => events !== '0')?.state ?? 'pending';

function showOverview(tiles, current) {
  const { counts, sends, name, version, started_at_ms: started } = page.overview;
  draw('states', [tiles, current], () => {
    $('states').style.setProperty('--tiles', tiles.length);
    $('states').replaceChildren(...tiles.map(({ state, name: title, events, note, isLate }) => {
      const tile = link(`#${state}`, make('span', 'name', title), make('span', 'count', events), make('span', 'note', note));
      tile.className = isLate ? 'is-warn' : events === '0' ? '' : TONES[state] ?? '';
      if (current === state) tile.setAttribute('aria-current', 'page');
      return tile;
    }));
  });
  $('name').textContent = name ? plain(name) : '';
  const of = (value, state) => value ? `${number(value)} ${state}` : null;
  document.title = [of(sends?.counts.unknown, 'unknown'), of(counts.dead, 'dead'), name && plain(name), 'Inbox'].filter(Boolean).join(' · ');
  $('about').textContent = `messaging ${version}, running since ${moment(started)}`;
}

openList(route);
openDialogs(refresh);
$('sign-in').hidden = false;
$('sign-in-error').textContent = history.state ?? '';
history.replaceState(null, '');
if (page.token) enter();
else $('token').focus();
