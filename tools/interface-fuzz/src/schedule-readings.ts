import { type Reading, values } from './reading.js';

const notAField = ['x', '1 2', '1,,2', ',1', '1-', '-1', '1/', '1;2', '**', '1-2-3'];

/** What the fields of a schedule mean: numbers or names, lists, ranges and steps (Interface 2.18). */
export const scheduleReadings: Readonly<Record<string, Reading>> = {
  'job.year': values(['2026', '2026-2030', '2026,2028', '*', '2026/2', '1970', '2099', '*/4', ''], {
    '1970 to 2099': ['1969', '2100', '26'],
    'a field': notAField,
  }),
  'job.month': values(['1', '12', '1,7', '3-5', '*', '1/3', '*/2'], {
    '1 to 12': ['0', '13', '01'],
    'a field': [...notAField, '?', 'L'],
  }),
  'job.dayOfMonth': values(['1', '31', '1,15', '1-5', '*', '?', 'L', 'L-3', 'LW', '15W', '1/10'], {
    '1 to 31': ['0', '32', '32W', 'L-31'],
    'a field': [...notAField, 'W', '1#2'],
  }),
  'job.dayOfWeek': values(
    ['1', '7', 'SUN', 'MON-FRI', 'MON,WED', '*', '?', '6L', 'FRIL', '6#3', 'L', '2/2'],
    {
      '1 to 7 or SUN to SAT': ['0', '8', 'SUNDAY', 'MO', 'mon'],
      'a field': [...notAField, '6#6', '15W'],
    },
  ),
  'job.hour': values(['0', '23', '8-18', '8,12', '*', '0/6', '*/2'], {
    '0 to 23': ['24', '99', '08'],
    'a field': [...notAField, '?', 'L'],
  }),
  'job.minute': values(['0', '59', '30', '5'], {
    '0 to 59': ['60', '99', '05'],
    'one minute': ['*', '0,30', '0-30', '0/15', '?'],
  }),
  'job.second': values(['0', '59', '0,30', '*', '0/15', '10-20'], {
    '0 to 59': ['60', '99', '05'],
    'a field': [...notAField, '?', 'L'],
  }),
  'job.expression': values(
    ['0 0 12 1 * ?', '0 0 12 1 * ? 2030', '0 0/15 8-18 ? * MON-FRI', '0 30 6 L-3 JAN ?'],
    {
      '6 or 7 fields': ['0 0 12 1 *', '0 0 12 1 * ? 2030 1', 'daily', '0  0 12 1 * ?'],
      'right fields': ['60 0 12 1 * ?', '0 0 24 1 * ?', '0 0 12 32 * ?', '0 0 12 1 13 ?'],
    },
  ),
};
