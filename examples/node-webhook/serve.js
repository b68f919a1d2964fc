// Receives the service's events with the webhook component in Node's HTTP server. The inbox is a directory.
//
//     npm run serve -- --inbox FOLDER [--listen 127.0.0.1:8472]
//
// The settings are the environment variables MESSAGING_WEBHOOK_*.

import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from './src/pool.js';

// One byte more than the component accepts, so that the component detects and rejects a body that is too large.
const MAX_BODY_BYTES = numberOf('MESSAGING_WEBHOOK_MAX_BODY_BYTES', 262_144, 16_777_216) + 1;
const ARRIVAL_MS = numberOf('MESSAGING_WEBHOOK_DEADLINE_MS', 10_000, 600_000);
const LIMIT_MS = 30_000;

const { values: options } = parseArgs({
  options: { inbox: { type: 'string' }, listen: { type: 'string', default: '127.0.0.1:8472' } },
});
const [, host, port] = /^(.+):(\d+)$/.exec(options.listen) ?? [];
if (!options.inbox || !host) {
  console.error('usage: npm run serve -- --inbox FOLDER [--listen ADDRESS:PORT]');
  process.exit(2);
}
const settings = Object.entries(process.env).filter(([name]) => name.startsWith('MESSAGING_WEBHOOK_'));
const [file] = settings.map(([name]) => name).filter((name) => /_SECRET(_NEXT)?_FILE$/.test(name));
if (file) {
  // Only `messaging serve` reads this setting. The component ignores it, has no secret, and would accept deliveries
  // without proof.
  const secret = file.slice(0, -'_FILE'.length);
  console.error(`messaging-webhook: ${file} is not a setting here; put the secret itself into ${secret}, as in ${secret}="$(cat FILE)"`);
  process.exit(2);
}
const inbox = resolve(options.inbox);
mkdirSync(inbox, { recursive: true });
sync(dirname(inbox));

const pool = new Pool({ inbox, settings });
await pool.start();

const server = createServer({
  // An incomplete request is answered 408 after this time.
  headersTimeout: ARRIVAL_MS,
  requestTimeout: ARRIVAL_MS,
  connectionsCheckingInterval: 500,
}, (request, reply) => {
  receive(request)
    .then((delivery) => pool.run(delivery, LIMIT_MS))
    .catch((error) => {
      console.error(`messaging-webhook: delivery failed, answered 503: ${error.message}`);
      // After a 503, the event source delivers again.
      return { response: { status: 503, headers: [['retry-after', '1']], body: '' } };
    })
    .then(({ response: { status, headers, body } }) => {
      // Closes the connection instead of waiting for the rest of a body that is too large.
      if (!request.complete) headers.push(['connection', 'close']);
      reply.writeHead(status, headers.flat()).end(body);
    });
});
server.maxConnections = 512;
server.listen(Number(port), host, () => {
  console.log(`receiving on http://${host}:${server.address().port}/, storing events in ${inbox}`);
});

/** Returns the number in the environment variable `name`, or `standard` if unset. Exits if the value is invalid. */
function numberOf(name, standard, most) {
  const value = process.env[name] ?? String(standard);
  if (/^\d+$/.test(value) && value >= 1 && value <= most) return Number(value);
  console.error(`messaging-webhook: ${name} is not a whole number from 1 to ${most}; correct or unset it`);
  process.exit(2);
}

/** Reads a request, up to the maximum size of its body. */
async function receive(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BODY_BYTES) break;
  }
  const headers = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name, value] = request.rawHeaders.slice(index);
    headers.push([name, new Uint8Array(Buffer.from(value, 'latin1'))]);
  }
  const body = new Uint8Array(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES));
  return { method: request.method, path: request.url, headers, body };
}

function sync(folder) {
  const descriptor = openSync(folder);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
