// Loaded by the shim into the thread where it makes its requests. The shim forgets a
// request that the component has dropped, and leaves its connection open: with a
// service that hangs, one more for each call.

import { Agent } from 'node:http';

const open = new Set();

// Every request of either scheme comes this way, before anything of it is sent. (Node
// 20 has a diagnostics channel for requests only once they are written.)
const { addRequest } = Agent.prototype;
Agent.prototype.addRequest = function (request, ...rest) {
  open.add(request);
  request.once('close', () => open.delete(request));
  // Nobody else may be listening by then.
  request.on('error', () => {});
  request.once('response', (response) => response.on('error', () => {}));
  return addRequest.call(this, request, ...rest);
};

/** The shim calls this once; what it returns performs the operations. */
export default function create() {
  return (operation) => {
    if (operation === 'abandon') for (const request of open) request.destroy();
  };
}
