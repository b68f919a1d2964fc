export { Plugin } from './plugin.js';
export { Pool } from './pool.js';
export {
  DeniedError,
  InvalidInputError,
  InvalidSettingsError,
  MessagingError,
  NotSentError,
  OutcomeUnknownError,
  PluginCrashedError,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedReplyError,
} from './errors.js';
