import type { Kind } from '@sluice/parameters';
import type { Combination } from './combination.js';
import { accounts } from './account-combinations.js';
import { agreements } from './agreement-combinations.js';
import { fractions } from './fraction-combinations.js';
import { providers } from './provider-combinations.js';
import { streets } from './street-combinations.js';
import { billingAddress, browser, named, type SentParameter } from './valid-requests.js';

const OWN_NUMBER = '4200000000000000';
const authentication: readonly SentParameter[] = [
  ['threeDSecure.authenticationInd', 'PAYMENT'],
  ...billingAddress,
  ...browser,
];

/** Every parameter of these is demanded beside the others. */
function eachMissing(
  rule: string,
  kind: Kind,
  parameters: readonly SentParameter[],
  demanded: readonly SentParameter[],
): Combination[] {
  return demanded.map(([name]) => ({
    rule: `${rule}, without ${name}`,
    kind,
    more: parameters.filter(([each]) => each !== name),
    refused: [name],
  }));
}

/** Identifiers of merchants are never altered, so the card's own number is refused there (D-43). */
const identifiers = [
  'merchantTransactionId',
  'merchantInvoiceId',
  'lifecycleId',
  'standingInstruction.agreementId',
  'standingInstruction.initialTransactionId',
  'shipping.trackingNumber',
  'customer.merchantCustomerId',
  'cart.items[0].merchantItemId',
  'cart.items[0].sku',
  'cart.items[0].sellerId',
  'cart.items[0].productCode',
  'cart.items[0].shippingTrackingNumber',
  'marketPlace.sellers[0].id',
  'merchant.submerchantId',
  'airline.passengers[0].ticketNumber',
  'risk.accountToken',
  'sender.identificationValue',
  'corporate.vatId',
];

function ownNumbers(): Combination[] {
  return identifiers.map((name) => ({
    rule: 'no card number in an identifier',
    kind: 'payment',
    more: [[name, OWN_NUMBER]],
    refused: [name],
  }));
}

function asked(
  rule: string,
  more: readonly SentParameter[],
  ...refused: readonly string[]
): Combination {
  return { rule: `3-D Secure: ${rule}`, kind: 'payment', more, refused };
}

function authentications(): Combination[] {
  const useCase = 'threeDSecure.schemeData[CB-USECASE]';
  const items: SentParameter = ['threeDSecure.schemeData[CB-ITEMSNB]', '1'];
  const installments: SentParameter = ['standingInstruction.type', 'INSTALLMENT'];
  const number = 'standingInstruction.numberOfInstallments';
  const indicator = 'threeDSecure.challengeIndicator';
  const exemption = 'threeDSecure.exemptionFlag';
  return [
    ...eachMissing('3-D Secure', 'payment', authentication, [...billingAddress, ...browser]),
    asked('in an app', [['threeDSecure.deviceInfo', 'x'], ...billingAddress]),
    ...begunByMerchants(),
    asked('disabled', [
      ['threeDSecure.npa', 'true'],
      ['threeDSecure.disable', 'true'],
    ]),
    asked('said no', [
      ['threeDSecure.npa', 'false'],
      ['threeDSecure.decoupled', 'false'],
    ]),
    asked('who the merchant is', [
      ['threeDSecure.v2.visa.requestorId', '17'],
      ['threeDSecure.merchant.name', 'Shop'],
    ]),
    ...externalProofs(),
    asked('installments', [...authentication, installments], number),
    asked('installments', [...authentication, installments, [number, '3']]),
    asked('the national scheme', [...authentication, items], useCase),
    asked('the national scheme', [...authentication, items, [useCase, '01']]),
    asked(
      'before 2.2',
      [
        ['threeDSecure.version', '2.1.0'],
        [indicator, '01'],
      ],
      indicator,
    ),
    asked(
      'before 2.2',
      [
        ['threeDSecure.version', '1.0.2'],
        [exemption, '01'],
      ],
      exemption,
    ),
    asked('from 2.2 on', [
      ['threeDSecure.version', '2.2.0'],
      [indicator, '01'],
      [exemption, '01'],
    ]),
  ];
}

