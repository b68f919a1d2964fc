// Three nodes of Restate, and calls that use the next node if a node is down.

import { existsSync } from 'node:fs';
import { Process, freePorts, until } from './processes.js';

const here = import.meta.dirname;
const SERVER = process.env.RESTATE_SERVER
  ?? `${here}/../node_modules/@restatedev/restate-server-linux-x64/bin/restate-server`;

export class Cluster {
  static async start(folder, count = 3) {
    if (!existsSync(SERVER)) throw new Error(`${SERVER} is missing: run npm ci, or set RESTATE_SERVER`);
    const ports = await freePorts(3 * count);
    const url = (port) => `http://127.0.0.1:${port}`;
    const cluster = new Cluster();
    cluster.nodes = Array.from({ length: count }, (_, i) => {
      const [fabric, ingress, admin] = ports.slice(3 * i, 3 * i + 3);
      const node = new Process(SERVER, ['--no-logo'], {
        log: `${folder}/node-${i + 1}.log`,
        env: {
          RESTATE_CONFIG: `${here}/../restate.toml`,
          RESTATE_NODE_NAME: `node-${i + 1}`,
          RESTATE_BASE_DIR: `${folder}/node-${i + 1}`,
          RESTATE_BIND_ADDRESS: `127.0.0.1:${fabric}`,
          RESTATE_ADVERTISED_ADDRESS: url(fabric),
          RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
          RESTATE_INGRESS__ADVERTISED_ADDRESS: url(ingress),
          RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
          RESTATE_ADMIN__ADVERTISED_ADDRESS: url(admin),
          RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(ports.filter((_, n) => n % 3 === 0).map(url)),
          RESTATE_AUTO_PROVISION: String(i === 0),
        },
      });
      return Object.assign(node, { name: `node ${i + 1}`, ingress: url(ingress), admin: url(admin) });
    });
    for (const node of cluster.nodes) node.start();
    return cluster;
  }

  /** Registers the handlers at `uri`. Returns when every node knows them. */
  async register(uri) {
    const { services } = await this.admin('/deployments', { uri });
    for (const node of this.nodes) {
      await until(`${node.name} knows the handlers`, async () => {
        const reply = await fetch(`${node.ingress}/${services[0].name}/none`, { method: 'POST' });
        return !(await reply.text()).includes('make sure to register');
      });
    }
  }

  /** Calls a handler over the ingress of each node in turn until a node answers. The handler must tolerate a
   *  repeated call. */
  async call(path, body, { key, limitMs = 300_000, attemptMs = 10_000 } = {}) {
    // Sends a content type only with a body, because a handler without an argument accepts neither.
    const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...(key && { 'idempotency-key': key }) };
    let turn = Math.floor(Math.random() * this.nodes.length);
    return until(path, async () => {
      const node = this.nodes[turn++ % this.nodes.length];
      const reply = await fetch(`${node.ingress}/${path}`, {
        method: 'POST', headers, body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(attemptMs),
      });
      const text = await reply.text();
      // These replies come from the ingress. A node that has just started does not know the handlers yet, and replies
      // with 404. A handler rejects with another 4xx.
      if (reply.status >= 500 || reply.status === 404) throw new Error(`${reply.status} ${text}`);
      return { status: reply.status, json: text ? JSON.parse(text) : undefined };
    }, { limitMs });
  }

  /** Submits a call of a handler. Returns when Restate has accepted it durably. */
  submit(path, body, options) {
    return this.call(`${path}/send`, body, options);
  }

  async admin(path, body, method = 'POST') {
    return until(path, async () => {
      let failed;
      for (const node of this.nodes.filter((one) => one.isRunning)) {
        try {
          const reply = await fetch(node.admin + path, {
            method, body: body && JSON.stringify(body),
            headers: { 'content-type': 'application/json', accept: 'application/json' },
            signal: AbortSignal.timeout(30_000),
          });
          const text = await reply.text();
          if (reply.ok) return text ? JSON.parse(text) : {};
          failed = new Error(`${reply.status} ${text}`);
        } catch (error) {
          failed = error;
        }
      }
      throw failed;
    });
  }

  async query(sql) {
    return (await this.admin('/query', { query: sql })).rows;
  }

  /** Returns the messages with an unknown outcome, which an operator must resolve. */
  async unknown() {
    const rows = await this.query("select service_key, value_utf8 from state where service_name = 'Message' and key = 'entry'");
    return rows.map((row) => ({ key: row.service_key, ...JSON.parse(row.value_utf8) })).filter((entry) => entry.state === 'unknown');
  }
}
