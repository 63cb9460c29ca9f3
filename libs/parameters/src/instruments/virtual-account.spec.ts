import { describe, expect, it } from '@jest/globals';
import { needsShopper, storedNeedsShopper } from '../instruments.js';
import { registrationRejection, storedRejection } from '../registration-checks.js';
import { unservedDescription } from '../unserved.js';
import { formOf } from '../violations-fixture.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const PAYPAL = { paymentBrand: 'PAYPAL' } as const;
const account = { ...PAYPAL, 'virtualAccount.accountId': 'jane.jones@example.org' } as const;
const stored = { kind: 'virtualAccount', brand: 'PAYPAL' } as const;
const MIT = { 'standingInstruction.source': 'MIT' } as const;
const CIT = { 'standingInstruction.source': 'CIT' } as const;

/** Whether the shopper is asked about a payment, with the account and with one that was stored. */
function isAsked(sent: Readonly<Record<string, string>>): readonly boolean[] {
  const form = formOf({ paymentType: 'DB', ...sent });
  return [needsShopper(form, 'virtualAccountPayment'), storedNeedsShopper(stored, form)];
}

describe('a provider', () => {
  it.each([
    ['nobody says who initiates it', {}],
    ['the shopper initiates it', CIT],
    ['an agreement begins', { ...CIT, 'standingInstruction.mode': 'INITIAL' }],
    ['an agreement begins in the legacy word', { recurringType: 'INITIAL' }],
    ['today’s word says so beside the legacy one', { ...CIT, recurringType: 'REPEATED' }],
  ])('asks the shopper about a payment where %s', (_, said) => {
    expect(isAsked({ ...account, ...said })).toEqual([true, true]);
  });

  it.each([
    ['the merchant initiates it', MIT],
    ['the merchant initiates it in the legacy word', { recurringType: 'REPEATED' }],
    ['money is paid out', { paymentType: 'CD' }],
  ])('asks nobody where %s', (_, said) => {
    expect(isAsked({ ...account, ...said })).toEqual([false, false]);
  });

  it('asks the shopper where nobody names the account that an agreement is about', () => {
    expect(isAsked({ ...PAYPAL, ...MIT })).toEqual([true, false]);
  });

  it('asks nobody about what is stored of others', () => {
    const account = {
      kind: 'bankAccount',
      paymentMethod: 'DD',
      brand: 'DIRECTDEBIT_SEPA',
    } as const;
    expect(storedNeedsShopper(account, formOf({ paymentType: 'DB' }))).toBe(false);
  });
});

describe('an account at a provider', () => {
  const create = (sent: Readonly<Record<string, string>>) =>
    unservedDescription(
      formOf({ ...sent, createRegistration: 'true' }),
      ...(['virtualAccountPayment', 'INTERNAL'] as const),
    );

  it('is stored, by itself and with a payment', () => {
    expect(registrationRejection(formOf(account), NOW_MS, 'INTERNAL')).toBeUndefined();
    expect(create(account)).toBeUndefined();
  });

  it.each([
    ['its provider', PAYPAL, 'by virtual account needs virtualAccount.accountId'],
    ['a brand that nobody knows', { paymentBrand: 'PAYFOOL' }, 'is not served yet'],
  ])('is not stored where nothing but %s is named', (_, sent, why) => {
    const rejection = registrationRejection(formOf(sent), NOW_MS, 'INTERNAL');
    expect(rejection).toMatchObject({
      ...{ code: '600.200.500', description: expect.stringContaining(why) },
    });
    expect(rejection?.description).toContain(`(paymentBrand ${sent.paymentBrand})`);
    expect(create(sent)).toContain(why);
  });

  it('that is stored pays under its own brand alone', () => {
    const rejected = (sent: Readonly<Record<string, string>>) =>
      storedRejection(stored, formOf(sent), NOW_MS)?.code;
    expect(rejected({})).toBeUndefined();
    expect(rejected({ paymentBrand: 'paypal' })).toBeUndefined();
    expect(rejected({ paymentBrand: 'KLARNA_ACCOUNT' })).toBe('100.100.700');
  });
});
