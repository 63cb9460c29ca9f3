import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { readExpression } from './cron-expression.js';
import { nextRun } from './next-run.js';
import { timeZoneOf } from './time-zone.js';

const RUNS = 500;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** Any text is a seed, as in the other tests that draw; fast-check takes 32 bits. */
const SEED_NUMBER = createHash('sha256').update(SEED).digest().readInt32BE();

const HOUR_MS = 3_600_000;
const STEP_MINUTES = 5;
/** Where clocks are put forward or back, by an hour, half of one, or a day. */
const edges = [
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Africa/Casablanca', '2026-02-15T02:00Z'],
  ['America/Havana', '2026-03-08T05:00Z'],
  ['Asia/Kathmandu', '1985-12-31T18:30Z'],
] as const;

const hour = fc.integer({ min: 0, max: 23 });
const minute = fc.integer({ min: 0, max: 11 }).map((count) => count * STEP_MINUTES);
const list = (values: fc.Arbitrary<number>) =>
  fc.oneof(fc.constant('*'), fc.array(values, { minLength: 1, maxLength: 3 }).map(String));

describe(`runs near a change of clocks (TEST_SEED=${SEED} repeats them)`, () => {
  it('are at the instants that Temporal gives to their local times', () => {
    const check = (
      [zoneName, edge]: readonly [string, string],
      hours: string,
      minutes: string,
      startHours: number,
    ) => {
      const edgeMs = Date.parse(edge);
      const times = timesNear(zoneName, edgeMs);
      const startMs = edgeMs + startHours * HOUR_MS;
      const endMs = edgeMs + 30 * HOUR_MS;
      const every = minutes === '*' ? '0/5' : minutes;
      const read = readExpression(`0 ${every} ${hours} * * ?`);
      const zone = timeZoneOf(zoneName);
      if (read.kind === 'refused' || zone === undefined) throw new Error(zoneName);
      const found: number[] = [];
      let run = nextRun(read.expression, zone, startMs);
      while (run !== undefined && run <= endMs) {
        found.push(run);
        run = nextRun(read.expression, zone, run);
      }
      expect(found).toEqual(expectedRuns(times, { hours, minutes }, startMs, endMs));
    };
    const near = fc.integer({ min: -26, max: 28 });
    fc.assert(fc.property(fc.constantFrom(...edges), list(hour), list(minute), near, check), {
      ...{ numRuns: RUNS, seed: SEED_NUMBER },
    });
  }, 60_000);
});

/** A time on the clock of the wall, and when that is. */
interface LocalTime {
  readonly hour: number;
  readonly minute: number;
  readonly epochMs: number;
}

const known = new Map<string, readonly LocalTime[]>();

/** Each local time near an edge, as Temporal disambiguates it: slow, and written another way. */
function timesNear(zone: string, edgeMs: number): readonly LocalTime[] {
  const key = `${zone} ${String(edgeMs)}`;
  const before = known.get(key);
  if (before) return before;
  const times: LocalTime[] = [];
  let local = Temporal.Instant.fromEpochMilliseconds(edgeMs)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .subtract({ hours: 54 })
    .round({ smallestUnit: 'hour' });
  const end = local.add({ hours: 110 });
  while (Temporal.PlainDateTime.compare(local, end) < 0) {
    const { epochMilliseconds } = local.toZonedDateTime(zone, { disambiguation: 'compatible' });
    times.push({ hour: local.hour, minute: local.minute, epochMs: epochMilliseconds });
    local = local.add({ minutes: STEP_MINUTES });
  }
  known.set(key, times);
  return times;
}

function expectedRuns(
  times: readonly LocalTime[],
  fields: { readonly hours: string; readonly minutes: string },
  startMs: number,
  endMs: number,
): readonly number[] {
  const has = (field: string, value: number) =>
    field === '*' || field.split(',').includes(String(value));
  const instants = times
    .filter(({ hour: h, minute: m }) => has(fields.hours, h) && has(fields.minutes, m))
    .map(({ epochMs }) => epochMs)
    .filter((epochMs) => epochMs > startMs && epochMs <= endMs);
  return [...new Set(instants)].sort((one, other) => one - other);
}
