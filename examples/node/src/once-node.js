// Entry point of `once` for Node, Deno and Bun.

// Must be first, because once.js sets the platform of browsers.
export * from './once.js';

import { NODE_PLATFORM } from './node-platform.js';
import { setPlatform } from './platform.js';

setPlatform(NODE_PLATFORM);
