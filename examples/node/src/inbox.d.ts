/** States of an event. `quarantined` came under the key of another event, `dead` failed and is not tried
 *  again: both wait for a person. */
export type State = 'pending' | 'leased' | 'done' | 'quarantined' | 'dead';

export interface InboxOptions {
  /** Where `messaging serve --workers` listens, with the path of a proxy before it, if there is one. */
  url: string;
  /** One of the tokens in MESSAGING_WORKER_TOKENS. It appears in no error, log or inspection. */
  token: string;
  /** Length of a lease, 1000 to 43200000; 60000 unless given. */
  leaseMs?: number;
  /** Only events of these kinds, 1 to 16. */
  kinds?: readonly string[];
  /** Stops: the wait for events ends, handlers come to their end, and what nobody has begun is given back. */
  signal?: AbortSignal;
  /** Told of what is dealt with here: requests that are repeated, handlers that fail, leases that are lost,
   *  ends of events that the inbox could not be told of. */
  onError?: (error: unknown, event?: LeasedEvent) => void;
  /** How long loops and settlements retry a request if the inbox cannot be reached or answers 5xx, 408 or 429; 300000
   *  unless given. Then they fail with `InboxUnavailableError`. */
  patienceMs?: number;
  /** Certificates (PEM) of the authorities to trust, in the place of the runtime's. */
  ca?: string | readonly string[];
  /** Allows `http:` to hosts other than loopback: whoever is in between can read the token. */
  allowHttp?: boolean;
}

export interface RunOptions {
  /** Handlers at once; 1 unless given. */
  concurrency?: number;
  /** Time until an event whose handler failed can be leased again. Unless given from 1 s, doubled with each of
   *  its failures, up to 5 min, less up to a half by chance. */
  pauseMs?: number | ((event: LeasedEvent, error: unknown) => number);
  /** Number of failures with which an event is dead. Without it, none. */
  deadAfter?: number;
}

export interface NackOptions {
  /** Time until it can be leased again, 0 to 604800000; 5000 unless given. */
  pauseMs?: number;
  /** Number of failures, this one included, with which it is dead. Without it, none. */
  deadAfter?: number;
  /** It is dead: nobody will ever be able to process it. */
  dead?: boolean;
}

/** Of `run`. */
export interface HandlerOptions {
  /** Aborted with a `LeaseLostError` where somebody else may have the event: stop working on it. */
  signal: AbortSignal;
}

/** An event as a list shows it. */
export interface ListedEvent {
  readonly id: number;
  /** Process it under this key, once. */
  readonly key: string;
  readonly messageId: string;
  readonly kind: string;
  /** Since 1970, UTC, as all times are. */
  readonly receivedAtMs: number;
  readonly state: State;
  /** While pending: the earliest time of its next lease. While leased: the end of the lease. */
  readonly dueMs: number;
  /** Leases so far. */
  readonly attempts: number;
  /** Those that failed through the event. */
  readonly failures: number;
  readonly lastError: string | null;
  readonly doneAtMs: number | null;
  readonly deadAtMs: number | null;
  /** Trace context of its delivery (W3C). */
  readonly traceparent: string | null;
  readonly tracestate: string | null;
}

export interface ShownEvent extends ListedEvent {
  /** The event's JSON as it was received, byte for byte. */
  readonly payload: string;
  /** Of a quarantined event: the one that came first under its key, where that is known. */
  readonly firstId: number | null;
}

/** An event under a lease. It is settled once, by `ack`, `nack` or `release`; what is not settled comes again
 *  when its lease ends. */
export interface LeasedEvent {
  readonly id: number;
  /** Process it under this key, once: the same event can come again. */
  readonly key: string;
  readonly messageId: string;
  readonly kind: string;
  readonly receivedAtMs: number;
  /** Leases so far, this one included. */
  readonly attempts: number;
  /** Those that failed through the event. */
  readonly failures: number;
  readonly lastError: string | null;
  /** Trace context of its delivery (W3C). */
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  /** The event's JSON as it was received, byte for byte. */
  readonly payload: string;
  /** The payload as a value. */
  json(): any;
  /** Whether it was settled, or its lease was lost. */
  readonly isSettled: boolean;
  /** Whether the inbox said that the lease is lost: somebody else may have the event. */
  readonly isLost: boolean;
  /** It is done. Rejects with `LeaseLostError` where somebody else has it. */
  ack(): Promise<void>;
  /** It failed, for this reason, of which the inbox keeps 2,000 characters. Its state then; `undefined` where
   *  the answer to an earlier try was lost, and the event is no longer this worker's. */
  nack(error?: unknown, options?: NackOptions): Promise<'pending' | 'dead' | undefined>;
  /** Gives it back: it can be leased at once, and has not failed. */
  release(): Promise<void>;
  /** Lets the lease end so long after now; after `leaseMs` of the inbox unless given. */
  extend(leaseMs?: number): Promise<void>;
}

/** An inbox on another machine. Any number of loops and calls can be under way at once. */
export class Inbox implements AsyncIterable<LeasedEvent> {
  constructor(options: InboxOptions);
  /** One event after the other, for ever or until `signal`. One whose turn of the loop is left by `break`,
   *  `return` or `throw` is given back, unless it is settled; one whose turn ends otherwise stays leased. */
  [Symbol.asyncIterator](): AsyncGenerator<LeasedEvent, void, undefined>;
  /** Calls the handler for each event: acks it when the handler resolves, nacks it when it throws, extends
   *  the lease while it works. Resolves after `signal`, when all handlers are over. */
  run(handler: (event: LeasedEvent, options: HandlerOptions) => unknown, options?: RunOptions): Promise<void>;
  /** Leases events once: 1 of them unless `limit` (up to 100) says more, and without a wait unless `waitMs`
   *  (up to 30000) says for how long. Fails with `InboxUnavailableError` after 10 s and the wait. */
  lease(options?: { limit?: number; waitMs?: number }): Promise<LeasedEvent[]>;
  /** A page of events by number, those after `after`; 100 of them unless `limit` (up to 1000) says otherwise. Fails with
   *  `InboxUnavailableError` after 10 s. */
  list(options?: { state?: State; kind?: string; after?: number; limit?: number }): Promise<ListedEvent[]>;
  /** Returns one event. Fails with `InboxUnavailableError` after 10 s. */
  show(id: number): Promise<ShownEvent>;
}

/** Base of every error of a request to the inbox. */
export class InboxError extends Error {
  protected constructor();
  /** The inbox's own name of the problem, or `unreachable`, `lease-ended` or `unexpected-reply`. */
  readonly code: string;
  /** Says to a person what is wrong and what to do. */
  readonly detail: string;
  readonly status: number | undefined;
  /** The member or parameter that is wrong. */
  readonly field: string | undefined;
  /** The inbox's hint, where it gave one. */
  readonly retryAfterMs: number | undefined;
}

/** Somebody else may have the event: stop working on it. */
export class LeaseLostError extends InboxError {}
/** There is no such token: give the right one. */
export class TokenRefusedError extends InboxError {}
/** The request is wrong, or the url: correct the program or its settings. */
export class InboxRefusedError extends InboxError {}
/** The inbox could not be reached, or not do it, for `patienceMs`, or for 10 s in a single call: try again later. */
export class InboxUnavailableError extends InboxError {}
