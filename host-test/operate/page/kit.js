// Elements, texts, times and requests that the parts of the page share.

export const $ = (id) => document.getElementById(id);

/** Key of the token in `sessionStorage`. A proxy can serve several pages on one origin, each with its own token. */
export const TOKEN = `operator-token ${location.pathname}`;
/** The token, the last overview, and the milliseconds by which the server's clock is ahead of the browser's. */
export const page = { token: sessionStorage.getItem(TOKEN), overview: null, serverAhead: 0 };

export const number = (value) => new Intl.NumberFormat('en').format(value);
export const count = (value, noun, nouns = `${noun}s`) => `${number(value)} ${value === 1 ? noun : nouns}`;

/** Makes an element with a class and children; strings become text. */
export function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function link(href, ...children) {
  const element = make('a', '', ...children);
  element.href = href;
  return element;
}

export function button(className, text, act) {
  const element = make('button', className, text);
  element.addEventListener('click', act);
  return element;
}

export const facts = (rows) => make('dl', '', ...rows.flatMap(([name, value, look]) =>
  [make('dt', '', name), make('dd', look, value)]));

/** Returns a text block that the keyboard can scroll. */
export function block(...children) {
  const text = make('pre', '', ...children);
  text.tabIndex = 0;
  return text;
}

/** Escapes characters that could reorder, hide or end a line: control, bidirectional and invisible characters. */
export const plain = (text) => text.replace(/(?![\n\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
  found.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''));

const drawn = new Map();

/** Draws a part of the page only if its data has changed, because drawing loses focus and selection. */
export function draw(part, data, how) {
  const key = JSON.stringify(data);
  if (drawn.get(part) === key) return;
  drawn.set(part, key);
  const focused = document.activeElement?.getAttribute('href');
  how();
  if (focused && !document.activeElement?.getAttribute('href')) focusLink(document, focused);
}

export const focusLink = (within, href) =>
  [...within.querySelectorAll('a')].find((each) => each.getAttribute('href') === href)?.focus();

// Times, each with its time zone.

const format = (options) => new Intl.DateTimeFormat(undefined, options).format;
export const clock = format({ timeStyle: 'long' });
export const minute = format({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
export const moment = format({ dateStyle: 'medium', timeStyle: 'long' });

export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [minutes, hours, days] = [60, 3600, 86400].map((unit) => Math.floor(seconds / unit));
  const both = (large, unit, small, smaller) => `${number(large)} ${unit}${small ? ` ${small} ${smaller}` : ''}`;
  if (days) return both(days, 'd', hours % 24, 'h');
  if (hours) return both(hours, 'h', minutes % 60, 'min');
  return minutes ? `${minutes} min` : `${seconds} s`;
}

export const now = () => Date.now() + page.serverAhead; // Ages follow the server's clock.
const aged = (at) => (at > now() ? `in ${duration(at - now())}` : `${duration(now() - at)} ago`);

/** Returns an element with the age of a time: `12 s ago`, `in 3 min`. `updateAges` keeps the age current. */
export function age(at) {
  const element = make('time', 'age', aged(at));
  element.dataset.at = at;
  element.dateTime = new Date(at).toISOString();
  element.title = moment(at);
  return element;
}

export function updateAges() {
  for (const element of document.querySelectorAll('.age')) element.textContent = aged(Number(element.dataset.at));
}

export const timed = (at) => make('span', '', `${moment(at)}, `, age(at));

// Requests. Their paths are relative, because the page may be below the path of a proxy.

export const problem = (status, detail) => Object.assign(new Error(detail), { status });

export async function ask(path, { method = 'GET', body, within = 10_000, as = page.token } = {}) {
  const headers = { Authorization: `Bearer ${as}` };
  if (body) headers['Content-Type'] = 'application/json';
  const response = await fetch(`v1/${path}`, {
    method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(within),
    cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer',
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw problem(response.status, String(answer.detail ?? `The answer was ${response.status}.`));
}

/** Returns the answer, or null if the path or the event does not exist or its ID is invalid. */
export const askIfAny = (path) => ask(path).catch((error) => {
  if ([400, 404].includes(error.status)) return null;
  throw error;
});

export const reason = ({ status, message, name }) =>
  (status ? message : name === 'TimeoutError' ? 'The server took too long to answer.' : 'The server cannot be reached.');
