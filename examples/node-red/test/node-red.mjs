// Headless Node-RED with the packed packages in its user directory, and the example's flow.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HERE = new URL('../', import.meta.url).pathname;
const RUNTIME = `${HERE}test/runtime/node_modules/`;
export const NODE = `${RUNTIME}node24/bin/node`;
const NODE_RED = `${RUNTIME}node-red/red.js`;

/** Creates a user directory of Node-RED with the example's flow. Installs this package and ../node from the files of
 *  `npm pack`. */
export async function userFolder(example = 'messages and events') {
  // Without the component, the nodes would not load, and the tests would wait for their flow without end.
  const built = `${HERE}../node/generated/component.js`;
  assert.ok(existsSync(built), 'the Node package is not built: run `npm ci && npm run build` in examples/node');
  const folder = await mkdtemp(join(tmpdir(), 'node-red-'));
  for (const source of [`${HERE}../node`, HERE]) npm(source, 'pack', '--ignore-scripts', '--pack-destination', folder);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => `./${name}`);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  // Fails if the packages need anything from a registry.
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', ...files);
  const flow = JSON.parse(await readFile(`${HERE}examples/${example}.json`, 'utf8'));
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flow));
  const accounts = flow.filter(({ type }) => type === 'messaging-account');
  const credentials = accounts.map(({ id }) => [id, { apiKey: '${MESSAGING_API_KEY}' }]);
  await writeFile(join(folder, 'flows_cred.json'), JSON.stringify(Object.fromEntries(credentials)));
  await writeFile(join(folder, 'settings.js'), `module.exports = {
    uiHost: '127.0.0.1', flowFile: 'flows.json', credentialSecret: false,
    contextStorage: { default: { module: 'localfilesystem', config: { flushInterval: 1 } } },
    editorTheme: { tours: false, projects: { enabled: false } },
    telemetry: { enabled: false, updateNotification: false },
  };`);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts Node-RED with a user directory. Resolves when the flow runs. */
export async function start(folder, env) {
  assert.ok(existsSync(NODE_RED), 'Node-RED is not installed: run `npm ci --prefix test/runtime`');
  const port = await freePort();
  const child = spawn(NODE, [NODE_RED, '--userDir', folder, '--port', String(port), '--settings', join(folder, 'settings.js')], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  const looks = new Set();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log += text;
      for (const look of looks) look();
    });
  }
  /** Resolves when the log contains `wanted` at or after index `from`. */
  const says = async (wanted, from = 0) => {
    const said = new Promise((resolve) => {
      const look = () => log.includes(wanted, from) && resolve(true);
      looks.add(look);
      look();
    });
    if (!(await Promise.race([said, exited.then(() => false)]))) assert.fail(`Node-RED exited: ${log}`);
  };
  await says('Started flows');
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    log: () => log,
    says,
    /** Changes the flows with the admin API; `type` is the type of the deployment. Resolves when the new flows run. */
    async deploy(type, change) {
      const flows = `${url}/flows`;
      const headers = { 'content-type': 'application/json', 'node-red-api-version': 'v2', 'node-red-deployment-type': type };
      const deployed = await (await fetch(flows, { headers })).json();
      change(deployed.flows);
      const from = log.length;
      assert.equal((await fetch(flows, { method: 'POST', headers, body: JSON.stringify(deployed) })).status, 200);
      await says('Started', from);
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
    },
  };
}

/** Posts JSON, a string or bytes to an address of a flow. */
export async function post(url, body, headers = {}) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || ArrayBuffer.isView(body) ? body : JSON.stringify(body),
  });
  const text = await reply.text();
  return { status: reply.status, json: text.startsWith('{') ? JSON.parse(text) : text };
}

function npm(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

/** Returns an unused port. */
export async function freePort() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
