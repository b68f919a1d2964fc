// Tests the error cases of the WIT and their retry policy.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as plugin from 'messaging-plugin';

const wit = await readFile(new URL('../../../wit/types.wit', import.meta.url), 'utf8');
const [, body] = /variant error \{(.*?)\n    \}/s.exec(wit);
const cases = [...body.matchAll(/^ +([a-z-]+)(?:\(|,)/gm)].map(([, name]) => name);

const { MessagingError, PluginCrashedError } = plugin;
const all = (creates) => [...cases.map((tag) => MessagingError.of({ tag }, creates)), new PluginCrashedError('trap', creates)];
const named = (errors, which) => errors.filter(which).map((error) => error.case);

test('every WIT case has its own class', () => {
  assert.deepEqual(all(true).slice(0, -1).map((error) => error.case), cases);
  const classes = new Set(all(true).map((error) => error.constructor));
  assert.equal(classes.size, cases.length + 1);
  assert.ok(!classes.has(MessagingError));
  for (const type of classes) assert.equal(plugin[type.name], type, type.name);
});

test('send is retryable only without created message', () => {
  const errors = all(true);
  assert.deepEqual(named(errors, ({ retry }) => retry === 'safe'), ['rate-limited', 'not-sent', 'unavailable']);
  assert.deepEqual(named(errors, ({ mayExist }) => mayExist), [
    'execution-failed',
    'permanent-outcome-unknown',
    'permanent-unexpected-reply',
    'permanent-other',
    'crashed',
  ]);
});

test('read is retryable after every temporary case', () => {
  const errors = all(false);
  assert.deepEqual(named(errors, ({ mayExist }) => mayExist), []);
  assert.deepEqual(
    named(errors, ({ retry }) => retry === 'never'),
    cases.filter((name) => name.startsWith('permanent-')),
  );
});
