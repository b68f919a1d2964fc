// Loaded by the shim into the thread where it makes its requests, to correct there what
// it makes of connections.

import { Agent } from 'node:http';

// The longest wait for a connection, TLS included: what is given up within it is known not
// to have been sent.
const CONNECT_LIMIT_MS = 10_000;

const open = new Set();

// Every request of either scheme comes this way, before anything of it is sent.
const { addRequest } = Agent.prototype;
Agent.prototype.addRequest = function (request, ...rest) {
  open.add(request);
  request.once('close', () => open.delete(request));
  // Nobody else may be listening by the time when it is abandoned.
  request.on('error', () => {});
  request.once('response', (response) => response.on('error', () => {}));
  tellConnectingFromConnected(request);
  return addRequest.call(this, request, ...rest);
};

/** The shim calls this once; what it returns performs the operations. */
export default function create() {
  return (operation) => {
    // The shim forgets a request that the component has dropped, and leaves its
    // connection open: with a service that hangs, one more for each call.
    if (operation === 'abandon') for (const request of open) request.destroy();
  };
}

// The shim takes every silence of a connection for one that could not be made, and most
// failures to make one for an unknown error. The first would be proof that nothing was
// sent where a message may exist; the second hides such proof.
function tellConnectingFromConnected(request) {
  const { emit } = request;
  // Until the opposite is known, a request may have been sent.
  let connecting;
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    connecting = socket;
    const limit = Math.min(request.timeout || CONNECT_LIMIT_MS, CONNECT_LIMIT_MS);
    const timer = setTimeout(() => emit.call(request, 'timeout'), limit);
    const settle = () => {
      clearTimeout(timer);
      connecting = undefined;
    };
    socket.once(socket.encrypted ? 'secureConnect' : 'connect', settle);
    request.once('close', settle);
  });
  request.emit = function (event, ...values) {
    if (event === 'timeout') return false;
    if (event === 'error' && connecting) values = [notConnected(values[0], connecting)];
    return emit.call(this, event, ...values);
  };
}

/** The error of a connection that was never made: the shim's to name, or a code. */
function notConnected(error, socket) {
  const code = error.code ?? error.errors?.[0]?.code ?? '';
  if (['ENOTFOUND', 'ECONNREFUSED'].includes(code)) return error;
  if (code === 'EAI_AGAIN') return { tag: 'DNS-timeout' };
  if (socket.authorizationError) return { tag: 'TLS-certificate-error' };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return { tag: 'TLS-protocol-error' };
  return { tag: code === 'ETIMEDOUT' ? 'connection-timeout' : 'destination-unavailable' };
}
