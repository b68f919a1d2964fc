// Unknown sends, and the decisions of an operator about them.

import { $, age, ask, askIfAny, block, button, count, draw, facts, make, number, plain, timed } from './kit.js';
import { confirm } from './dialog.js';

export const readSends = () => askIfAny('sends');

export function showSends(_, list) {
  const { sends, as_of_ms: at, counts } = list ?? { sends: [] };
  $('counted').replaceChildren(...(at ? ['counted ', age(at)] : list ? ['being counted'] : []));
  draw('sends', [sends, counts?.unknown, Boolean(at), Boolean(list)], () => {
    $('unknown').replaceChildren(...sends.map(entry));
    const more = list && counts.unknown > sends.length ? `${count(counts.unknown - sends.length, 'newer send')} not shown.` : '';
    $('sends-empty').textContent = !list ? 'This server has no journal of sends: start it with --journal.'
      : sends.length ? more : at ? 'No unknown sends.' : 'The journal is being counted.';
  });
}

function entry(send) {
  const { key, outcome, attempts, began_ms: began, gives_up_ms: gaveUp, ended_ms: ended } = send;
  const decide = (look, text, decision) => {
    const element = button(look, text, () => confirm(decision));
    element.setAttribute('aria-label', `${text} ${key}`);
    return element;
  };
  return make('li', '',
    make('div', 'row', make('bdi', 'key mono', plain(key)), age(began)),
    make('p', 'why', outcome ? plain(outcome.detail) : 'The sender was lost. Nothing is known about the request.'),
    facts([
      ['Began', timed(began)],
      ended === null ? ['Gave up', timed(gaveUp)] : ['Ended', timed(ended)],
      ['Attempts', number(attempts)],
      ...(outcome ? [['Progress', plain(`${outcome.stage}${outcome.status === null ? '' : `, status ${outcome.status}`}`)]] : []),
      ...send.resolutions.map(({ attempt, created, by, reason, at_ms: at }) => ['Decided', make('span', '', timed(at),
        plain(`: attempt ${attempt} ${created === null ? 'was not created' : `created ${created}`}, by ${by}: ${reason}`))]),
      ...send.also_created.map((id) => ['Also created', plain(id)]),
    ]),
    outcome?.refusal ? answer(outcome.refusal) : null,
    make('p', 'row end', decide('', 'The message exists', existing(send)), decide('danger', 'Not created', missing(send))));
}

/** Returns the service's response, which helps an operator to find the message. */
function answer({ status, code, message, details, body }) {
  const lines = [`status ${status}${code === null ? '' : `, ${code}`}`, message, ...details.map(({ field, message: text }) =>
    (field === null ? text : `${field}: ${text}`))].filter(Boolean);
  return make('details', '', make('summary', '', 'Reply of the service'), make('p', '', plain(lines.join('\n'))), block(plain(body)));
}

const existing = (send) => decision(send, {
  title: 'Does the message exist?', yes: 'It exists',
  text: 'Later sends with this key return this message, and send nothing.',
  fields: [['created', 'Its identifier in the service']],
  found: ({ created }) => ({ created }),
});

const missing = (send) => decision(send, {
  title: 'Record that no message was created?', yes: 'Not created', danger: true,
  text: 'The next send with this key sends a message. If the first message exists after all, the recipient gets both.',
  found: () => ({ not_created: true }),
});

function decision({ key, attempts }, { text, fields = [], found, ...look }) {
  return {
    ...look, text: `Key: ${plain(key)}\n${text}`,
    fields: [...fields, ['by', 'Your name'], ['reason', 'How you know']],
    act: async (given) => {
      const { by, reason } = given;
      const body = { key, attempt: attempts, ...found(given), by, reason };
      const { state } = await ask('sends/resolve', { method: 'POST', body });
      return `${plain(key)} is ${state}.`;
    },
  };
}
