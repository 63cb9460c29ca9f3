import { describe, expect, it } from '@jest/globals';
import type { Form } from './form.js';
import { parseForm } from './form-parser.js';
import type { Kind } from './kinds.js';
import { checkForm, violations } from './violations.js';

type Sent = Readonly<Record<string, string>>;

function formOf(parameters: Sent): Form {
  const parsed = parseForm(new URLSearchParams(parameters).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.form;
}

const paid = { amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'VISA' };
const card = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};

/** Interface 2.9 and 2.10: what an authentication by 3-D Secure version 2 needs. */
const address = {
  'billing.street1': 'Main Street 1',
  'billing.city': 'New York',
  'billing.postcode': 'SW1A 1AA',
  'billing.country': 'US',
};
const browser = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en-GB',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
};

/** The names at fault when this is sent with a payment by card that is right. */
function faults(sent: Sent): readonly string[] {
  return checkForm(formOf({ ...paid, ...card, ...sent }), 'payments', 'INTERNAL').violations.map(
    ({ name }) => name,
  );
}

/** The names at fault when this alone is sent as a request of this kind. */
function faultsOf(kind: Kind, sent: Sent): readonly string[] {
  return violations(formOf(sent), kind, 'INTERNAL').map(({ name }) => name);
}

/** Of `paid` without a card. */
function faultsWithoutCard(sent: Sent): readonly string[] {
  return checkForm(formOf({ ...paid, ...sent }), 'payments', 'INTERNAL').violations.map(
    ({ name }) => name,
  );
}

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
        const sent = { paymentBrand, ...told };
        expect(faultsWithoutCard(sent)).toEqual([]);
        expect(faultsOf('checkout', { ...paid, ...sent })).toEqual([]);
        expect(faultsOf('registration', sent)).toEqual([]);
      }
    },
  );

  it('of a brand that is no bank method needs nothing but its country, or else all of it', () => {
    const country = { paymentBrand: 'PAYPAL', 'bankAccount.country': 'DE' };
    expect(faultsWithoutCard(country)).toEqual([]);
    expect(faultsWithoutCard({ ...country, ...bic })).toEqual([
      ...['bankAccount.holder', 'bankAccount.number'],
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
    expect(faultsOf('registration', { ...virtual, paymentBrand: 'PAYPAL' })).toEqual([]);
    const token = { 'tokenAccount.number': '4200000000000000', paymentBrand: 'VISA' };
    expect(faultsOf('registration', token)).toEqual(['tokenAccount.type']);
    expect(faultsOf('registration', { ...token, 'tokenAccount.type': 'NETWORK' })).toEqual([]);
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
  it.each(['applePay', 'googlePay', 'samsungPay'])('%s is used by its token', (wallet) => {
    expect(faultsWithoutCard({ [`${wallet}.paymentToken`]: '{}' })).toEqual([]);
  });

  it('wants the token when there is nothing else of it', () => {
    expect(faultsWithoutCard({ 'applePay.cardNetwork': 'Visa' })).toEqual([
      'applePay.paymentToken',
    ]);
  });

  it.each(['applePay', 'googlePay', 'samsungPay'])(
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

describe('an authentication by 3-D Secure version 2 (Interface 2.9, 2.10, 2.17)', () => {
  const asked = { 'threeDSecure.authenticationInd': 'PAYMENT' };

  it.each([
    ['threeDSecure.eci', '05'],
    ['threeDSecure.verificationId', 'A'.repeat(28)],
    ['threeDSecure.dsTransactionId', 'c75f23af-9454-43f6-ba17-130ed529507e'],
  ])('is not asked for where %s of an external server came', (key, value) => {
    expect(faults({ ...asked, 'threeDSecure.npa': 'true', [key]: value })).toEqual([]);
  });

  it.each([
    asked,
    { 'threeDSecure.npa': 'true' },
    { 'threeDSecure.decoupled': 'true' },
    { 'threeDSecure.npa': 'false', 'threeDSecure.decoupled': 'true' },
  ])('%j needs address and browser', (sent) => {
    expect(faults(sent)).toEqual([...Object.keys(browser), ...Object.keys(address)]);
    expect(faults({ ...sent, ...address })).toEqual(Object.keys(browser));
    expect(faults({ ...sent, ...browser })).toEqual(Object.keys(address));
    expect(faults({ ...sent, ...browser, ...address })).toEqual([]);
  });

  it.each([
    { 'threeDSecure.deviceInfo': 'device' },
    { 'threeDSecure.channel': '3' },
    { 'threeDSecure.threeRIInd': 'RECURRING' },
  ])('%j needs the address, and has no browser', (sent) => {
    expect(faults(sent)).toEqual(Object.keys(address));
    expect(faults({ ...sent, ...address })).toEqual([]);
  });

  it.each([
    { 'threeDSecure.eci': '05', 'threeDSecure.dsTransactionId': 'd'.repeat(36) },
    { 'threeDSecure.challengeIndicator': '04' },
    { 'threeDSecure.version': '2.2.0' },
    { 'threeDSecure.npa': 'false' },
    { 'threeDSecure.decoupled': 'false' },
    { 'threeDSecure.v2.visa.requestorId': 'r', 'threeDSecure.merchant.name': 'Shop' },
    { ...asked, 'threeDSecure.disable': 'true' },
    {},
  ])('%j asks for none', (sent) => {
    expect(faults(sent)).toEqual([]);
  });

  it('is asked for all the same when it is not disabled', () => {
    expect(faults({ ...asked, 'threeDSecure.disable': 'false' })).toHaveLength(11);
  });

  it('of a checkout learns the browser from the widget', () => {
    expect(faultsOf('checkout', { ...paid, ...asked })).toEqual(Object.keys(address));
  });

  it('says how many installments there may be', () => {
    const complete = { ...asked, ...browser, ...address };
    const installments = { 'standingInstruction.type': 'INSTALLMENT' };
    const number = { 'standingInstruction.numberOfInstallments': '12' };
    const missing = ['standingInstruction.numberOfInstallments'];
    expect(faults({ ...complete, ...installments })).toEqual(missing);
    expect(faults({ ...complete, ...installments, ...number })).toEqual([]);
    expect(faults({ ...complete, 'standingInstruction.type': 'RECURRING' })).toEqual([]);
    expect(faults(installments)).toEqual([]);
  });

  it('tells the national scheme the use case', () => {
    const complete = { ...asked, ...browser, ...address };
    const useCase = 'threeDSecure.schemeData[CB-USECASE]';
    const score = { 'threeDSecure.schemeData[CB-SCORE_MERCHANT]': '7' };
    const requestor = { 'threeDSecure.v2.cartebancaire.requestorId': 'r' };
    for (const national of [score, requestor]) {
      expect(faults({ ...complete, ...national })).toEqual([useCase]);
      expect(faults({ ...complete, ...national, [useCase]: '01' })).toEqual([]);
      const npa = { ...complete, ...national, 'threeDSecure.npa': 'true' };
      expect(faults(npa)).toEqual([]);
      for (const indicator of ['RECURRING', 'INSTALLMENT']) {
        expect(faults({ ...npa, 'threeDSecure.authenticationInd': indicator })).toEqual([useCase]);
      }
    }
    expect(faults(score)).toEqual([]);
    expect(faults({ ...complete, 'threeDSecure.v2.visa.requestorId': 'r' })).toEqual([]);
  });
});

describe('a request for an authentication alone (wire contract 6)', () => {
  const { paymentType: _, ...money } = paid;
  const asked = { ...money, ...card };

  it('needs the browser, and no address, as clients have always sent it', () => {
    const listed = { ...asked, shopperResultUrl: 'https://shop.example/result' };
    expect(faultsOf('threeDSecure', listed)).toEqual(Object.keys(browser));
    expect(faultsOf('threeDSecure', { ...listed, ...browser })).toEqual([]);
  });

  it.each([
    { 'threeDSecure.authenticationInd': 'PAYMENT' },
    { 'threeDSecure.npa': 'true' },
    { 'threeDSecure.decoupled': 'true' },
  ])('that says %j asks for version 2, and needs the address', (wish) => {
    const sent = { ...asked, ...browser, ...wish };
    expect(faultsOf('threeDSecure', sent)).toEqual(Object.keys(address));
    expect(faultsOf('threeDSecure', { ...sent, ...address })).toEqual([]);
  });

  it('from an app has no browser', () => {
    const fromApp = { ...asked, 'threeDSecure.deviceInfo': 'device' };
    expect(faultsOf('threeDSecure', fromApp)).toEqual(Object.keys(address));
    expect(faultsOf('threeDSecure', { ...fromApp, ...address })).toEqual([]);
  });

  it.each([
    ['merchantTransactionId', 'short'],
    ['transactionCategory', 'E-C'],
    ['merchant.country', 'de'],
    ['threeDSecure.challengeIndicator', '10'],
    ['threeDSecure.exemptionFlag', '05'],
    ['threeDSecure.schemeData[CB-ITEMSNB]', 'two'],
    ['standingInstruction.expiry', 'tomorrow'],
  ])('looks at %s', (name, value) => {
    const useCase = { 'threeDSecure.schemeData[CB-USECASE]': '01' };
    const sent = { ...asked, ...browser, ...address, ...useCase, [name]: value };
    expect(faultsOf('threeDSecure', sent)).toEqual([name]);
  });

  it('says how many installments there may be', () => {
    const sent = { ...asked, ...browser, ...address, 'standingInstruction.type': 'INSTALLMENT' };
    const number = 'standingInstruction.numberOfInstallments';
    expect(faultsOf('threeDSecure', sent)).toEqual([number]);
    expect(faultsOf('threeDSecure', { ...sent, [number]: '12' })).toEqual([]);
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
      expect(faultsWithoutCard({ paymentBrand: 'VISA', registrationId: name })).toEqual([]);
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

describe("the time zone of the shopper's browser (Interface 2.9)", () => {
  const timezone = 'customer.browser.timezone';

  it.each(['0', '-60', '+840', '-9999', '99999'])('may be %s', (value) => {
    expect(faults({ [timezone]: value })).toEqual([]);
    expect(faults({ [`shipping.${timezone}`]: value })).toEqual([]);
  });

  it.each(['100000', '-12345', 'CET', '1.5', '-', '+05:30', '٣'])('is not %s', (value) => {
    expect(faults({ [timezone]: value })).toEqual([timezone]);
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
});
