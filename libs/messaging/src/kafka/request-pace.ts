/** How long is looked back to tell a busy time from a quiet one. */
const WINDOW_MS = 100;
/**
 * 100 requests a second: from here on a request less is worth more than some milliseconds. Two cores
 * are full at 300 payments a second, and there the median answer took a third of the time.
 */
const BUSY_REQUESTS = 10;

/**
 * The pace of requests on one connection. What a message costs over Kafka is its share of a
 * request, so in busy times a request waits until some milliseconds have passed since the one
 * before, and takes more messages along. In quiet times nothing waits: there is nobody to share
 * with. Times are on the clock of performance.now().
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
      // A window that ended long ago says nothing about now.
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