/** Interface 2.17: without the shopper, of whom issuers are told threeRIInd and no other purpose. */
function begunByMerchants(): Combination[] {
  const channel = 'threeDSecure.channel';
  const purpose = 'threeDSecure.authenticationInd';
  const begun: readonly SentParameter[] = [[channel, '3'], ...billingAddress];
  const series: SentParameter = ['threeDSecure.threeRIInd', 'RECURRING'];
  return [
    asked('begun by the merchant', begun),
    asked('begun by the merchant for what is not told', [...begun, [purpose, 'ADD_CARD']], purpose),
    asked('begun by the merchant to pay', [...begun, [purpose, 'PAYMENT']]),
    asked('begun by the merchant in a series', [...begun, series, [purpose, 'RECURRING']]),
    asked('begun by the merchant in two ways', [...begun, series, [purpose, 'PAYMENT']], purpose),
    asked('begun by a shopper', [[channel, '02'], ...billingAddress], channel),
  ];
}

/** Interface 2.17: what an external server found out agrees with itself and with the network, VISA here. */
function externalProofs(): Combination[] {
  const [eci, id] = ['threeDSecure.eci', 'threeDSecure.dsTransactionId'];
  const status = 'threeDSecure.authenticationStatus';
  const cryptogram = 'threeDSecure.verificationId';
  const proof: SentParameter = [cryptogram, 'AAACAgSRBklmQCFgMpEGAAAAAAA='];
  const uuid: SentParameter = [id, 'c75f23af-9454-43f6-ba17-130ed529507e'];
  const version: SentParameter = ['threeDSecure.version', '2.2.0'];
  return [
    asked('proofs need no address', [[eci, '05'], [status, 'Y'], proof]),
    asked('an id beside its proof', [[eci, '05'], [status, 'Y'], proof, uuid, version]),
    asked(
      'an indicator without its cryptogram',
      [
        [eci, '05'],
        [status, 'Y'],
      ],
      cryptogram,
    ),
    asked('of another network', [[eci, '02'], proof], eci),
    asked('of another outcome', [[eci, '07'], [status, 'Y'], proof], eci),
    asked('a status by itself', [[status, 'Y']], status),
    asked('a status that claims nothing', [[status, 'N']]),
    asked('an id by itself', [uuid], id),
    asked('an id of another version', [[eci, '05'], proof, [id, 'x'.repeat(36)], version], id),
  ];
}

