import { describe, expect, it } from '@jest/globals';
import { readExpression } from './cron-expression.js';
import { nextRun } from './next-run.js';
import { timeZoneOf } from './time-zone.js';

/** The runs after an instant of UTC, as instants of UTC. */
function runs(text: string, zoneName: string, after: string, count: number): string[] {
  const read = readExpression(text);
  const zone = timeZoneOf(zoneName);
  if (read.kind === 'refused' || zone === undefined) throw new Error(`${text} in ${zoneName}`);
  const found: string[] = [];
  let atMs: number | undefined = Date.parse(`${after}Z`);
  while (found.length < count) {
    atMs = nextRun(read.expression, zone, atMs);
    if (atMs === undefined) break;
    found.push(new Date(atMs).toISOString().slice(0, 19));
  }
  return found;
}

describe('the next run', () => {
  it('is after the instant, at a whole second', () => {
    expect(runs('0 0 12 * * ?', 'UTC', '2026-01-15T11:59:59.999', 1)).toEqual([
      '2026-01-15T12:00:00',
    ]);
    expect(runs('0 0 12 * * ?', 'UTC', '2026-01-15T12:00:00', 1)).toEqual(['2026-01-16T12:00:00']);
    expect(runs('* * * * * ?', 'UTC', '2026-12-31T23:59:59', 2)).toEqual([
      ...['2027-01-01T00:00:00', '2027-01-01T00:00:01'],
    ]);
  });

  it('goes on in the next minute, hour, day, month and year', () => {
    const expected = ['2026-02-28T23:59:30', '2026-06-01T00:00:30', '2028-02-01T00:00:30'];
    expect(runs('30 59 23 28 2 ?', 'UTC', '2026-01-01T00:00:00', 1)).toEqual([expected[0]]);
    expect(runs('30 0 0 1 6 ?', 'UTC', '2026-02-28T23:59:30', 1)).toEqual([expected[1]]);
    expect(runs('30 0 0 1 2 ? 2028', 'UTC', '2026-06-01T00:00:30', 2)).toEqual([expected[2]]);
  });

  it('of a 31st is in the months that have one; the end of each month is L', () => {
    expect(runs('0 0 0 31 * ?', 'UTC', '2026-01-31T00:00:00', 4)).toEqual([
      ...['2026-03-31T00:00:00', '2026-05-31T00:00:00', '2026-07-31T00:00:00'],
      '2026-08-31T00:00:00',
    ]);
    expect(runs('0 0 0 L * ?', 'UTC', '2026-01-31T00:00:00', 3)).toEqual([
      ...['2026-02-28T00:00:00', '2026-03-31T00:00:00', '2026-04-30T00:00:00'],
    ]);
    expect(runs('0 0 0 31 1 ?', 'UTC', '2026-01-31T00:00:00', 1)).toEqual(['2027-01-31T00:00:00']);
  });

  it('of 29 February is in leap years', () => {
    expect(runs('0 0 0 29 2 ?', 'UTC', '2026-01-01T00:00:00', 2)).toEqual([
      ...['2028-02-29T00:00:00', '2032-02-29T00:00:00'],
    ]);
    expect(runs('0 0 0 29 2 ?', 'UTC', '2096-03-01T00:00:00', 1)).toEqual([]);
  });

  it('is never where there is none until the end of 2099', () => {
    expect(runs('0 0 0 30 2 ?', 'UTC', '1970-01-01T00:00:00', 1)).toEqual([]);
    expect(runs('0 0 0 1 1 ? 2025', 'UTC', '2026-01-01T00:00:00', 1)).toEqual([]);
    expect(runs('59 59 23 31 12 ?', 'UTC', '2099-12-31T23:59:58', 2)).toEqual([
      '2099-12-31T23:59:59',
    ]);
  });
});

describe('where clocks are put forward', () => {
  it.each([
    ['Europe/Berlin', '0 30 2 * * ?', '2026-03-28T12:00:00', '2026-03-29T01:30:00'], // 03:30
    ['America/New_York', '0 30 2 * * ?', '2026-03-07T12:00:00', '2026-03-08T07:30:00'], // 03:30
    ['Australia/Lord_Howe', '0 15 2 * * ?', '2026-10-03T12:00:00', '2026-10-03T15:45:00'], // 02:45
    ['Pacific/Apia', '0 0 9 30 12 ?', '2011-12-01T00:00:00', '2011-12-30T19:00:00'], // 31st, 09:00
    ['America/Havana', '0 0 0 8 3 ?', '2026-03-01T00:00:00', '2026-03-08T05:00:00'], // 01:00
  ])('a time of %s that there is not (%s) runs later by the gap', (zone, text, after, expected) => {
    expect(runs(text, zone, after, 1)).toEqual([expected]);
  });

  it('the day after is at the usual time again', () => {
    expect(runs('0 30 2 * * ?', 'Europe/Berlin', '2026-03-29T01:30:00', 1)).toEqual([
      '2026-03-30T00:30:00',
    ]);
  });

  it('times that come to the same instant are one run', () => {
    expect(runs('0 30 2,3 * * ?', 'Europe/Berlin', '2026-03-29T00:00:00', 2)).toEqual([
      ...['2026-03-29T01:30:00', '2026-03-30T00:30:00'],
    ]);
  });

  it('a later time that is not moved can come first', () => {
    // 02:15 runs at 02:45, after 02:35, which is behind the gap of half an hour.
    expect(runs('0 15,35 2 * * ?', 'Australia/Lord_Howe', '2026-10-03T12:00:00', 2)).toEqual([
      ...['2026-10-03T15:35:00', '2026-10-03T15:45:00'],
    ]);
  });
});

describe('where clocks are put back', () => {
  it.each([
    ['Europe/Berlin', '0 30 2 * * ?', '2026-10-24T12:00:00', '2026-10-25T00:30:00'],
    ['America/New_York', '0 30 1 * * ?', '2026-10-31T12:00:00', '2026-11-01T05:30:00'],
    ['Australia/Lord_Howe', '0 45 1 * * ?', '2026-04-04T12:00:00', '2026-04-04T14:45:00'],
  ])(
    'a time of %s that there is twice (%s) runs the first time only',
    (zone, text, after, first) => {
      const [run, next] = runs(text, zone, after, 2);
      expect(run).toBe(first);
      expect(Date.parse(`${next ?? ''}Z`) - Date.parse(`${first}Z`)).toBeGreaterThan(86_400_000);
    },
  );

  it('nothing runs in the hour that comes again', () => {
    expect(runs('0 0/30 * * * ?', 'Europe/Berlin', '2026-10-25T00:00:00', 3)).toEqual([
      ...['2026-10-25T00:30:00', '2026-10-25T02:00:00', '2026-10-25T02:30:00'],
    ]);
  });
});

describe('a time zone', () => {
  it('is an IANA name', () => {
    expect(timeZoneOf('Europe/Berlin')?.name).toBe('Europe/Berlin');
    expect(timeZoneOf('Berlin')).toBeUndefined();
    expect(timeZoneOf('')).toBeUndefined();
  });

  it('that never changes its clocks has the same distance always', () => {
    expect(timeZoneOf('Asia/Tokyo')?.offsetAt(0)).toMatchObject({ seconds: 9 * 3600 });
    expect(timeZoneOf('UTC')?.offsetAt(0)).toEqual({
      ...{ seconds: 0, from: -Infinity, until: Infinity },
    });
  });
});
