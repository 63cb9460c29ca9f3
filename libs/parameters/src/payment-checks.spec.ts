import { describe, expect, it } from '@jest/globals';
import type { Mode } from '@sluice/contracts';
import { cardBrands } from './brands.js';
import { catalogue } from './catalogue.js';
import type { Form } from './form.js';
import type { Kind } from './kinds.js';
import { BIN_SHOWN_FROM_DIGITS } from './instruments/card.js';
import { detailsToHold } from './held-details.js';
import { shownInstrumentOf } from './instruments.js';
import { amountOf, firstRejection } from './payment-checks.js';
import type { Rejection } from './rejection.js';
import { read } from './read.js';
import { stored } from './stored.js';
import { checkForm } from './violations.js';
import { formOf, payment } from './violations-fixture.js';

const amex = { paymentBrand: 'AMEX', 'card.number': '377777777777770', 'card.cvv': '1234' };
const address = {
  ...{ 'billing.street1': 'Hauptstr. 1', 'billing.city': 'Berlin', 'billing.postcode': '10115' },
  'billing.country': 'DE',
};
const IN_THREE = { 'recurring.numberOfInstallments': '3' };
const iban = { 'bankAccount.iban': 'DE23100000001234567890' };
const now = Date.parse('2026-03-15T12:00:00Z');

const rejectionOf = (changes: Readonly<Record<string, string | undefined>>, atMs = now) => {
  const entries: [string, string | undefined][] = Object.entries({ ...payment, ...changes });
  const sent = entries.filter((entry): entry is [string, string] => entry[1] !== undefined);
  const form = formOf(Object.fromEntries(sent));
  return firstRejectionOf(form, 'INTERNAL', atMs)?.code;
};

function firstRejectionOf(form: Form, mode: Mode, nowMs = now): Rejection | undefined {
  const { kind, violations } = checkForm(form, 'payments', mode);
  expect(violations).toEqual([]);
  return firstRejection(form, { kind, mode, nowMs });
}

