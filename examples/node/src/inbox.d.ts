/** States of an event. A `quarantined` event arrived under the key of another event. A `dead` event failed and is
 *  not retried. Quarantined and dead events wait for an operator. */
export type State = 'pending' | 'leased' | 'done' | 'quarantined' | 'dead';

export interface InboxOptions {
  /** Base URL of `messaging serve --workers`, including the path prefix of a proxy. */
  url: string;
  /** One of the tokens in MESSAGING_WORKER_TOKENS. No error, log line or `util.inspect` output contains the token. */
  token: string;
  /** Duration of a lease in milliseconds, 1000 to 43200000; default 60000. */
  leaseMs?: number;
  /** Kinds of events to lease, 1 to 16. Default: all kinds. */
  kinds?: readonly string[];
  /** Stops the client when aborted: the client leases no more events, finishes active handlers, and releases events
   *  without a handler. */
  signal?: AbortSignal;
  /** Called for problems that the client handles: retried requests, failed handlers, lost leases, and failed calls of
   *  `ack`, `nack` and `release`. An exception that it throws ends `run`. */
  onError?: (error: unknown, event?: LeasedEvent) => void;
  /** Maximum time in milliseconds for which loops, `ack`, `nack` and `release` retry a request if the inbox is
   *  unreachable or returns 5xx, 408 or 429; default 300000. After this time, they fail with `InboxUnavailableError`. */
  retryTimeoutMs?: number;
  /** Certificates (PEM) of trusted authorities. They replace the authorities that the runtime trusts. */
  ca?: string | readonly string[];
  /** Allows `http:` to hosts other than loopback, although the network can then read the token. */
  allowHttp?: boolean;
}

export interface RunOptions {
  /** Maximum number of concurrent handlers; default 1. */
  concurrency?: number;
  /** Delay in milliseconds before an event whose handler failed can be leased again. Default: 1 s, doubled for each
   *  failure up to 5 min, then reduced by a random part of up to one half. */
  pauseMs?: number | ((event: LeasedEvent, error: unknown) => number);
  /** Number of failures after which an event is dead; default: no limit. */
  deadAfter?: number;
}

/** Options of a call outside of a loop. */
export interface SingleCall {
  /** Time in milliseconds after which the call fails with `InboxUnavailableError`; 1 to 600000, default 10000. The wait
   *  for an event does not count. */
  timeoutMs?: number;
}

export interface NackOptions {
  /** Delay in milliseconds before the event can be leased again, 0 to 604800000; default 5000. */
  pauseMs?: number;
  /** Number of failures, including this one, after which the event is dead; default: no limit. */
  deadAfter?: number;
  /** If true, the event is dead at once. Use `true` for failures after which no retry can succeed. */
  dead?: boolean;
}

/** Options of a handler of `run`. */
export interface HandlerOptions {
  /** Aborts with a `LeaseLostError` if another worker can have the event. The handler must then stop. */
  signal: AbortSignal;
}

/** An event in a list. */
export interface ListedEvent {
  readonly id: number;
  /** Key for idempotent processing: process each key once. */
  readonly key: string;
  readonly messageId: string;
  readonly kind: string;
  /** Time of arrival in milliseconds since 1970 (UTC). All times of an event have this unit. */
  readonly receivedAtMs: number;
  readonly state: State;
  /** For a pending event, the earliest time of its next lease. For a leased event, the end of the lease. */
  readonly dueMs: number;
  /** Number of leases so far. */
  readonly attempts: number;
  /** Number of leases that ended in a failure of the event. */
  readonly failures: number;
  readonly lastError: string | null;
  readonly doneAtMs: number | null;
  readonly deadAtMs: number | null;
  /** Trace context (W3C) of the delivery. */
  readonly traceparent: string | null;
  readonly tracestate: string | null;
}

export interface ShownEvent extends ListedEvent {
  /** Start times of the last 20 leases in milliseconds since 1970 (UTC), oldest first. */
  readonly attemptedAtMs: readonly number[];
  /** The event's JSON as received, byte for byte. */
  readonly payload: string;
  /** For a quarantined event: ID of the first event with the same key, if known. */
  readonly firstId: number | null;
}

