// Remembers successfully answered events by idempotency key and content. Other content under a known key is a new
// event. The n8n node uses this module too.
//
// An event is remembered only after its delivery was answered with 2xx. An event whose flow failed is therefore processed
// again. A delivery waits for an active delivery of the same event.

/** Time in milliseconds for which an answered event is remembered. A later redelivery counts as a new event. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Maximum number of remembered events. The oldest event is removed first. */
const MOST = 10_000;

class SeenKeys {
  #context;
  #complain;
  #now;
  /** A promise for a map from digest and key of each event to the time of its answer, oldest first. */
  #times;
  /** For each event with an active delivery, by digest and key: a promise for the delivery's end. */
  #underWay = new Map();

  /** @param context context of a Node-RED node, which stores the events; if absent, they are only in memory
   *  @param complain receives errors of the context
   *  @param now a clock in milliseconds */
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

  /** Returns true if an event must be processed. Remembers the event when `response` ends with 2xx, or at once if
   *  `response` has already ended with 2xx or is missing. */
  async isNew({ idempotencyKey, json }, response) {
    const key = `${await digestOf(json)} ${idempotencyKey}`;
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

/** Returns the SHA-256 of a text in hexadecimal. */
async function digestOf(text) {
  return Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex');
}

function isSuccess({ statusCode }) {
  return statusCode >= 200 && statusCode < 300;
}

module.exports = { SeenKeys, KEPT_MS, MOST };
