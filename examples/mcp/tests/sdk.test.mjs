// Tests `messaging mcp` with the client of the MCP TypeScript SDK. The client validates every result, including failures,
// against the tool's schema. The simulated service's ledger shows which messages were created.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const PROGRAM = resolve(process.env.MESSAGING ?? `${import.meta.dirname}/../../../target/debug/messaging`);
const OWN = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MESSAGING_')));
const TOKEN = 'a-token-of-the-clients-of-this-test';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a simulated service. Returns settings for `messaging mcp`, and a function that reads the service's ledger. */
async function startService(t) {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
  const address = `127.0.0.1:${await freePort()}`;
  const service = spawn(PROGRAM, ['service', '--listen', address], { env: OWN, stdio: 'ignore' });
  const ledger = async () => (await fetch(`http://${address}/_simulator/ledger`)).json();
  while (!(await ledger().catch(() => null))) await new Promise((done) => setTimeout(done, 50));
  t.after(async () => {
    service.kill();
    await once(service, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  const env = {
    ...OWN, MESSAGING_BASE_URL: `http://${address}`, MESSAGING_API_KEY: 'simulated-key', MESSAGING_DEADLINE_MS: '2000',
    MESSAGING_ONCE_JOURNAL: join(folder, 'journal.sqlite'), MESSAGING_MCP_TOKENS: TOKEN,
  };
  return { env, ledger };
}

const transports = {
  stdio: (t, env) => new StdioClientTransport({ command: PROGRAM, args: ['mcp'], env, stderr: 'ignore' }),
  http: async (t, env) => {
    const server = spawn(PROGRAM, ['mcp', '--listen', '127.0.0.1:0', '--json'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    t.after(async () => {
      server.kill();
      await once(server, 'exit');
    });
    const [line] = await once(createInterface(server.stdout), 'line');
    return new StreamableHTTPClientTransport(new URL(JSON.parse(line).url), { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } });
  },
};

for (const [name, connect] of Object.entries(transports)) {
  test(`${name} sends once and keeps unknown outcomes`, async (t) => {
    const { env, ledger } = await startService(t);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(await connect(t, env));
    t.after(() => client.close());
    await client.listTools();
    const send = (idempotency_key, phone) =>
      client.callTool({ name: 'send_message', arguments: { idempotency_key, phone, message: 'It is on its way.' } });
    for (const replayed of [false, true, true]) {
      const { structuredContent, isError } = await send('order-17', '+34600111222');
      assert.deepEqual([isError, structuredContent.message_id, structuredContent.replayed], [false, 'msg-0001', replayed]);
    }
    for (let round = 0; round < 2; round += 1) {
      const { structuredContent, isError } = await send('order-18', '+99900002000');
      assert.deepEqual([isError, structuredContent.outcome, structuredContent.repeat], [true, 'permanent-outcome-unknown', 'no']);
    }
    const { structuredContent } = await client.callTool({ name: 'look_up_message', arguments: { idempotency_key: 'order-18' } });
    assert.equal(structuredContent.outcome, 'unknown');
    assert.equal((await client.callTool({ name: 'list_templates', arguments: {} })).structuredContent.outcome, 'listed');
    assert.equal((await ledger()).created, 2);
  });
}
