import type {
  CreatedMessage,
  Denied,
  Event,
  Field,
  InvalidInput,
  InvalidSettings,
  NotSent,
  Other,
  OutcomeUnknown,
  RateLimit,
  Refusal,
  TemplatePage,
  Unavailable,
  UnexpectedReply,
} from '../generated/interface.js';

export type {
  CreatedMessage,
  Denied,
  Event,
  Field,
  FieldDetail,
  IncompleteReason,
  InvalidInput,
  InvalidSettings,
  NotSent,
  Other,
  OutcomeUnknown,
  RateLimit,
  Refusal,
  Stage,
  Template,
  TemplatePage,
  Unavailable,
  UnexpectedReply,
} from '../generated/interface.js';

/** Settings of the component. The component supplies the default of an absent setting. */
export interface Settings {
  /** Base URL of the service, with a port and a path prefix if needed. */
  baseUrl?: string | undefined;
  /** The API key. No error, log line or `util.inspect` output contains the key. */
  apiKey?: string | undefined;
  /** Deadline of a whole call in milliseconds, 1 to 600000; default 30000. */
  deadlineMs?: number | undefined;
  /** Maximum number of requests of a send, 1 to 10; default 3. A list makes at most `maxAttempts - 1` retries for all its
   *  pages together. */
  maxAttempts?: number | undefined;
  /** Maximum size of a reply body in bytes, 1024 to 4194304; default 1048576. */
  maxReplyBytes?: number | undefined;
  /** Maximum length of a message in bytes of UTF-8; default: no limit. */
  maxMessageBytes?: number | undefined;
  /** Allows `http:` to hosts other than loopback. */
  allowHttp?: boolean | undefined;
  /** If `false`, a call does not send its message again after status 429. */
  retryRateLimited?: boolean | undefined;
  /** Variables of the component, for example `MESSAGING_BASE_URL`. The other options override the variables. */
  settings?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface Options extends Settings {
  /** Origins that requests may go to. Default: the origin of the base URL. An empty list permits no requests. */
  allow?: readonly string[];
  /** Makes the requests in place of node:http, or of the global `fetch` in browsers and workers. This function must
   *  make each request once, because a retry can send a message twice. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** A `WebAssembly.Module` of `messaging-plugin/component.wasm`, for workers that must not compile WebAssembly. */
  component?: object;
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason, or with an `OutcomeUnknownError` if a message can
   *  exist. If the reply has already arrived, the call returns the result. */
  signal?: AbortSignal | undefined;
  /** Deadline of this call in milliseconds, 1 to 600000. Default: the plugin's deadline. */
  deadlineMs?: number | undefined;
}

/** Text, or its bytes in UTF-8. */
export type Text = string | ArrayBufferView | ArrayBuffer;

/** A message to send. An unknown member is rejected with a `TypeError`, and nothing is sent. */
export interface MessageRequest {
  /** Phone number in international format: `+`, country code, number. */
  phone: string;
  message: Text;
  /** Selects the sender number of an account with several numbers. A numeric device must be passed in `fields`. */
  device?: string | null;
  /** Additional members of the request's JSON. */
  fields?: Fields | null;
}

/** An object whose values are converted to JSON, or a list of `{ name, json }`. Each `json` of a list is sent byte for byte,
 *  in the list's order. */
export type Fields = Readonly<Record<string, unknown>> | Iterable<Readonly<Field>>;

/** Names and values as `Headers`, a `Map`, pairs, records, or an object such as `request.headersDistinct`. */
export type Pairs =
  | Iterable<readonly [string, string | readonly string[]]>
  | Iterable<{ readonly name: string; readonly value: string }>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface TemplateQuery {
  status?: string | null;
  /** Additional query parameters. */
  parameters?: Pairs;
  /** Name of the service's page parameter. If given, the call reads every page. */
  everyPage?: string | null;
}

export interface WebhookDelivery {
  /** All headers, including repeated headers. */
  headers: Pairs;
  body: Text;
}

/** The plugin of one account. Calls can run concurrently. */
export class Plugin {
  private constructor();
  static load(options: Options): Promise<Plugin>;
  /** Base URL of the service, if configured. */
  readonly baseUrl: string | undefined;
  /** Maximum duration of one call in milliseconds, if configured. */
  readonly deadlineMs: number | undefined;
  /** Creates one message. The result does not confirm delivery. */
  sendMessage(request: MessageRequest, options?: CallOptions): Promise<CreatedMessage>;
  /** Lists templates (read-only). If the list can be incomplete, `incomplete` gives the reason. */
  listTemplates(query?: TemplateQuery, options?: CallOptions): Promise<TemplatePage>;
  /** Parses one webhook delivery. Uses no network. Does not verify the origin; use `Proofs` of
   *  `messaging-plugin/proofs`. */
  handleEvent(delivery: WebhookDelivery): Promise<Event>;
  /** Rejects further calls, waits for active calls, and closes the connections. */
  close(): Promise<void>;
  /** Calls `close` at the end of an `await using` block, in runtimes with `Symbol.asyncDispose`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The error of failed calls, including calls with an argument of a wrong type. Two failures throw other errors, and
 *  create no message. A canceled call throws the signal's reason. An argument with an unknown member throws a
 *  `TypeError`. */
export class MessagingError<Case extends string = string, Payload = unknown> extends Error {
  protected constructor();
  /** The case's name in the WIT. */
  readonly case: Case;
  /** Payload of the case. */
  readonly payload: Payload;
  /** `safe` if the call can be repeated without a second effect, otherwise `never`. */
  readonly retry: 'never' | 'safe';
  /** True if the failed call may have created a message. Look for the message before you send again. */
  readonly mayExist: boolean;
  /** The service's retry hint in milliseconds, if any. */
  readonly retryAfterMs?: number | undefined;
}

export class InvalidInputError extends MessagingError<'permanent-invalid-input', InvalidInput> {}
export class InvalidSettingsError extends MessagingError<'permanent-invalid-settings', InvalidSettings> {}
export class UnauthorizedError extends MessagingError<'permanent-unauthorized', Refusal> {}
export class RefusedError extends MessagingError<'permanent-refused', Refusal> {}
/** The message can exist. Look for it before you send again. */
export class OutcomeUnknownError extends MessagingError<'permanent-outcome-unknown', OutcomeUnknown> {}
export class UnexpectedReplyError extends MessagingError<'permanent-unexpected-reply', UnexpectedReply> {}
export class DeniedError extends MessagingError<'permanent-denied', Denied> {}
export class RateLimitedError extends MessagingError<'rate-limited', RateLimit> {}
export class NotSentError extends MessagingError<'not-sent', NotSent> {}
export class UnavailableError extends MessagingError<'unavailable', Unavailable> {}
/** An error that fits no other class, or a case that this package does not know. The name of an unknown case is in
 *  `payload.code`. After `sendMessage` the message can exist. */
export class OtherError extends MessagingError<'permanent-other', Other> {}
/** An error that only a workflow engine returns, never the plugin. After `sendMessage` the message can exist. */
export class ExecutionFailedError extends MessagingError<'execution-failed', undefined> {}
/** The component trapped. After `sendMessage` the message can exist. */
export class PluginCrashedError extends MessagingError<'crashed', undefined> {}
