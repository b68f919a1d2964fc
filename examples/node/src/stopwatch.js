// Measures the time of a call, for its deadline.

/** Measures milliseconds since its construction, on two clocks, and uses the larger result. The monotonic clock stops
 *  while a machine sleeps, and the wall clock can be set back. */
export class Stopwatch {
  #monotonic = performance.now();
  #wall = Date.now();
  #elapsedMs = 0;

  elapsedMs() {
    this.#elapsedMs = Math.max(this.#elapsedMs, performance.now() - this.#monotonic, Date.now() - this.#wall);
    return this.#elapsedMs;
  }
}
