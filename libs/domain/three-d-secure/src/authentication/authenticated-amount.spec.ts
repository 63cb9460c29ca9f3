import { describe, expect, it } from '@jest/globals';
import { amountFault, amountOf, coverageOf, shortCoverageOf } from './authenticated-amount.js';

type Parameters = Readonly<Record<string, string>>;

const [OF_RISK, AMOUNT, CURRENCY] = ['risk.amount', 'threeDSecure.amount', 'threeDSecure.currency'];
const asked = (parameters: Parameters, minor = '9200', currency = 'EUR') => ({
  ...{ amount: { minor, currency }, parameters },
});

describe('for how much the issuer is asked', () => {
  it.each<[Parameters, bigint, string]>([
    [{}, 9_200n, 'EUR'],
    [{ [AMOUNT]: '50.00' }, 5_000n, 'EUR'],
    [{ [AMOUNT]: '50.00', [CURRENCY]: 'JPY' }, 50n, 'JPY'],
    [{ [CURRENCY]: 'USD' }, 9_200n, 'USD'],
    [{ [CURRENCY]: 'JPY' }, 92n, 'JPY'],
    [{ [CURRENCY]: 'EUR' }, 9_200n, 'EUR'],
    [{ [AMOUNT]: '0.00' }, 0n, 'EUR'],
    [{ [OF_RISK]: '0.00' }, 0n, 'EUR'],
    [{ [OF_RISK]: '70.00', [AMOUNT]: '50.00', [CURRENCY]: 'USD' }, 7_000n, 'EUR'],
  ])('%j: %s %s', (parameters, minor, currency) => {
    expect(amountOf(asked(parameters))).toEqual({ minor, currency });
    expect(amountFault(asked(parameters))).toBeUndefined();
  });

  it.each<[Parameters, string]>([
    [{ [OF_RISK]: '70.50' }, OF_RISK],
    [{ [AMOUNT]: '70.50' }, AMOUNT],
    [{ [AMOUNT]: '70.50', [CURRENCY]: 'KRW' }, AMOUNT],
  ])('is not told with a fraction that its currency does not have: %j', (parameters, parameter) => {
    expect(amountFault(asked(parameters, '92', 'JPY'))).toMatchObject({ parameter });
  });

  it('is not told in a currency that has no fraction where what is paid has one', () => {
    expect(amountFault(asked({ [CURRENCY]: 'JPY' }, '9250'))).toEqual({
      parameter: CURRENCY,
      words: 'threeDSecure.currency whose amount has no fraction, as JPY has none',
    });
  });
});

describe('what is authenticated covers what is paid', () => {
  const covered = (parameters: Parameters) =>
    coverageOf({ ...asked(parameters), category: 'payment' });

  it.each<Parameters>([{}, { [AMOUNT]: '92.00' }, { [AMOUNT]: '92.01' }, { [OF_RISK]: '100.00' }])(
    'where it is as much at least: %j',
    (parameters) => expect(covered(parameters).isShort).toBe(false),
  );

  it.each<[Parameters, bigint, string]>([
    [{ [AMOUNT]: '91.99' }, 9_199n, 'EUR'],
    [{ [OF_RISK]: '0.01', [AMOUNT]: '92.00' }, 1n, 'EUR'],
    [{ [AMOUNT]: '9200.00', [CURRENCY]: 'USD' }, 920_000n, 'USD'],
    [{ [CURRENCY]: 'USD' }, 9_200n, 'USD'],
  ])('and not by %j', (parameters, minor, currency) => {
    expect(covered(parameters)).toEqual({ amount: { minor, currency }, isShort: true });
  });

  it('where nothing is paid, and then covers nothing', () => {
    expect(coverageOf({ ...asked({}), category: 'nonPayment' })).toEqual({
      ...{ amount: { minor: 0n, currency: 'EUR' }, isShort: false },
    });
  });
});

describe('what is authenticated for a rule', () => {
  const short = (parameters: Parameters, minor = '9200') =>
    shortCoverageOf({ ...asked(parameters, minor), category: 'payment' });
  const unpaid = (minor: string) =>
    shortCoverageOf({ ...asked({}, minor), category: 'nonPayment' });

  it('is as much at least as is paid', () => {
    expect([short({}), short({ [AMOUNT]: '92.01' }), short({}, '0'), unpaid('0')]).toEqual(
      Array.from({ length: 4 }),
    );
  });

  it('is less, or nothing that is paid', () => {
    expect(short({ [AMOUNT]: '0.01' })).toEqual({ minor: 1n, currency: 'EUR' });
    expect(short({ [CURRENCY]: 'USD' })).toEqual({ minor: 9_200n, currency: 'USD' });
    expect(unpaid('1')).toEqual({ minor: 0n, currency: 'EUR' });
  });
});
