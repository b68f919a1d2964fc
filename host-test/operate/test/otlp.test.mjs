// Traces at a real collector: rotel from PyPI, which logs the traces that it receives. The environment variable ROTEL
// names its program.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { freePort, startInbox } from './inbox.mjs';

const program = process.env.ROTEL ?? 'rotel-agent';
const installed = spawnSync(program, ['--version']).status === 0;
if (!installed) console.error('NOT RUN: rotel is not installed; install rotel from PyPI, and set ROTEL to the path of its program');

test('a collector reads the traces', { skip: installed ? false : 'no rotel', timeout: 60_000 }, async (t) => {
  const [http, grpc] = [await freePort(), await freePort()];
  const collector = spawn(program, ['start', '--otlp-http-endpoint', `127.0.0.1:${http}`, '--otlp-grpc-endpoint', `127.0.0.1:${grpc}`,
    '--exporter', 'blackhole', '--debug-log', 'traces', '--debug-log-verbosity', 'detailed'],
  { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [collector.stdout, collector.stderr]) stream.on('data', (bytes) => { said += bytes; });
  t.after(async () => {
    collector.kill();
    await once(collector, 'exit');
  });
  const says = async (...wanted) => {
    for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
      if (wanted.every((text) => said.match(text))) return;
    }
    assert.fail(`${wanted.filter((text) => !said.match(text))} is not in: ${said}`);
  };
  await says(/Starting Rotel/);
  const inbox = await startInbox(t, {
    options: ['--otlp', `http://127.0.0.1:${http}`], settings: { OTEL_SERVICE_NAME: 'our-webhook' },
  });
  const trace = '0af7651916cd43dd8448eb211c80319c';
  await inbox.deliver('evt-1', undefined, { traceparent: `00-${trace}-b7ad6b7169203331-01` });
  await says(new RegExp(`Trace ID +: ${trace}\\s+Parent ID +: b7ad6b7169203331`), /Name +: delivery/, /Kind +: SPAN_KIND_SERVER/,
    /service\.name: Str\(our-webhook\)/, /http\.response\.status_code: Int\(200\)/);
});
