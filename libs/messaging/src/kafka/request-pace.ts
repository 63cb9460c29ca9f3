/** The window in which busy times are told from quiet ones. */
const WINDOW_MS = 100;
/**
 * 100 requests a second: from here on, saving a request is worth a few milliseconds of waiting. At
 * 300 payments a second, which fill two cores, the median answer then took a third of the time.
 */
const BUSY_REQUESTS = 10;

/**
 * The pace of requests on one connection. A message over Kafka costs its share of a request. So in
 * busy times a request waits until some milliseconds have passed since the previous one, and takes
 * more messages along. In quiet times nothing waits, because there is nothing to share. Times are
 * on the clock of performance.now().
 */
export class RequestPace {
  #lastMs = Number.NEGATIVE_INFINITY;
  #windowEndMs = 0;
  #inWindow = 0;
  #isBusy = false;

  constructor(private readonly gatherMs: number) {}

  /** A request starts. */
  started(nowMs: number): void {
    if (nowMs >= this.#windowEndMs) {
      // A window that ended long ago is no longer relevant.
      const isFresh = nowMs < this.#windowEndMs + WINDOW_MS;
      this.#isBusy = isFresh && this.#inWindow >= BUSY_REQUESTS;
      this.#inWindow = 0;
      this.#windowEndMs = nowMs + WINDOW_MS;
    }
    this.#inWindow += 1;
    this.#lastMs = nowMs;
  }

  /** When the next one may start; often this has passed. */
  get nextMs(): number {
    return this.#isBusy ? this.#lastMs + this.gatherMs : this.#lastMs;
  }
}
