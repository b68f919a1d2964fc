// The package, for Node: requests are made with node:http, unless a `fetch` is given.

// Comes first, because it chooses for browsers.
export * from './index.js';

import { fetchDriver } from './fetch.js';
import { nodeDriver } from './node-http.js';
import { pause } from './pause.js';
import { setPlatform } from './platform.js';
import { randomBytes } from './random.js';

setPlatform({ driverOf: (fetch) => (fetch === undefined ? nodeDriver() : fetchDriver(fetch)), pause, randomBytes });
