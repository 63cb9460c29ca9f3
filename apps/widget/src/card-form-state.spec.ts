import { describe, expect, it } from '@jest/globals';
import {
  type CardFormState,
  faultOf,
  faultsOf,
  initialState,
  type Judge,
  withFault,
} from './card-form-state.js';
import { readOptions } from './options.js';

const nowMs = Date.UTC(2026, 0, 15);
const typed = { isEmpty: false, isValid: true };
const whole: CardFormState = {
  ...initialState('VISA'),
  ...{ number: typed, code: typed, expiry: '05 / 34', holder: 'Jane Jones' },
};
const judge = (given: object = {}): Judge => ({ options: readOptions(given).options, nowMs });

describe('a card form', () => {
  it('has nothing wrong where all is typed', () => {
    expect(faultsOf(whole, judge())).toEqual({});
  });

  it('that nobody has touched lacks number, expiry and code', () => {
    expect(faultsOf(initialState('VISA'), judge())).toEqual({
      cardNumber: 'cardNumberError',
      expiry: 'expiryMonthError',
      cvv: 'cvvError',
    });
  });

  it.each([
    [{ brand: '' }, {}, 'brand', 'brandError'],
    [{ number: { isEmpty: false, isValid: false } }, {}, 'cardNumber', 'cardNumberError'],
    [{ expiry: '12 / 25' }, {}, 'expiry', 'expiryYearError'],
    [{ expiry: '12 / 25' }, { disableCardExpiryDateValidation: true }, 'expiry', undefined],
    [{ holder: '' }, {}, 'cardHolder', undefined],
    [{ holder: ' ' }, { allowEmptyCardHolderName: false }, 'cardHolder', 'cardHolderError'],
    [{ holder: 'J' }, {}, 'cardHolder', 'cardHolderError'],
    [{ holder: '4200000000000000' }, {}, 'cardHolder', 'cardHolderError'],
    [{}, { forceCardHolderEqualsBillingName: true }, 'cardHolder', undefined],
    [
      { billing: { givenName: 'Joe', surname: 'Jones' } },
      ...[{ forceCardHolderEqualsBillingName: true }, 'cardHolder', 'otherName'],
    ],
    [{ billing: { givenName: 'Joe', surname: 'Jones' } }, {}, 'cardHolder', undefined],
    [
      { billing: { givenName: 'Jane', surname: 'Jones' } },
      ...[{ forceCardHolderEqualsBillingName: true }, 'cardHolder', undefined],
    ],
    [{ code: { isEmpty: true, isValid: false } }, {}, 'cvv', 'cvvError'],
    [{ code: { isEmpty: true, isValid: false } }, { allowEmptyCvv: true }, 'cvv', undefined],
    [{ code: { isEmpty: false, isValid: false } }, { allowEmptyCvv: true }, 'cvv', 'cvvError'],
    [{ code: { isEmpty: true, isValid: false } }, { requireCvv: false }, 'cvv', undefined],
  ] as const)('with %j under %j: %s says %s', (changes, given, field, fault) => {
    expect(faultOf(field, { ...whole, ...changes }, judge(given))).toBe(fault);
  });

  it('keeps what is wrong with other fields', () => {
    const faults = { cvv: 'cvvError', expiry: 'expiryYearError' } as const;
    expect(withFault(faults, 'cvv', undefined)).toEqual({ expiry: 'expiryYearError' });
    expect(withFault({}, 'cvv', 'cvvError')).toEqual({ cvv: 'cvvError' });
  });
});
