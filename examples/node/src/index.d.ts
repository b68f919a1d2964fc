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

/** The component's settings. Its own defaults hold for what is left out. */
export interface Settings {
  /** The service's base address; may carry a port and a path prefix. */
  baseUrl?: string;
  /** The API key. It appears in no error, log or inspection. */
  apiKey?: string;
  /** One deadline for a whole call, 1 to 600000; 30000 unless given. */
  deadlineMs?: number;
  /** Requests that one call may make for one result, 1 to 10; 3 unless given. */
  maxAttempts?: number;
  /** The largest reply body that is read, 1024 to 4194304; 1048576 unless given. */
  maxReplyBytes?: number;
  /** The longest message text accepted, in bytes of UTF-8; no limit unless given. */
  maxMessageBytes?: number;
  /** Allows `http:` to hosts other than loopback. */
  allowHttp?: boolean;
  /** `false`: a message is not sent again within the call after status 429. */
  retryRateLimited?: boolean;
  /** Variables of the component by their own names. The options above come after. */
  settings?: Readonly<Record<string, string>>;
}

export interface Options extends Settings {
  /** The origins that may be connected to. The base URL's own unless given; an empty
   *  list allows nothing. */
  allow?: readonly string[];
  /** Makes the requests in the place of node:http; in browsers and workers the global one does. Has
   *  to make each of them once: one that repeats by itself sends messages twice. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** A `WebAssembly.Module` of `messaging-plugin/component.wasm`: for workers that compile nothing
   *  themselves. */
  component?: object;
}

/** Of one call. */
export interface CallOptions {
  /** Gives the call up. It is then rejected with the signal's reason, except where a message may
   *  exist: then with an `OutcomeUnknownError`. A reply that came counts. */
  signal?: AbortSignal | undefined;
}

export interface MessageRequest {
  /** In international format: `+`, country code, number. */
  phone: string;
  message: string;
  /** Selects the sender number, where the account has several. One that is a number goes into the
   *  fields. */
  device?: string | null;
  /** Further members of the request's JSON. */
  fields?: Fields | null;
}

/** Names and values, which are written as JSON; or a list whose `json` is sent as it is, byte
 *  for byte and in its order. */
export type Fields = Readonly<Record<string, unknown>> | Iterable<Readonly<Field>>;

/** Names and values in any usual form: `Headers`, a `Map`, pairs, records, or an object
 *  such as `request.headersDistinct`. */
export type Pairs =
  | Iterable<readonly [string, string | readonly string[]]>
  | Iterable<{ readonly name: string; readonly value: string }>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface TemplateQuery {
  status?: string | null;
  /** Further query parameters. */
  parameters?: Pairs;
  /** The name of the service's page parameter: pages are then followed. */
  everyPage?: string | null;
}

export interface WebhookDelivery {
  /** All headers, repeated ones included. */
  headers: Pairs;
  body: string;
}

/** The plugin of one account. Any number of calls can be under way at once. */
export class Plugin {
  private constructor();
  static load(options: Options): Promise<Plugin>;
  /** How long one call takes at most, where a setting says so. */
  readonly deadlineMs: number | undefined;
  /** Creates one message. Created is not delivered. */
  sendMessage(request: MessageRequest, options?: CallOptions): Promise<CreatedMessage>;
  /** Lists templates; `incomplete` says why it may not be all of them. Only reads. */
  listTemplates(query?: TemplateQuery, options?: CallOptions): Promise<TemplatePage>;
  /** Understands one webhook delivery. Uses no network; verify its origin before. */
  handleEvent(delivery: WebhookDelivery): Promise<Event>;
  /** Takes no further calls, waits for those under way, and closes the connections. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`, where the engine has it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Thrown by every failed call, wrong types of arguments included, but for one that its caller gave up before
 *  anything can have been created: that one throws the signal's reason. */
export class MessagingError<Case extends string = string, Payload = unknown> extends Error {
  protected constructor();
  /** The case's name in the WIT. */
  readonly case: Case;
  /** Payload of the case. */
  readonly payload: Payload;
  /** Whether the same call can be made again without doing its work twice. */
  readonly retry: 'never' | 'safe';
  /** Whether there may be a message that `sendMessage` did not return: look before sending it
   *  again. */
  readonly mayExist: boolean;
  /** The service's hint in milliseconds, where it gave one: how long to wait before that. */
  readonly retryAfterMs?: number | undefined;
}

export class InvalidInputError extends MessagingError<'permanent-invalid-input', InvalidInput> {}
export class InvalidSettingsError extends MessagingError<'permanent-invalid-settings', InvalidSettings> {}
export class UnauthorizedError extends MessagingError<'permanent-unauthorized', Refusal> {}
export class RefusedError extends MessagingError<'permanent-refused', Refusal> {}
/** The message may exist. Look before sending it again. */
export class OutcomeUnknownError extends MessagingError<'permanent-outcome-unknown', OutcomeUnknown> {}
export class UnexpectedReplyError extends MessagingError<'permanent-unexpected-reply', UnexpectedReply> {}
export class DeniedError extends MessagingError<'permanent-denied', Denied> {}
export class RateLimitedError extends MessagingError<'rate-limited', RateLimit> {}
export class NotSentError extends MessagingError<'not-sent', NotSent> {}
export class UnavailableError extends MessagingError<'unavailable', Unavailable> {}
/** Errors that no other class fits, and every case that this package does not know, whose name is then
 *  the `code`. After `sendMessage` the message may exist. */
export class OtherError extends MessagingError<'permanent-other', Other> {}
/** An engine's own; the plugin never returns it. After `sendMessage` the message may exist. */
export class ExecutionFailedError extends MessagingError<'execution-failed', undefined> {}
/** The component trapped. After `sendMessage` the message may exist. */
export class PluginCrashedError extends MessagingError<'crashed', undefined> {}
