import { describe, expect, it } from '@jest/globals';
import { CHANNEL, facts, MERCHANT, NOON_MS, placed, rule } from './risk-fixture.js';
import { historiesNeeded, keysOf, windowsNeeded } from './windows.js';

const HOUR_MS = 60 * 60_000;
const velocity = (changes: object = {}) => ({
  velocity: { by: 'card', within: '1h', atMost: 3, ...changes },
});

describe('the windows that rules need', () => {
  it('are one for each rule of velocity whose payer is known', () => {
    const rules = [
      rule(velocity(), { id: 'card' }),
      rule(velocity({ by: 'device' }), { id: 'device' }),
      rule(velocity({ within: '1d', atMostSum: '1.00', currency: 'EUR' }), { id: 'sum' }),
      rule({ countriesDiffer: ['issuer', 'billing'] }, { id: 'countries' }),
    ];
    expect(windowsNeeded([placed(rules)], facts())).toMatchObject([
      { sinceMs: NOON_MS - HOUR_MS, counts: 'all' },
      { sinceMs: NOON_MS - 24 * HOUR_MS, currency: 'EUR' },
    ]);
  });

  it('count under a key of node, mode and payer, once however many rules ask', () => {
    const rules = [rule(velocity(), { id: 'a' }), rule(velocity({ within: '2h' }), { id: 'b' })];
    const nodes = [placed(rules), placed(rules, {}, MERCHANT)];
    expect(keysOf(nodes, facts())).toEqual([
      `${CHANNEL} INTERNAL card f1`,
      `${MERCHANT} INTERNAL card f1`,
    ]);
    expect(keysOf(nodes, facts({}, { mode: 'LIVE' }))[0]).toBe(`${CHANNEL} LIVE card f1`);
  });

  it('are apart from the payers whose past is looked at', () => {
    const past = (had: string, by: string) =>
      rule({ history: { by, had, atLeast: 1 } }, { id: `${by}-${had.toLowerCase()}` });
    const rules = [past('approved', 'card'), past('declined', 'card'), past('approved', 'device')];
    const nodes = [placed([...rules, rule(velocity({ by: 'email' }))])];
    expect(historiesNeeded(nodes, facts())).toEqual([`${CHANNEL} INTERNAL card f1`]);
    expect(keysOf(nodes, facts())).toEqual([`${CHANNEL} INTERNAL email jane@shop.example`]);
  });
});
