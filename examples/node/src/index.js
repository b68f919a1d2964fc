export { Plugin } from './plugin.js';
export { Pool } from './pool.js';
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