function banks(): Combination[] {
  const bank = (
    rule: string,
    more: Readonly<Record<string, string>>,
    drop: readonly string[],
    ...refused: readonly string[]
  ): Combination => ({
    rule,
    kind: 'bankAccountPayment',
    more: Object.entries(more),
    drop,
    refused,
  });
  const [iban, bic] = ['bankAccount.iban', 'bankAccount.bic'];
  const number = { 'bankAccount.number': '532013000' };
  const shopperResultUrl = 'https://shop.example/result';
  const all = ['bankAccount.holder', iban, bic];
  const account = ['bankAccount.holder', 'bankAccount.number', 'bankAccount.bankCode'];
  return [
    bank('an account has a number', {}, [iban], 'bankAccount.number'),
    bank('a number has a bank', number, [iban, bic], 'bankAccount.bankCode'),
    bank('an IBAN has a bank', {}, [bic], 'bankAccount.bankCode'),
    bank('a direct debit has an account', { 'bankAccount.country': 'DE' }, all, ...account),
    ...['SOFORTUEBERWEISUNG', 'GIROPAY', 'IDEAL', 'PAYPAL', 'PAYTRAIL'].map((paymentBrand) =>
      bank(
        'a bank transfer needs the country alone',
        { paymentBrand, 'bankAccount.country': 'DE', shopperResultUrl },
        all,
      ),
    ),
    ...['GIROPAY', 'IDEAL', 'PAYPAL'].map((paymentBrand) =>
      bank(
        'a shopper who pays at the bank comes back to somewhere',
        // A CD pays out, and sends nobody anywhere.
        { paymentType: 'DB', paymentBrand, 'bankAccount.country': 'DE' },
        all,
        'shopperResultUrl',
      ),
    ),
    ...['SOFORTUEBERWEISUNG', 'GIROPAY', 'IDEAL', 'EPS', 'PAYTRAIL'].map((paymentBrand) =>
      bank('a bank transfer is told what the merchant knows', { paymentBrand, shopperResultUrl }, [
        iban,
      ]),
    ),
    bank(
      'an account of no bank method is told whole',
      { paymentBrand: 'PAYPAL', shopperResultUrl },
      [iban],
      'bankAccount.number',
    ),
    bank('an account has one number', number, []),
    bank(
      'an account has one number',
      { 'bankAccount.number': '3704004' },
      [],
      'bankAccount.number',
    ),
    bank('a number and its bank', number, [iban]),
    bank('a number and its bank', { ...number, 'bankAccount.bankCode': '37040044' }, [iban, bic]),
  ];
}

function purposes(): Combination[] {
  const countries = ['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND'];
  return ['FUNDING', 'PAYMENT'].flatMap((code) => {
    const transfer = (country: string): SentParameter[] => [
      ['transactionProcessingCode', code],
      ['recipient.country', country],
    ];
    const rule = 'the purpose of a transfer';
    return [
      ...countries.map<Combination>((country) => ({
        rule,
        kind: 'payment',
        more: transfer(country),
        refused: ['transactionPurposeCode'],
      })),
      { rule, kind: 'payment', more: transfer('DEU'), refused: [] },
    ];
  });
}

function queries(): Combination[] {
  const [from, to]: [SentParameter, SentParameter] = [
    ['date.from', '2026-01-01 00:00:00'],
    ['date.to', '2026-01-01 00:00:01'],
  ];
  const own: SentParameter = ['merchantTransactionId', 'rules-0'];
  const asked = (
    rule: string,
    more: readonly SentParameter[],
    ...refused: readonly string[]
  ): Combination => ({
    rule,
    kind: 'query',
    path: '/v3/query',
    drop: ['merchantTransactionId', 'date.from', 'date.to'],
    more,
    refused,
  });
  return [
    asked('a query is by something', [], 'merchantTransactionId'),
    asked('both ends of a time', [from], 'date.to'),
    asked('both ends of a time', [to], 'date.from'),
    asked('a time or an id', [own, from, to], 'merchantTransactionId'),
    asked('half a time beside an id', [own, from]),
    asked('a time has a length', [from, ['date.to', from[1]]], 'date.to'),
    asked(
      'a time goes on',
      [
        ['date.from', to[1]],
        ['date.to', from[1]],
      ],
      'date.to',
    ),
    asked('50,000 transactions', [own, ['limit', '500'], ['pageNo', '100']]),
    asked('50,000 transactions', [own, ['limit', '500'], ['pageNo', '101']], 'pageNo'),
  ];
}

