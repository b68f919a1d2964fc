// The package, for browsers and workers: requests are made with `fetch`.

import { fetchDriver } from './fetch.js';
import { pause } from './pause.js';
import { setPlatform } from './plugin.js';

const ownFetch = (...request) => globalThis.fetch(...request);
setPlatform({ driverOf: (fetch = ownFetch) => fetchDriver(fetch), pause });

export { Plugin } from './plugin.js';
export {
  DeniedError,
  ExecutionFailedError,
  InvalidInputError,
  InvalidSettingsError,
  MessagingError,
  NotSentError,
  OtherError,
  OutcomeUnknownError,
  PluginCrashedError,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedReplyError,
} from './errors.js';
