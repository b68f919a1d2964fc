// Entry point for browsers and workers. Requests use `fetch`.

import { FETCH_PLATFORM } from './fetch-platform.js';
import { setPlatform } from './platform.js';

setPlatform(FETCH_PLATFORM);

export { Plugin } from './plugin.js';
export * from './errors.js';
