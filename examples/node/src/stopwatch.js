// Measures the time of a call, for its deadline.

/** Milliseconds since its construction, on the clock that shows more of them. The monotonic clock stands still while
 *  a machine sleeps, and the wall clock can be set back. */
export class Stopwatch {
  #monotonic = performance.now();
  #wall = Date.now();
  #elapsedMs = 0;

  elapsedMs() {
    this.#elapsedMs = Math.max(this.#elapsedMs, performance.now() - this.#monotonic, Date.now() - this.#wall);
    return this.#elapsedMs;
  }
}
