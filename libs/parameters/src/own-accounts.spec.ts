import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.js';
import { notSoughtAccounts, ownAccounts, soughtAccounts } from './own-accounts.js';
import type { Parameter } from './parameter.js';
import { stored } from './stored.js';
import { formOf, payment } from './violations-fixture.js';
import { checkForm } from './violations.js';

type Fields = Readonly<Record<string, string>>;

const MONEY = { ...{ entityId: payment.entityId, amount: '92.00' }, currency: 'EUR' } as const;
const IBAN = 'DE23100000001234567890';
/** Passes no check of a card number, so that nothing but this search can find it. */
const ACCOUNT = '1000773110';
const TOKEN = '1000773110042';
const GIFT_CARD = 'GIFT-7731-AB92';
const PIN = '482193771';

const debited: Fields = {
  ...{ ...MONEY, paymentType: 'DB', paymentBrand: 'DIRECTDEBIT_SEPA' },
  ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.bic': 'MARKDEF1100' },
};
const byToken: Fields = {
  ...{ ...MONEY, paymentType: 'DB', paymentBrand: 'VISA', 'tokenAccount.type': 'EXTERNAL' },
  'tokenAccount.number': TOKEN,
};
const given: Fields = {
  ...{ ...MONEY, paymentType: 'DB', paymentBrand: 'GIFTCARD' },
  ...{ 'giftCard.number': GIFT_CARD, 'giftCard.pin': PIN },
};
const sending: Fields = { ...payment, 'sender.accountNumber': IBAN };

const accounts: readonly (readonly [name: string, form: Fields, value: string, called: string])[] =
  [
    ['IBAN', { ...debited, 'bankAccount.iban': IBAN }, IBAN, 'the IBAN'],
    [
      'IBAN in groups and small letters',
      { ...debited, 'bankAccount.iban': IBAN },
      'de23 1000 0000 1234 5678 90',
      'the IBAN',
    ],
    [
      'IBAN without country and check digits',
      { ...debited, 'bankAccount.iban': IBAN },
      '100000001234567890',
      'the IBAN',
    ],
    ['account', { ...debited, 'bankAccount.number': ACCOUNT }, ACCOUNT, 'the account number'],
    ['token', byToken, TOKEN, 'the number of the token'],
    ['gift card', given, GIFT_CARD, 'the number of the gift card'],
    ['PIN', given, PIN, 'the PIN of the gift card'],
    ['account of a sender', sending, IBAN, 'the account number of the sender'],
  ];

const partOf = (text: string, account: string): boolean =>
  text.replace(/[^0-9a-z]/gi, '').includes(account.replace(/[^0-9a-z]/gi, ''));

const kept = (form: Fields): Fields => {
  const checked = checkForm(formOf(form), 'payments', 'INTERNAL');
  expect(checked.violations).toEqual([]);
  const { parameters, personal } = stored(formOf(form), checked.kind);
  return { ...parameters, ...personal };
};

describe('what a request is paid with, sent a second time', () => {
  it.each(accounts)('is masked in texts: %s', (_, form, account) => {
    const words = {
      descriptor: account,
      merchantMemo: `paid from ${account}, thanks`,
      'customParameters[note]': `1${account}`,
      'customParameters[pin]': account,
      'customer.givenName': 'Jane',
      'customer.surname': 'Jones',
    };
    const { descriptor, merchantMemo, ...others } = kept({ ...form, ...words });
    expect(descriptor).toMatch(/^[*\s-]+$/);
    expect(descriptor).toHaveLength(account.length);
    expect(merchantMemo).toMatch(/^paid from [*\s-]+, thanks$/);
    expect(others).toMatchObject({ 'customer.givenName': 'Jane' });
    expect(Object.values(others).filter((text) => partOf(text, account))).toEqual([]);
  });

  it.each(accounts)('is refused in ids, and not repeated: %s', (_, form, account, called) => {
    const ids = {
      merchantTransactionId: `order-${account}`,
      merchantInvoiceId: account,
      'customer.merchantCustomerId': account,
    };
    const { violations } = checkForm(formOf({ ...form, ...ids }), 'payments', 'INTERNAL');
    expect(violations.map(({ name }) => name)).toEqual(Object.keys(ids));
    for (const { message, value = '' } of violations) {
      expect(message).toBe(`must not contain ${called}`);
      expect(partOf(value, account)).toBe(false);
    }
  });

  it.each(accounts)('is no name, and repeated in no error: %s', (_, form, account) => {
    const bare = account.replace(/[^0-9a-z]/gi, '');
    const wrong = { [`customParameters[${bare}]`]: 'x', [`x${account}`]: 'x', testMode: account };
    const { violations } = checkForm(formOf({ ...form, ...wrong }), 'payments', 'INTERNAL');
    expect(violations).toHaveLength(3);
    expect(violations.map(({ message }) => message)).toContain(
      'must not have the number of a card or an account in its name',
    );
    expect(partOf(JSON.stringify(violations), bare)).toBe(false);
  });

  it('is hidden with a card number that it overlaps', () => {
    const form = { ...debited, 'bankAccount.number': '42000000' };
    expect(kept({ ...form, descriptor: 'pay 4200000000000000' })['descriptor']).toBe(
      'pay ************0000',
    );
  });

  it('leaves what is like it: another account, and ordinary texts', () => {
    const texts = { descriptor: 'DE02100000001234567891', merchantMemo: '2026-11-26, 92.00' };
    expect(kept({ ...debited, 'bankAccount.iban': IBAN, ...texts })).toMatchObject(texts);
  });
});

