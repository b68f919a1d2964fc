// The client of the TypeScript SDK, which holds every result against the tool's schema, failures too; judged by the
// service's ledger.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ENVIRONMENT, MESSAGING, simulatedService, startWith } from '../../node/host-test.js';

const TOKEN = 'a-token-of-the-clients-of-this-test';

/** Starts a service; returns settings for a server, and the ledger. */
async function startService(t) {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
  const service = await simulatedService();
  t.after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const env = {
    MESSAGING_BASE_URL: service.baseUrl, MESSAGING_API_KEY: service.apiKey, MESSAGING_DEADLINE_MS: '2000',
    MESSAGING_ONCE_JOURNAL: join(folder, 'journal.sqlite'), MESSAGING_MCP_TOKENS: TOKEN,
  };
  return { env, ledger: service.ledger };
}

const transports = {
  stdio: (t, env) => new StdioClientTransport({ command: MESSAGING, args: ['mcp'], env: { ...ENVIRONMENT, ...env }, stderr: 'ignore' }),
  http: async (t, env) => {
    const { url, stop } = await startWith(env, 'mcp', '--listen', '127.0.0.1:0', '--json');
    t.after(() => stop());
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } });
  },
};

for (const [name, connect] of Object.entries(transports)) {
  test(`over ${name}, one key is one message, and an unknown outcome is an error that stays`, async (t) => {
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
