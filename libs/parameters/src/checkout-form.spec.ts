import { describe, expect, it } from '@jest/globals';
import type { InstrumentKind } from '@sluice/contracts';
import { completedForm, type StoredAccounts } from './checkout-form.js';
import type { Form } from './form.js';
import { parseForm } from './form-parser.js';

const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const card = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
};

function formOf(fields: Readonly<Record<string, string>>): Form {
  const parsed = parseForm(new URLSearchParams(fields).toString());
  if (parsed.kind !== 'form') throw new Error('the form cannot be read');
  return parsed.form;
}

const completed = (
  ofMerchant: Readonly<Record<string, string>>,
  ofShopper: Readonly<Record<string, string>>,
  stored: StoredAccounts = {},
) => {
  const { form, faults } = completedForm(ofMerchant, formOf(ofShopper), stored);
  return { fields: Object.fromEntries(form.entries()), faults };
};

describe('a completed checkout', () => {
  it('is what the merchant and the shopper have told together', () => {
    const ofMerchant = { ...money, 'customer.email': 'jane@example.org' };
    const { fields, faults } = completed(ofMerchant, { ...card, paymentBrand: 'VISA' });
    expect(fields).toEqual({ ...ofMerchant, ...card, paymentBrand: 'VISA' });
    expect(faults).toEqual([]);
  });

  it('has what the merchant knows of the browser in the place of what a page tells of it', () => {
    const language = 'customer.browser.language';
    const screenWidth = { 'customer.browser.screenWidth': '1920' };
    const { fields, faults } = completed(
      ...([{ [language]: 'de' }, { ...card, ...screenWidth, [language]: 'en-GB' }] as const),
    );
    expect([fields, faults]).toEqual([{ ...card, ...screenWidth, [language]: 'de' }, []]);
  });

  it.each([
    ['customer.browserFingerprint.value', 'customer.browser.deviceId'],
    ['customer.browserFingerprint.value', 'customer.app.deviceId'],
    ['customer.browser.deviceId', 'customer.browserFingerprint.value'],
    ['customer.app.deviceId', 'customer.browser.deviceId'],
  ])('has no device by %s where the merchant has named it by %s', (told, known) => {
    const ofMerchant = { ...money, [known]: 'd-1' };
    const { fields, faults } = completed(ofMerchant, { ...card, [told]: 'd-2' });
    expect([fields, faults]).toEqual([{ ...ofMerchant, ...card }, []]);
    expect(completed(money, { ...card, [told]: 'd-2' }).fields).toHaveProperty([told], 'd-2');
  });

  it.each([
    ['transactionCategory', 'MOTO'],
    ['threeDSecure.disable', 'true'],
    ['threeDSecure.eci', '05'],
    ['threeDSecure.dsTransactionId', 'c75f23af-9454-43f6-ba17-130ed529507e'],
  ])('takes %s from no shopper, who would be authenticated by nobody then', (name, value) => {
    expect(completed(money, { ...card, [name]: value }).faults).toMatchObject([{ name }]);
  });

  it('overrides no holder where the shopper pays with nothing that is stored', () => {
    const overriding = { ...money, overrideHolder: 'true' };
    expect(completed(overriding, card).fields).toEqual({ ...money, ...card });
    const registrationId = 'a'.repeat(32);
    const stored = { offered: [registrationId] };
    expect(completed(overriding, { registrationId }, stored).fields).toMatchObject({
      ...{ registrationId, overrideHolder: 'true' },
    });
  });

  it.each([
    ['amount', '0.01'],
    ['currency', 'JPY'],
    ['paymentType', 'CD'],
    ['merchantTransactionId', 'other'],
    ['entityId', 'f'.repeat(32)],
    ['testMode', 'EXTERNAL'],
    ['authentication.password', 'guess'],
    // With these a card would be paid with without its code.
    ['card.numberType', 'DPAN'],
    ...['applePay', 'googlePay', 'samsungPay', 'clickToPay'].map((name) => [
      `${name}.source`,
      'web',
    ]),
    ['recurringType', 'REPEATED'],
  ])('takes no %s from the shopper', (name = '', value = '') => {
    const { fields, faults } = completed(money, { ...card, [name]: value });
    expect(faults).toEqual([{ name, message: 'is not taken from a shopper' }]);
    expect(fields[name]).toBe((money as Readonly<Record<string, string>>)[name]);
  });

  it('has what the merchant has set, and nothing else in its place', () => {
    const ofMerchant = { ...money, 'customer.email': 'jane@example.org' };
    const told = (email: string) => completed(ofMerchant, { ...card, 'customer.email': email });
    expect(told('jane@example.org').faults).toEqual([]);
    const { fields, faults } = told('other@example.org');
    expect(fields['customer.email']).toBe('jane@example.org');
    expect(faults).toEqual([{ name: 'customer.email', message: 'is set by the merchant' }]);
  });

  it('pays with nothing stored but what the merchant has named', () => {
    const registrationId = 'f'.repeat(32);
    expect(completed(money, { registrationId }).faults).toHaveLength(1);
    const named = completed({ ...money, registrationId }, { 'card.cvv': '123' });
    expect(named.faults).toEqual([]);
    expect(named.fields['registrationId']).toBe(registrationId);
    const other = completed({ ...money, registrationId }, card);
    expect(other.faults.map(({ name }) => name)).toEqual(['card.number']);
  });

  it('pays with what the merchant has offered, and with nothing else that is stored', () => {
    const [one, other] = ['e'.repeat(32), 'f'.repeat(32)];
    const chosen = completed(money, { registrationId: one, 'card.cvv': '123' }, { offered: [one] });
    expect(chosen.faults).toEqual([]);
    expect(chosen.fields).toEqual({ ...money, registrationId: one, 'card.cvv': '123' });
    const message = 'names nothing that this checkout offers';
    expect(completed(money, { registrationId: other }, { offered: [one] }).faults).toEqual([
      { name: 'registrationId', message },
    ]);
    const both = completed(money, { ...card, registrationId: one }, { offered: [one] });
    expect(both.faults.map(({ name }) => name)).toEqual(['card.number']);
    const set = completed(
      { ...money, registrationId: one },
      { registrationId: other },
      { offered: [other] },
    );
    expect(set.faults).toEqual([{ name: 'registrationId', message: 'is set by the merchant' }]);
  });

  it('says whether the shopper has chosen among what is offered', () => {
    const registrationId = 'e'.repeat(32);
    const isChosen = (
      named: Readonly<Record<string, string>>,
      told: Readonly<Record<string, string>>,
      offered: readonly string[],
    ) => completedForm({ ...money, ...named }, formOf(told), { offered }).isChosen;
    expect(isChosen({}, { registrationId }, [registrationId])).toBe(true);
    expect(isChosen({}, card, [registrationId])).toBe(false);
    expect(isChosen({ registrationId }, {}, [])).toBe(false);
  });

  it.each([
    ['UNSCHEDULED', 'REPEATED'],
    [undefined, 'REPEATED'],
    ['RECURRING', 'INITIAL'],
  ])('with a stored card is no first payment, unless a plan begins: %s is %s', (type, mode) => {
    const registrationId = 'e'.repeat(32);
    const said = {
      ...{ 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' },
      ...(type !== undefined && { 'standingInstruction.type': type }),
    };
    const modeOf = (told: Readonly<Record<string, string>>) =>
      completed({ ...money, ...said }, told, { offered: [registrationId] }).fields[
        'standingInstruction.mode'
      ];
    expect(modeOf({ registrationId })).toBe(mode);
    expect(modeOf(card)).toBe('INITIAL');
    // The merchant has named it, and says what it is.
    const named = completed({ ...money, ...said, registrationId }, {});
    expect(named.fields['standingInstruction.mode']).toBe('INITIAL');
  });

  it('is of the type that the merchant has said for its brand', () => {
    const ofMerchant = { ...money, 'overridePaymentType[VISA]': 'PA' };
    const typeOf = (paymentBrand: string, number = card['card.number']) =>
      completed(ofMerchant, { ...card, paymentBrand, 'card.number': number }).fields['paymentType'];
    expect([typeOf('VISA'), typeOf('MASTER', '5454545454545454')]).toEqual(['PA', 'DB']);
    const { fields } = completed(ofMerchant, card);
    expect(Object.keys(fields)).not.toContain('overridePaymentType[VISA]');
  });

  it.each([
    ['in other letters', { 'overridePaymentType[VISA]': 'PA' }, { ...card, paymentBrand: 'visa' }],
    ['in the merchant’s letters', { 'overridePaymentType[Visa]': 'PA' }, card],
    ['detected', { 'overridePaymentType[VISA]': 'PA' }, card],
    [
      ...[
        'that is the number’s though another one was sent',
        { 'overridePaymentType[VISA]': 'PA' },
      ],
      { ...card, paymentBrand: 'VISADEBIT' },
    ],
    [
      'of the wallet',
      { 'overridePaymentType[APPLEPAY]': 'PA' },
      { 'applePay.paymentToken': '{}', 'card.cvv': '' },
    ],
    [
      'of a bank',
      { 'overridePaymentType[DIRECTDEBIT_SEPA]': 'PA' },
      { paymentBrand: 'directdebit_sepa', 'bankAccount.iban': 'DE23100000001234567890' },
    ],
    [
      'of a provider',
      { 'overridePaymentType[PAYPAL]': 'PA' },
      { paymentBrand: 'paypal', 'virtualAccount.accountId': 'jane' },
    ],
  ] as const)('is of the type of its brand, %s', (_what, types, told) => {
    const ofMerchant = { ...money, ...types, 'overridePaymentType[MASTER]': 'CD' };
    expect(completed(ofMerchant, { ...told }).fields['paymentType']).toBe('PA');
  });

  it('is of the type of the brand that it has, where the merchant has said one for it, too', () => {
    const types = { 'overridePaymentType[VISA]': 'PA', 'overridePaymentType[VISADEBIT]': 'DB' };
    const told = { ...card, paymentBrand: 'VISADEBIT' };
    const { fields } = completed({ ...money, ...types, paymentType: 'PA' }, told);
    expect(fields['paymentType']).toBe('DB');
  });

  it('has no type of a brand that was sent beside a stored account', () => {
    const registrationId = 'a'.repeat(32);
    const ofMerchant = { ...money, 'overridePaymentType[VISA]': 'PA' };
    const told = { registrationId, paymentBrand: 'VISA' };
    const { fields } = completed(ofMerchant, told, { offered: [registrationId] });
    expect(fields['paymentType']).toBe('DB');
  });

  it('takes the merchant’s brand in any case', () => {
    const ofMerchant = { ...money, paymentBrand: 'VISA' };
    expect(completed(ofMerchant, { ...card, paymentBrand: 'visa' }).faults).toEqual([]);
    const other = completed(ofMerchant, { ...card, paymentBrand: 'MASTER' });
    expect(other.faults).toEqual([{ name: 'paymentBrand', message: 'is set by the merchant' }]);
  });

  it('tells its payment of the installments that the shopper asks for', () => {
    const asked = { ...card, 'recurring.numberOfInstallments': '3' };
    expect(completed(money, asked)).toEqual({ fields: { ...money, ...asked }, faults: [] });
    const other = { ...money, 'recurring.numberOfInstallments': '6' };
    expect(completed(other, asked).faults).toEqual([
      { name: 'recurring.numberOfInstallments', message: 'is set by the merchant' },
    ]);
  });

  it('is under the mandate of the merchant where it is a direct debit, and nowhere else', () => {
    const mandate = {
      ...{ 'bankAccount.mandate.id': 'SHOP-MANDATE-JONES', transactionDueDate: '2034-12-01' },
      'bankAccount.mandate.dateOfSignature': '2026-03-02',
    };
    const paidBy = (ofShopper: Readonly<Record<string, string>>) =>
      completed({ ...money, ...mandate }, ofShopper);
    const debit = { paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' };
    expect(paidBy(debit).fields).toEqual({ ...money, ...mandate, ...debit });
    for (const other of [card, { paymentBrand: 'PAYPAL' }, { paymentBrand: 'IDEAL' }]) {
      expect(paidBy(other)).toEqual({ fields: { ...money, ...other }, faults: [] });
    }
  });

  it('is collected on the day of the merchant where a stored bank account is used, and nowhere else', () => {
    const debits = { transactionDueDate: '2034-12-01', 'bankAccount.mandate.id': 'SHOP-JONES' };
    const registrationId = 'f'.repeat(32);
    const paidBy = (usedKind: InstrumentKind) =>
      completed(
        { ...money, ...debits },
        { registrationId },
        { offered: [registrationId], usedKind },
      ).fields['transactionDueDate'];
    expect([paidBy('bankAccount'), paidBy('card')]).toEqual(['2034-12-01', undefined]);
  });
});