describe('the first reason why a payment cannot be paid (D-37)', () => {
  it.each([
    ['a good payment', {}, undefined],
    ['zero', { amount: '0.00' }, '100.550.300'],
    ['a fraction of a yen', { amount: '100.50', currency: 'JPY' }, '100.550.303'],
    ['whole yen', { amount: '100.00', currency: 'JPY' }, undefined],
    ['a fraction of a Chilean peso', { amount: '990.10', currency: 'CLP' }, '100.550.303'],
    ['two of the three decimals of a dinar', { amount: '1.25', currency: 'KWD' }, undefined],
    ['the largest amount', { amount: '9999999999.99' }, undefined],
    ['zero yen', { amount: '0', currency: 'JPY' }, '100.550.300'],
    ['a wrong check digit', { 'card.number': '4200000000000001' }, '100.100.101'],
    ['the documented wrong number', { 'card.number': '4444444444444444' }, '100.100.101'],
    ['another brand', { paymentBrand: 'MASTER' }, '100.100.700'],
    ['a brand without cards', { paymentBrand: 'PAYPAL' }, '600.200.500'],
    ['a brand that nobody knows', { paymentBrand: 'BOOKCARD' }, '600.200.500'],
    ['a brand in lower case', { paymentBrand: 'visa' }, undefined],
    ['no brand', { paymentBrand: undefined }, undefined],
    ['an expired card', { 'card.expiryYear': '2025' }, '100.100.303'],
    ['an AMEX code of three digits', { ...amex, 'card.cvv': '123' }, '100.100.601'],
    ['an AMEX code of four digits', amex, undefined],
    ['a VISA code of four digits', { 'card.cvv': '1234' }, '100.100.601'],
    ['no code', { 'card.cvv': undefined }, '100.100.600'],
    ['installments of a credit', { ...IN_THREE, paymentType: 'CD' }, '600.200.500'],
    ['what no SDK says', { ...address, 'threeDSecure.deviceInfo': '{' }, '100.390.117'],
    [
      'the same beside what forbids it',
      { 'threeDSecure.deviceInfo': '{', 'threeDSecure.disable': 'true' },
      undefined,
    ],
    ['no code, AMEX', { ...amex, 'card.cvv': undefined }, '100.100.600'],
  ])('%s: %j is %s', (_, changes, code) => {
    expect(rejectionOf(changes)).toBe(code);
  });

  it.each([
    { 'standingInstruction.mode': 'REPEATED' },
    { 'standingInstruction.source': 'MIT', 'standingInstruction.agreementId': 'A-1' },
    { recurringType: 'REPEATED' },
    { recurringType: 'REGISTRATION_BASED' },
    { transactionCategory: 'MOTO' },
    { transactionCategory: 'MO' },
    { transactionCategory: 'TO' },
    { 'card.numberType': 'DPAN' },
    { 'applePay.source': 'web' },
    { 'googlePay.source': 'app' },
    { 'samsungPay.source': 'app' },
    { 'clickToPay.source': 'web' },
    { 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' },
    { paymentType: 'CD' },
    { paymentBrand: 'MAESTRO', 'card.number': '6799851000000032' },
  ])('needs no security code with %j, and the reference says so', (changes) => {
    expect(rejectionOf({ 'card.cvv': undefined, ...changes })).toBeUndefined();
    const { text = '' } = catalogue['card.cvv'].requirement;
    for (const [key, value] of Object.entries(changes)) {
      // Of the brands it says which need one.
      if (key === 'paymentBrand') expect(text).not.toContain(value);
      else if (key === 'standingInstruction.agreementId') continue;
      else if (key === 'card.number') continue;
      else expect(text).toMatch(new RegExp(`\`${key}\` is (?:sent|[A-Z_, or]*\\b${value}\\b)`));
    }
  });

  it.each(['standingInstruction.mode', 'transactionCategory', 'card.numberType'])(
    'needs one with another %s',
    (key) => {
      const other = { 'standingInstruction.mode': 'INITIAL', transactionCategory: 'EC' };
      const value = { ...other, 'card.numberType': 'PAN' }[key];
      expect(rejectionOf({ 'card.cvv': undefined, [key]: value })).toBe('100.100.600');
    },
  );

  /** The merchant's reason, given by the shopper. */
  const noShow = {
    'standingInstruction.source': 'CIT',
    'standingInstruction.industryPractice': 'NO_SHOW',
  };

  it.each([
    [{ amount: '0', 'card.number': '4200000000000001' }, '100.550.300'],
    [{ amount: '0', paymentBrand: 'BOOKCARD' }, '100.550.300'],
    [{ paymentBrand: 'BOOKCARD', 'card.number': '4200000000000001' }, '600.200.500'],
    [{ 'giftCard.pin': '1234', 'card.expiryYear': '2020' }, '600.200.500'],
    [{ amount: '1.50', currency: 'JPY', 'card.number': '4444444444444444' }, '100.550.303'],
    [{ 'card.expiryYear': '2020', 'card.cvv': undefined }, '100.100.303'],
    [{ 'card.number': '4200000000000001', paymentBrand: 'MASTER' }, '100.100.101'],
    [{ paymentBrand: 'MASTER', 'card.expiryYear': '2020' }, '100.100.700'],
    [{ 'card.expiryYear': '2020', 'card.cvv': '1234' }, '100.100.303'],
    [{ ...IN_THREE, paymentType: 'CD', amount: '0' }, '100.550.300'],
    [{ ...IN_THREE, paymentType: 'CD', 'card.expiryYear': '2020' }, '600.200.500'],
    [{ ...noShow, ...IN_THREE, paymentType: 'CD' }, '600.200.500'],
    [{ ...noShow, 'giftCard.pin': '1234' }, '600.200.500'],
    [{ ...noShow, 'standingInstruction.expiry': '2020-01-01' }, '100.900.500'],
    [{ 'standingInstruction.expiry': '2020-01-01', 'card.expiryYear': '2020' }, '600.200.501'],
  ])('comes first of several: %j is %s', (changes, code) => {
    expect(rejectionOf(changes)).toBe(code);
  });
});

describe('an order at a bank', () => {
  const BY_MERCHANT = { 'standingInstruction.source': 'MIT' };
  const rejected = (changes: Readonly<Record<string, string>>) => {
    const { amount, currency } = payment;
    const order = { amount, currency, paymentType: 'DB', paymentBrand: 'GIROPAY' };
    return firstRejectionOf(formOf({ ...order, ...changes }), 'INTERNAL');
  };
  const refusal = {
    code: '100.900.500',
    description:
      'invalid recurrence mode - the shopper orders at the bank by GIROPAY, so it is no MIT',
  };

  it('is never initiated by the merchant, and needs no address to be told so', () => {
    const shopperResultUrl = 'https://shop.example/result';
    expect(rejected(BY_MERCHANT)).toEqual(refusal);
    expect(rejected({ ...BY_MERCHANT, shopperResultUrl })).toEqual(refusal);
    expect(rejected({ ...BY_MERCHANT, 'standingInstruction.mode': 'REPEATED' })).toEqual(refusal);
    expect(rejected({ recurringType: 'REPEATED' })).toEqual(refusal);
    expect(rejected({ 'standingInstruction.source': 'CIT', shopperResultUrl })).toBeUndefined();
    expect(rejected({ shopperResultUrl })).toBeUndefined();
  });

  it('is none where the merchant pays out, or debits the account', () => {
    expect(rejected({ ...BY_MERCHANT, paymentType: 'CD' })).toBeUndefined();
    const account = { ...iban, 'bankAccount.holder': 'Jane Jones', 'bankAccount.bic': 'MARKDEFF' };
    const debit = { ...account, paymentBrand: 'DIRECTDEBIT_SEPA' };
    expect(rejected({ ...BY_MERCHANT, ...debit })).toBeUndefined();
  });
});

describe('a token (Interface 2.8)', () => {
  const token = {
    ...{ 'tokenAccount.number': '4200000000000075', 'tokenAccount.type': 'NETWORK' },
    ...{ 'tokenAccount.expiryMonth': '11', 'tokenAccount.expiryYear': '2034' },
  };
  const codeOf = (changes: Readonly<Record<string, string>>) => {
    const sent = Object.entries({ ...payment, ...token, ...changes });
    const withoutCard = sent.filter(([name]) => !name.startsWith('card.'));
    return firstRejectionOf(formOf(Object.fromEntries(withoutCard)), 'INTERNAL')?.code;
  };

  it.each([
    ['a good one', {}, undefined],
    ['its brand in lower case', { paymentBrand: 'visa' }, undefined],
    ['a wrong check digit', { 'tokenAccount.number': '4200000000000076' }, '100.100.101'],
    ['a number of another brand', { paymentBrand: 'MASTER' }, '100.100.700'],
    ['a number of its brand at large', { paymentBrand: 'VISAELECTRON' }, '100.100.700'],
    ['a brand that nobody knows', { paymentBrand: 'BOOKCARD' }, '600.200.500'],
    ['one whose time is over', { 'tokenAccount.expiryYear': '2025' }, '100.100.303'],
  ])('of a network: %s', (_case, changes, code) => {
    expect(codeOf(changes)).toBe(code);
  });

  it.each([
    ['any number', { 'tokenAccount.number': '4200000000000076' }, undefined],
    ['of any brand', { paymentBrand: 'MASTER' }, undefined],
    ['that nobody knows', { paymentBrand: 'BOOKCARD' }, undefined],
    ['whose time is over', { 'tokenAccount.expiryYear': '2025' }, '100.100.303'],
  ])('of another provider: %s', (_case, changes, code) => {
    expect(codeOf({ 'tokenAccount.type': 'EXTERNAL', ...changes })).toBe(code);
  });
});

describe('a code of its own', () => {
  it.each([
    [{ paymentType: 'PA' }, '100.100.101'],
    [{ paymentType: 'CD' }, '100.100.101'],
    [{ paymentType: 'DB', paymentBrand: undefined }, '100.100.101'],
    // Of no brand at all, but a number all the same (D-37: the check digit comes first).
    [{ paymentBrand: 'VISA', 'card.number': '00000001' }, '100.100.101'],
    [{ paymentBrand: 'VISA', 'card.number': '0000000000000000' }, '100.100.700'],
  ])('is given whatever the payment is: %j is %s', (changes, code) => {
    expect(rejectionOf({ 'card.number': '4200000000000001', ...changes })).toBe(code);
  });

  it.each([
    { 'card.expiryMonth': '13' },
    { 'card.expiryYear': '3034' },
    { 'card.cvv': '12' },
    { amount: '1.5' },
    { amount: '12345678901.00' },
    { currency: 'XXX' },
    { 'card.number': '4200' },
  ])('is for what is well formed: %j is 200.300.404', (changes) => {
    const { violations } = checkForm(formOf({ ...payment, ...changes }), 'payments', 'INTERNAL');
    expect(violations.map(({ name }) => name)).toEqual(Object.keys(changes));
  });
});

describe('the expiry of a card', () => {
  const march = { 'card.expiryMonth': '03', 'card.expiryYear': '2026' };
  it.each([
    ['2026-03-31T23:59:59Z', undefined],
    ['2026-04-01T11:59:59Z', undefined],
    ['2026-04-01T12:00:00Z', '100.100.303'],
    ['2026-12-01T00:00:00Z', '100.100.303'],
  ])('03/2026 at %s: %s', (time, code) => {
    expect(rejectionOf(march, Date.parse(time))).toBe(code);
  });
});

describe('operations on a transaction', () => {
  const rejected = (parameters: Readonly<Record<string, string>>, kind: Kind) =>
    firstRejection(formOf(parameters), { kind, mode: 'INTERNAL', nowMs: now });

  it.each(['rebill', 'incrementalAuthorization', 'reauthorization'] as const)(
    'a %s that demands an authentication is refused, as a payment is (D-70)',
    (kind) => {
      for (const demand of [
        { 'customParameters[3DS2_enrolled]': 'true' },
        { 'threeDSecure.challengeIndicator': '04' },
        { 'threeDSecure.authenticationStatus': 'N' },
      ]) {
        const refused = rejected({ amount: '1.00', currency: 'EUR', ...demand }, kind);
        expect(refused?.code).toBe('600.200.500');
        expect(refused?.description).toMatch(
          /made without the shopper|says that the shopper was not authenticated/,
        );
      }
      expect(rejected({ amount: '1.00', currency: 'EUR' }, kind)).toBeUndefined();
    },
  );

  it.each(['rebill', 'incrementalAuthorization', 'reauthorization', 'capture'] as const)(
    'a %s asks nobody for money under an agreement that it says is over',
    (kind) => {
      const form = formOf({ 'standingInstruction.expiry': '2026-03-13' });
      const code = kind === 'capture' ? undefined : '600.200.501';
      expect(firstRejection(form, { kind, mode: 'LIVE', nowMs: now })?.code).toBe(code);
    },
  );

  it('of which nobody asks an issuer anew have nothing to authenticate', () => {
    const demand = { 'threeDSecure.challengeIndicator': '04' };
    for (const kind of ['capture', 'receipt', 'refund', 'reversal', 'chargeback'] as const) {
      expect(rejected({ amount: '1.00', currency: 'EUR', ...demand }, kind)).toBeUndefined();
    }
  });

  it('are checked for the amount alone otherwise', () => {
    const capture = { ...payment, paymentType: 'CP', 'card.number': '1', amount: '0' };
    expect(rejected(capture, 'capture')).toEqual({ code: '100.550.300' });
    expect(rejected({ amount: '1', currency: 'EUR' }, 'refund')).toBeUndefined();
    expect(rejected({}, 'reversal')).toBeUndefined();
    const yen = { amount: '10.50', currency: 'JPY', 'giftCard.pin': '1234' };
    const references = [
      'capture',
      'refund',
      'rebill',
      'receipt',
      'chargeback',
      'reversal',
    ] as const;
    for (const kind of references) {
      expect(rejected(yen, kind)).toEqual({ code: '100.550.303' });
    }
  });
});

describe('what a checked form gives', () => {
  it('the amount; nothing for one that cannot be paid', () => {
    expect(amountOf(formOf(payment))).toEqual({ minor: 9_200n, currency: 'EUR' });
    expect(amountOf(formOf({ amount: '1.50', currency: 'JPY' }))?.minor).toBe(0n);
    expect(amountOf(formOf({}))).toBeUndefined();
  });

  it('what the catalogue calls account data, as secrets for the vault', () => {
    const held = detailsToHold(formOf(payment), 'payment');
    expect(JSON.stringify(held)).toBe(
      '{"kind":"card","details":{"card.number":"***","card.expiryMonth":"***","card.expiryYear":"***"},' +
        '"inMemory":{"card.cvv":"***"}}',
    );
    expect(held?.details['card.number']?.reveal()).toBe('4200000000000000');
    expect(detailsToHold(formOf({ 'card.number': '1' }), 'payment')).not.toHaveProperty('inMemory');
    expect(detailsToHold(formOf({ 'bankAccount.iban': '1' }), 'payment')).toBeUndefined();
  });

  it('the IBAN of a bank account, in nothing that is kept', () => {
    const account = { ...iban, 'bankAccount.bic': 'MARKDEF1100', paymentBrand: 'DIRECTDEBIT_SEPA' };
    const form = formOf(account);
    const held = detailsToHold(form, 'bankAccountPayment');
    expect(held?.kind).toBe('bankAccount');
    expect(Object.keys(held?.details ?? {})).toEqual(['bankAccount.iban']);
    expect(held?.details['bankAccount.iban']?.reveal()).toBe(iban['bankAccount.iban']);
    const shown = shownInstrumentOf(form, 'bankAccountPayment');
    expect(shown).toEqual({
      ...{ kind: 'bankAccount', paymentMethod: 'DD', brand: 'DIRECTDEBIT_SEPA' },
      maskedIban: 'DE****************7890',
    });
    const kept = JSON.stringify([stored(form, 'bankAccountPayment'), held, shown]);
    expect(kept).toContain('MARKDEF1100');
    expect(kept).not.toContain('DE23');
  });

  it('the accounts of a transfer go with the card, in nothing that is kept (D-45)', () => {
    const accounts = {
      'sender.accountNumber': '4111111111111111',
      'sender.accountNumberType': 'CARD_ACCOUNT',
      'recipient.accountNumber': 'DE23100000001234567890',
    };
    const form = formOf({ ...payment, ...accounts });
    const held = detailsToHold(form, 'payment');
    expect(held?.details['sender.accountNumber']?.reveal()).toBe('4111111111111111');
    expect(held?.details['recipient.accountNumber']?.reveal()).toBe('DE23100000001234567890');
    const kept = JSON.stringify([stored(form, 'payment'), held]);
    expect(kept).toContain('CARD_ACCOUNT');
    expect(kept).not.toMatch(/4111111111111111|1111|DE23/);
  });

  it('the cryptogram of an authentication goes with the card, in nothing that is kept', () => {
    const cryptogram = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';
    const proof = { 'threeDSecure.verificationId': cryptogram, 'threeDSecure.eci': '05' };
    const form = formOf({ ...payment, ...proof });
    const held = detailsToHold(form, 'payment');
    expect(held?.details['threeDSecure.verificationId']?.reveal()).toBe(cryptogram);
    const kept = JSON.stringify([stored(form, 'payment'), held]);
    expect(kept).toContain('threeDSecure.eci');
    expect(kept).not.toContain(cryptogram);
  });

  it('what is shown of the card', () => {
    expect(shownInstrumentOf(formOf(payment), 'payment')).toEqual({
      kind: 'card',
      bin: '420000',
      last4: '0000',
      brand: 'VISA',
      expiryMonth: '05',
      expiryYear: '2034',
    });
    const short = { 'card.number': '12345678', paymentBrand: 'x' };
    const shown = shownInstrumentOf(formOf(short), 'payment');
    expect(shown).toMatchObject({ bin: '', last4: '5678', brand: 'X' });
  });

  it('the first digits of every number that can be paid with', () => {
    const least = cardBrands.map(({ digits }) => digits[0]);
    expect(Math.min(...least)).toBeGreaterThanOrEqual(BIN_SHOWN_FROM_DIGITS);
  });

  it('nothing that can be paid, for a number that shows no first digits', () => {
    const shorter = Array.from({ length: BIN_SHOWN_FROM_DIGITS - 8 }, (_, at) => 8 + at);
    for (const { name: paymentBrand } of cardBrands) {
      for (const digits of shorter) {
        // Zeros pass Luhn, so that the brand is what refuses them.
        const code = rejectionOf({ paymentBrand, 'card.number': '0'.repeat(digits) });
        expect([paymentBrand, digits, code]).toEqual([paymentBrand, digits, '100.100.700']);
      }
    }
  });

  it('typed values', () => {
    const form = formOf({
      numberOfCaptures: '07',
      integrity: 'true',
      'standingInstruction.mode': 'INITIAL',
      amount: 'x',
    });
    const captures: number | undefined = read(form, 'numberOfCaptures');
    const mode: 'INITIAL' | 'REPEATED' | undefined = read(form, 'standingInstruction.mode');
    const integrity: boolean | undefined = read(form, 'integrity');
    expect([captures, mode, integrity]).toEqual([7, 'INITIAL', true]);
    expect([read(form, 'amount'), read(form, 'descriptor')]).toEqual([undefined, undefined]);
  });
});
