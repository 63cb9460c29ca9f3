import type { Parameter, Sensitivity } from '../src/parameter.js';

/*
 * What becomes of each parameter, written down a second time, by structure: which kinds of request
 * use it, who may see it, whether it is kept and returned, and what happens to a card number in it.
 * The interface's list has no columns for these, so a row that departs from its structure by a slip
 * would go unnoticed without this page.
 */

const NEW = 'payment walletPayment virtualAccountPayment bankAccountPayment tokenPayment';
const REFERENCES =
  'capture reversal refund rebill receipt chargeback chargebackReversal incrementalAuthorization reauthorization';
const PAYMENTS = `${NEW} ${REFERENCES}`;
const SHOPPER = `${NEW} checkout registration schedule threeDSecure risk`;
const CARD = 'payment registration threeDSecure risk';
const WALLET = 'payment walletPayment checkout registration';
const BANK = 'bankAccountPayment checkout registration';
const EVERYWHERE = `${PAYMENTS} read registration schedule threeDSecure risk query report`;
const AGREEMENTS = `${NEW} checkout registration schedule rebill incrementalAuthorization reauthorization`;

/** A key's form, its kinds, who may see it; `echo`, `kept`, `masked` or `refused`, `onlyThere`. */
type Use = readonly [keys: RegExp, kinds: string, sensitivity: Sensitivity, words: string];

