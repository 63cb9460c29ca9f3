import { describe, expect, it } from '@jest/globals';
import { checkForm } from './violations.js';
import { card, faults, faultsOf, faultsWithoutCard, paid } from './conditions-fixture.js';
import { formOf } from './violations-fixture.js';

const shopperResultUrl = 'https://shop.example/result';

describe('a bank account (Interface 2.7)', () => {
  const number = { 'bankAccount.number': '1234567890' };
  const iban = { 'bankAccount.iban': 'DE23100000001234567890' };
  const bankCode = { 'bankAccount.bankCode': '10000000' };
  const bic = { 'bankAccount.bic': 'MARKDEF1100' };
  const holder = { 'bankAccount.holder': 'Jane Jones' };

  it.each([
    [{ ...number, ...bankCode }],
    [{ ...number, ...bic }],
    [{ ...iban, ...bankCode }],
    [{ ...iban, ...bic }],
    [{ ...iban, ...number, ...bic, ...bankCode }],
  ])('%j is enough beside the holder', (sent) => {
    expect(faultsWithoutCard({ ...sent, ...holder })).toEqual([]);
  });

  it.each([
    [{ ...holder, ...bic }, ['bankAccount.number']],
    [{ ...holder, ...number }, ['bankAccount.bankCode']],
    [{ ...holder, ...iban }, ['bankAccount.bankCode']],
    [{ ...iban, ...bic }, ['bankAccount.holder']],
  ])('%j lacks %j', (sent, names) => {
    expect(faultsWithoutCard(sent)).toEqual(names);
    expect(faultsOf('registration', { paymentBrand: 'DIRECTDEBIT_SEPA', ...sent })).toEqual(names);
    expect(faultsOf('checkout', { ...paid, ...sent })).toEqual(names);
  });

  it('lacks one of two in one violation, which names both', () => {
    const { violations: found } = checkForm(
      formOf({ ...paid, ...holder, paymentBrand: 'DIRECTDEBIT_SEPA' }),
      'payments',
      'INTERNAL',
    );
    expect(found).toEqual([
      { name: 'bankAccount.number', message: 'must be sent, or bankAccount.iban' },
      { name: 'bankAccount.bankCode', message: 'must be sent, or bankAccount.bic' },
    ]);
  });

  it.each(['SOFORTUEBERWEISUNG', 'GIROPAY', 'IDEAL', 'PAYTRAIL', 'PRZELEWY', 'giropay'])(
    'of %s is named by the shopper: the merchant tells as much as he likes (wire contract 7)',
    (paymentBrand) => {
      const country = { 'bankAccount.country': 'DE' };
      for (const told of [country, { ...country, ...bic }, { 'bankAccount.bankName': 'x' }, iban]) {
        const sent = { paymentBrand, ...told, shopperResultUrl };
        expect(faultsWithoutCard(sent)).toEqual([]);
        expect(faultsOf('checkout', { ...paid, ...sent })).toEqual([]);
        expect(faultsOf('registration', sent)).toEqual([]);
      }
    },
  );

  it('of a brand that is no bank method needs nothing but its country, or else all of it', () => {
    const country = { paymentBrand: 'PAYFOOL', 'bankAccount.country': 'DE' };
    expect(faultsWithoutCard(country)).toEqual([]);
    expect(faultsWithoutCard({ ...country, ...bic })).toEqual([
      ...['bankAccount.holder', 'bankAccount.number'],
    ]);
  });

  it('of a provider is no bank account: its country only says where the shopper is', () => {
    const sent = { ...paid, paymentBrand: 'PAYPAL', shopperResultUrl };
    const kindOf = (more: object): string =>
      checkForm(formOf({ ...sent, ...more }), 'payments', 'INTERNAL').kind;
    expect(kindOf({ 'bankAccount.country': 'DE' })).toBe('virtualAccountPayment');
    expect(kindOf({ 'bankAccount.country': 'DE', ...bic })).toBe('bankAccountPayment');
  });

  it('may have its mandate named with a checkout, whose shopper tells the account', () => {
    const mandate = {
      'bankAccount.mandate.id': 'MANDATE-ONE',
      'bankAccount.mandate.dateOfSignature': '2026-03-02',
    };
    const due = { transactionDueDate: '2034-12-01' };
    for (const brand of [{}, { paymentBrand: 'DIRECTDEBIT_SEPA' }]) {
      expect(faultsOf('checkout', { ...paid, ...mandate, ...due, ...brand })).toEqual([]);
    }
    expect(faultsOf('registration', { paymentBrand: 'DIRECTDEBIT_SEPA', ...mandate })).toEqual([
      ...['bankAccount.holder', 'bankAccount.number', 'bankAccount.bankCode'],
    ]);
  });

  it('of a direct debit is named by the merchant', () => {
    const all = ['bankAccount.holder', 'bankAccount.number', 'bankAccount.bankCode'];
    const debit = { paymentBrand: 'DIRECTDEBIT_SEPA' };
    expect(faultsWithoutCard(debit)).toEqual(all);
    expect(faultsWithoutCard({ ...debit, 'bankAccount.country': 'DE' })).toEqual(all);
  });

  it('is asked of nobody who uses another account (D-50)', () => {
    expect(faultsOf('checkout', paid)).toEqual([]);
    expect(faultsOf('registration', { ...card })).toEqual([]);
  });
});

