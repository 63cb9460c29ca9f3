import {
  isMessageVersion,
  type MessageVersion,
  messageVersions,
} from '../messages/message-kinds.js';
import type { CardRange, CardRanges, MessageOf } from '../messages/typed-messages.js';

/** Cards whose issuer takes part, as a directory server has told (PRes). */
export interface ParticipatingRange {
  /** The first and the last number, both in it. */
  readonly start: string;
  readonly end: string;
  /** Of the issuer and ours; empty where they have none in common. */
  readonly versions: readonly MessageVersion[];
  /** The page of the 3DS method, for the version that is spoken about the card. */
  readonly methodUrl?: string;
}

/** What has changed of a range. */
export type RangeChange =
  | { readonly action: 'put'; readonly range: ParticipatingRange }
  | { readonly action: 'delete'; readonly start: string; readonly end: string };

/**
 * Which version is spoken with an issuer that speaks several. 2.3.1 demands of merchants what the interface
 * has no parameters for, so it comes after 2.2.0, which has everything that the interface can say.
 */
const preferredVersions: readonly MessageVersion[] = ['2.2.0', '2.3.1', '2.1.0'];

/**
 * The version to speak about a card of this range; undefined if there is none.
 * @param wished one that says what the others cannot; spoken where the issuer speaks it
 */
export function versionFor(
  { versions }: ParticipatingRange,
  wished?: MessageVersion,
): MessageVersion | undefined {
  const isSpoken = wished !== undefined && versions.includes(wished);
  return isSpoken ? wished : preferredVersions.find((version) => versions.includes(version));
}

/** What a directory server tells of its ranges, in its order. */
export function rangeChanges({ cardRangeData = [] }: MessageOf<'PRes'>): readonly RangeChange[] {
  return cardRangeData.flatMap((told) =>
    'ranges' in told ? changesSince(told) : changesBefore(told),
  );
}

/** The ranges after some changes, sorted. The later of two that are the same counts. */
export function changedRanges(
  ranges: readonly ParticipatingRange[],
  changes: readonly RangeChange[],
): readonly ParticipatingRange[] {
  const byNumbers = new Map(ranges.map((range) => [keyOf(range), range] as const));
  for (const change of changes) {
    if (change.action === 'delete') byNumbers.delete(keyOf(change));
    else byNumbers.set(keyOf(change.range), change.range);
  }
  return [...byNumbers.values()].sort(
    (left, right) => compare(left.start, right.start) || compare(right.end, left.end),
  );
}

/** Ranges of one directory server, by number. */
export class CardRangeIndex {
  readonly #starts: readonly string[];
  /** The furthest end of the ranges up to each: beyond it, nothing before has the card. */
  readonly #reaches: readonly string[];

  /** @param ranges sorted, as `changedRanges` has them */
  constructor(private readonly ranges: readonly ParticipatingRange[]) {
    this.#starts = ranges.map(({ start }) => padded(start, '0'));
    let reach = '';
    this.#reaches = ranges.map(({ end }) => (reach = later(reach, padded(end, '9'))));
  }

  get size(): number {
    return this.ranges.length;
  }

  /** The narrowest range that has the card; undefined where its issuer takes no part. */
  find(cardNumber: string): ParticipatingRange | undefined {
    const number = padded(cardNumber, '0');
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? '') <= number) low = middle + 1;
      else high = middle;
    }
    for (let at = low - 1; at >= 0 && (this.#reaches[at] ?? '') >= number; at -= 1) {
      const range = this.ranges[at];
      const isOfLength = range?.start.length === cardNumber.length;
      if (range !== undefined && isOfLength && padded(range.end, '9') >= number) return range;
    }
    return undefined;
  }
}

/** As long as the longest number. */
const DIGITS_MAX = 19;

/** Numbers of all lengths in one order. */
function padded(number: string, digit: '0' | '9'): string {
  return number.padEnd(DIGITS_MAX, digit);
}

function later(left: string, right: string): string {
  return left >= right ? left : right;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function keyOf({ start, end }: { readonly start: string; readonly end: string }): string {
  return `${start}-${end}`;
}

/** Until 2.2.0. */
function changesBefore(told: CardRange): readonly RangeChange[] {
  const { startRange: start, endRange: end, actionInd, threeDSMethodURL } = told;
  if (actionInd === 'D') return [{ action: 'delete', start, end }];
  const { acsStartProtocolVersion: from, acsEndProtocolVersion: to } = told;
  const versions = messageVersions.filter(
    (version) => order(from) <= order(version) && order(version) <= order(to),
  );
  return [{ action: 'put', range: { start, end, versions, ...method(threeDSMethodURL) } }];
}

/** Since 2.3.1. */
function changesSince({
  ranges,
  actionInd,
  acsProtocolVersions,
}: CardRanges): readonly RangeChange[] {
  return ranges.map(({ start, end }): RangeChange => {
    if (actionInd === 'D') return { action: 'delete', start, end };
    const versions = acsProtocolVersions.map(({ version }) => version).filter(isMessageVersion);
    const range = { start, end, versions };
    // Each version has a page of its own, or none.
    const spoken = versionFor(range);
    const told = acsProtocolVersions.find(({ version }) => version === spoken);
    return { action: 'put', range: { ...range, ...method(told?.threeDSMethodURL) } };
  });
}

function method(url: string | undefined): Pick<ParticipatingRange, 'methodUrl'> {
  return url === undefined ? {} : { methodUrl: url };
}

/** `2.10.0` comes after `2.2.0`. */
function order(version: string): string {
  return version
    .split('.')
    .map((part) => part.padStart(2, '0'))
    .join('.');
}
