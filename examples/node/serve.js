// Receives the service's events: the webhook component behind the shim's HTTP server,
// with a folder as its inbox.
//
//     npm run serve -- --inbox FOLDER [--listen 127.0.0.1:8472]
//
// The settings are the variables MESSAGING_WEBHOOK_... of this process.

import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cli, clocks, http, io } from '@bytecodealliance/preview2-shim';
import { HTTPServer } from '@bytecodealliance/preview2-shim/http';
import { importsOf } from './src/folder.js';

const { values: options } = parseArgs({
  options: { inbox: { type: 'string' }, listen: { type: 'string', default: '127.0.0.1:8472' } },
});
const [, host, port] = /^(.+):(\d+)$/.exec(options.listen) ?? [];
if (!options.inbox || !host) {
  console.error('usage: npm run serve -- --inbox FOLDER [--listen ADDRESS:PORT]');
  process.exit(2);
}
const inbox = resolve(options.inbox);
mkdirSync(inbox, { recursive: true });

// See src/worker.js.
WebAssembly.promising ??= () => {
  throw new TypeError('this engine has no promise integration');
};
const component = new URL('./component/webhook/', import.meta.url);
const { instantiate } = await import(new URL('webhook.js', component)).catch((cause) => {
  throw new Error(`${component} cannot be loaded. Make it with \`npm run build\``, { cause });
});
const modules = new Map();
const core = (name) => {
  if (!modules.has(name)) modules.set(name, new WebAssembly.Module(readFileSync(new URL(name, component))));
  return modules.get(name);
};
const settings = Object.entries(process.env).filter(([name]) => name.startsWith('MESSAGING_WEBHOOK_'));
const imports = {
  ...importsOf(inbox),
  'wasi:cli/environment': { getEnvironment: () => settings },
  'wasi:cli/stderr': cli.stderr,
  'wasi:clocks/monotonic-clock': clocks.monotonicClock,
  'wasi:clocks/wall-clock': clocks.wallClock,
  'wasi:io/error': io.error,
  'wasi:io/poll': io.poll,
  'wasi:io/streams': io.streams,
  'wasi:http/types': { ...http.types, httpErrorCode: () => undefined },
  'wasi:http/outgoing-handler': {
    handle() {
      throw { tag: 'HTTP-request-denied' };
    },
  },
};

const server = new HTTPServer({
  handle(request, out) {
    try {
      instantiate(core, imports).incomingHandler.handle(request, out);
    } catch (error) {
      // Not 200: the sender delivers again.
      console.error(`a delivery failed: ${error}`);
      const response = new http.types.OutgoingResponse(new http.types.Fields());
      response.setStatusCode(503);
      const body = response.body();
      http.types.ResponseOutparam.set(out, { tag: 'ok', val: response });
      http.types.OutgoingBody.finish(body);
    }
  },
});
server.listen(Number(port), host);
console.log(`receiving on http://${host}:${server.address().port}/, keeping events in ${inbox}`);
