// Checks each guarantee with the service's ledger.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { MESSAGING_PROGRAM } from './service.js';
import { KEY } from './world.js';
import { until } from './processes.js';

const PHONE = '+34600111222';
const BREAKS = '+99900002000';
/** Longest time for which a reply is held. The deadline of a request is 50 s. */
const LONGEST_HOLD_MS = 35_000;

export async function scenario(world, step) {
  const { cluster, service } = world;
  const send = (key, phone, message, options) => cluster.call(`Message/${key}/send`, { phone, message }, options);
  const submit = (key, phone, message) => cluster.submit(`Message/${key}/send`, { phone, message }, { key });
  const created = (text) => service.messages((one) => one.message === text);
  /** Asserts the number of requests with this text, and the number of messages that they created. */
  const counts = async (text, requests, messages) => {
    const ledger = await service.ledger();
    const asked = ledger.requests.filter((one) => one.body.includes(JSON.stringify(text)));
    assert.deepEqual([asked.length, (await created(text)).length], [requests, messages], `requests and messages: ${text}`);
    return `${requests} request${requests === 1 ? '' : 's'}, ${messages} message${messages === 1 ? '' : 's'}`;
  };
  /** Sends a message whose reply is held. Returns after the message was created, with a function that releases the
   *  reply. If it is not called, the reply still comes before the deadline of the request, because a takeover on
   *  busy processors can take a minute. */
  const inMidSend = async (key, text) => {
    const open = await service.hold();
    await submit(key, PHONE, text);
    await until(`${key} is created`, async () => await service.held() === 1 && (await created(text)).length === 1);
    const timer = setTimeout(open, LONGEST_HOLD_MS);
    return () => {
      clearTimeout(timer);
      return open();
    };
  };

  await step('Concurrent calls on all nodes create one message', async () => {
    const asked = Array.from({ length: 12 }, (_, i) => send('order-1.ready', PHONE, 'Order 1', i % 2 ? { key: 'a' } : {}));
    const ids = new Set((await Promise.all(asked)).map((one) => one.json.id));
    assert.equal(ids.size, 1);
    return counts('Order 1', 1, 1);
  });

  await step('Another message under a used key is rejected', async () => {
    assert.equal((await send('order-1.ready', PHONE, 'Order 1, changed')).status, 409);
    return counts('Order 1, changed', 0, 0);
  });

  await step('Rejected message is not repeated, can be corrected', async () => {
    const refused = await send('order-2.ready', '+99900000400', 'Order 2');
    assert.equal(refused.json.state, 'refused');
    assert.equal((await send('order-2.ready', PHONE, 'Order 2, to the right number')).json.state, 'created');
    await counts('Order 2, to the right number', 1, 1);
    return `${refused.json.case}: ${await counts('Order 2', 1, 0)}`;
  });

  await step('A send waits for a stopped service', async () => {
    await service.refuse();
    await submit('order-3.ready', PHONE, 'Order 3');
    const { case: name } = await world.untilState('order-3.ready', 'waiting');
    await service.accept();
    await world.untilState('order-3.ready', 'created');
    return `${name}, then ${await counts('Order 3', 1, 1)}`;
  });

  await step('Broken connection leaves outcome unknown until resolved', async () => {
    await submit('order-4.ready', BREAKS, 'Order 4');
    const shown = await until('shown', async () => (await cluster.unknown()).find((one) => one.key === 'order-4.ready'));
    const [{ id }] = await created('Order 4');
    await cluster.call('Message/order-4.ready/resolve', { id, by: 'Ana' });
    const result = (await send('order-4.ready', BREAKS, 'Order 4')).json;
    assert.deepEqual([result.state, result.id, result.by], ['created', id, 'Ana']);
    return `${shown.case}; resolved as created by Ana; ${await counts('Order 4', 1, 1)}`;
  });

  await step('Message resolved as not created is sent again', async () => {
    await submit('order-5.ready', '+99900000500', 'Order 5');
    await world.untilState('order-5.ready', 'unknown');
    await cluster.call('Message/order-5.ready/resolve', { created: false, by: 'Ana' });
    await world.untilState('order-5.ready', 'not-created');
    await sleep(1000);
    const before = await counts('Order 5', 1, 0);
    await cluster.submit('Message/order-5.ready/send', { phone: '+99900000500', message: 'Order 5' });
    await world.untilState('order-5.ready', 'unknown');
    const after = await counts('Order 5', 2, 0);
    await world.decideAll();
    return `${before}; after the resolution: ${after}`;
  });

  await step('Three deliveries of an event are one answer', async () => {
    await world.order('order-6', PHONE, 'Order 6 is ready.');
    await world.untilState('order-6.ready', 'created');
    for (let i = 0; i < 3; i += 1) await service.deliver('evt-6', PHONE, 'At noon.');
    const { answer, thanks } = await world.orderResult('order-6');
    assert.deepEqual([answer.key, thanks.state], ['evt-6', 'created']);
    return counts('Thank you. You wrote: At noon.', 1, 1);
  });

  await step('Event without waiting order waits for an operator', async () => {
    await service.deliver('evt-7', PHONE, 'Hello?');
    const shown = async () => (await cluster.call(`Customer/${encodeURIComponent(PHONE)}/show`)).json;
    const { unasked } = await until('the event', async () => (await shown()).unasked.length && shown());
    assert.deepEqual(unasked, [{ key: 'evt-7', text: 'Hello?' }]);
    return '1 event';
  });

  await step('Answer to order without message is kept', async () => {
    const phone = '+99900000500';
    const customer = async () => (await cluster.call(`Customer/${encodeURIComponent(phone)}/show`)).json;
    await world.order('order-7', phone, 'Order 7 is ready.');
    await world.untilState('order-7.ready', 'unknown');
    await service.deliver('evt-7b', phone, 'To another message.');
    await until('the event is given to the order', async () => (await customer()).orders.length === 0);
    await cluster.call('Message/order-7.ready/resolve', { created: false, by: 'Ana' });
    const { state } = await world.orderResult('order-7');
    const { unasked } = await customer();
    assert.deepEqual([state, unasked.map((one) => one.key)], ['not-created', ['evt-7b']]);
    return 'stored for an operator';
  });

  await step('Node killed during send does not change outcome', async () => {
    const open = await inMidSend('order-8.ready', 'Order 8');
    for (const node of cluster.nodes) {
      await node.stop();
      node.start();
      await until(node.name, async () => (await fetch(`${node.ingress}/restate/health`)).ok);
      await until(`the partitions of ${node.name}`, () => world.entry('order-8.ready'));
    }
    open();
    await world.untilState('order-8.ready', 'created');
    return `each of three nodes in turn; ${await counts('Order 8', 1, 1)}`;
  });

  await step('Node suspended during send is replaced and returns', async () => {
    const seen = [];
    for (const [i, node] of cluster.nodes.entries()) {
      const key = `order-8.${i}`;
      const open = await inMidSend(key, key);
      node.child.kill('SIGSTOP');
      // Probes all partitions, because another node must take over the partitions of the suspended node.
      await Promise.all(Array.from({ length: 12 }, (_, n) => world.entry(`probe-1-${n}`)));
      node.child.kill('SIGCONT');
      open();
      await world.untilState(key, 'created');
      seen.push(await counts(key, 1, 1));
    }
    return `each of three nodes: ${seen[0]}`;
  });

  await step('Killed worker leaves unknown outcome, never resends', async () => {
    const open = await inMidSend('order-9.ready', 'Order 9');
    await world.worker.stop();
    open();
    world.worker.start();
    const { detail } = await world.untilState('order-9.ready', 'unknown');
    const before = await counts('Order 9', 1, 1);
    // The resolution is too early, because the worker could still exist in suspended state.
    const early = await cluster.call('Message/order-9.ready/resolve', { created: false, by: 'Ana' });
    assert.equal(early.status, 409);
    await world.decideAll();
    assert.equal((await world.untilState('order-9.ready', 'created')).by, 'Ana');
    return `${detail}; ${before}`;
  });

  await step('Worker stopped by SIGTERM records the outcome', async () => {
    const open = await inMidSend('order-10.ready', 'Order 10');
    const stopped = world.worker.stop('SIGTERM');
    await sleep(300);
    open();
    await stopped;
    world.worker.start();
    await world.untilState('order-10.ready', 'created');
    return counts('Order 10', 1, 1);
  });

  await step('Send and order continue after all nodes died', async () => {
    await world.order('order-11', PHONE, 'Order 11 is ready.');
    await world.untilState('order-11.ready', 'created');
    const open = await inMidSend('order-12.ready', 'Order 12');
    await Promise.all(cluster.nodes.map((node) => node.stop()));
    // `serve` acknowledges the event although no receiver is running.
    await service.deliver('evt-11', PHONE, 'At one.');
    for (const node of cluster.nodes) node.start();
    await until('the nodes', () => world.entry('order-12.ready'));
    open();
    await world.untilState('order-12.ready', 'created');
    assert.equal((await world.orderResult('order-11')).answer.key, 'evt-11');
    await counts('Thank you. You wrote: At one.', 1, 1);
    return `${await counts('Order 12', 1, 1)}; an event delivered during the outage was processed`;
  });

  await step('Killed invocation leaves unknown outcome, never resends', async () => {
    const open = await inMidSend('order-13.ready', 'Order 13');
    const [{ id }] = await cluster.query("select id from sys_invocation where target_service_key = 'order-13.ready' and target_handler_name = 'send' and status != 'completed'");
    await cluster.admin(`/invocations/${id}/kill`, undefined, 'PATCH');
    open();
    await cluster.submit('Message/order-13.ready/send', { phone: PHONE, message: 'Order 13' });
    const { detail } = await world.untilState('order-13.ready', 'unknown');
    await world.decideAll();
    return `${detail}; ${await counts('Order 13', 1, 1)}`;
  });

  await step('Every event is done in the inbox', async () => {
    const list = async () => JSON.parse((await promisify(execFile)(MESSAGING_PROGRAM, ['inbox', 'list', '--store', world.store, '--json'])).stdout);
    const events = await until('all done', async () => {
      const events = await list();
      return events.every((one) => one.state === 'done') && events;
    });
    return `${events.length} events`;
  });

  await step('Logs and node files contain no API key', async () => {
    const found = await promisify(execFile)('grep', ['-rlaF', KEY, world.folder, '--exclude=service.log']).catch((error) => error);
    assert.equal(found.code, 1, found.stdout);
    return 'searched';
  });

  // The next two steps are the last, because they replace the sending worker.
  await step('Worker suspended after an intent writes another intent', async () => {
    const worker = await world.serveHandlers('intent', { STILL_MS: '500' });
    assert.equal((await send('still-1', PHONE, 'still-1')).json.state, 'created');
    const lines = (await readFile(worker.log, 'utf8')).split('\n');
    await worker.stop();
    assert.deepEqual(lines.filter((line) => line.startsWith('request: ')), ['request: still-1']);
    assert.equal(lines.filter((line) => line === 'intent').length, 2);
    return '2 intents, 1 request';
  });

  await step('Request waits for its intent on two nodes', async () => {
    const [first, ...others] = cluster.nodes;
    const worker = await world.serveHandlers('intent', { PIDS: others.map((node) => node.child.pid).join(' ') });
    const log = async () => {
      // The log also contains the lines of the previous worker.
      const lines = (await readFile(worker.log, 'utf8')).split('\n').filter((line) => !line.includes('still'));
      return { intents: lines.filter((line) => line === 'intent').length - 2, requests: lines.filter((line) => line.startsWith('request: ')) };
    };
    const keys = Array.from({ length: 12 }, (_, i) => `intent-${i}`);
    for (const key of keys) {
      fetch(`${first.ingress}/Message/${key}/send/send`, {
        method: 'POST', body: JSON.stringify({ phone: PHONE, message: key }), headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }).catch(() => {});
    }
    await until('an intent', async () => (await log()).intents > 0);
    await sleep(3000);
    const { intents, requests } = await log();
    assert.deepEqual(requests, []);
    const stopped = setInterval(() => others.forEach((node) => node.child.kill('SIGCONT')), 50);
    for (const key of keys) await submit(key, PHONE, key);
    for (const key of keys) {
      await until(key, async () => ['created', 'unknown'].includes((await world.entry(key))?.state));
    }
    clearInterval(stopped);
    const made = (await log()).requests;
    assert.equal(new Set(made).size, made.length);
    await worker.stop();
    return `two of three nodes stopped for 3 s: ${intents} intent${intents === 1 ? '' : 's'}, no request; then ${made.length}`;
  });
}
