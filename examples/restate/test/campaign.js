// Runs orders with customers' answers and random kills. Then checks the service's ledger: at most one message for
// each purpose, every acknowledged event processed once, and no outcome missing.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './processes.js';
import { PROBE } from './world.js';

const ORDERS_AT_ONCE = 16;
/** Numbers of concurrent sends and of all sends. */
const SENDS = [[1, 200], [16, 600], [64, 1000], [256, 2000]];

export async function campaign(world, kills, step) {
  const { cluster } = world;
  await step('Sends per second', async () => {
    const seen = [];
    const before = await spent(world);
    for (const [atOnce, count] of SENDS) seen.push(`${(await rate(world, atOnce, count)).toFixed(0)} with ${atOnce} at once`);
    const after = await spent(world);
    const count = SENDS.reduce((sum, [, one]) => sum + one, 0);
    const each = (name, member) => (after[name][member] - before[name][member]) / count;
    return `${seen.join(', ')}\n    each takes ${each('nodes', 'cpu').toFixed(1)} ms of processor time on the nodes together, `
      + `${each('worker', 'cpu').toFixed(1)} ms on the worker; ${(each('nodes', 'written') / 1024).toFixed(0)} KiB are written`;
  });

  const recovery = new Map();
  const orders = new Orders(world);
  await step(`${kills} random kills during ${ORDERS_AT_ONCE} open orders`, async () => {
    const working = orders.run();
    const kinds = Object.entries(KILLS);
    for (let i = 0; i < kills; i += 1) {
      // Takes each kind in turn, so that each occurs. The moment within an order is random.
      const [name, kill] = kinds[i % kinds.length];
      await sleep(Math.random() * 1500);
      const began = performance.now();
      await kill(world, () => world.works(name));
      recovery.set(name, [...(recovery.get(name) ?? []), performance.now() - began]);
    }
    orders.isOver = true;
    await working;
    return `${orders.count} orders, ${orders.decided} unknown outcomes listed and resolved`;
  });

  await step('Each message reported as created exists once', () => orders.judgeMessages());
  await step('Every acknowledged event is processed once', () => orders.judgeEvents());

  // A worker or node counts as working again when twelve messages of different partitions are sent. `serve` counts as
  // working again when an event is acknowledged.
  for (const [name, all] of recovery) {
    const seconds = all.map((one) => one / 1000).sort((a, b) => a - b);
    const median = seconds[Math.floor(seconds.length / 2)];
    console.log(`  ${name}: works again after ${median.toFixed(1)} s, ${seconds.at(-1).toFixed(1)} s at most (${seconds.length} times)`);
  }
  const memory = await world.memory();
  console.log(`  resident memory: a node ${memory.node.toFixed(0)} MiB at most, the worker ${memory.worker.toFixed(0)}, serve ${memory.serve.toFixed(0)}`);
}

const KILLS = {
  async 'a node killed and restarted after 2 s'({ cluster }, works) {
    const node = cluster.nodes[Math.floor(Math.random() * cluster.nodes.length)];
    await node.stop();
    const back = sleep(2000).then(() => node.start());
    await works();
    await back;
  },
  async 'a worker killed and restarted at once'({ worker }, works) {
    await worker.stop();
    worker.start();
    await works();
  },
  async 'all nodes killed and restarted at once'({ cluster }, works) {
    await Promise.all(cluster.nodes.map((node) => node.stop()));
    for (const node of cluster.nodes) node.start();
    await works();
  },
  async 'a worker stopped by SIGTERM and restarted'({ worker }, works) {
    await worker.stop('SIGTERM');
    worker.start();
    await works();
  },
  async 'a node killed and not restarted before all partitions work'({ cluster }, works) {
    const node = cluster.nodes[Math.floor(Math.random() * cluster.nodes.length)];
    await node.stop();
    await works();
    node.start();
  },
  async 'serve killed and restarted at once'(world) {
    await world.inbox.stop();
    world.inbox.start();
    await world.acknowledges();
  },
};

/** Returns the resources used so far by all nodes, and by the worker. */
async function spent({ cluster, worker }) {
  const nodes = await Promise.all(cluster.nodes.map((node) => node.spent()));
  const sum = (member) => nodes.reduce((total, node) => total + node[member], 0);
  return { nodes: { cpu: sum('cpu'), written: sum('written') }, worker: await worker.spent() };
}