/** Rules over several parameters (2.3 to 2.19). */
export const combinations: readonly Combination[] = [
  ...eachMissing('a customer has a name', 'payment', [...named, ['customer.sex', 'F']], named),
  { rule: 'a browser needs no name', kind: 'payment', more: browser, refused: [] },
  ...eachMissing(
    'documents',
    'payment',
    [
      ...named,
      ['customer.identificationDocType', 'PASSPORT'],
      ['customer.identificationDocId', 'C01X00T478'],
    ],
    [
      ['customer.identificationDocType', ''],
      ['customer.identificationDocId', ''],
    ],
  ),
  ...authentications(),
  ...agreements(),
  ...streets(),
  ...banks(),
  ...purposes(),
  ...ownNumbers(),
  ...queries(),
  ...fractions(),
  {
    rule: 'the brand where none is detected',
    kind: 'payment',
    more: [['card.number', '9999999999']],
    drop: ['paymentBrand'],
    refused: ['paymentBrand'],
  },
  { rule: 'the brand is detected', kind: 'payment', more: [], drop: ['paymentBrand'], refused: [] },
  {
    rule: 'a wallet has a token',
    kind: 'walletPayment',
    more: [['applePay.cardNetwork', 'visa']],
    drop: ['applePay.paymentToken'],
    refused: ['applePay.paymentToken'],
  },
  {
    rule: 'a decrypted wallet has a source',
    kind: 'payment',
    more: [['googlePay.source', 'web']],
    refused: [],
  },
  {
    rule: 'a card out of a wallet has a source',
    kind: 'payment',
    more: [['applePay.cardType', 'credit']],
    refused: ['applePay.source'],
  },
  {
    rule: 'a decrypted wallet has a card',
    kind: 'walletPayment',
    more: [['applePay.source', 'web']],
    drop: ['applePay.paymentToken'],
    refused: ['card.number', 'card.expiryMonth', 'card.expiryYear'],
  },
  ...accounts(),
  ...providers(),
  {
    rule: 'a registration needs no card',
    kind: 'payment',
    more: [['registrationId', '0123456789abcdef0123456789abcdef']],
    drop: ['card.number', 'card.expiryMonth', 'card.expiryYear', 'card.cvv'],
    refused: [],
  },
  {
    rule: 'an empty registration is none',
    kind: 'payment',
    more: [['registrationId', '']],
    drop: ['card.number', 'card.expiryMonth', 'card.expiryYear', 'card.cvv'],
    refused: ['card.number', 'card.expiryMonth', 'card.expiryYear'],
  },
  ...['PAYPAL', 'KLARNA_INVOICE', 'GIROPAY', 'APPLEPAY'].map<Combination>((paymentBrand) => ({
    rule: 'what is no card needs none',
    kind: 'payment',
    more: [
      ['paymentBrand', paymentBrand],
      ['shopperResultUrl', 'https://shop.example/result'],
    ],
    drop: ['card.number', 'card.expiryMonth', 'card.expiryYear', 'card.cvv'],
    refused: [],
  })),
  {
    rule: 'the sender pays with a card of his own',
    kind: 'payment',
    more: [
      ['sender.accountNumberType', 'CARD_ACCOUNT'],
      ['sender.accountNumber', OWN_NUMBER],
    ],
    refused: [],
  },
  ...['ip', 'device-type', 'jane@shop.example', 'x'.repeat(64)].map<Combination>((name) => ({
    rule: 'names of risk parameters',
    kind: 'payment',
    more: [[`risk.parameters[${name}]`, 'x']],
    refused: [],
  })),
  {
    rule: 'names of risk parameters have 64 characters at most',
    kind: 'payment',
    more: [[`risk.parameters[${'x'.repeat(65)}]`, 'x']],
    refused: [`risk.parameters[${'x'.repeat(65)}]`],
  },
  {
    rule: 'an amount has a currency',
    kind: 'reversal',
    more: [['amount', '1.00']],
    refused: ['currency'],
  },
  {
    rule: 'a reference to nothing',
    kind: 'payment',
    more: [
      ['paymentType', 'PA'],
      ['referenceUuid', 'ffffffffffffffffffffffffffffffff'],
      ['standingInstruction.industryPractice', 'INCREMENTAL_AUTH'],
    ],
    refused: ['referenceUuid'],
  },
  {
    rule: 'payment types only when a checkout is made',
    kind: 'payment',
    more: [['overridePaymentType[VISA]', 'PA']],
    refused: ['overridePaymentType[VISA]'],
  },
];