describe('which account is used (D-50)', () => {
  it('a registration has a card when nothing else is there', () => {
    const all = Object.keys(card);
    expect(faultsOf('registration', { paymentBrand: 'VISA' })).toEqual(all);
    expect(faultsOf('registration', { 'card.holder': 'Jane Jones' })).toEqual(all);
  });

  it('a registration has no card when another account is there, but then its brand', () => {
    const virtual = { 'virtualAccount.accountId': 'jane' };
    expect(faultsOf('registration', virtual)).toEqual(['paymentBrand']);
    // What a provider's brand lacks is no card: that there is nothing to store is said otherwise.
    expect(faultsOf('registration', { paymentBrand: 'PAYPAL' })).toEqual([]);
    expect(faultsOf('registration', { ...virtual, paymentBrand: 'PAYPAL' })).toEqual([]);
    const token = { 'tokenAccount.number': '4200000000000000', paymentBrand: 'VISA' };
    expect(faultsOf('registration', token)).toEqual(['tokenAccount.type']);
    expect(faultsOf('registration', { ...token, 'tokenAccount.type': 'NETWORK' })).toEqual([]);
  });

  it.each<['registration' | 'tokenPayment', Readonly<Record<string, string>>]>([
    ['registration', { paymentBrand: 'VISA' }],
    ['tokenPayment', { ...paid, paymentBrand: 'VISA' }],
  ])('%s takes no half of an expiry of a token', (kind, asked) => {
    const [month, year] = ['tokenAccount.expiryMonth', 'tokenAccount.expiryYear'];
    const token = { 'tokenAccount.number': '4200000000000000', 'tokenAccount.type': 'NETWORK' };
    const faultsWith = (more: Readonly<Record<string, string>>) =>
      faultsOf(kind, { ...asked, ...token, ...more });
    expect(faultsWith({ [month]: '11' })).toEqual([year]);
    expect(faultsWith({ [year]: '2034' })).toEqual([month]);
    expect(faultsWith({ [month]: '11', [year]: '2034' })).toEqual([]);
    expect(faultsWith({})).toEqual([]);
  });
});

describe('a payment whose brand is no card, without an account', () => {
  it.each([
    ['PAYPAL', 'virtualAccountPayment'],
    ['TABBY', 'virtualAccountPayment'],
    ['APPLEPAY', 'walletPayment'],
    ['EPS', 'bankAccountPayment'],
  ])('by %s is a %s, and no card is missing', (paymentBrand, kind) => {
    const sent = { ...paid, paymentBrand, shopperResultUrl: 'https://shop.example/result' };
    expect(checkForm(formOf(sent), 'payments', 'INTERNAL')).toMatchObject({ kind, violations: [] });
  });

  it.each([{ paymentBrand: 'VISA' }, { paymentBrand: 'PAYPAL', 'card.holder': 'Jane Jones' }])(
    'lacks the card of %j',
    (sent) => {
      expect(faultsWithoutCard(sent)).toEqual(Object.keys(card));
    },
  );
});

describe('the brand (Interface 2.3)', () => {
  it('may be left out where it is detected', () => {
    const { paymentBrand: _, ...rest } = paid;
    expect(checkForm(formOf({ ...rest, ...card }), 'payments', 'INTERNAL').violations).toEqual([]);
    const unknown = { ...rest, ...card, 'card.number': '0000000000000000' };
    expect(checkForm(formOf(unknown), 'payments', 'INTERNAL').violations).toMatchObject([
      { name: 'paymentBrand' },
    ]);
    expect(faultsOf('registration', card)).toEqual([]);
  });

  it.each([
    { 'virtualAccount.accountId': 'jane' },
    { 'tokenAccount.number': '4200000000000000', 'tokenAccount.type': 'NETWORK' },
    { 'googlePay.paymentToken': '{}' },
    {
      'bankAccount.holder': 'Jane Jones',
      'bankAccount.iban': 'DE23100000001234567890',
      'bankAccount.bic': 'MARKDEF1100',
    },
  ])('of %j is never detected', (account) => {
    const { paymentBrand: _, ...rest } = paid;
    expect(faultsWithoutCard(account)).toEqual([]);
    const { violations: found } = checkForm(formOf({ ...rest, ...account }), 'payments', 'LIVE');
    expect(found).toMatchObject([{ name: 'paymentBrand' }]);
  });
});

describe('a wallet (Interface 2.5, D-50)', () => {
  it.each(['applePay', 'googlePay', 'samsungPay', 'clickToPay'])(
    '%s is used by its token',
    (wallet) => {
      expect(faultsWithoutCard({ [`${wallet}.paymentToken`]: '{}' })).toEqual([]);
    },
  );

  it('wants the token when there is nothing else of it', () => {
    expect(faultsWithoutCard({ 'applePay.cardNetwork': 'Visa' })).toEqual([
      'applePay.paymentToken',
    ]);
  });

  it.each(['applePay', 'googlePay', 'samsungPay', 'clickToPay'])(
    '%s is used decrypted by its source and a card',
    (wallet) => {
      const source = { [`${wallet}.source`]: 'web' };
      expect(faults(source)).toEqual([]);
      expect(faultsWithoutCard(source)).toEqual(Object.keys(card));
      expect(faults({ [`${wallet}.source`]: 'shop' })).toEqual([`${wallet}.source`]);
    },
  );

  it('wants the source when its card is there without the token', () => {
    expect(faults({ 'applePay.cardType': 'credit' })).toEqual(['applePay.source']);
    expect(faults({ 'applePay.cardType': 'credit', 'applePay.source': 'app' })).toEqual([]);
  });

  it('leaves a payment by card alone', () => {
    expect(faults({})).toEqual([]);
  });
});