async function rate({ cluster }, atOnce, count) {
  let next = 0;
  const began = performance.now();
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (next < count) {
      const key = `rate-${atOnce}-${next++}`;
      const { json } = await cluster.call(`Message/${key}/send`, { phone: '+34600000001', message: key });
      assert.equal(json.state, 'created');
    }
  }));
  return count / (performance.now() - began) * 1000;
}

/** Runs orders from submission to result, `ORDERS_AT_ONCE` at a time. */
class Orders {
  count = 0;
  decided = 0;
  isOver = false;
  results = new Map();

  constructor(world) {
    this.world = world;
  }

  async run() {
    let isDone = false;
    const deciding = (async () => {
      while (!isDone) {
        this.decided += await this.world.decideAll();
        await sleep(500);
      }
    })();
    await Promise.all(Array.from({ length: ORDERS_AT_ONCE }, async () => {
      while (!this.isOver) await this.one(this.count++);
    }));
    isDone = true;
    await deciding;
  }

  async one(number) {
    const { world } = this;
    // Every eighth order has a phone number for which the service creates the message and breaks the connection.
    const phone = number % 8 === 7 ? '+99900002000' : `+34600${String(100_000 + number)}`;
    const text = `Order ${number} is ready.`;
    await world.order(`order-${number}`, phone, text);
    const result = world.orderResult(`order-${number}`, 300_000);
    const created = await until(text, async () => await world.service.has(text) || Promise.race([result, sleep(0)]), {
      limitMs: 300_000, everyMs: 100,
    });
    if (created === true) {
      const key = `evt-${number}`;
      for (let i = 0; i < 1 + number % 3; i += 1) await world.service.deliver(key, phone, `At noon, says ${key}.`);
    }
    this.results.set(number, await result);
  }

  async judgeMessages() {
    const { messages, requests } = await this.world.service.ledger();
    const texts = messages.map((one) => one.message);
    const twice = texts.filter((text, i) => texts.indexOf(text) !== i);
    assert.deepEqual(twice, []);
    const asked = new Set(requests.filter((one) => one.method === 'POST').map((one) => one.body));
    const there = new Map(messages.map((one) => [one.message, one.id]));
    let confirmed = 0;
    for (const [number, { sent, thanks }] of this.results) {
      if (sent.state === 'created') assert.equal(there.get(`Order ${number} is ready.`), sent.id);
      else assert.equal(there.has(`Order ${number} is ready.`), false);
      if (thanks?.state === 'created') confirmed += 1;
    }
    assert.deepEqual(await this.world.cluster.unknown(), []);
    return `${messages.length} messages, ${asked.size} different requests of ${requests.length}; ${confirmed} orders thanked for their answers`;
  }

  async judgeEvents() {
    const { deliveries, messages } = await this.world.service.ledger();
    const keys = new Set(deliveries.filter((one) => one.acknowledged).map((one) => one.key));
    const answers = [...this.results.values()].filter((one) => one.answer).map((one) => one.answer.key);
    assert.equal(new Set(answers).size, answers.length, 'an event is the answer to one order');
    // Waits, because `serve` can acknowledge an event before it forwards the event.
    const unasked = await until('every event is processed', async () => {
      const shown = (await this.world.cluster.call(`Customer/${encodeURIComponent(PROBE)}/show`)).json.unasked.map((one) => one.key);
      return answers.length + shown.length >= keys.size && shown;
    });
    assert.equal(new Set(unasked).size, unasked.length, 'an event that no order waits for is kept once');
    assert.deepEqual(new Set([...answers, ...unasked]), keys);
    const thanks = messages.filter((one) => one.message.startsWith('Thank you.')).map((one) => /says (.*)\.$/.exec(one.message)[1]);
    assert.equal(new Set(thanks).size, thanks.length);
    return `${keys.size} events, acknowledged ${deliveries.filter((one) => one.acknowledged).length} times; ${answers.length} answers, ${thanks.length} thanks, ${unasked.length} that no order waited for`;
  }
}
