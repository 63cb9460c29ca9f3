import { describe, expect, it } from '@jest/globals';
import { violations } from './violations.js';
import { card, faults, faultsOf, faultsWithoutCard, paid } from './conditions-fixture.js';
import { formOf } from './violations-fixture.js';

describe('customerIsNamed (Interface 2.9, D-52)', () => {
  it.each([
    { 'customer.email': 'zoe@example.org' },
    { 'customer.identificationDocType': 'PASSPORT', 'customer.identificationDocId': 'C01X0006' },
    { 'customer.merchantReference': 'account 1' },
    { 'customer.status': 'NEW' },
  ])('%j brings the duty to name the customer', (sent) => {
    expect(faults(sent)).toEqual(['customer.givenName', 'customer.surname']);
    expect(faults({ ...sent, 'customer.givenName': 'Zoë' })).toEqual(['customer.surname']);
    const named = { 'customer.givenName': 'Zoë', 'customer.surname': "O'Neill" };
    expect(faults({ ...sent, ...named })).toEqual([]);
  });

  it('one half of a name brings the duty to send the other', () => {
    expect(faults({ 'customer.surname': 'Łukasz' })).toEqual(['customer.givenName']);
    expect(faults({ 'customer.givenName': 'Zoë' })).toEqual(['customer.surname']);
  });

  it.each([
    { 'customer.ip': '192.0.2.1' },
    { 'customer.merchantCustomerId': 'c-17' },
    { 'customer.browser.acceptHeader': 'text/html', 'customer.browser.deviceId': 'd' },
    { 'customer.browserFingerprint.id': 'f' },
    { 'customer.app.deviceId': 'a' },
    { 'shipping.customer.email': 'zoe@example.org' },
  ])('%j says nothing of a person who is billed', (sent) => {
    expect(faults(sent)).toEqual([]);
  });
});

describe('the document of a customer (Interface 2.9)', () => {
  const named = { 'customer.givenName': 'Zoë', 'customer.surname': 'Jones' };
  it('has a kind and a number, or neither', () => {
    const type = { 'customer.identificationDocType': 'IDCARD' };
    const id = { 'customer.identificationDocId': '12345678' };
    expect(faults({ ...named, ...type })).toEqual(['customer.identificationDocId']);
    expect(faults({ ...named, ...id })).toEqual(['customer.identificationDocType']);
    expect(faults({ ...named, ...type, ...id })).toEqual([]);
    expect(faults(named)).toEqual([]);
  });
});

describe('checkoutThatPays (wire contract 3)', () => {
  it('a checkout says type, amount and currency', () => {
    expect(faultsOf('checkout', {})).toEqual(['amount', 'currency', 'paymentType']);
    expect(faultsOf('checkout', { createRegistration: 'false' })).toHaveLength(3);
    expect(faultsOf('checkout', paid)).toEqual([]);
  });

  it('one that only registers says none of them', () => {
    expect(faultsOf('checkout', { createRegistration: 'true' })).toEqual([]);
  });

  it('one that pays and registers says all of them', () => {
    const both = { createRegistration: 'true', paymentType: 'DB' };
    expect(faultsOf('checkout', both)).toEqual(['amount', 'currency']);
    expect(faultsOf('checkout', { ...both, ...paid })).toEqual([]);
  });
});

describe('purposeOfTransfer (Interface 2.3)', () => {
  const countries = ['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND'];
  const to = (country: string, code = 'FUNDING') => ({
    transactionProcessingCode: code,
    'recipient.country': country,
  });

  it.each(countries)('a transfer to %s states its purpose', (country) => {
    for (const code of ['FUNDING', 'PAYMENT']) {
      expect(faults(to(country, code))).toEqual(['transactionPurposeCode']);
      expect(faults({ ...to(country, code), transactionPurposeCode: 'ISSTDY' })).toEqual([]);
    }
    expect(faults(to(country, 'PURCHASE'))).toEqual([]);
    expect(faults({ 'recipient.country': country })).toEqual([]);
  });

  it('elsewhere it need not', () => {
    for (const country of ['DEU', 'BRA', 'USA']) expect(faults(to(country))).toEqual([]);
    expect(faults({ transactionProcessingCode: 'PAYMENT' })).toEqual([]);
    expect(faults({ ...to('DEU'), 'sender.country': 'IND' })).toEqual([]);
  });
});

