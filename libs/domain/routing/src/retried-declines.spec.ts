import { describe, expect, it } from '@jest/globals';
import { outcomeOf, resultCodes, retryOf } from '@sluice/result-codes';
import { adviceTable } from './advice-table.js';
import { mayTakeOtherRoute, retriedDeclines } from './retried-declines.js';

const retried = retriedDeclines.map(({ resultCode }) => resultCode);
/** The cards whose issuer's advice is to try another route. */
const advised = [
  ['MASTER', '22'],
  ['VISA', '04'],
  ['VISA', '4'],
] as const;

describe('a decline whose reason is the acquirer or the merchant there', () => {
  it.each(advised)('may take another route if %s advises so by %s', (brand, adviceCode) => {
    for (const resultCode of retried) {
      expect(mayTakeOtherRoute({ brand, resultCode, adviceCode })).toBe(true);
    }
  });

  it('may take none for any other advice', () => {
    const others = adviceTable.filter(({ rule }) => rule.retry !== 'otherRoute');
    expect(others).toHaveLength(adviceTable.length - 2);
    for (const { network: brand, code: adviceCode } of others) {
      const said = { brand, resultCode: '800.100.152', adviceCode };
      expect([brand, adviceCode, mayTakeOtherRoute(said)]).toEqual([brand, adviceCode, false]);
    }
  });

  it('may take none without an advice, by an unknown one, or by that of another network', () => {
    for (const [brand, adviceCode] of [
      ['MASTER', undefined],
      ['MASTER', '99'],
      ['VISA', '22'],
      ['AMEX', '22'],
      [undefined, '22'],
    ] as const) {
      expect(mayTakeOtherRoute({ brand, resultCode: '800.100.152', adviceCode })).toBe(false);
    }
  });
});

describe('the table of declines', () => {
  it('has rejections alone, each once and with its reason', () => {
    expect(new Set(retried).size).toBe(retried.length);
    for (const { resultCode, because } of retriedDeclines) {
      expect(outcomeOf(resultCode)).toBe('rejected');
      expect(because).not.toBe('');
    }
  });

  it('has none of which the code itself says what to do', () => {
    expect(retried.map(retryOf)).toEqual(retried.map(() => 'unspecified'));
  });

  it.each([
    ['lost', '800.100.165'],
    ['stolen', '800.100.159'],
    ['to be retained', '800.100.171'],
    ['invalid', '800.100.151'],
    ['blocked', '800.100.160'],
    ['with the wrong security code', '800.100.153'],
    ['with the wrong expiry date', '800.100.157'],
    ['of suspected fraud', '800.100.158'],
    ['without funds', '800.100.203'],
    ['over its limit', '800.100.162'],
    ['to be authenticated first', '300.100.100'],
    ['not authenticated', '100.390.114'],
    ['on a blacklist', '800.200.159'],
    ['of an acquirer that is down', '900.100.600'],
    ['of an acquirer that timed out', '900.100.400'],
  ])('has none of a card that is %s', (_, resultCode) => {
    expect(resultCodes.map(({ code }) => code)).toContain(resultCode);
    for (const [brand, adviceCode] of advised) {
      expect(mayTakeOtherRoute({ brand, resultCode, adviceCode })).toBe(false);
    }
  });
});
