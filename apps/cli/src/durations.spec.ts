import { describe, expect, it } from '@jest/globals';
import { durationText, parseDuration, parseInstant, parseSpan } from './durations.js';

describe('a duration on the command line', () => {
  it.each([
    ['P1D', 86_400_000],
    ['PT1H', 3_600_000],
    ['P1DT2H3M4.5S', 93_784_500],
    ['PT0S', 0],
    ['PT90S', 90_000],
    ['PT0.05S', 50],
  ])('%s is %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', 'P', 'PT', '1D', 'P1DT', 'P1Y', 'P1M', 'PT1H1D', 'P-1D', 'PT1.5H', 'pt1h', 'P1D '])(
    'is not "%s"',
    (text) => {
      expect(() => parseDuration(text)).toThrow(/is no duration/);
    },
  );
});

describe('a span on the command line', () => {
  it.each([
    ['45s', 45_000],
    ['90min', 5_400_000],
    ['12h', 43_200_000],
    ['30d', 2_592_000_000],
    ['2w', 1_209_600_000],
    ['P1DT1H', 90_000_000],
  ])('%s is %d ms', (text, milliseconds) => {
    expect(parseSpan(text)).toBe(milliseconds);
  });

  // A month is no fixed time, and whether m is one or a minute nobody knows.
  it.each(['', '30', 'd', '1m', '1y', '-1d', '1.5d', '30 d', '30D', '1d2h', 'P1M'])(
    'is not "%s"',
    (text) => {
      expect(() => parseSpan(text)).toThrow(/is no duration/);
    },
  );
});

describe('an instant on the command line', () => {
  const half = Date.UTC(2031, 4, 4, 13, 30);
  it.each([
    ['2031-05-04T13:30:00.000', half],
    ['2031-05-04T13:30', half],
    ['2031-05-04 13:30:00Z', half],
    ['2031-05-04T13:30:00.25', half + 250],
    ['2031-05-04T15:30:00+02:00', half],
    ['2031-05-04T15:30:00+0200', half],
    ['2031-05-04', Date.UTC(2031, 4, 4)],
  ])('%s is UTC unless it says otherwise', (text, milliseconds) => {
    expect(parseInstant(text)).toBe(milliseconds);
  });

  it.each(['yesterday', '2031-02-31', '2031-13-01', '04.05.2031', '2031-05-04T25:00', '', '1920'])(
    'is not "%s"',
    (text) => {
      expect(() => parseInstant(text)).toThrow(/is no date and time/);
    },
  );
});

describe('how long something takes', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h 0 min'],
    [47 * 3_600_000, '47 h 0 min'],
    [7 * 86_400_000, '7 d 0 h'],
  ])('%d ms reads %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});