describe('a checkout (Interface 4)', () => {
  it.each([
    ['merchantInvoiceId', 'short'],
    ['merchantMemo', 'short'],
    ['lifecycleId', 'x'.repeat(36)],
    ['descriptor', 'x'.repeat(128)],
    ['merchant.country', 'de'],
    ['corporate.phone', 'none'],
    ['sender.country', 'DE'],
    ['recipient.country', 'zz'],
    ['paymentType', 'CP'],
    ['overridePaymentType[VISA]', 'ZZ'],
  ])('looks at %s', (name, value) => {
    expect(faultsOf('checkout', { ...paid, [name]: value })).toEqual([name]);
  });
});

describe('a risk check', () => {
  const { paymentType: _, ...money } = paid;
  const account = {
    'bankAccount.holder': 'Jane Jones',
    'bankAccount.iban': 'DE23100000001234567890',
    'bankAccount.bic': 'MARKDEF1100',
  };

  it.each([card, account, { 'virtualAccount.accountId': 'jane' }])('is of %j', (sent) => {
    expect(faultsOf('risk', { ...money, ...sent })).toEqual([]);
  });

  it('is of a card where it takes no other account', () => {
    const token = { 'tokenAccount.number': '4200000000000000', 'tokenAccount.type': 'NETWORK' };
    for (const sent of [{}, token]) {
      expect(faultsOf('risk', { ...money, ...sent })).toEqual(Object.keys(card));
    }
    expect(faultsOf('risk', { ...money, 'bankAccount.holder': 'Jane Jones' })).toEqual([
      'bankAccount.number',
      'bankAccount.bankCode',
    ]);
  });
});

