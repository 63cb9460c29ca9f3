import type { Kind } from '@sluice/parameters';
import { billingAddress, browser, named, type SentParameter } from './valid-requests.js';

/** What must or must not come together, broken or kept in one way. */
export interface Combination {
  readonly rule: string;
  readonly kind: Kind;
  readonly more: readonly SentParameter[];
  /** Left out of the valid request before the others are added. */
  readonly drop?: readonly string[];
  /** In place of the valid request's. */
  readonly path?: string;
  readonly refused: readonly string[];
}

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
];

function ownNumbers(): Combination[] {
  return identifiers.map((name) => ({
    rule: 'no card number in an identifier',
    kind: 'payment',
    more: [[name, OWN_NUMBER]],
    refused: [name],
  }));
}

function streets(address: 'billing' | 'shipping'): Combination[] {
  const rule = 'a street is not digits only';
  const street = (...lines: readonly string[]): SentParameter[] =>
    lines.map((line, index) => [`${address}.street${index + 1}`, line]);
  const refused = [`${address}.street1`];
  return [
    { rule, kind: 'payment', more: street('17'), refused },
    { rule, kind: 'payment', more: street('17', '4 5'), refused },
    { rule, kind: 'payment', more: street('17', 'Long Street'), refused: [] },
    { rule, kind: 'payment', more: street('Long Street', '17'), refused: [] },
    {
      rule,
      kind: 'payment',
      more: [...street('17', 'Long Street'), [`${address}.houseNumber1`, '4']],
      refused,
    },
    {
      rule: 'house numbers',
      kind: 'payment',
      more: [[`${address}.houseNumber2`, '4']],
      refused: [`${address}.houseNumber1`],
    },
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
  ...eachMissing('3-D Secure', 'payment', authentication, [...billingAddress, ...browser]),
  {
    rule: '3-D Secure in an app',
    kind: 'payment',
    more: [['threeDSecure.deviceInfo', 'x'], ...billingAddress],
    refused: [],
  },
  {
    rule: 'proofs of 3-D Secure need no address',
    kind: 'payment',
    more: [
      ['threeDSecure.eci', '05'],
      ['threeDSecure.authenticationStatus', 'Y'],
    ],
    refused: [],
  },
  ...streets('billing'),
  ...streets('shipping'),
  ...purposes(),
  ...ownNumbers(),
  ...queries(),
  {
    rule: 'the brand where none is detected',
    kind: 'payment',
    more: [['card.number', '9999999999']],
    drop: ['paymentBrand'],
    refused: ['paymentBrand'],
  },
  { rule: 'the brand is detected', kind: 'payment', more: [], drop: ['paymentBrand'], refused: [] },
  {
    rule: 'an account has a number',
    kind: 'bankAccountPayment',
    more: [],
    drop: ['bankAccount.iban'],
    refused: ['bankAccount.number', 'bankAccount.iban', 'bankAccount.bankCode', 'bankAccount.bic'],
  },
  {
    rule: 'a number has a bank',
    kind: 'bankAccountPayment',
    more: [['bankAccount.number', '532013000']],
    drop: ['bankAccount.iban'],
    refused: ['bankAccount.bankCode', 'bankAccount.bic'],
  },
  ...['bankAccount.bankCode', 'bankAccount.bic'].map<Combination>((bank) => ({
    rule: 'a number and its bank',
    kind: 'bankAccountPayment',
    more: [
      ['bankAccount.number', '532013000'],
      [bank, 'DEUTDEFF'],
    ],
    drop: ['bankAccount.iban'],
    refused: [],
  })),
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
    rule: 'a wallet has a token or a source',
    kind: 'payment',
    more: [['applePay.cardType', 'credit']],
    refused: ['applePay.paymentToken', 'applePay.source'],
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
