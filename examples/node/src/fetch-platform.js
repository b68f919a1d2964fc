// The platform of browsers and workers. Requests use `fetch`.

import { fetchDriver } from './fetch.js';
import { pause } from './pause.js';
import { randomBytes } from './random.js';

const ownFetch = (...request) => globalThis.fetch(...request);

export const FETCH_PLATFORM = { driverOf: (fetch = ownFetch, ca) => fetchDriver(fetch, ca), pause, randomBytes };
