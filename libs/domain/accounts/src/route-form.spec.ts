import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { CONDITION_VALUES_MAX, PRIORITY_MAX, routeFault, WEIGHT_MAX } from './route-form.js';
import { eur, route } from './routing-fixture.js';

const faultOf = (changes: object) => routeFault({ ...route, ...changes });
const usd = (minor: bigint) => ({ minor, currency: currency('USD') });
const codes = (number: number) =>
  Array.from({ length: number }, (_, index) => `B${index.toString(36).toUpperCase()}`);

describe('a route', () => {
  it('is well formed with every condition, and with none', () => {
    const { id, merchantAccountId, modes, priority, weight } = route;
    expect(routeFault(route)).toBeUndefined();
    expect(routeFault({ id, merchantAccountId, modes, priority, weight })).toBeUndefined();
  });

  it.each([
    ['id', 'r1', 'malformedId'],
    ['modes', [], 'malformedCondition'],
    ['modes', ['TEST'], 'malformedCondition'],
    ['modes', ['LIVE', 'LIVE'], 'repeatedCondition'],
    ['methods', [], 'malformedCondition'],
    ['methods', ['card'], 'malformedCondition'],
    ['brands', [], 'malformedCondition'],
    ['brands', ['Visa'], 'malformedCondition'],
    ['brands', ['VISA', 'VISA'], 'repeatedCondition'],
    ['brands', codes(CONDITION_VALUES_MAX + 1), 'malformedCondition'],
    ['currencies', [], 'malformedCondition'],
    ['currencies', ['XXX'], 'malformedCondition'],
    ['binCountries', [], 'malformedCondition'],
    ['binCountries', ['DEU'], 'malformedCondition'],
    ['priority', -1, 'malformedPriority'],
    ['priority', 1.5, 'malformedPriority'],
    ['priority', PRIORITY_MAX + 1, 'malformedPriority'],
    ['weight', 0, 'malformedWeight'],
    ['weight', 0.5, 'malformedWeight'],
    ['weight', Number.NaN, 'malformedWeight'],
    ['weight', WEIGHT_MAX + 1, 'malformedWeight'],
  ])('is refused with %s %j', (field, value, fault) => {
    expect(faultOf({ [field]: value })).toBe(fault);
  });

  it.each([
    ['brands', codes(CONDITION_VALUES_MAX)],
    ['priority', 0],
    ['priority', PRIORITY_MAX],
    ['weight', 1],
    ['weight', WEIGHT_MAX],
  ])('may have %s %j', (field, value) => {
    expect(faultOf({ [field]: value })).toBeUndefined();
  });
});

describe('a route that takes what was declined', () => {
  it.each([
    ['any method', { methods: undefined }],
    ['cards', { methods: ['CC'] }],
    ['cards and others', { methods: ['DD', 'CC'] }],
    ['a brand whose issuers advise', { brands: ['AMEX', 'VISADEBIT'] }],
  ])('may take %s', (_, changes) => {
    expect(faultOf({ ...changes, takesDeclined: true })).toBeUndefined();
  });

  it('cannot be one without cards, which would never get any', () => {
    expect(faultOf({ methods: ['DD'], takesDeclined: true })).toBe('declinedWithoutCards');
    expect(faultOf({ methods: ['DD'], takesDeclined: false })).toBeUndefined();
    expect(faultOf({ methods: ['DD'] })).toBeUndefined();
  });

  it('cannot be one of brands alone whose issuers advise nothing', () => {
    const brands = ['AMEX', 'JCB'];
    expect(faultOf({ brands, takesDeclined: true })).toBe('declinedWithoutAdvice');
    expect(faultOf({ brands })).toBeUndefined();
  });
});

describe('the amounts of a route', () => {
  it.each([
    ['from 0', { amountFrom: eur(0n) }],
    ['one amount alone', { amountFrom: eur(5n), amountTo: eur(5n) }],
    ['no upper end', { amountFrom: eur(5n), amountTo: undefined }],
    ['no lower end', { amountFrom: undefined, amountTo: eur(5n) }],
    ['a currency that no list names', { currencies: undefined }],
  ])('may be %s', (_, changes) => {
    expect(faultOf(changes)).toBeUndefined();
  });

  it.each([
    ['begin below zero', { amountFrom: eur(-1n) }, 'malformedAmountRange'],
    ['end before they begin', { amountFrom: eur(10_001n) }, 'malformedAmountRange'],
    ['have two currencies', { amountFrom: usd(1n) }, 'amountRangeOfOtherCurrency'],
    [
      'have another currency than the route',
      { amountFrom: usd(1n), amountTo: usd(2n) },
      'amountRangeOfOtherCurrency',
    ],
    [
      'have one of several currencies',
      { currencies: [currency('EUR'), currency('USD')] },
      'amountRangeOfOtherCurrency',
    ],
  ])('cannot %s', (_, changes, fault) => {
    expect(faultOf(changes)).toBe(fault);
  });
});
