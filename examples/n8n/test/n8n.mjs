// An n8n server with the packed package and its own database. The environment variable `N8N` names the directory of the
// n8n installation.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../node-red/test/node-red.mjs';

const PACKAGE = join(import.meta.dirname, '..');
const PROGRAM = join(process.env.N8N, 'node_modules/n8n/bin/n8n');
const POSTGRES = join('/usr/lib/postgresql', readdirSync('/usr/lib/postgresql').sort((a, b) => a - b).at(-1), 'bin');

/** An n8n server with the packed package and its own PostgreSQL database. */
export class N8n {
  #folder;
  #port;
  #server;
  cookie;

  static async make() {
    const folder = mkdtempSync(join(tmpdir(), 'n8n-'));
    chmodSync(folder, 0o755);
    const made = new N8n();
    made.#folder = folder;
    made.#port = await freePort();
    mkdirSync(join(folder, 'postgres'));
    if (process.getuid() === 0) run('chown', 'postgres', join(folder, 'postgres'));
    made.#postgres('initdb', '-D', `${folder}/postgres/data`, '-U', 'postgres', '-A', 'trust');
    made.#postgres('pg_ctl', '-D', `${folder}/postgres/data`, '-o', `-k ${folder}/postgres -c listen_addresses=''`, '-l', `${folder}/postgres/log`, '-w', 'start');
    made.#postgres('createdb', '-h', `${folder}/postgres`, '-U', 'postgres', 'n8n');

    const nodes = join(folder, '.n8n/nodes');
    mkdirSync(nodes, { recursive: true });
    writeFileSync(join(nodes, 'package.json'), '{ "private": true }');
    run('npm', 'pack', '--ignore-scripts', '--pack-destination', folder, PACKAGE);
    const file = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    // Fails if the package needs anything from a registry. n8n supplies n8n-workflow.
    run('npm', 'install', '--prefix', nodes, '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund', join(folder, file));
    return made;
  }

  /** Runs a command of n8n. Resolves with its exit code and its complete output. */
  async command(...args) {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: this.#env(), stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
    const [code] = await once(child, 'exit');
    return { code, text };
  }

  /** Imports workflows or credentials with n8n's command line. */
  async import(kind, things) {
    const file = join(this.#folder, `${kind}.json`);
    writeFileSync(file, JSON.stringify(things));
    const { code, text } = await this.command(`import:${kind}`, `--input=${file}`);
    assert.equal(code, 0, text);
  }

  /** Executes a workflow. Resolves with the last output or error of each node. */
  async execute(id) {
    const { text } = await this.command('execute', `--id=${id}`, '--rawOutput');
    const { data } = JSON.parse(text.slice(text.indexOf('{\n'), text.lastIndexOf('\n}') + 2));
    const nodes = Object.entries(data.resultData.runData).map(([name, runs]) => [
      name,
      {
        error: runs.at(-1).error,
        items: runs.at(-1).data?.main?.[0]?.map(({ json }) => json),
        errors: runs.at(-1).data?.main?.[1]?.map(({ json }) => json),
      },
    ]);
    return { text, ...Object.fromEntries(nodes) };
  }

  /** Starts the server. Resolves when `path` answers with a status other than 404 and 503. */
  async start(path) {
    this.#server = spawn(process.execPath, [PROGRAM, 'start'], { env: this.#env(), stdio: 'ignore' });
    for (;;) {
      assert.equal(this.#server.exitCode, null, 'n8n exited');
      const reply = await fetch(this.url + path, { method: 'POST', body: '{}' }).catch(() => undefined);
      if (reply && ![404, 503].includes(reply.status)) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Creates n8n's owner account, as the setup page does. Later requests of `rest` use the owner's session. */
  async login() {
    const reply = await fetch(`${this.url}/rest/owner/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@example.com', firstName: 'Owner', lastName: 'Of This', password: 'Only-for-tests-1' }),
    });
    assert.equal(reply.status, 200);
    const [, name, value] = /^([^=]+)=([^;]+)/.exec(reply.headers.getSetCookie()[0]);
    this.cookie = { name, value };
  }

  async rest(path, body) {
    const reply = await fetch(`${this.url}/rest${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', cookie: `${this.cookie.name}=${this.cookie.value}` },
      body: JSON.stringify(body),
    });
    return (await reply.json()).data;
  }

  async stop(signal = 'SIGTERM') {
    if (!this.#server) return;
    const exited = once(this.#server, 'exit');
    this.#server.kill(signal);
    await exited;
    this.#server = undefined;
  }

  async remove() {
    await this.stop();
    this.#postgres('pg_ctl', '-D', `${this.#folder}/postgres/data`, '-m', 'immediate', 'stop');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  #env() {
    return {
      PATH: process.env.PATH,
      HOME: this.#folder,
      N8N_USER_FOLDER: this.#folder,
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: `${this.#folder}/postgres`,
      DB_POSTGRESDB_DATABASE: 'n8n',
      DB_POSTGRESDB_USER: 'postgres',
      N8N_ENCRYPTION_KEY: 'for-tests-only',
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_PORT: String(this.#port),
      N8N_SECURE_COOKIE: 'false',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    };
  }

  #postgres(program, ...args) {
    const command = [join(POSTGRES, program), ...args];
    // PostgreSQL refuses to run as root.
    run(...(process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command));
  }
}

function run(command, ...args) {
  // Discards the output. A pipe would stay open while a server that the command started runs.
  const { status } = spawnSync(command, args, { stdio: 'ignore', cwd: '/' });
  assert.equal(status, 0, [command, ...args].join(' '));
}
