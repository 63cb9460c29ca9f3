import { Temporal } from 'temporal-polyfill';

/** Clocks of the wall in one place: their distance from UTC, second by second. */
export interface TimeZone {
  readonly name: string;
  /** The distance at an instant; the instant in seconds since the epoch. */
  readonly offsetAt: (epochSeconds: number) => Offset;
}

/** A distance, and for how long it holds; all in seconds. */
export interface Offset {
  /** East of Greenwich is positive. */
  readonly seconds: number;
  /** The first instant with it, in seconds since the epoch; -Infinity if unknown to be any. */
  readonly from: number;
  /** The first instant after it. */
  readonly until: number;
}

const NANOSECONDS = 1_000_000_000;
const MILLISECONDS = 1000;
/** Some of the list of names, for any spelling of which there may be callers; the list has about 600. */
const ZONES_MAX = 1000;
/** Offsets of one zone that are kept; the years of all schedules have fewer. */
const OFFSETS_MAX = 400;

/*
 * What the polyfill answers takes milliseconds, and is asked again and again: a million schedules are in
 * some dozens of zones and in two of their offsets. Nothing else is kept, and nothing can be told from it.
 */
const zones = new Map<string, TimeZone>();

/** The zone of an IANA name, or undefined if there is none. Cheap from the second time on. */
export function timeZoneOf(name: string): TimeZone | undefined {
  const known = zones.get(name);
  if (known) return known;
  try {
    offsetSecondsAt(name, 0);
  } catch {
    return undefined;
  }
  const zone = zoneWithOffsets(name);
  if (zones.size >= ZONES_MAX) zones.clear();
  zones.set(name, zone);
  return zone;
}

function zoneWithOffsets(name: string): TimeZone {
  let offsets: Offset[] = [];
  let latest: Offset | undefined;
  return {
    name,
    offsetAt: (epochSeconds) => {
      const holds = ({ from, until }: Offset): boolean =>
        epochSeconds >= from && epochSeconds < until;
      if (latest && holds(latest)) return latest;
      let found = offsets.find(holds);
      if (found === undefined) {
        found = askedOffset(name, epochSeconds);
        if (offsets.length >= OFFSETS_MAX) offsets = [];
        offsets.push(found);
      }
      latest = found;
      return found;
    },
  };
}

function askedOffset(name: string, epochSeconds: number): Offset {
  const there = zonedAt(name, epochSeconds);
  const next = there.getTimeZoneTransition('next');
  // One nanosecond on: a transition at the instant itself is the beginning that is looked for.
  const before = there.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return {
    seconds: there.offsetNanoseconds / NANOSECONDS,
    from: before === null ? -Infinity : before.epochMilliseconds / MILLISECONDS,
    until: next === null ? Infinity : next.epochMilliseconds / MILLISECONDS,
  };
}

function offsetSecondsAt(name: string, epochSeconds: number): number {
  return zonedAt(name, epochSeconds).offsetNanoseconds / NANOSECONDS;
}

function zonedAt(name: string, epochSeconds: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochSeconds * MILLISECONDS).toZonedDateTimeISO(
    name,
  );
}
