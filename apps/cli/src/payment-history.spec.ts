import { describe, expect, it } from '@jest/globals';
import type { Totals } from '@sluice/domain-payments';
import { currency } from '@sluice/money';
import { withoutPersonal } from './hidden-data.js';
import { moneyBar } from './money-bar.js';

const EUR = currency('EUR');
const nothing: Totals = {
  ...{ authorized: 0n, captured: 0n, captureOpen: 0n, reversed: 0n },
  ...{ reversalOpen: 0n, refunded: 0n, refundOpen: 0n, chargedBack: 0n },
};

/** How many cells each mark has. */
function cells(totals: Partial<Totals>): Record<string, number> {
  const bar = /^\[(.*)\]/.exec(moneyBar({ ...nothing, ...totals }, EUR))?.[1] ?? '';
  const counts: Record<string, number> = {};
  for (const mark of bar) counts[mark] = (counts[mark] ?? 0) + 1;
  return counts;
}

describe('the money bar', () => {
  it('divides what was authorized', () => {
    expect(cells({ authorized: 100n })).toEqual({ '░': 40 });
    expect(cells({ authorized: 100n, captured: 60n, refunded: 10n })).toEqual({
      ...{ '█': 20, '▓': 4, '░': 16 },
    });
    expect(cells({ authorized: 100n, reversed: 100n })).toEqual({ '×': 40 });
    expect(cells({ authorized: 3n, captured: 3n, chargedBack: 1n })).toEqual({ '█': 26, '!': 14 });
  });

  it('shows the smallest part of the largest amount', () => {
    const huge = 10n ** 30n;
    expect(cells({ authorized: huge, captured: huge, refunded: 1n })['▓']).toBe(1);
  });

  it('is not there where nothing was authorized', () => {
    expect(moneyBar(nothing, EUR)).toBe('');
  });

  it("says its amounts with the currency's own decimals", () => {
    const totals = { ...nothing, authorized: 1_500n, captured: 1_500n };
    expect(moneyBar(totals, currency('JPY'))).toContain('█ kept 1500');
    expect(moneyBar(totals, currency('KWD'))).toContain('█ kept 1.500');
  });
});

describe('what operators see of stored data', () => {
  it('has no personal data, however deep it is', () => {
    const data = {
      a: [{ personal: { name: 'Jane' }, b: 1 }],
      instrument: { vaultReference: 'v', bin: '4' },
    };
    expect(withoutPersonal(data)).toEqual({
      a: [{ personal: '(not shown)', b: 1 }],
      instrument: { vaultReference: '(not shown)', bin: '4' },
    });
  });
});
