import type { Examples } from './example-shapes.js';

/** A field of a schedule: what one number and the words beside numbers may be (Interface 2.18). */
function ofSchedule(numbers: Examples, special: readonly string[], foreign: readonly string[]) {
  const [one = '', other = ''] = numbers.accepted;
  return {
    accepted: [
      ...numbers.accepted,
      ...[
        '*',
        `${one}-${other}`,
        `${one},${other}`,
        `*/${one}`,
        `${one}/2`,
        `${one}-${other}/9999`,
      ],
      ...special,
      Array.from({ length: 63 }, () => one).join(','),
    ],
    refused: [
      ...numbers.refused,
      ...foreign,
      ...['* *', `${one}-`, `-${one}`, `${one},`, `,${one}`, `${one}/`, `${one}/12345`, 'x', '**'],
      ...[`${one}\n`, ` ${one}`, `${one} `, `${one};${other}`, `${one}x`],
      Array.from({ length: 64 }, () => one).join(','),
    ],
  };
}

const sixty: Examples = {
  accepted: ['0', '9', '30', '59'],
  refused: ['60', '-1', '100', '', '0.5', '005', '٣'],
};

/** The fields of a schedule and a whole expression; the column of values is their grammar (Interface 2.18). */
export const scheduleExamples: Readonly<Record<string, Examples>> = {
  'job.year': ofSchedule(
    {
      accepted: ['1970', '2026', '2099', ''].slice(0, 3),
      refused: ['1969', '2100', '202', '2026-203', '26', '20260', '٢٠٢٦'],
    },
    ['', '2026-2030'],
    ['?', 'L'],
  ),
  'job.month': ofSchedule(
    { accepted: ['1', '7', '12'], refused: ['0', '13', '01', '', '٧'] },
    [],
    ['?', 'L', 'JAN'],
  ),
  'job.dayOfMonth': ofSchedule(
    { accepted: ['1', '15', '31'], refused: ['0', '32', '01', '', '٧'] },
    ['?', 'L', 'LW', '15W'],
    ['15#1', 'W', '32W', '15L', 'MON', 'lw', 'l', '15w'],
  ),
  'job.dayOfWeek': ofSchedule(
    { accepted: ['1', '7', 'SUN', 'SAT'], refused: ['0', '8', '', '٧'] },
    ['?', 'L', '6L', '6#3', 'MON-FRI'],
    ['LW', '6#6', '6#0', '8L', 'mon', 'MONDAY', '6W'],
  ),
  'job.hour': ofSchedule(
    { accepted: ['0', '6', '23'], refused: ['24', '-1', '100', '', '٧'] },
    [],
    ['?', 'L'],
  ),
  'job.minute': {
    accepted: sixty.accepted,
    refused: [...sixty.refused, '*', '0,30', '0-5', '*/5', '30\n', ' 30', '30x'],
  },
  'job.second': ofSchedule(sixty, [], ['?', 'L']),
  'job.expression': {
    accepted: [
      ...['0 0 12 1 * ? 2030', '0 0 12 1 * ?', '0,30 5 */2 LW 1-6 ?', '0 0 0 ? * MON-FRI *'],
      `${Array.from({ length: 63 }, () => '10').join(',')} 0 12 1 * ?`,
      `${'10,'.repeat(62)}10 ${'3,'.repeat(29)}4 1 1 * ?`,
    ],
    refused: [
      ...['0 0 12 1 *', '0 0 12 1 * ? 2030 1', '60 0 12 1 * ?', '0 60 12 1 * ?', '0 0 24 1 * ?'],
      ...[
        '0 0 12 32 * ?',
        '0 0 12 1 13 ?',
        '0 0 12 1 * 8',
        '0 0 12 1 * ? 1969',
        '0 0 12 1 * ? 203',
        '',
        '* * * * *',
      ],
      ...['0  0 12 1 * ?', ' 0 0 12 1 * ?', '0 0 12 1 * ? ', '0 0 12 1 * ?\n', '@daily', 'x'],
      `${'10,'.repeat(62)}10 ${'3,'.repeat(29)}44 1 1 * ?`,
      '0 0 12 1 * ? 2030x',
      '٠ 0 12 1 * ?',
    ],
  },
};
