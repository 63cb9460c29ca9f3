import type { WindowCount } from './windows.js';

/** Counts of many payers over one sliding window, in memory; times never go back. */
export interface SlidingWindow {
  /** What a payer has since an instant, which no later question may lie before. */
  before(payer: string, sinceMs: number): WindowCount;
  add(payer: string, atMs: number, minor: bigint): void;
}

const ROOM_AT_FIRST = 1_024;
const NOTHING: WindowCount = { count: 0, minor: 0n };

/**
 * Exact: each payment is in a queue and leaves it when the window has passed it. Numbers are in typed arrays,
 * because an object for each of a million payers would take several times the memory.
 * @param withSums without, amounts take no room
 */
export function slidingWindow(withSums: boolean): SlidingWindow {
  const places = new Map<string, number>();
  const payers: string[] = [];
  const unused: number[] = [];
  let counts = new Uint32Array(ROOM_AT_FIRST);
  let sums = new BigInt64Array(withSums ? ROOM_AT_FIRST : 0);
  const queue = paymentQueue(withSums);

  const placeOf = (payer: string): number => {
    const known = places.get(payer);
    if (known !== undefined) return known;
    const place = unused.pop() ?? payers.length;
    if (place === counts.length) {
      counts = larger(counts, new Uint32Array(place * 2));
      if (withSums) sums = larger(sums, new BigInt64Array(place * 2));
    }
    payers[place] = payer;
    places.set(payer, place);
    return place;
  };
  const leave = (place: number, minor: bigint): void => {
    const left = (counts[place] ?? 0) - 1;
    counts[place] = left;
    if (withSums) sums[place] = (sums[place] ?? 0n) - minor;
    if (left > 0) return;
    places.delete(payers[place] ?? '');
    // The next payer of this place has another name.
    payers[place] = '';
    unused.push(place);
  };
  return {
    before: (payer, sinceMs) => {
      queue.leaveUntil(sinceMs, leave);
      const place = places.get(payer);
      if (place === undefined) return NOTHING;
      return { count: counts[place] ?? 0, minor: withSums ? (sums[place] ?? 0n) : 0n };
    },
    add: (payer, atMs, minor) => {
      const place = placeOf(payer);
      counts[place] = (counts[place] ?? 0) + 1;
      if (withSums) sums[place] = (sums[place] ?? 0n) + minor;
      queue.push(place, atMs, minor);
    },
  };
}

interface PaymentQueue {
  push(place: number, atMs: number, minor: bigint): void;
  /** Takes out those of this instant and before, the oldest first. */
  leaveUntil(atMs: number, leave: (place: number, minor: bigint) => void): void;
}

/** A ring that grows. */
function paymentQueue(withSums: boolean): PaymentQueue {
  let room = ROOM_AT_FIRST;
  let first = 0;
  let length = 0;
  let times = new Float64Array(room);
  let places = new Uint32Array(room);
  let amounts = new BigInt64Array(withSums ? room : 0);
  const grow = (): void => {
    times = larger(unrolled(times, first), new Float64Array(room * 2));
    places = larger(unrolled(places, first), new Uint32Array(room * 2));
    if (withSums) amounts = larger(unrolled(amounts, first), new BigInt64Array(room * 2));
    first = 0;
    room *= 2;
  };
  return {
    push: (place, atMs, minor) => {
      if (length === room) grow();
      const at = (first + length) % room;
      times[at] = atMs;
      places[at] = place;
      if (withSums) amounts[at] = minor;
      length += 1;
    },
    leaveUntil: (atMs, leave) => {
      while (length > 0 && (times[first] ?? 0) <= atMs) {
        leave(places[first] ?? 0, withSums ? (amounts[first] ?? 0n) : 0n);
        first = (first + 1) % room;
        length -= 1;
      }
    },
  };
}

type Numbers = Float64Array | Uint32Array | BigInt64Array;

/** The same numbers with the oldest in front. */
function unrolled<Kind extends Numbers>(ring: Kind, first: number): Kind {
  const copy = ring.slice() as Kind;
  copy.set(ring.subarray(first) as never, 0);
  copy.set(ring.subarray(0, first) as never, ring.length - first);
  return copy;
}

function larger<Kind extends Numbers>(numbers: Kind, room: Kind): Kind {
  room.set(numbers as never);
  return room;
}
