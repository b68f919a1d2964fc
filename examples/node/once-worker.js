// A sender for `cargo verify conform --worker` and `cargo verify ordinary --sender`. Uses the package in this directory.
// Reads requests from standard input, one JSON line each, and writes replies as lines in any order. The variables
// MESSAGING_* are the plugin's settings. MESSAGING_ONCE_JOURNAL is an SQLite file or the URL of a journal server. A file
// needs Node 22.13, and a server needs its token in JOURNAL_TOKEN.

import { createInterface } from 'node:readline';
import { MessagingError, Plugin } from 'messaging-plugin';
import { HttpJournal, Once, SqliteJournal } from 'messaging-plugin/once';
import { kebab } from './spelling.js';

const { MESSAGING_ONCE_JOURNAL: location, ...env } = process.env;
const settings = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('MESSAGING_')));
const plugin = await Plugin.load({ settings });
const once = new Once(plugin, await journalAt(location));

const FUNCTIONS = {
  'send-once': ({ key, request }) => once.sendOnce(key, request),
  'look-up': ({ key }) => once.lookUp(key),
  'list-entries': ({ after }) => once.listEntries(after),
  resolve: ({ key, resolution }) => once.resolve(key, resolution),
  forget: ({ key }) => once.forget(key),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, function: called, ...given } = JSON.parse(line);
  void perform(called, given).then((answer) => process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`));
}
await plugin.close();

async function perform(called, given) {
  try {
    return { ok: kebab(await FUNCTIONS[called](given)) };
  } catch (error) {
    if (!(error instanceof MessagingError)) return { trap: String(error?.stack ?? error) };
    return { error: { case: error.case, payload: kebab(error.payload) } };
  }
}

async function journalAt(location) {
  if (/^https?:/.test(location)) return new HttpJournal({ url: location, token: process.env.JOURNAL_TOKEN });
  return SqliteJournal.open(location);
}
