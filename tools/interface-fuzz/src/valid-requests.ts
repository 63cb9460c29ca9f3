import type { Kind } from '@sluice/parameters';
import type { SeededRandom } from '@sluice/testing';

/** A parameter as it is sent, before it is encoded. */
export type SentParameter = readonly [name: string, value: string];

/** What a sandbox under test has. */
export interface RequestContext {
  readonly entityId: string;
  readonly accessToken: string;
  /** Authorizations that requests can refer to. */
  readonly paymentIds: readonly string[];
  /** Stored cards. */
  readonly registrationIds: readonly string[];
}

/** Where a request of one kind goes, and the least that it must bring. */
export interface ValidRequest {
  readonly kind: Kind;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly parameters: readonly SentParameter[];
  /** Of these, the ones that the interface demands: each is refused by its name when it is missing. */
  readonly demanded: readonly string[];
}

type Make = (random: SeededRandom, paymentId: string) => Omit<ValidRequest, 'kind'>;

const money: readonly SentParameter[] = [
  ['amount', '92.00'],
  ['currency', 'EUR'],
];
const cardFields: readonly SentParameter[] = [
  ['card.number', '4200000000000000'],
  ['card.expiryMonth', '05'],
  ['card.expiryYear', '2034'],
];
/** Of nothing that is stored: whatever is right in it, nobody is charged every second. */
const scheduled: readonly SentParameter[] = [
  ['paymentType', 'SD'],
  ['registrationId', '8ac7a4a28d1f4b6e018d20a41b7e0c94'],
  ...money,
];
const brand: SentParameter = ['paymentBrand', 'VISA'];
const cvv: SentParameter = ['card.cvv', '123'];

/** What `more` has is not demanded by itself, or says by itself what is paid with. */
const newPayment = (
  demanded: readonly SentParameter[],
  more: readonly SentParameter[] = [],
): Make => {
  return (random) => ({
    method: 'POST',
    path: '/v1/payments',
    parameters: [['paymentType', random.pick(['PA', 'DB', 'CD'])], ...money, ...demanded, ...more],
    demanded: ['paymentType', ...[...money, ...demanded].map(([name]) => name)],
  });
};

const reference = (
  paymentType: string,
  demanded: readonly SentParameter[] = money,
  more: readonly SentParameter[] = [],
): Make => {
  return (_random, paymentId) => ({
    method: 'POST',
    path: `/v1/payments/${paymentId}`,
    parameters: [['paymentType', paymentType], ...demanded, ...more],
    demanded: ['paymentType', ...demanded.map(([name]) => name)],
  });
};

/** PA goes to the collection with `referenceUuid`, or to the transaction (D-33). */
const increment = (practice: string): Make => {
  const industryPractice: SentParameter = ['standingInstruction.industryPractice', practice];
  return (random, paymentId) =>
    random.chance(0.5)
      ? reference('PA', [...money, industryPractice])(random, paymentId)
      : {
          method: 'POST',
          path: '/v1/payments',
          parameters: [
            ['paymentType', 'PA'],
            ['referenceUuid', paymentId],
            industryPractice,
            ...money,
          ],
          demanded: ['paymentType', 'amount', 'currency', 'standingInstruction.industryPractice'],
        };
};

const search: Make = (random, paymentId) => {
  const path = random.pick(['/v1/query', '/v3/query']);
  return random.pick([
    {
      method: 'GET',
      path,
      parameters: [['merchantTransactionId', `rules-${paymentId}`]],
      demanded: ['merchantTransactionId'],
    },
    {
      method: 'GET',
      path,
      parameters: [
        ['date.from', '2026-01-01 00:00:00'],
        ['date.to', '2026-01-01 00:00:01'],
      ],
      demanded: ['date.from', 'date.to'],
    },
    { method: 'GET', path: `${path}/${paymentId}`, parameters: [], demanded: [] },
  ]);
};

