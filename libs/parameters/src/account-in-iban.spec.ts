import { describe, expect, it } from '@jest/globals';
import { isAccountOf } from './account-in-iban.js';
import { formOf } from './violations-fixture.js';
import { checkForm, violations } from './violations.js';

describe('the number of an account', () => {
  it.each([
    ['DE23100000001234567890', '1234567890'],
    // With the bank in front, and the IBAN itself (Interface 2.2: "IBAN for SEPA accounts").
    ['DE23100000001234567890', '100000001234567890'],
    ['DE23100000001234567890', 'DE23100000001234567890'],
    ['DE89370400440532013000', '0532013000'],
    ['DE89370400440532013000', '532013000'],
    ['DE89370400440532013000', '00000532013000'],
    // A subaccount that nobody writes.
    ['DE89370400440532013000', '5320130'],
    ['AT611904300234573201', '234573201'],
    ['NL91ABNA0417164300', '417164300'],
    ['GB29NWBK60161331926819', '31926819'],
    ['GB29NWBK60161331926819', '60161331926819'],
    ['GB29NWBK60161331926819', 'nwbk60161331926819'],
    // A post account, 80-2-2.
    ['CH1909000000800000022', '8022'],
    // Check digits behind the number, and zeros within it.
    ['FR1420041010050500013M02606', '0500013M026'],
    ['FI2112345600000785', '123456785'],
    ['BE68539007547034', '539007547034'],
    ['CZ6508000000192000145399', '192000145399'],
  ])('of %s may be %s', (iban, number) => {
    expect(isAccountOf(iban, number)).toBe(true);
  });

  it.each([
    ['DE23100000001234567890', '9876543210'],
    ['DE23100000001234567890', '234567890'],
    ['DE23100000001234567890', '123456789'],
    ['DE23100000001234567890', '12345678901'],
    ['DE89370400440532013000', '37040044'],
    ['DE89370400440532013000', '0000000000'],
    ['DE89370400440532013000', 'DE23100000001234567890'],
    ['GB29NWBK60161331926819', '1926819'],
    ['FR1420041010050500013M02606', '0500013M027'],
    ['BE68539007547034', '539007547035'],
  ])('of %s is not %s', (iban, number) => {
    expect(isAccountOf(iban, number)).toBe(false);
  });

  it('is compared in a moment, whatever is sent', () => {
    const startMs = performance.now();
    expect(isAccountOf(`MT84${'0'.repeat(27)}`, `1${'0'.repeat(62)}1`)).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(50);
  });
});

describe('a bank account that is told twice', () => {
  const account = {
    ...{ entityId: '0123456789abcdef0123456789abcdef', paymentBrand: 'DIRECTDEBIT_SEPA' },
    ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.bic': 'MARKDEF1100' },
    'bankAccount.iban': 'DE23100000001234567890',
  };
  const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
  const paying = (number: string) =>
    checkForm(
      formOf({ ...account, ...money, 'bankAccount.number': number }),
      'payments',
      'INTERNAL',
    ).violations;
  const storing = (number: string) =>
    violations(formOf({ ...account, 'bankAccount.number': number }), 'registration', 'INTERNAL');

  it.each([
    ['paid by', paying],
    ['stored', storing],
  ])('is %s if both are the same one', (_, faults) => {
    expect(faults('1234567890')).toEqual([]);
    // Nothing of an account is repeated.
    expect(faults('9876543210')).toEqual([
      {
        name: 'bankAccount.number',
        message: 'contradicts bankAccount.iban, which is of an account with another number',
      },
    ]);
  });
});
