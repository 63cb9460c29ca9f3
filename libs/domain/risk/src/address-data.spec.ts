import { describe, expect, it } from '@jest/globals';
import { type AddressData, addressDataNeeded, refuseWithout } from './address-data.js';
import { assess } from './assess.js';
import { counted, facts, placed, rule } from './risk-fixture.js';
import { readRuleSet } from './rule-form.js';

const COUNTRY = { expression: { '!=': [{ var: 'ipCountry' }, { var: 'billingCountry' }] } };
/** What each looks at. */
const rules: readonly [object, readonly AddressData[]][] = [
  [{ countriesDiffer: ['ip', 'billing'] }, ['countries']],
  [{ countriesDiffer: ['issuer', 'billing'] }, []],
  [{ list: { by: 'ipCountry', values: ['NL'] } }, ['countries']],
  [{ list: { by: 'country', values: ['NL'] } }, []],
  [COUNTRY, ['countries']],
  [{ expression: { var: 'isProxy' } }, ['proxies']],
  [{ proxy: true }, ['proxies']],
  [{ amount: { above: '1.00', currency: 'EUR' } }, []],
];
const set = (when: object) => readRuleSet({ rules: [rule(when)] });

describe('rules about addresses', () => {
  it.each(rules)('need what they look at: %j', (when, needed) => {
    expect([...addressDataNeeded(set(when))]).toEqual(needed);
  });

  it.each(rules)(
    'are refused where nobody knows it, with what is to be done: %j',
    (when, needed) => {
      const refused = () => refuseWithout(new Set(), set(when));
      if (needed.length === 0) expect(refused).not.toThrow();
      else expect(refused).toThrow(/^rules\[0\]\.when needs the .*: name a file .* in RISK_/);
      expect(() => refuseWithout(new Set(needed), set(when))).not.toThrow();
    },
  );

  it.each<[object, string | undefined]>([
    [{ countriesDiffer: ['ip', 'billing'] }, '100.380.100'],
    [{ countriesDiffer: ['issuer', 'ip'] }, '100.380.100'],
    [{ list: { by: 'ipCountry', values: ['NL'] } }, '800.300.102'],
    [{ list: { by: 'country', values: ['NL'] } }, undefined],
    [{ list: { by: 'ipCountry', values: ['DE'] } }, undefined],
    [COUNTRY, '100.380.100'],
    [{ proxy: true }, '800.300.302'],
    [{ expression: { '!': [{ var: 'isProxy' }] } }, undefined],
  ])('hold for a proxy in the Netherlands, whose shopper lives in Germany: %j', (when, code) => {
    const known = { ...facts(), ipCountry: 'NL', isProxy: true };
    expect(assess([placed([rule(when)])], known, counted()).resultCode).toBe(code);
  });

  it('do not hold where nobody knows the address', () => {
    for (const when of [{ countriesDiffer: ['ip', 'billing'] }, { proxy: true }]) {
      expect(assess([placed([rule(when)])], facts(), counted()).decision).toBe('accept');
    }
  });

  it('tell the address of a proxy as what is personal', () => {
    const known = { ...facts(), isProxy: true };
    const [fired] = assess([placed([rule({ proxy: true })])], known, counted()).fired;
    expect(fired?.inputs).toEqual({ plain: {}, personal: { ip: '192.0.2.17' } });
  });
});
