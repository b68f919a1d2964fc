// A service over raw sockets, for replies that an HTTP server cannot send.

import { createServer } from 'node:net';

/** Starts a service that calls `answer(socket, request)` for each complete request. */
export async function rawService(answer, host = '127.0.0.1') {
  const requests = [];
  const sockets = new Set();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    let text = '';
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || Buffer.byteLength(text.slice(end + 4)) < length) return;
      requests.push(text);
      text = '';
      answer(socket, requests.at(-1));
    });
  });
  await new Promise((resolve) => server.listen(0, host, resolve));
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${server.address().port}`,
    requests,
    connections: () => connections,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      for (const socket of sockets) socket.destroy();
    }),
  };
}

export const CREATED = reply('201 Created', '{"id":"msg-1"}');
/** The reply for a created message. This reply keeps the connection open. */
export const CREATED_AND_KEPT = CREATED.replace('Connection: close\r\n', '');

export function reply(status, body) {
  return `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
