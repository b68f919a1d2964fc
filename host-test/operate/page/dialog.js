// The dialog that asks for confirmation of an operator's decision.

import { $, make, page, plain, reason } from './kit.js';

let act = null;
let decider = ''; // Name of the operator in the last decision, reused in the next decision.

/** Asks for confirmation before `act` runs. `fields` are names and labels of the inputs of `act`. */
export function confirm({ title, text, yes, danger = false, fields = [], ...decision }) {
  act = decision.act;
  const { name } = page.overview;
  $('confirm-title').textContent = title;
  $('confirm-text').textContent = `${name ? `Environment: ${plain(name)}\n` : ''}${text}`;
  $('confirm-error').textContent = '';
  $('confirm-yes').textContent = yes;
  $('confirm-yes').className = danger ? 'danger' : 'primary';
  $('confirm-fields').replaceChildren(...fields.flatMap(([field, label]) => {
    const input = make('input');
    Object.assign(input, { id: `confirm-${field}`, name: field, autocomplete: 'off', value: field === 'by' ? decider : '' });
    const element = make('label', '', label);
    element.htmlFor = input.id;
    return [element, input];
  }));
  $('confirm').showModal();
}

/** Handles the buttons of the dialog. Calls `refresh` after each decision. */
export function openDialogs(refresh) {
  const buttons = [$('confirm-yes'), $('confirm-no')];
  $('confirm-no').addEventListener('click', () => $('confirm').close());
  $('confirm').addEventListener('cancel', (asked) => $('confirm-yes').disabled && asked.preventDefault());
  $('confirm-yes').addEventListener('click', async () => {
    const inputs = [...$('confirm-fields').querySelectorAll('input')];
    const empty = inputs.find((input) => !input.value.trim());
    if (empty) {
      $('confirm-error').textContent = `${empty.labels[0].textContent} is missing.`;
      return empty.focus();
    }
    for (const button of buttons) button.disabled = true;
    try {
      const given = Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()]));
      decider = given.by ?? decider;
      const notice = await act(given);
      $('confirm').close();
      $('notice').textContent = notice;
      $('notice').hidden = false;
    } catch (error) {
      $('confirm-error').textContent = reason(error);
    }
    for (const button of buttons) button.disabled = false;
    refresh();
  });
}
