import { describe, expect, it } from '@jest/globals';
import { readExpression } from './cron-expression.js';
import { fieldRanges, LIST_ITEMS_MAX } from './cron-fields.js';

const EVERY_SECOND = '* * * * * ?';

describe('an expression', () => {
  it.each([
    ...[EVERY_SECOND, '0 0 12 1 * ?', '0 0 12 1 * ? 2030', '0 0 0 * * *', '0 0 0 ? * *'],
    ...['0 0 0 * * MON', '0 0 0 L-3 * ?', '0 0 0 LW * ?', '0 0 0 15W,L * ?', '0 0 0 1W * ?'],
    ...['0 0 0 ? * L', '0 0 0 ? * 6L', '0 0 0 ? * FRIL', '0 0 0 ? * FRI#3', '0 0 0 ? * 2#1,6#5'],
    ...['0 0 0 ? JAN-MAR,DEC FRI-MON', '0 0 22-2 1 11-2 ?', '5/5 0-59/7 */23 */31 */12 ?'],
    ...['0 0 0 1 1 ? 1970', '0 0 0 1 1 ? 2026/2', '0 0 0 1 1 ? 2026-2099/129', '0 0 0 1 1 ? *'],
    ...['0 0 0 31W * ?', '0 0 0 L-0 * ?', '0 0 0 L-30 * ?'],
  ])('%s is read', (text) => {
    expect(readExpression(text)).toMatchObject({ kind: 'expression', expression: { text } });
  });

  it.each([
    ['second', '60 0 0 1 * ?', 'a number is outside 0-59'],
    ['second', '0/60 0 0 1 * ?', 'a step is from 1 to 59'],
    ['second', '*/0 0 0 1 * ?', 'a step is from 1 to 59'],
    ['second', '/5 0 0 1 * ?', 'it has something that is not allowed'],
    ['second', '1, 0 0 1 * ?', 'there is nothing before or after a comma'],
    ['second', '*-5 0 0 1 * ?', 'it has something that is not allowed'],
    ['second', '? 0 0 1 * ?', '? stands only for a day, and alone'],
    ['second', 'L 0 0 1 * ?', 'it has something that is not allowed'],
    ['second', `${'1,'.repeat(LIST_ITEMS_MAX)}1 0 0 1 * ?`, 'a list has at most 63 items'],
    ['minute', '0 -1 0 1 * ?', 'it has something that is not allowed'],
    ['hour', '0 0 24 1 * ?', 'a number is outside 0-23'],
    ['hour', '0 0 */24 1 * ?', 'a step is from 1 to 23'],
    ['dayOfMonth', '0 0 0 32 * ?', 'a number is outside 1-31'],
    ['dayOfMonth', '0 0 0 0 * ?', 'a number is outside 1-31'],
    ['dayOfMonth', '0 0 0 32W * ?', 'a number is outside 1-31'],
    ['dayOfMonth', '0 0 0 L-31 * ?', 'L-n is from L-0 to L-30'],
    ['dayOfMonth', '0 0 0 15L * ?', 'it has something that is not allowed'],
    ['dayOfMonth', '0 0 0 1,? * ?', '? stands only for a day, and alone'],
    ['dayOfMonth', '0 0 0 ? * ?', 'one of dayOfMonth and dayOfWeek must say a day, not ?'],
    ['month', '0 0 0 1 13 ?', 'a number is outside 1-12'],
    ['month', '0 0 0 1 jan ?', 'it has something that is not allowed'],
    ['month', '0 0 0 1 JAN/2 ?', 'a step stands behind numbers, not behind names'],
    ['dayOfWeek', '0 0 0 ? * 0', 'a number is outside 1-7'],
    ['dayOfWeek', '0 0 0 ? * 8', 'a number is outside 1-7'],
    ['dayOfWeek', '0 0 0 ? * 8L', 'a number is outside 1-7'],
    ['dayOfWeek', '0 0 0 ? * 6#6', 'n#k is from n#1 to n#5'],
    ['dayOfWeek', '0 0 0 ? * 6#0', 'n#k is from n#1 to n#5'],
    ['dayOfWeek', '0 0 0 ? * MON/2', 'a step stands behind numbers, not behind names'],
    ['dayOfWeek', '0 0 0 ? * 2-FRI/2', 'a step stands behind numbers, not behind names'],
    [
      ...['dayOfWeek', '0 0 0 1 * MON'],
      'one of dayOfMonth and dayOfWeek says the day, and the other one is ?',
    ],
    ['year', '0 0 0 1 1 ? 1969', 'a number is outside 1970-2099'],
    ['year', '0 0 0 1 1 ? 2100', 'a number is outside 1970-2099'],
    ['year', '0 0 0 1 1 ? 2030-2026', 'a range of years ends before it begins'],
  ] as const)('with a wrong %s (%s) is refused: %s', (field, text, problem) => {
    const read = readExpression(text);
    expect(read).toMatchObject({ kind: 'refused', field });
    const { label } = fieldRanges[field];
    expect(read).toHaveProperty(
      'problem',
      expect.stringContaining(`The field ${field} (${label}) is wrong: ${problem}. Allowed: *, `),
    );
  });

  it('is told what the field allows', () => {
    expect(readExpression('0 0 24 1 * ?')).toMatchObject({
      problem:
        'The field hour (hours) is wrong: a number is outside 0-23. Allowed: *, numbers 0-23, lists a,b, ranges a-b, steps a/b, a-b/c and */b.',
    });
    expect(readExpression('0 0 0 ? * 8')).toMatchObject({
      problem: expect.stringContaining('numbers 1-7 or SUN-SAT, '),
    });
  });

  it.each(['', '* * * * *', '0  0 0 1 * ?', ' 0 0 0 1 * ?', '0 0 0 1 * ? ', '0 0 0 1 * ? 2026 1'])(
    'without six or seven fields and one space between them is refused: "%s"',
    (text) => {
      expect(readExpression(text)).toEqual({
        kind: 'refused',
        problem:
          'An expression has 6 or 7 fields with one space between (second, minute, hour, dayOfMonth, month, dayOfWeek, year; the year may be left out).',
      });
    },
  );

  it('has at most 256 characters', () => {
    const longest = `${'1,'.repeat(62)}1 ${'1,'.repeat(59)}1 0 1 * ?`;
    expect(longest.length).toBeLessThanOrEqual(256);
    expect(readExpression(longest).kind).toBe('expression');
    expect(readExpression(`${longest}${' '.repeat(257 - longest.length)}`)).toEqual({
      ...{ kind: 'refused', problem: 'An expression has at most 256 characters.' },
    });
  });
});