/** The kinds that have a resource, each with the least of a valid request. */
export const validRequests: ReadonlyMap<Kind, Make> = new Map<Kind, Make>([
  ['payment', newPayment(cardFields, [brand, cvv])],
  [
    'walletPayment',
    newPayment([['paymentBrand', 'APPLEPAY']], [['applePay.paymentToken', '{"data":"QUJD"}']]),
  ],
  [
    'virtualAccountPayment',
    newPayment(
      [['paymentBrand', 'PAYPAL']],
      [
        ['virtualAccount.accountId', 'jane@shop.example'],
        ['shopperResultUrl', 'https://shop.example/result'],
      ],
    ),
  ],
  [
    'bankAccountPayment',
    newPayment(
      [
        ['bankAccount.holder', 'Jane Jones'],
        ['paymentBrand', 'DIRECTDEBIT_SEPA'],
      ],
      [
        ['bankAccount.iban', 'DE89370400440532013000'],
        ['bankAccount.bic', 'DEUTDEFF'],
      ],
    ),
  ],
  [
    'tokenPayment',
    newPayment([
      ['tokenAccount.number', '4200000000000000'],
      ['tokenAccount.type', 'NETWORK'],
      ['paymentBrand', 'VISA'],
    ]),
  ],
  [
    'giftCardPayment',
    newPayment([
      ['giftCard.number', '6006491260550218'],
      ['paymentBrand', 'GIFTCARD'],
    ]),
  ],
  ['capture', reference('CP')],
  ['reversal', reference('RV', [])],
  ['refund', reference('RF')],
  ['rebill', reference('RB')],
  ['receipt', reference('RC')],
  ['chargeback', reference('CB')],
  ['chargebackReversal', reference('CR')],
  ['incrementalAuthorization', increment('INCREMENTAL_AUTH')],
  ['reauthorization', increment('REAUTHORIZATION')],
  [
    'read',
    (_random, paymentId) => ({
      method: 'GET',
      path: `/v1/payments/${paymentId}`,
      parameters: [],
      demanded: [],
    }),
  ],
  ['query', search],
  [
    'registration',
    () => ({
      method: 'POST',
      path: '/v1/registrations',
      parameters: [...cardFields, brand],
      demanded: cardFields.map(([name]) => name),
    }),
  ],
  [
    'schedule',
    () => ({
      method: 'POST',
      path: '/scheduling/v1/schedules',
      parameters: scheduled,
      demanded: scheduled.map(([name]) => name),
    }),
  ],
]);

/** A request of this kind with nothing wrong and nothing to spare. */
export function validRequest(
  kind: Kind,
  random: SeededRandom,
  context: RequestContext,
): ValidRequest {
  const make = validRequests.get(kind);
  if (make === undefined) throw new Error(`no resource takes a ${kind}`);
  const request = make(random, random.pick(context.paymentIds));
  return {
    ...request,
    kind,
    parameters: [['entityId', context.entityId], ...request.parameters],
  };
}

/** Demanded beside anything that is known of a customer. */
export const named: readonly SentParameter[] = [
  ['customer.givenName', 'Jane'],
  ['customer.surname', 'Jones'],
];
/** Demanded for an authentication in a browser. */
export const browser: readonly SentParameter[] = [
  ['customer.browser.acceptHeader', 'text/html'],
  ['customer.browser.language', 'de'],
  ['customer.browser.screenHeight', '1080'],
  ['customer.browser.screenWidth', '1920'],
  ['customer.browser.timezone', '-60'],
  ['customer.browser.userAgent', 'Mozilla/5.0'],
  ['customer.browser.javaEnabled', 'false'],
];
/** Demanded for any authentication. */
export const billingAddress: readonly SentParameter[] = [
  ['billing.street1', 'Long Street 1'],
  ['billing.city', 'Munich'],
  ['billing.postcode', '80331'],
  ['billing.country', 'DE'],
];

/** Of installments and of the national scheme, where such data is in the request too (2.17, 2.18). */
const moreOfAuthentication: readonly SentParameter[] = [
  ['standingInstruction.numberOfInstallments', '12'],
  ['threeDSecure.schemeData[CB-USECASE]', '01'],
];

const NOT_OF_A_PERSON =
  /^customer\.(?:browser\.|browserFingerprint\.|app\.|ip$|merchantCustomerId$)/;
const OF_AUTHENTICATION =
  /^threeDSecure\.(?:authenticationInd|threeRIInd|channel|npa|decoupled|deviceInfo)$/;
