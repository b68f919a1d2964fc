// Entry point for Node, Deno and Bun.

// Must be first, because index.js sets the platform of browsers.
export * from './index.js';

import { NODE_PLATFORM } from './node-platform.js';
import { setPlatform } from './platform.js';

setPlatform(NODE_PLATFORM);
