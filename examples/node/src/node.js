// Entry point for Node. Requests use node:http, unless the caller gives a `fetch`.

// Must be first, because index.js sets the platform of browsers.
export * from './index.js';

import { fetchDriver } from './fetch.js';
import { nodeDriver } from './node-http.js';
import { pause } from './pause.js';
import { setPlatform } from './platform.js';
import { randomBytes } from './random.js';

setPlatform({ driverOf: (fetch) => (fetch === undefined ? nodeDriver() : fetchDriver(fetch)), pause, randomBytes });