/** An event under a lease. A worker settles the event once, with `ack`, `nack` or `release`. An unsettled event is
 *  pending again when its lease ends. */
export interface LeasedEvent {
  readonly id: number;
  /** Key for idempotent processing: process each key once, because the same event can be leased again. */
  readonly key: string;
  readonly messageId: string;
  readonly kind: string;
  readonly receivedAtMs: number;
  /** Number of leases so far, including this one. */
  readonly attempts: number;
  /** Number of leases that ended in a failure of the event. */
  readonly failures: number;
  readonly lastError: string | null;
  /** Trace context (W3C) of the delivery. */
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  /** The event's JSON as received, byte for byte. */
  readonly payload: string;
  /** Parses the payload. */
  json(): any;
  /** True if the event was settled (`ack`, `nack`, `release`) or its lease was lost. */
  readonly isSettled: boolean;
  /** True if the inbox has reported the lease as lost. Another worker can then have the event. */
  readonly isLost: boolean;
  /** Marks the event as done. Rejects with `LeaseLostError` if this lease has ended. */
  ack(): Promise<void>;
  /** Marks the event as failed. The inbox stores up to 2,000 characters of `error`. Resolves with the new state, or with
   *  `undefined` if the reply to an earlier try was lost and the lease has ended. */
  nack(error?: unknown, options?: NackOptions): Promise<'pending' | 'dead' | undefined>;
  /** Ends the lease without a failure. The event can be leased at once. */
  release(): Promise<void>;
  /** Extends the lease to `leaseMs` milliseconds from now; default: `leaseMs` of `InboxOptions`. */
  extend(leaseMs?: number): Promise<void>;
}

/** Client of an inbox on another machine. Loops and calls can run concurrently. */
export class Inbox implements AsyncIterable<LeasedEvent> {
  constructor(options: InboxOptions);
  /** Yields one event at a time until `signal` aborts. Releases an unsettled event if the loop body is left by
   *  `break`, `return` or `throw`; otherwise an unsettled event stays leased. */
  [Symbol.asyncIterator](): AsyncGenerator<LeasedEvent, void, undefined>;
  /** Calls the handler for each event. Extends the lease while the handler runs. Acks the event when the handler
   *  resolves, and nacks it when the handler throws. Resolves after `signal` aborts and all handlers have ended. */
  run(handler: (event: LeasedEvent, options: HandlerOptions) => unknown, options?: RunOptions): Promise<void>;
  /** Leases up to `limit` events (1 to 100; default 1). Waits up to `waitMs` milliseconds for an event (at most
   *  30000; default 0). */
  lease(options?: { limit?: number; waitMs?: number } & SingleCall): Promise<LeasedEvent[]>;
  /** Returns a page of up to `limit` events (1 to 1000; default 100) with IDs above `after`, ordered by ID. */
  list(options?: { state?: State; kind?: string; after?: number; limit?: number } & SingleCall): Promise<ListedEvent[]>;
  /** Returns one event. */
  show(id: number, options?: SingleCall): Promise<ShownEvent>;
}

/** Base class of all errors of requests to the inbox. */
export class InboxError extends Error {
  protected constructor();
  /** The inbox's code of the problem, or `unreachable`, `lease-ended` or `unexpected-reply`. */
  readonly code: string;
  /** Description of the problem and its remedy. */
  readonly detail: string;
  readonly status: number | undefined;
  /** The invalid member or parameter. */
  readonly field: string | undefined;
  /** The inbox's retry hint in milliseconds, if any. */
  readonly retryAfterMs: number | undefined;
}

/** The lease is lost, and another worker can have the event. Stop working on the event. */
export class LeaseLostError extends InboxError {}
/** The inbox rejected the token. Use a valid token. */
export class TokenRefusedError extends InboxError {}
/** The request or the URL is wrong. Correct the program or its settings. */
export class InboxRefusedError extends InboxError {}
/** The inbox was unreachable or could not serve the request for `retryTimeoutMs`, or for `timeoutMs` in a single call.
 *  Retry later. */
export class InboxUnavailableError extends InboxError {}
