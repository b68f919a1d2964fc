// MESSAGING_WEBHOOK_HEADER_SECRET=… node receive.js STORE.sqlite [PORT]
//
// Receives events: verifies each delivery, stores its event under its key, and answers 200 after the commit. A
// redelivery changes nothing. Other bytes under a stored key go to the table `conflicts`. Needs Node 22.13.

import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { InvalidInputError, Plugin } from 'messaging-plugin';
import { Proofs, UnverifiedError } from 'messaging-plugin/proofs';

const MAX_BODY_BYTES = 256 * 1024;
const [file, port = '8475'] = process.argv.slice(2);
const proofs = new Proofs({ settings: process.env });
const plugin = await Plugin.load({}); // `handleEvent` needs no settings

const store = new DatabaseSync(file);
// With FULL, a power failure could restore the deleted rollback journal, which would undo a commit. EXTRA prevents this,
// because it syncs the directory.
store.exec(`
  PRAGMA busy_timeout = 5000;
  PRAGMA synchronous = EXTRA;
  CREATE TABLE IF NOT EXISTS events (key TEXT PRIMARY KEY, message_id TEXT NOT NULL, json TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS conflicts (key TEXT, json TEXT, PRIMARY KEY (key, json)) STRICT;`);
const insert = store.prepare('INSERT INTO events VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
const find = store.prepare('SELECT json FROM events WHERE key = ?');
const insertConflict = store.prepare('INSERT INTO conflicts VALUES (?, ?) ON CONFLICT DO NOTHING');

/** Stores an event. The event is durable when the function returns, because each statement commits. */
function keep({ idempotencyKey, messageId, json }) {
  insert.run(idempotencyKey, messageId, json);
  if (find.get(idempotencyKey).json !== json) insertConflict.run(idempotencyKey, json);
}

async function bodyOf(request) {
  const pieces = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Returns the beginning of a header's value, in printable ASCII. */
function printable(value) {
  return value.slice(0, 40).replace(/[^ -~]/g, '?');
}

async function receive(request) {
  const body = await bodyOf(request);
  if (!body) return { status: 413 };
  try {
    const delivery = proofs.verify(request.headersDistinct, body, { path: request.url });
    const encoding = request.headers['content-encoding'] ?? '';
    if (!/^(identity)?$/i.test(encoding)) return { status: 415, detail: `unsupported content encoding: ${printable(encoding)}` };
    keep(await plugin.handleEvent(delivery));
    return { status: 200 };
  } catch (error) {
    if (error instanceof InvalidInputError) return { status: 400, detail: error.message };
    console.error(error instanceof UnverifiedError ? `401: ${error.message}` : error);
    // After a 503, the event source delivers again.
    return { status: error instanceof UnverifiedError ? 401 : 503 };
  }
}

const server = createServer({ requestTimeout: 10_000 }, async (request, response) => {
  const { status, detail = '' } = await receive(request).catch(() => ({ status: 400 }));
  response.writeHead(status, status === 200 ? {} : { connection: 'close' }).end(detail);
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
