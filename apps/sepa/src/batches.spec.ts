import { describe, expect, it } from '@jest/globals';
import { bankDayFrom, bankDaysAfter, batchesOf, daysAfter } from './batches.js';

describe('the next day on which banks work', () => {
  it.each([
    ['a Tuesday', '2026-11-24', '2026-11-24'],
    ['a Saturday', '2026-11-28', '2026-11-30'],
    ['a Sunday', '2026-11-29', '2026-11-30'],
    ['Christmas before a weekend', '2026-12-25', '2026-12-28'],
    ['New Year', '2027-01-01', '2027-01-04'],
    ['Labour Day on a Saturday', '2027-05-01', '2027-05-03'],
    ['Good Friday', '2027-03-26', '2027-03-30'],
    ['Easter Monday', '2028-04-17', '2028-04-18'],
    ['an early Easter', '2035-03-23', '2035-03-27'],
    ['a late Easter', '2038-04-23', '2038-04-27'],
  ])('from %s on', (_, day, next) => {
    expect(bankDayFrom(day)).toBe(next);
  });

  it('is counted over the ends of months and years', () => {
    expect(daysAfter('2028-02-28', 2)).toBe('2028-03-01');
    expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01');
  });
});

describe('two days on which banks work', () => {
  it.each([
    ['a Tuesday', '2026-11-24', '2026-11-26'],
    ['a Friday', '2026-11-27', '2026-12-01'],
    ['a Saturday', '2026-11-28', '2026-12-02'],
    ['Christmas Eve', '2026-12-24', '2026-12-29'],
    ['Christmas on a Saturday', '2026-12-26', '2026-12-30'],
    ['the Thursday before Easter', '2027-03-25', '2027-03-31'],
  ])('after %s', (_, day, expected) => {
    expect(bankDaysAfter(day, 2)).toBe(expected);
  });

  it('are those of today on, where there are none between', () => {
    expect(bankDaysAfter('2026-11-28', 0)).toBe('2026-11-30');
  });
});

describe('given orders for one file', () => {
  const order = (reference: string, sequence: string | null, dueOn: string | null = null) => ({
    ...{ reference, sequence, dueOn },
  });

  it('when they differ in sequence or day, then they are in different batches', () => {
    const orders = [
      order('a', 'OOFF'),
      order('b', 'RCUR'),
      order('c', 'OOFF', '2026-12-01'),
      order('d', 'OOFF', '2026-11-01'),
    ];
    expect(batchesOf(orders, '2026-11-26').map(({ batch }) => batch)).toEqual([
      ...['OOFF-2026-11-26', 'RCUR-2026-11-26', 'OOFF-2026-12-01', 'OOFF-2026-11-26'],
    ]);
  });

  it('when they have no sequence, then they are transfers of one day', () => {
    const [first] = batchesOf([order('a', null)], '2026-11-24');
    expect(first).toEqual({ reference: 'a', batch: 'TRF-2026-11-24', onDay: '2026-11-24' });
  });
});