/** The first that fits holds. */
const uses: readonly Use[] = [
  [/^(?:entityId|testMode|authentication\.entityId)$/, EVERYWHERE, 'none', ''],
  [/^authentication\.(?:userId|password)$/, EVERYWHERE, 'secret', ''],

  [/^(?:amount|currency)$/, `${PAYMENTS} checkout schedule threeDSecure risk`, 'none', ''],
  [/^paymentType$/, `${PAYMENTS} checkout schedule`, 'none', ''],
  [/^(?:tax|discount)Amount$/, `${NEW} checkout capture refund rebill`, 'none', 'echo kept'],
  [/^paymentBrand$/, SHOPPER, 'none', 'refused'],
  [/^integrity$/, 'checkout', 'none', ''],
  [/^overridePaymentType\[brand\]$/, 'checkout', 'none', 'onlyThere'],
  [/^descriptor$/, PAYMENTS, 'none', 'echo kept masked'],
  [
    /^merchantTransactionId$/,
    `${PAYMENTS} checkout registration schedule query`,
    'none',
    'echo kept refused',
  ],
  [/^(?:merchantInvoiceId|lifecycleId)$/, PAYMENTS, 'none', 'echo kept refused'],
  [/^merchantMemo$/, PAYMENTS, 'none', 'kept masked'],
  [/^sequence$/, REFERENCES, 'none', ''],
  [/^referenceUuid$/, 'incrementalAuthorization reauthorization', 'none', ''],
  [/^transactionCategory$/, `${NEW} checkout`, 'none', 'echo kept masked'],
  [/^numberOfCaptures$/, `${NEW} checkout`, 'none', ''],
  [
    /^(?:promotionCode|transactionPurpose(?:Code|Account))$/,
    `${NEW} checkout`,
    'none',
    'kept masked',
  ],
  [
    /^(?:locale|integrationType|transaction(?:Bai|Tti|ProcessingCode))$/,
    `${NEW} checkout`,
    'none',
    'kept',
  ],
  [/^forex\./, `${NEW} checkout`, 'none', 'echo kept'],

  [/^card\.holder$/, CARD, 'personal', 'kept refused'],
  [/^card\.numberType$/, CARD, 'none', 'kept'],
  [/^card\./, CARD, 'cardData', ''],
  [/^(?:apple|google|samsung)Pay\.paymentToken$/, WALLET, 'cardData', 'masked'],
  [/^(?:apple|google|samsung)Pay\./, WALLET, 'none', 'kept masked'],
  [/^virtualAccount\./, 'virtualAccountPayment checkout registration', 'personal', 'kept masked'],
  [/^bankAccount\.(?:number|iban)$/, BANK, 'cardData', ''],
  [/^bankAccount\.(?:holder|bankName)$/, BANK, 'personal', 'kept masked'],
  [/^bankAccount\.bankCode$/, BANK, 'personal', 'kept refused'],
  [/^(?:bankAccount\.|transactionDueDate$)/, BANK, 'personal', 'kept'],
  [/^tokenAccount\.type$/, 'tokenPayment registration', 'none', 'kept'],
  [/^tokenAccount\./, 'tokenPayment registration', 'cardData', ''],

  [
    /^(?:shipping\.)?customer\.(?:merchantCustomerId|phone|mobile)$/,
    SHOPPER,
    'personal',
    'echo kept refused',
  ],
  [
    /^(?:merchant\.)?shipping\.(?:returnT|t)rackingNumber$/,
    SHOPPER,
    'personal',
    'echo kept refused',
  ],
  [
    /^(?:customer|(?:merchant\.)?billing|(?:merchant\.)?shipping)\./,
    SHOPPER,
    'personal',
    'echo kept masked',
  ],

  [/^corporate\.(?:phone|fax)$/, NEW, 'none', 'kept refused'],
  [/^(?:corporate|merchant)\./, NEW, 'none', 'kept masked'],
  [/^(?:sender|recipient)\./, NEW, 'personal', 'kept masked'],

  [
    /^cart\.items\[n\]\.(?:giftMessage$|recipient\.)/,
    `${NEW} checkout risk`,
    'personal',
    'echo kept masked',
  ],
  [/^cart\./, `${NEW} checkout risk`, 'none', 'echo kept masked'],
  [/^marketPlace\./, `${NEW} checkout`, 'none', 'kept masked'],
  [
    /^airline\.passengers\[n\]\.(?:name|phone|frequentFlyerNumber|email|dob|residenceCountry)$/,
    `${NEW} checkout risk`,
    'personal',
    'kept masked',
  ],
  [/^(?:airline|risk)\./, `${NEW} checkout risk`, 'none', 'kept masked'],

  [/^(?:createRegistration|overrideHolder)$/, `${NEW} checkout`, 'none', 'kept masked'],
  [/^recurringMigration\./, 'registration', 'none', 'kept masked'],
  [
    /^threeDSecure\.(?:eci|verificationId|authenticationStatus|dsTransactionId|acsTransactionId|challengeMandatedIndicator|version|authType|transactionStatusReason|challengeIndicator|exemptionFlag|schemeData\[.*\])$/,
    `${NEW} checkout`,
    'none',
    'echo kept masked',
  ],
  [/^threeDSecure\./, `${NEW} checkout threeDSecure`, 'none', 'kept masked'],

  [
    /^customParameters\[name\]$/,
    `${PAYMENTS} checkout registration schedule threeDSecure risk`,
    'none',
    'echo kept masked',
  ],
  [
    /^(?:shopperResultUrl|notificationUrl)$/,
    `${NEW} checkout registration threeDSecure`,
    'none',
    'kept refused',
  ],
  [/^giftCard\.(?:number|pin)$/, `${NEW} checkout`, 'secret', 'masked'],
  [/^giftCard\.type$/, `${NEW} checkout`, 'none', 'kept masked'],
  [/^giftCard\./, `${NEW} checkout`, 'personal', 'kept masked'],
  [/^chargebackResultCode$/, 'chargeback', 'none', ''],
  [
    /^standingInstruction\.(?:initialTransactionId|agreementId)$/,
    AGREEMENTS,
    'none',
    'echo kept refused',
  ],
  [/^standingInstruction\./, AGREEMENTS, 'none', 'echo kept'],
  [/^job\./, 'schedule', 'none', 'echo kept masked'],
  [/^date\.(?:from|to)$/, 'query report', 'none', ''],
  [
    /^(?:limit|paymentTypes|paymentMethods|includeLinkedTransactions|shortId|pageNo)$/,
    'query',
    'none',
    '',
  ],
  [/^sort(?:Value|Order)$/, 'report', 'none', ''],
];

/** How a row is used, in comparable words: what is written above, and what a row says. */
export function expectedUseOf(key: string): string {
  const [, kinds = 'nowhere', sensitivity = '', words = ''] =
    uses.find(([keys]) => keys.test(key)) ?? [];
  return inWords(kinds.split(' '), sensitivity, words.split(' '));
}

/** The same of a row of the catalogue. */
export function useOf({
  kinds,
  sensitivity,
  echo,
  kept,
  cardNumbers,
  onlyThere,
}: Parameter): string {
  const words = [
    ...(echo ? ['echo'] : []),
    ...(kept ? ['kept'] : []),
    ...(cardNumbers === undefined ? [] : [cardNumbers]),
    ...(onlyThere === true ? ['onlyThere'] : []),
  ];
  return inWords(kinds, sensitivity, words);
}

function inWords(kinds: readonly string[], sensitivity: string, words: readonly string[]): string {
  return `${kinds.toSorted().join(' ')}: ${sensitivity}, ${words.join(' ')}`;
}
