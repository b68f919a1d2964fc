// The journal of an account: an SQLite file, or a journal server.

const { resolve } = require('node:path');
const { HttpJournal, JournalFailure, SqliteJournal } = require('messaging-plugin/once');

/** A journal that is opened by its first request. If opening fails, the next request tries again. */
class Journal {
  #open;
  #opened;

  /** @param location a file, relative to `folder`, or the URL of a server
   *  @param token token for the server
   *  @param allowHttp permits `http:` to other machines */
  constructor(location, { folder, token, allowHttp = false }) {
    const isOnServer = /^[a-z]+:\/\//i.test(location);
    this.#open = async () => (isOnServer ? onServer(location, token, allowHttp) : SqliteJournal.open(resolve(folder, location)));
  }

  async get(key) {
    return (await this.opened()).get(key);
  }

  async swap(key, expected, value) {
    return (await this.opened()).swap(key, expected, value);
  }

  async listItems(after) {
    return (await this.opened()).listItems(after);
  }

  async opened() {
    try {
      return await (this.#opened ??= this.#open());
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async close() {
    const opened = await this.#opened?.catch(() => undefined);
    opened?.close?.();
  }
}

function onServer(url, token, allowHttp) {
  try {
    return new HttpJournal({ url, token: token ?? '', allowHttp });
  } catch (cause) {
    throw new JournalFailure(`journal: ${cause.message}; give the URL and the token of \`messaging serve --workers --journal\``, { refused: true, cause });
  }
}

module.exports = { Journal };
