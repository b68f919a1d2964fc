// A server between the worker and the simulated service, in a separate thread. The server can hold replies, so that a
// message is created but its outcome is not yet known. The thread posts the server's URL, and a reply to each command.

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

let held = 0, opened, open;

const gate = createServer((incoming, reply) => {
  const { method, url, headers } = incoming;
  const onward = request(`http://127.0.0.1:${workerData.port}${url}`, { method, headers }, async (answer) => {
    held += 1;
    await opened;
    held -= 1;
    reply.writeHead(answer.statusCode, answer.headers);
    answer.pipe(reply);
  });
  onward.on('error', () => reply.destroy());
  incoming.pipe(onward);
});

async function listen(port) {
  gate.listen(port, '127.0.0.1');
  await once(gate, 'listening');
  return gate.address().port;
}

const port = await listen(0);

const ORDERS = {
  hold() {
    opened = new Promise((done) => (open = done));
  },
  open() {
    opened = undefined;
    open();
  },
  held: () => held,
  async refuse() {
    gate.closeAllConnections();
    await once(gate.close(), 'close');
  },
  accept: () => listen(port),
};
parentPort.on('message', async (order) => parentPort.postMessage(await ORDERS[order]()));
parentPort.postMessage(`http://127.0.0.1:${port}`);
