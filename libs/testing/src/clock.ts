/**
 * A clock that stands still until it is told to move; it has the shape of the service library's
 * `Clock`. Times in milliseconds.
 */
export interface FixedClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since the clock was made; never goes back. */
  monotonicMs(): number;
  /** Moves both times forward. */
  advance(ms: number): void;
}

/** A clock that shows `startMs`, milliseconds since the epoch. */
export function fixedClock(startMs: number): FixedClock {
  let elapsedMs = 0;
  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    advance: (ms) => {
      if (!(ms >= 0)) throw new RangeError('a clock only moves forward');
      elapsedMs += ms;
    },
  };
}
