/** Where services get the time from, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the epoch; may jump when somebody sets the machine's clock. */
  now(): number;
  /** Milliseconds since some moment; never goes back, for measuring how long something took. */
  monotonicMs(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
