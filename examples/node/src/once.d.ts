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

/** Whatever sends messages as `Plugin` does. Its errors have the WIT's `case`; one that has none leaves the outcome
 *  unknown. */
export interface Client {
  sendMessage(request: MessageRequest, options?: CallOptions): Promise<{ id: string; json: string }>;
  /** How long one call takes at most; 30000 unless given. */
  readonly deadlineMs?: number | undefined;
}

/** Where it is remembered what became of each key: one text for each, changed in atomic steps. `wit/journal.wit` says
 *  what an implementation promises. One that gives no answer throws a `JournalFailure`. */
export interface Journal {
  /** The text of a key. */
  get(key: string): Promise<string | undefined>;
  /** Gives a key a new text if its text is the expected one; `undefined` expects none. Atomic for all who share the
   *  journal, and durable when it has resolved. */
  swap(key: string, expected: string | undefined, text: string): Promise<Swapped>;
  /** Keys and their texts, from the beginning or from a page's `next`. */
  listItems(after?: string): Promise<{ items: { key: string; text: string }[]; next?: string | undefined }>;
}

/** Of a swap that was not carried out: the text that was found. */
export type Swapped = { swapped: true } | { swapped: false; found: string | undefined };

export interface OnceOptions {
  /** How long one `sendMessage` of the client takes at most; the client's own unless given. Whoever shares the journal
   *  waits for a sender that long, and calls it lost after 10 s more. */
  deadlineMs?: number;
  /** Called before each pause of a call: it waits for another sender of the key, or for the journal. Its exceptions are
   *  ignored. */
  onWait?: (wait: { key: string; reason: 'sender' | 'journal'; detail: string }) => void;
  /** A `WebAssembly.Module` of `messaging-plugin/once-component.wasm`: for workers that compile nothing themselves. */
  component?: object;
}

/** The finding of somebody who looked. */
export type Found = 'not-created' | { created: string };

/** A person's decision about a key whose outcome was unknown. */
export interface Resolution {
  /** The attempt that was looked for: `attempts` of the entry. */
  attempt: number;
  found: Found;
  by: string;
  reason: string;
}

/** The journal's entry of a key. */
export interface JournalEntry extends Omit<Entry, 'resolutions'> {
  /** Decisions of people, the first one first. */
  resolutions: (Resolution & { at: string })[];
}

export interface EntryPage {
  /** In the journal's order. */
  entries: JournalEntry[];
  /** Keys of this page whose entry cannot be read. */
  unreadable: string[];
  /** Where the next page begins; absent after the last one. */
  next?: string | undefined;
}

/** A send that may be repeated: under one key at most one message, across calls, processes, machines and restarts. Every
 *  method can be called again at any time, after any error. */
export class Once {
  constructor(client: Client, journal: Journal, options?: OnceOptions);
  /** Creates one message, unless the key has one. The key stands for the reason of the message: `order-17-shipped`. */
  sendOnce(key: string, request: MessageRequest): Promise<OnceCreated>;
  /** Reads the journal's entry of a key. */
  lookUp(key: string): Promise<JournalEntry | undefined>;
  /** Entries, from the beginning or from a page's `next`; only reads. */
  listEntries(after?: string): Promise<EntryPage>;
  /** Says what became of a key whose outcome is unknown. */
  resolve(key: string, resolution: Resolution): Promise<void>;
  /** Forgets what became of a key; nothing is sent under it again. */
  forget(key: string): Promise<void>;
}

/** A journal in an SQLite file, for the processes of one machine. Needs `node:sqlite`, of Node 22.13 or newer. It keeps the
 *  first file for its lifetime, and rejects requests if the file or its -wal is moved, replaced or deleted. */
export class SqliteJournal implements Journal {
  private constructor();
  /** Opens a journal; creates it if there is no file. `timeoutMs` is how long it waits for other processes; 2000 unless
   *  given. */
  static open(path: string, options?: { timeoutMs?: number }): Promise<SqliteJournal>;
  get(key: string): Promise<string | undefined>;
  swap(key: string, expected: string | undefined, text: string): Promise<Swapped>;
  listItems(after?: string): Promise<{ items: { key: string; text: string }[]; next: string | undefined }>;
  close(): void;
}

/** A journal on a server: `messaging serve --workers` with `--journal`, over SQLite or PostgreSQL. */
export class HttpJournal implements Journal {
  constructor(options: {
    /** Where `messaging serve --workers` listens, with the path of a proxy before it, if there is one. */
    url: string;
    /** One of the tokens in MESSAGING_JOURNAL_TOKENS. It appears in no error, log or inspection. */
    token: string;
    /** Time for one request and its answer; 5000 unless given. */
    timeoutMs?: number;
    /** Allows `http:` to hosts other than loopback: whoever is in between can read the token. */
    allowHttp?: boolean;
    /** Makes the requests; `globalThis.fetch` unless given. May repeat them: a swap that is repeated is recognised. */
    fetch?: (url: string, init: RequestInit) => Promise<Response>;
  });
  get(key: string): Promise<string | undefined>;
  swap(key: string, expected: string | undefined, text: string): Promise<Swapped>;
  listItems(after?: string): Promise<{ items: { key: string; text: string }[]; next: string | undefined }>;
}

/** Checks a journal of your own: rejects with an `Error` that names the broken promise of `wit/journal.wit`. `open` returns
 *  a client of one and the same journal at each call. Writes only keys that begin with `check-`. */
export function checkJournal(open: () => Journal | Promise<Journal>): Promise<void>;

/** Thrown by a journal that gives no answer. */
export class JournalFailure extends Error {
  /** `refused`: nothing was written, and nothing will be, until somebody mends it. In doubt not. */
  constructor(detail: string, options?: { refused?: boolean; cause?: unknown });
  readonly refused: boolean;
}

/** The key stands for another request. Nothing was sent. */
export class KeyReusedError extends MessagingError<'permanent-key-reused', Failure> {}
/** The key was used, and what became of it was forgotten. Nothing was sent. */
export class KeyForgottenError extends MessagingError<'permanent-key-forgotten', Failure> {}
/** Nothing was created, and the journal could not be told: `resolve` the key as not created. */
export class NotRecordedError extends MessagingError<'permanent-not-recorded', NotRecorded> {}
/** The journal is not set up, or has something under the key that cannot be read. Nothing was sent. */
export class JournalError extends MessagingError<'permanent-journal', Failure> {}
/** Another caller is at work under the key. Nothing was sent by this call. */
export class BusyError extends MessagingError<'busy', Busy> {}
