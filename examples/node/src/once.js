// A send that may be repeated: under one key at most one message.

import { FETCH_PLATFORM } from './fetch-platform.js';
import { setDefaultPlatform } from './platform.js';

// Whoever has a client of their own loads nothing else of the package.
setDefaultPlatform(FETCH_PLATFORM);

export { Once } from './send-once.js';
export { BusyError, JournalError, JournalFailure, KeyForgottenError, KeyReusedError, NotRecordedError } from './once-errors.js';
export { HttpJournal } from './http-journal.js';
export { PostgresJournal } from './postgres-journal.js';
export { SqliteJournal } from './sqlite-journal.js';
