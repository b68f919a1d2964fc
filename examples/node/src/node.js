// The package, for Node: requests are made with node:http, unless a `fetch` is given.

import { nodeDriver } from './node-http.js';
import { setOwnDriver } from './plugin.js';

setOwnDriver(nodeDriver);

export * from './index.js';
