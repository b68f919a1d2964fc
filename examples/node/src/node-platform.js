// The platform of Node, Deno and Bun. Requests use node:http, unless the caller gives a `fetch`.

import { fetchDriver } from './fetch.js';
import { nodeDriver } from './node-http.js';
import { pause } from './pause.js';
import { randomBytes } from './random.js';

export const NODE_PLATFORM = {
  driverOf: (fetch, ca) => (fetch === undefined ? nodeDriver({ ca }) : fetchDriver(fetch, ca)), pause, randomBytes,
};
