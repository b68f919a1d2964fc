// A send that is safe to retry: a key creates at most one message.

import { FETCH_PLATFORM } from './fetch-platform.js';
import { setDefaultPlatform } from './platform.js';

// Sets the platform here, because a program with its own client loads no other entry point of the package.
setDefaultPlatform(FETCH_PLATFORM);

export { Once } from './send-once.js';
export { BusyError, JournalError, JournalFailure, KeyForgottenError, KeyReusedError, NotRecordedError } from './once-errors.js';
export { checkJournal } from './journal-suite.js';
export { HttpJournal } from './http-journal.js';
export { SqliteJournal } from './sqlite-journal.js';
