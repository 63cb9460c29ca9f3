import { describe, expect, it } from '@jest/globals';
import { dayRuleOf, daysOf } from './day-rule.js';
import { FieldProblem, wholeNumberOf } from './cron-fields.js';

/** The days of a month, as numbers. */
function days(dayOfMonth: string, dayOfWeek: string, year: number, month: number): number[] {
  const rule = dayRuleOf({ dayOfMonth, dayOfWeek });
  if (rule instanceof FieldProblem) throw new Error(rule.problem);
  const bits = daysOf(rule, year, month);
  return Array.from({ length: 32 }, (_, day) => day).filter((day) => (bits & (1 << day)) !== 0);
}

describe('the day of the month', () => {
  it.each([
    ['31', 2026, 1, [31]],
    ['31', 2026, 2, []],
    ['31', 2026, 4, []],
    ['29', 2026, 2, []],
    ['29', 2028, 2, [29]],
    ['29', 2000, 2, [29]],
    ['30-2', 2026, 2, [1, 2]],
    ['L', 2026, 2, [28]],
    ['L', 2028, 2, [29]],
    ['L', 2026, 4, [30]],
    ['L-3', 2026, 4, [27]],
    ['L-30', 2026, 1, [1]],
    ['L-30', 2026, 4, []],
    ['15,L', 2026, 4, [15, 30]],
    ['*/10', 2026, 1, [1, 11, 21, 31]],
  ])('%s of %i-%i is %j', (text, year, month, expected) => {
    expect(days(text, '?', year, month)).toEqual(expected);
  });

  it.each([
    ['15W', '2026-4', [15]], // the day itself, a Wednesday
    ['15W', '2026-8', [14]], // Friday before a Saturday
    ['15W', '2026-2', [16]], // Monday after a Sunday
    ['1W', '2026-8', [3]], // Monday after a Saturday that begins the month
    ['31W', '2026-5', [29]], // Friday before a Sunday that ends the month
    ['31W', '2026-4', []], // the month has no such day
    ['29W', '2026-2', []], // nor has February
    ['LW', '2026-3', [31]], // the last day, a Tuesday
    ['LW', '2026-1', [30]], // Friday before a last Saturday
    ['LW', '2026-5', [29]], // Friday before a last Sunday
  ])('on a working day, %s of %s, is %j', (text, yearAndMonth, expected) => {
    const [year = 0, month = 0] = yearAndMonth.split('-').map(wholeNumberOf);
    expect(days(text, '?', year, month)).toEqual(expected);
  });
});

describe('the day of the week', () => {
  it.each([
    ['1', [1, 8, 15, 22]], // February 2026 begins with a Sunday
    ['SAT,SUN', [1, 7, 8, 14, 15, 21, 22, 28]],
    ['FRI-MON', [1, 2, 6, 7, 8, 9, 13, 14, 15, 16, 20, 21, 22, 23, 27, 28]],
    ['L', [7, 14, 21, 28]],
    ['6L', [27]],
    ['SUNL', [22]],
    ['6#3', [20]],
    ['1#1', [1]],
    ['7#4', [28]],
    ['1#5', []],
    ['MON#1,FRI#2', [2, 13]],
  ])('%s is on %j', (text, expected) => {
    expect(days('?', text, 2026, 2)).toEqual(expected);
  });

  it('has a fifth time in some months', () => {
    expect(days('?', '1#5', 2026, 3)).toEqual([29]);
    expect(days('?', '5#5', 2026, 3)).toEqual([]);
  });
});

describe('both', () => {
  const february = Array.from({ length: 28 }, (_, index) => index + 1);

  it.each([
    ['*', '*'],
    ['*', '?'],
    ['?', '*'],
  ])('%s and %s are every day', (dayOfMonth, dayOfWeek) => {
    expect(days(dayOfMonth, dayOfWeek, 2026, 2)).toEqual(february);
  });

  it('leave it to the one that says a day', () => {
    expect(days('*', '6L', 2026, 2)).toEqual([27]);
    expect(days('3', '*', 2026, 2)).toEqual([3]);
  });
});
