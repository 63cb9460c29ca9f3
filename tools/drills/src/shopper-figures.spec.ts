import { describe, expect, it } from '@jest/globals';
import { shopperFigures } from './shopper-figures.js';
import type { Sale } from './shoppers.js';

const sold: Sale = {
  record: {
    reference: 'drill-1-s00001',
    id: 'a',
    submits: [],
    saves: [],
    told: [],
    hasLostRead: false,
  },
  ...{ widgets: ['one'], fromMs: 1_000, toMs: 3_000 },
};

describe('the figures of shoppers', () => {
  it('count sales, and how those that failed did', () => {
    const failed = { ...sold, failure: 'form: socket hang up' };
    expect(shopperFigures(50, [sold, failed, failed], [])).toEqual({
      ...{ shoppers: 50, sales: 3, failed: 2, failures: { 'form: socket hang up': 2 } },
      ...{ across: 0, widgets: 1 },
    });
  });

  it('call a checkout failed whose pages had two builds of the widget', () => {
    const mixed = { ...sold, widgets: ['one', 'other'] };
    expect(shopperFigures(1, [mixed], [])).toMatchObject({
      ...{ failed: 1, failures: { 'another build of the widget': 1 }, widgets: 2 },
    });
  });

  it('tell how many checkouts were open when something new took over', () => {
    const later = { ...sold, fromMs: 2_500, toMs: 4_000 };
    expect(shopperFigures(2, [sold, later], [2_000]).across).toBe(1);
    expect(shopperFigures(2, [sold, later], [2_000, 3_500]).across).toBe(2);
    expect(shopperFigures(2, [sold, later], [500, 5_000]).across).toBe(0);
  });
});
