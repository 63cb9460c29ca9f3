const UINT32 = 0x1_0000_0000;
const MIX_STEP = 0x6d2b79f5;

/** A repeatable stream of choices; the same seed makes the same choices on every machine (D-62). */
export interface SeededRandom {
  /** A fraction in [0, 1). */
  fraction(): number;
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean;
  /** One of the given values; throws a RangeError when there is none. */
  pick<T>(values: readonly T[]): T;
  /** That many bytes. */
  bytes(length: number): Buffer;
  /** An own stream for one subject, so that adding draws there moves nothing elsewhere. */
  fork(subject: string): SeededRandom;
}

/**
 * A small generator for tests (mulberry32): quick, repeatable, and useless for secrets. The seed
 * is any text; print it, so that a failing run can be repeated.
 */
export function seededRandom(seed: string): SeededRandom {
  let state = hashOf(seed);
  const fraction = (): number => {
    state = (state + MIX_STEP) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / UINT32;
  };
  const integer = (low: number, high: number): number =>
    low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: <T>(values: readonly T[]): T => {
      if (values.length === 0) throw new RangeError('there is nothing to pick from');
      return values[integer(0, values.length - 1)] as T;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => integer(0, 255))),
    fork: (subject) => seededRandom(`${seed}/${subject}`),
  };
}

/** FNV-1a, 32 bits, and one more mix so that seeds which differ in one digit start far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) | 0;
}
