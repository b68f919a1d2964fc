// Idempotency keys of events that were answered with a success, in the memory of n8n's process.
//
// A key is kept once the delivery was answered with 2xx, so that an event that n8n did not take on, or whose
// workflow failed before the answer, comes again. A delivery that comes while another of the same key is under
// way waits for its answer.
//
// It is not in the workflow's static data: n8n 2.40.5 does not save what a webhook changes there, because it
// makes a second object over the same data before it looks whether the first one was changed.

/** As long as the service may repeat an event. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Beyond this the oldest go first. */
const MOST = 10_000;

interface Answer {
  statusCode: number;
  destroyed: boolean;
  once(event: 'finish' | 'close', listener: () => void): unknown;
}

export class SeenKeys {
  /** Keys and the times at which they were answered, the oldest first. */
  private readonly times = new Map<string, number>();

  private readonly underWay = new Map<string, Promise<void>>();

  /** Whether the event of a key is to be worked on. It is kept when `answer` has ended with 2xx. */
  async isNew(key: string, answer: Answer): Promise<boolean> {
    for (let other; (other = this.underWay.get(key)) !== undefined; ) await other;
    if (Date.now() - (this.times.get(key) ?? -Infinity) < KEPT_MS) return false;
    if (answer.destroyed) return true;
    const answered = new Promise<boolean>((resolve) => {
      answer.once('finish', () => resolve(answer.statusCode >= 200 && answer.statusCode < 300));
      answer.once('close', () => resolve(false));
    });
    this.underWay.set(key, answered.then((isKept) => {
      this.underWay.delete(key);
      if (isKept) this.keep(key);
    }));
    return true;
  }

  private keep(key: string): void {
    this.times.delete(key);
    this.times.set(key, Date.now());
    for (const [oldest, at] of this.times) {
      if (this.times.size <= MOST && Date.now() - at < KEPT_MS) break;
      this.times.delete(oldest);
    }
  }
}
