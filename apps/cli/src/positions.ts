import { parseDuration, parseInstant } from './durations.js';
import { usage } from './exit-codes.js';
import { offsetOf } from './offset-plan.js';

/** Where a group is to go on reading. */
export type Position =
  | { readonly kind: 'earliest' | 'latest' | 'current' }
  | { readonly kind: 'offset' | 'shift'; readonly offset: bigint }
  | { readonly kind: 'instant'; readonly milliseconds: number }
  | { readonly kind: 'file'; readonly path: string };

/** The flags that say so; exactly one is given. */
export interface PositionFlags {
  readonly toEarliest?: true;
  readonly toLatest?: true;
  readonly toCurrent?: true;
  readonly toOffset?: string;
  readonly shiftBy?: string;
  readonly toDatetime?: string;
  readonly byDuration?: string;
  readonly fromFile?: string;
}

const SELECTORS =
  '--to-datetime, --by-duration, --to-earliest, --to-latest, --to-current, --to-offset, ' +
  '--shift-by, --from-file';

/** Reads the flags; `nowMs` is what `--by-duration` counts back from. */
export function positionOf(flags: PositionFlags, nowMs: number): Position {
  const given: Position[] = [];
  if (flags.toEarliest) given.push({ kind: 'earliest' });
  if (flags.toLatest) given.push({ kind: 'latest' });
  if (flags.toCurrent) given.push({ kind: 'current' });
  if (flags.toOffset !== undefined) {
    given.push({ kind: 'offset', offset: offsetOf(flags.toOffset, '--to-offset') });
  }
  if (flags.shiftBy !== undefined) given.push({ kind: 'shift', offset: shiftOf(flags.shiftBy) });
  if (flags.toDatetime !== undefined) {
    given.push({ kind: 'instant', milliseconds: parseInstant(flags.toDatetime) });
  }
  if (flags.byDuration !== undefined) {
    given.push({ kind: 'instant', milliseconds: nowMs - parseDuration(flags.byDuration) });
  }
  if (flags.fromFile !== undefined) given.push({ kind: 'file', path: flags.fromFile });
  const [only] = given;
  if (only === undefined) throw usage(`Say where to: one of ${SELECTORS}.`);
  if (given.length > 1) throw usage(`Only one position can be given, of ${SELECTORS}.`);
  return only;
}

const SHIFT = /^[+-]?[0-9]{1,18}$/;

function shiftOf(text: string): bigint {
  if (!SHIFT.test(text)) throw usage(`--shift-by: "${text}" is no whole number like -100.`);
  return BigInt(text.replace('+', ''));
}

/** What is known of a partition. */
export interface PartitionOffsets {
  /** The next message the group would read; absent when it never read any. */
  readonly current?: bigint;
  /** The first message that is still there. */
  readonly low: bigint;
  /** The next message to be written. */
  readonly high: bigint;
  /** The first message of the instant asked for, or `high`. */
  readonly atInstant?: bigint;
}

/** A new offset, and whether it is another one than was asked for, because that is not there. */
export interface ChosenOffset {
  readonly offset: bigint;
  readonly isAdjusted: boolean;
}

/** Where the group goes on in one partition; undefined when there is nothing to start from. */
export function chosenOffset(
  position: Exclude<Position, { kind: 'file' }>,
  { current, low, high, atInstant }: PartitionOffsets,
): ChosenOffset | undefined {
  switch (position.kind) {
    case 'earliest':
      return { offset: low, isAdjusted: false };
    case 'latest':
      return { offset: high, isAdjusted: false };
    case 'current':
      return within(current ?? high, low, high);
    case 'offset':
      return within(position.offset, low, high);
    case 'shift':
      return current === undefined ? undefined : within(current + position.offset, low, high);
    case 'instant':
      return within(atInstant ?? high, low, high);
  }
}

/** The nearest offset that is there. */
export function within(wanted: bigint, low: bigint, high: bigint): ChosenOffset {
  if (wanted < low) return { offset: low, isAdjusted: true };
  if (wanted > high) return { offset: high, isAdjusted: true };
  return { offset: wanted, isAdjusted: false };
}
