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

describe('an IBAN that the request is not paid with', () => {
  const again = 'de23 1000 0000 1234 5678 90';

  it.each(['payment', 'capture', 'refund', 'registration'] as const)(
    'is masked in the texts of a %s, as a whole',
    (kind) => {
      const texts = {
        ...{ merchantMemo: `from ${again}.`, descriptor: IBAN },
        'customParameters[note]': `${IBAN} 4111111111111111`,
      };
      const { parameters, personal } = stored(formOf({ ...payment, ...texts }), kind);
      const said = { ...parameters, ...personal };
      expect(said['customParameters[note]']).toBe(`${'*'.repeat(22)} ************1111`);
      expect(Object.values(said).filter((text) => partOf(text, IBAN))).toEqual([]);
      expect(JSON.stringify(said)).not.toContain('5678 90');
    },
  );

  it('stays in an id, as the number of another card does, and is no name', () => {
    const ids = { merchantTransactionId: IBAN, merchantInvoiceId: '5454545454545454' };
    expect(kept({ ...payment, ...ids })).toMatchObject(ids);
    const named = formOf({ ...payment, [`customParameters[${IBAN}]`]: 'x' });
    const { violations } = checkForm(named, 'payments', 'INTERNAL');
    expect(violations).toEqual([
      {
        name: `customParameters[${'*'.repeat(22)}]`,
        message: 'must not have the number of a card or an account in its name',
      },
    ]);
  });
});

describe('what is short', () => {
  /** As in a shop: the shopper's own postcode, year of birth and house have as many digits. */
  const texts = {
    ...{ descriptor: '4821', promotionCode: '4821', locale: '4821' },
    ...{ 'billing.postcode': '4821', 'billing.houseNumber1': '4821' },
    ...{ 'customer.browser.screenWidth': '4821', 'customer.browser.timezone': '4821' },
    ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
    ...{ 'cart.items[0].quantity': '4821', 'customParameters[a.b]': '4821' },
    'airline.passengers[0].legs[0].flightNumber': '4821',
  };

  it.each(['4821', '4821937'])('may be anything else, so it is not looked for: %s', (pin) => {
    expect(kept({ ...given, 'giftCard.pin': pin, ...texts })).toMatchObject(texts);
    const account = { ...debited, 'bankAccount.number': pin };
    expect(kept({ ...account, ...texts, descriptor: pin })['descriptor']).toBe(pin);
  });

  it.each(['4821', '48219', 'AB-48'])('is a code under a name that says so: %s', (pin) => {
    const named = { 'customParameters[pin]': pin, 'customParameters[note]': pin };
    expect(kept({ ...given, 'giftCard.pin': pin, ...named })).toMatchObject({
      ...{ 'customParameters[pin]': '***', 'customParameters[note]': pin },
    });
  });
});

describe('a value with a type of its own, which asterisks would break', () => {
  const person = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
  const typed = {
    ...{ ...person, 'customer.birthDate': '1980-01-02', 'customer.mobile': '1980 01 02' },
    ...{ 'billing.postcode': '19800102', 'cart.items[0].quantity': '19800102' },
    ...{ promotionCode: '19800102', 'cart.items[0].price': '198001.02' },
  };

  it('stays where what is paid with is as long as a date or an amount', () => {
    const texts = { descriptor: '19800102', merchantMemo: 'born 1980-01-02' };
    const sent = kept({ ...given, 'giftCard.pin': '19800102', ...typed, ...texts });
    expect(sent).toMatchObject({
      ...typed,
      ...{ descriptor: '********', merchantMemo: 'born ****-**-**' },
    });
  });

  it('holds no longer one', () => {
    const account = '100077311042';
    const form = { ...debited, 'bankAccount.number': account, ...person };
    const whole = { ...form, 'billing.postcode': account, 'sender.name': account };
    expect(kept(whole)).toMatchObject({
      'billing.postcode': '*'.repeat(account.length),
      'sender.name': '*'.repeat(account.length),
    });
    const { violations } = checkForm(
      formOf({ ...form, 'customer.phone': account, promotionCode: account }),
      ...(['payments', 'INTERNAL'] as const),
    );
    expect(violations.map(({ name }) => name)).toEqual(['promotionCode', 'customer.phone']);
  });
});

describe('what is no letter or digit', () => {
  it('is found as it stands', () => {
    const { masked, foundIn } = ownAccounts(formOf({ 'giftCard.number': '§$%§$%§$%' }));
    expect(masked('a §$%§$%§$% b')).toBe('a ********* b');
    expect(foundIn('a §$%§$%§$% b', () => true)).toBe('the number of the gift card');
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
  });

  const PHONE = '+57 601 3077022';
  const people = {
    ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'customer.mobile': PHONE },
    ...{ 'recipient.phone': PHONE, 'sender.phone': PHONE },
    ...{ 'customer.email': 'jane@example.org', 'customer.merchantCustomerId': 'jones-4711-az' },
  };
  const faultsOf = (form: Fields) =>
    checkForm(formOf({ ...payment, ...people, ...form }), 'payments', 'INTERNAL').violations;

  it.each([
    ['telephone number', 'PHONE_NUMBER', '576013077022'],
    ['telephone number of a wallet', 'WALLET_ID', '576013077022'],
    ['e-mail address of a wallet', 'WALLET_ID', 'jane@example.org'],
    ['id of a wallet', 'WALLET_ID', 'jones-4711-az'],
    ['name in a social network', 'SOCIAL_NETWORK_ID', 'jones-4711-az'],
    ['e-mail address of another kind', 'OTHER', 'jane@example.org'],
    ['telephone number of another kind', 'OTHER', '576013077022'],
    ['e-mail address of no kind', '', 'jane@example.org'],
  ])('is not what a recipient is known by: %s', (_, type, account) => {
    const paid = { 'recipient.accountNumber': account, 'recipient.accountNumberType': type };
    expect(kept({ ...payment, ...people, ...paid })).toMatchObject(people);
  });

  it.each(['OTHER', ''])('is not the number of mobile money, of the kind "%s"', (type) => {
    const paid = { 'sender.accountNumber': '576013077022', 'sender.sourceOfFunds': '08' };
    const sent = { ...payment, ...people, ...paid, 'sender.accountNumberType': type };
    expect(kept(sent)).toMatchObject(people);
  });

  it.each([
    ['recipient', ''],
    ['recipient', 'RTN_AND_BANK_ACCOUNT'],
    ['recipient', 'BAN_AND_BIC'],
    ['sender', ''],
    ['sender', 'RTN_AND_BANK_ACCOUNT'],
    ['sender', 'IBAN_AND_BIC'],
    ['sender', 'CARD_ACCOUNT'],
  ])('is the number of a bank or a card, of a %s and the kind "%s"', (who, type) => {
    const named = { [`${who}.accountNumber`]: '576013077022', [`${who}.accountNumberType`]: type };
    const again = { merchantInvoiceId: '576013077022' };
    expect(faultsOf({ ...named, ...again }).map(({ message }) => message)).toContain(
      `must not contain the account number of the ${who}`,
    );
  });

  it.each(['recipient', 'sender'])('is an IBAN, of whatever kind it is: %s', (who) => {
    const named = { [`${who}.accountNumber`]: IBAN, [`${who}.accountNumberType`]: 'OTHER' };
    expect(faultsOf({ ...named, merchantInvoiceId: IBAN })).toHaveLength(1);
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