/** What an external server says; a status has no indicator beside it, which may be that of another one. */
const FOUND_OUT = /^threeDSecure\.(?:eci|dsTransactionId|authenticationStatus)$/;
const WALLET = /^(applePay|googlePay|samsungPay|clickToPay)\./;

/**
 * What the interface demands beside a parameter, in requests that have the structure (2.3, 2.5,
 * 2.9, 2.10). Written down from the interface, not read from the catalogue's conditions.
 */
export function companionsOf(name: string): readonly SentParameter[] {
  if (name === 'customer.identificationDocType') {
    return [...named, ['customer.identificationDocId', 'C01X00T478']];
  }
  if (name === 'customer.identificationDocId') {
    return [...named, ['customer.identificationDocType', 'PASSPORT']];
  }
  if (name.startsWith('customer.') && !NOT_OF_A_PERSON.test(name)) return named;
  // Interface 2.17: what an external server found out comes with its proof.
  if (FOUND_OUT.test(name)) {
    return [['threeDSecure.verificationId', 'AAACAgSRBklmQCFgMpEGAAAAAAA=']];
  }
  if (name === 'threeDSecure.deviceInfo') return [...billingAddress, ...moreOfAuthentication];
  if (OF_AUTHENTICATION.test(name)) {
    return [...billingAddress, ...browser, ...moreOfAuthentication];
  }
  const house = /^((?:merchant\.)?(?:billing|shipping))\.houseNumber2$/.exec(name)?.[1];
  if (house !== undefined) return [[`${house}.houseNumber1`, '17']];
  // Interface 2.18: what the merchant initiates, or has a reason for, names its first payment.
  if (/^standingInstruction\.(?:source|industryPractice)$/.test(name)) {
    return [['standingInstruction.initialTransactionId', '484301795628194']];
  }
  if (name.startsWith('recurringMigration.')) return [['recurringMigration.paymentType', 'DB']];
  if (name === 'tokenAccount.expiryMonth') return [['tokenAccount.expiryYear', '2034']];
  if (name === 'tokenAccount.expiryYear') return [['tokenAccount.expiryMonth', '11']];
  if (name === 'amount') return [['currency', 'EUR']];
  if (name === 'transactionProcessingCode') return [['transactionPurposeCode', 'GIFT']];
  const wallet = WALLET.exec(name)?.[1];
  if (wallet !== undefined && !name.endsWith('.paymentToken')) {
    // Beside a card there is no token, and the card is what was in it.
    return [
      [`${wallet}.paymentToken`, 'dG9rZW4='],
      [`${wallet}.source`, 'web'],
    ];
  }
  return [];
}

/** One payment is made with one wallet: of several, what was added last stays. */
export function withOneWallet(parameters: readonly SentParameter[]): readonly SentParameter[] {
  const last = walletIn(parameters);
  return parameters.filter((one) => [undefined, last].includes(walletOf(one)));
}

const BRAND_OF_WALLET = /^(?:(?:APPLE|GOOGLE|SAMSUNG)PAY|CLICK_TO_PAY)$/i;
const OTHER_NUMBER: ReadonlyMap<string, string> = new Map([
  ['bankAccount.iban', 'bankAccount.number'],
  ['bankAccount.number', 'bankAccount.iban'],
]);

/**
 * The same of one account: a wallet's brand is that of the wallet that is sent, and a bank account has
 * one number, that in its IBAN or the one that is sent in its place.
 * @param added what was added last
 */
export function ofOneAccount(
  parameters: readonly SentParameter[],
  added: string,
): readonly SentParameter[] {
  const wallet = walletIn(parameters);
  const brand = wallet === 'clickToPay' ? 'CLICK_TO_PAY' : wallet?.toUpperCase();
  return parameters
    .filter(([name]) => name !== OTHER_NUMBER.get(added))
    .map(([name, value]) => {
      const isOfWallet = name === 'paymentBrand' && BRAND_OF_WALLET.test(value);
      return [name, isOfWallet && brand !== undefined ? brand : value];
    });
}

function walletIn(parameters: readonly SentParameter[]): string | undefined {
  return parameters.map(walletOf).findLast((wallet) => wallet !== undefined);
}

function walletOf([name]: SentParameter): string | undefined {
  return WALLET.exec(name)?.[1];
}