describe('what the widget posts (Interface 2.18, wire contract 10)', () => {
  it('has custom parameters whose names begin with SHOPPER_', () => {
    const named = (name: string) => ({ ...card, [`customParameters[${name}]`]: 'x' });
    expect(faultsOf('widgetPayment', named('SHOPPER_note'))).toEqual([]);
    expect(faultsOf('widgetPayment', named('note'))).toEqual(['customParameters[note]']);
    expect(faultsOf('checkout', { ...paid, ...named('note') })).toEqual([]);
    const [error] = violations(formOf(named('note')), 'widgetPayment', 'INTERNAL');
    expect(error?.message).toContain('must begin with SHOPPER_');
  });

  it('needs neither amount nor access, and no card beside another account', () => {
    expect(faultsOf('widgetPayment', card)).toEqual([]);
    expect(faultsOf('widgetPayment', {})).toEqual(Object.keys(card));
    const virtual = { 'virtualAccount.accountId': 'jane', paymentBrand: 'PAYPAL' };
    expect(faultsOf('widgetPayment', virtual)).toEqual([]);
    const debit = { paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.country': 'DE' };
    expect(faultsOf('widgetPayment', debit)).toEqual([
      'bankAccount.holder',
      'bankAccount.number',
      'bankAccount.bankCode',
    ]);
  });

  it('leaves to the checkout what the checkout may know', () => {
    const some = { 'customer.email': 'zoe@example.org', 'billing.city': 'Berlin' };
    expect(faultsOf('widgetPayment', { ...card, ...some })).toEqual([]);
  });
});

describe('operations on a transaction (Interface 4: parameters as in 2.3)', () => {
  it.each([
    ['transactionCategory', 'E-C'],
    ['locale', 'x'.repeat(11)],
    ['forex.amount', '1.5'],
    ['promotionCode', 'a-b'],
    ['transactionBai', 'AFT'],
    ['transactionTti', 'F112'],
    ['taxAmount', '1.5'],
    ['discountAmount', '1.5'],
    ['transactionPurposeCode', 'x'.repeat(13)],
  ])('look at %s', (name, value) => {
    const sent = { amount: '1.00', currency: 'EUR', [name]: value };
    for (const [kind, paymentType] of [
      ['capture', 'CP'],
      ['reversal', 'RV'],
      ['receipt', 'RC'],
    ] as const) {
      expect(faultsOf(kind, { ...sent, paymentType })).toEqual([name]);
    }
  });
});

describe('a report (wire contract 6)', () => {
  const days = { 'date.from': '2026-01-01', 'date.to': '2026-02-01' };

  it('looks at its currency, page and type', () => {
    const right = { currency: 'ANG', pageNo: '2', reconciliationType: 'CHARGEBACK REVERSAL' };
    expect(faultsOf('report', { ...days, ...right })).toEqual([]);
    const wrong = { currency: 'zzz', pageNo: 'abc', reconciliationType: 'nonsense' };
    expect(faultsOf('report', { ...days, ...wrong })).toEqual(Object.keys(wrong));
    expect(faultsOf('report', wrong)).toEqual(expect.arrayContaining(Object.keys(wrong)));
  });
});

describe('a schedule (wire contract 6)', () => {
  const registrationId = '8ac7a4a0870f0a2d01870f1d0d4e1b2c';
  const { paymentBrand: _, ...money } = paid;

  it('is of a registration', () => {
    expect(faultsOf('schedule', money)).toEqual(['registrationId']);
    expect(faultsOf('schedule', { ...money, ...card })).toEqual(['registrationId']);
    expect(faultsOf('schedule', { ...money, registrationId })).toEqual([]);
  });

  it.each(['none', registrationId.slice(1), `${registrationId}a`, `${registrationId.slice(1)}-`])(
    'is of none that is called %s',
    (name) => {
      expect(faultsOf('schedule', { ...money, registrationId: name })).toEqual(['registrationId']);
      expect(faultsWithoutCard({ paymentBrand: 'VISA', registrationId: name })).toEqual([
        'registrationId',
      ]);
    },
  );
});

describe('a registration (Interface 2.16)', () => {
  it('looks at createRegistration', () => {
    expect(faultsOf('registration', { ...card, createRegistration: 'true' })).toEqual([]);
    expect(faultsOf('registration', { ...card, createRegistration: 'yes' })).toEqual([
      'createRegistration',
    ]);
  });

  it.each([
    ['amount', '92.00'],
    ['currency', 'EUR'],
    ['paymentType', 'DB'],
    ['paymentType', 'PA'],
    ['createRegistration', 'false'],
  ])('takes no %s=%s, which would promise a payment, or nothing', (name, value) => {
    expect(faultsOf('registration', { ...card, [name]: value })).toEqual([name]);
  });

  it('may say what it is', () => {
    expect(faultsOf('registration', { ...card, paymentType: 'RG' })).toEqual([]);
    expect(faultsOf('registration', { ...card, amount: '', currency: '' })).toEqual([]);
  });
});

describe('overrideHolder (Interface 2.16)', () => {
  it('is of a payment by registration', () => {
    expect(faults({ overrideHolder: 'true' })).toEqual(['overrideHolder']);
    expect(faults({ overrideHolder: 'false' })).toEqual([]);
    const stored = { registrationId: '0'.repeat(32), overrideHolder: 'true' };
    expect(faultsWithoutCard(stored)).toEqual([]);
  });
});

describe('house numbers (Interface 2.10, 2.11)', () => {
  it.each(['billing', 'shipping', 'merchant.billing', 'merchant.shipping'])(
    'the second of %s needs the first',
    (address) => {
      const [first, second] = [`${address}.houseNumber1`, `${address}.houseNumber2`];
      const street = { [`${address}.street1`]: 'Main Street' };
      expect(faults({ ...street, [second]: 'b' })).toEqual([first]);
      expect(faults({ ...street, [first]: '7' })).toEqual([]);
      expect(faults({ ...street, [first]: '7', [second]: 'b' })).toEqual([]);
    },
  );

  it("of one address do not stand for another's", () => {
    const [own, other] = ['merchant.billing.houseNumber1', 'billing.houseNumber1'];
    expect(faults({ 'merchant.billing.houseNumber2': 'b', [other]: '7' })).toEqual([own]);
  });
});

describe('a recurring migration (Interface 2.16)', () => {
  it('says the type of its first payment', () => {
    const migration = { 'recurringMigration.amount': '10.00' };
    const type = { 'recurringMigration.paymentType': 'DB' };
    expect(faultsOf('registration', { ...card, ...migration })).toEqual(Object.keys(type));
    expect(faultsOf('registration', { ...card, ...migration, ...type })).toEqual([]);
    expect(faultsOf('registration', card)).toEqual([]);
  });

  it('is of a registration request, and refused elsewhere', () => {
    const migration = {
      'recurringMigration.paymentType': 'DB',
      'recurringMigration.connectorTxId1': '8819462043',
    };
    expect(faults(migration)).toEqual(Object.keys(migration));
    expect(faults({ ...migration, createRegistration: 'true' })).toEqual(Object.keys(migration));
  });
});
