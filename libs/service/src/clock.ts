/** Where services get the time from, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the epoch; may jump when somebody sets the machine's clock. */
  now(): number;
  /**
   * Milliseconds on the clock of `performance.now()`; never goes back, for measuring how long
   * something took and for saying by when something must have begun.
   */
  monotonicMs(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
