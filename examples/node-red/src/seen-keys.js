// Idempotency keys of events that were answered with a success. The node for n8n uses it, too.
//
// A key is kept once the delivery was answered with 2xx, so that an event whose flow failed comes
// again. A delivery that comes while another of the same key is being worked on waits for its answer.

/** As long as the service may repeat an event. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Beyond this the oldest go first. */
const MOST = 10_000;

class SeenKeys {
  #context;
  #complain;
  #now;
  /** Keys and the times at which they were answered, the oldest first. */
  #times;
  /** Keys being worked on, and what resolves when that has ended. */
  #underWay = new Map();

  /** @param context of a Node-RED node, which the keys are read from and written to; in memory alone without
   *  @param complain takes what went wrong in it @param now a clock in milliseconds */
  constructor(context, complain = () => {}, now = Date.now) {
    this.#context = context;
    this.#complain = complain;
    this.#now = now;
    this.#times = new Promise((resolve, reject) => {
      if (context) context.get('keys', (error, keys) => (error ? reject(error) : resolve(new Map(keys))));
      else resolve(new Map());
    });
    this.#times.catch(complain);
  }

  /** Whether the event of a key is to be worked on. It is kept when `response` has ended with 2xx, and
   *  at once where it has already, or where there is none. */
  async isNew(key, response) {
    const times = await this.#times;
    while (this.#underWay.has(key)) await this.#underWay.get(key);
    if (this.#now() - (times.get(key) ?? -Infinity) < KEPT_MS) return false;
    if (!response || response.writableFinished) {
      if (!response || isSuccess(response)) this.#keep(times, key);
    } else if (!response.destroyed) {
      const answered = new Promise((resolve) => {
        response.once('finish', () => resolve(isSuccess(response)));
        response.once('close', () => resolve(false));
      });
      this.#underWay.set(key, answered.then((isKept) => {
        this.#underWay.delete(key);
        if (isKept) this.#keep(times, key);
      }));
    }
    return true;
  }

  #keep(times, key) {
    times.delete(key);
    times.set(key, this.#now());
    for (const [oldest, at] of times) {
      if (times.size <= MOST && this.#now() - at < KEPT_MS) break;
      times.delete(oldest);
    }
    this.#context?.set('keys', [...times], (error) => error && this.#complain(error));
  }
}

function isSuccess({ statusCode }) {
  return statusCode >= 200 && statusCode < 300;
}

module.exports = { SeenKeys, KEPT_MS, MOST };
