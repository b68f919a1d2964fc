import { MessagingError } from './index.js';
import type { CallOptions, MessageRequest } from './index.js';
import type {
  Busy,
  Failure,
  JournalEntry as Entry,
  NotRecorded,
  OnceCreated,
} from '../generated/once-interface.js';

export type { Busy, EntryState, Failure, NotRecorded, OnceCreated } from '../generated/once-interface.js';

/** A client that sends messages, for example `Plugin`. Its errors have a `case` of the WIT. An error without a case
 *  leaves the outcome unknown. */
export interface Client {
  sendMessage(request: MessageRequest, options?: CallOptions): Promise<{ id: string; json: string }>;
  /** Base URL of the service. A key belongs to one base URL, unless this member is absent. */
  readonly baseUrl?: string | undefined;
  /** Maximum duration of one call in milliseconds; default 30000. */
  readonly deadlineMs?: number | undefined;
}

/** A store with one value for each key. `swap` changes a value atomically. `wit/journal.wit` lists the requirements. A
 *  journal that cannot answer throws a `JournalFailure`. */
export interface Journal {
  /** Returns the value of a key. */
  get(key: string): Promise<string | undefined>;
  /** Replaces the value of a key if the value equals `expected`. If `expected` is `undefined`, the key must not exist. A
   *  swap is atomic for all clients of the journal, and durable when its promise resolves. */
  swap(key: string, expected: string | undefined, text: string): Promise<Swapped>;
  /** Lists keys and values. `after` is `next` of the previous page; if absent, the list starts at the beginning. */
  listItems(after?: string): Promise<{ items: { key: string; text: string }[]; next?: string | undefined }>;
}

/** Result of a swap. `found` is the current value if it differs from the expected value. */
export type Swapped = { swapped: true } | { swapped: false; found: string | undefined };

export interface OnceOptions {
  /** Maximum duration of one send in milliseconds, as `deadlineMs` of `sendMessage`; default: `deadlineMs` of the client.
   *  Other callers wait this long for the sender of their key. 10 s later, the outcome counts as unknown. */
  deadlineMs?: number;
  /** Called each time before a call waits for another sender of the key or for the journal. Exceptions of this function
   *  are ignored. */
  onWait?: (wait: { key: string; reason: 'sender' | 'journal'; detail: string }) => void;
  /** A `WebAssembly.Module` of `messaging-plugin/once-component.wasm`, for workers that must not compile
   *  WebAssembly. */
  component?: object;
}

/** Result of an operator's search for a message in the service. */
export type Found = 'not-created' | { created: string };

/** An operator's answer for a key whose outcome was unknown. */
export interface Resolution {
  /** Number of the attempt that the operator checked: `attempts` of the entry. */
  attempt: number;
  found: Found;
  by: string;
  reason: string;
}

/** The journal's entry of a key. */
export interface JournalEntry extends Omit<Entry, 'resolutions'> {
  /** Resolutions of operators, in order of time. */
  resolutions: (Resolution & { at: string })[];
}

export interface EntryPage {
  /** Entries in the journal's order. */
  entries: JournalEntry[];
  /** Keys of this page whose entries are unreadable. */
  unreadable: string[];
  /** Start of the next page; absent on the last page. */
  next?: string | undefined;
}

/** A send that is safe to retry: a key creates at most one message, across calls, processes, machines and restarts.
 *  Every method can be called again after any error. */
export class Once {
  constructor(client: Client, journal: Journal, options?: OnceOptions);
  /** Creates one message, unless the key already has a message. The key identifies the reason for the message, for
   *  example `order-17-shipped`. */
  sendOnce(key: string, request: MessageRequest): Promise<OnceCreated>;
  /** Returns the journal's entry of a key. */
  lookUp(key: string): Promise<JournalEntry | undefined>;
  /** Lists entries (read-only). `after` is `next` of the previous page; if absent, the list starts at the beginning. */
  listEntries(after?: string): Promise<EntryPage>;
  /** Records the outcome of a key whose outcome is unknown. */
  resolve(key: string, resolution: Resolution): Promise<void>;
  /** Discards the outcome of a key. The key stays reserved: nothing is sent under it again. */
  forget(key: string): Promise<void>;
}

/** A journal in an SQLite file, for the processes of one machine. Needs `node:sqlite` of Node 22.13 or newer.
 *  Rejects requests if the file, its -wal or its -shm is moved, replaced or deleted. */
export class SqliteJournal implements Journal {
  private constructor();
  /** Opens a journal; creates the file if there is none. `timeoutMs` is the maximum wait for other processes;
   *  default 2000. */
  static open(path: string, options?: { timeoutMs?: number }): Promise<SqliteJournal>;
  get(key: string): Promise<string | undefined>;
  swap(key: string, expected: string | undefined, text: string): Promise<Swapped>;
  listItems(after?: string): Promise<{ items: { key: string; text: string }[]; next: string | undefined }>;
  close(): void;
}

/** A journal on a server: `messaging serve --workers` with `--journal`, over SQLite or PostgreSQL. */
export class HttpJournal implements Journal {
  constructor(options: {
    /** Base URL of `messaging serve --workers`, including the path prefix of a proxy. */
    url: string;
    /** One of the tokens in MESSAGING_JOURNAL_TOKENS. No error, log line or `util.inspect` output contains the token. */
    token: string;
    /** Timeout of one request in milliseconds; default 5000. */
    timeoutMs?: number;
    /** Certificates (PEM) of trusted authorities. They replace the authorities that the runtime trusts. Not supported with
     *  `fetch`. */
    ca?: string | readonly string[];
    /** Allows `http:` to hosts other than loopback, although the network can then read the token. */
    allowHttp?: boolean;
    /** Makes the requests; default: `node:http`, and `globalThis.fetch` in browsers and web workers. This function may
     *  retry requests, because a repeated swap finds its own value. */
    fetch?: (url: string, init: RequestInit) => Promise<Response>;
  });
  get(key: string): Promise<string | undefined>;
  swap(key: string, expected: string | undefined, text: string): Promise<Swapped>;
  listItems(after?: string): Promise<{ items: { key: string; text: string }[]; next: string | undefined }>;
}

/** Checks your own journal. Rejects with an `Error` that names the guarantee of `wit/journal.wit` that the
 *  journal breaks. `open` returns a new client of the same journal at each call. Writes only keys that begin with
 *  `check-`. */
export function checkJournal(open: () => Journal | Promise<Journal>): Promise<void>;

/** Thrown by a journal that cannot answer. */
export class JournalFailure extends Error {
  /** `refused` is true if nothing was written and retries fail until an operator repairs the journal. If
   *  `refused` is false, the value may have been written. */
  constructor(detail: string, options?: { refused?: boolean; cause?: unknown });
  readonly refused: boolean;
}

/** The key belongs to another request. Nothing was sent. */
export class KeyReusedError extends MessagingError<'permanent-key-reused', Failure> {}
/** The key was used, and its outcome was forgotten. Nothing was sent. */
export class KeyForgottenError extends MessagingError<'permanent-key-forgotten', Failure> {}
/** No message was created, and the journal could not record this outcome. Call `resolve` with `not-created`. */
export class NotRecordedError extends MessagingError<'permanent-not-recorded', NotRecorded> {}
/** The journal is not set up, or its value for the key is unreadable. Nothing was sent. */
export class JournalError extends MessagingError<'permanent-journal', Failure> {}
/** Another caller is sending under the key. This call sent nothing. */
export class BusyError extends MessagingError<'busy', Busy> {}