describe('what is short', () => {
  const short: Fields = { ...given, 'giftCard.pin': '4821' };

  it('is masked and refused where it is the whole value', () => {
    const texts = {
      descriptor: '4821',
      'customParameters[c.d]': ' 48-21.',
      'customParameters[a.b]': '４８２１',
    };
    for (const text of Object.values(kept({ ...short, ...texts }))) expect(text).toMatch(/^\*+$/);
    const sent = formOf({ ...short, promotionCode: '4821' });
    expect(checkForm(sent, 'payments', 'INTERNAL').violations).toEqual([
      {
        name: 'promotionCode',
        value: '****',
        message: 'must not contain the PIN of the gift card',
      },
    ]);
  });

  it('stays as part of another text, where it may stand by chance', () => {
    const texts = {
      descriptor: 'order 4821',
      promotionCode: 'R48210',
      merchantTransactionId: 'order-4821',
    };
    expect(kept({ ...short, ...texts })).toMatchObject(texts);
  });

  it('is not looked for if it has fewer than four characters', () => {
    const texts = { descriptor: '482', promotionCode: '482' };
    expect(kept({ ...given, 'giftCard.pin': '482', ...texts })).toMatchObject(texts);
    expect(kept({ ...payment, 'card.cvv': '482', ...texts })).toMatchObject(texts);
  });
});

describe('what is no letter or digit', () => {
  it('is found as it stands', () => {
    const { masked, foundIn } = ownAccounts(formOf({ 'giftCard.number': '§$%§$%§$%' }));
    expect(masked('a §$%§$%§$% b')).toBe('a ********* b');
    expect(foundIn('a §$%§$%§$% b')).toBe('the number of the gift card');
    expect(masked('a §$% b')).toBe('a §$% b');
  });

  it('is found as it stands where it is a token of a wallet', () => {
    const token = JSON.stringify({ signature: 'MEUCIQDn7k'.repeat(30) });
    const { masked } = ownAccounts(formOf({ 'googlePay.paymentToken': token }));
    expect(masked(`x${token}y`)).toBe(`x${'*'.repeat(token.length)}y`);
  });
});

describe('what is looked for', () => {
  it('is all account data and all secrets, or it is said why not', () => {
    const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>);
    const held = rows.filter(
      ([, { sensitivity }]) => sensitivity === 'accountData' || sensitivity === 'secret',
    );
    const named = ['card.number', ...soughtAccounts.keys(), ...notSoughtAccounts.keys()];
    expect(named.toSorted()).toEqual(held.map(([key]) => key).toSorted());
  });

  it('is not the address or telephone number of a customer who is paid or pays by it', () => {
    const contact = {
      ...{ 'customer.email': 'jane@example.org', 'customer.phone': '+49 30 901820' },
      ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
    };
    const form = {
      ...{ ...MONEY, paymentType: 'DB', paymentBrand: 'PAYPAL', ...contact },
      ...{ 'virtualAccount.accountId': 'jane@example.org', 'standingInstruction.source': 'MIT' },
      'standingInstruction.agreementId': 'AGREEMENT-1',
    };
    expect(kept(form)).toMatchObject(contact);
    const paid = {
      'recipient.phone': '+57 601 3077022',
      'recipient.accountNumber': '576013077022',
    };
    const typed = { ...payment, ...paid, 'recipient.accountNumberType': 'PHONE_NUMBER' };
    expect(kept(typed)).toMatchObject({ 'recipient.phone': '+57 601 3077022' });
    const { violations } = checkForm(formOf({ ...payment, ...paid }), 'payments', 'INTERNAL');
    expect(violations.map(({ message }) => message)).toEqual([
      'must not contain the account number of the recipient',
    ]);
  });

  it('is found in every parameter that can hold it and is kept', () => {
    const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>);
    const samples = [IBAN, 'de23 1000 0000 1234 5678 90', TOKEN, 'GIFTAB77', GIFT_CARD];
    const silent = rows.filter(
      ([, { kept: isKept, cardNumbers, format }]) =>
        isKept && cardNumbers === undefined && samples.some((sample) => format.accepts(sample)),
    );
    expect(silent.map(([key]) => key)).toEqual([]);
  });
});
