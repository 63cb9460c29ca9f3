/** So long after the last message nobody can be waiting for what a longer fetch holds up. */
const REST_AFTER_MS = 5_000;
/** Each empty fetch is followed by a heartbeat; three of them are in a session of 3 s (D-16). */
const REST_WAIT_MS = 1_000;

/**
 * How long a fetch waits for a message, which ends it at once. Only a rebalance, a departure and a
 * resumed partition wait for its end, so it may wait longer at rest (page 0046). Times are on the
 * clock of performance.now().
 */
export class FetchWait {
  #restsFromMs: number;

  /** @param busyMs how long a fetch waits in busy times */
  constructor(
    private readonly busyMs: number,
    nowMs: number,
  ) {
    this.#restsFromMs = nowMs + REST_AFTER_MS;
  }

  /** Something has happened that others may follow soon: a message, a rebalance, a pause. */
  stirred(nowMs: number): void {
    this.#restsFromMs = nowMs + REST_AFTER_MS;
  }

  /** How long a fetch that starts now waits, in milliseconds. */
  at(nowMs: number): number {
    return nowMs < this.#restsFromMs ? this.busyMs : Math.max(this.busyMs, REST_WAIT_MS);
  }
}
