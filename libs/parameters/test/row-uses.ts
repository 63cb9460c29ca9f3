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
/** Interface 5: every request says who asks, and wire contract 1 in which mode. */
const EVERYWHERE = `${PAYMENTS} read checkout registration schedule threeDSecure risk query report`;
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
  [/^transactionPurpose(?:Code|Account)$/, `${NEW} checkout`, 'none', 'kept masked'],
  [/^promotionCode$/, `${NEW} checkout`, 'none', 'kept refused'],
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
  [/^virtualAccount\./, 'virtualAccountPayment checkout registration', 'personal', 'kept refused'],
  [/^bankAccount\.(?:number|iban)$/, BANK, 'cardData', ''],
  [/^bankAccount\.(?:holder|bankName)$/, BANK, 'personal', 'kept masked'],
  [/^bankAccount\.bankCode$/, BANK, 'personal', 'kept refused'],
  [/^(?:bankAccount\.|transactionDueDate$)/, BANK, 'personal', 'kept'],
  [/^tokenAccount\.type$/, 'tokenPayment registration', 'none', 'kept'],
  [/^tokenAccount\./, 'tokenPayment registration', 'cardData', ''],

  // D-43: ids, numbers of telephones, devices and documents are another's when a digit changes.
  [
    /^(?:shipping\.)?customer\.(?:merchantCustomerId|merchantReference|identificationDocId|ip)$/,
    SHOPPER,
    'personal',
    'echo kept refused',
  ],
  [
    /^customer\.(?:browserFingerprint\.(?:id|value)|browser\.deviceId|app\.deviceId)$/,
    SHOPPER,
    'personal',
    'echo kept refused',
  ],
  [
    /^(?:(?:shipping\.)?customer|(?:merchant\.)?shipping|merchant\.billing)\.(?:phone|mobile|workPhone)$/,
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

  // Whoever buys as a company, sends or receives money may be one person.
  [/^corporate\.(?:phone|fax|vatId|postboxNumber)$/, NEW, 'personal', 'kept refused'],
  [/^corporate\./, NEW, 'personal', 'kept masked'],
  // An IBAN or a card number goes through the vault (D-45), as that of a bank account.
  [/^(?:sender|recipient)\.accountNumber$/, NEW, 'cardData', ''],
  [/^(?:sender|recipient)\.(?:phone|identificationValue)$/, NEW, 'personal', 'kept refused'],
  [/^(?:sender|recipient)\./, NEW, 'personal', 'kept masked'],
  // The merchant as a business, which the shopper's statement shows; who may be reached is a person.
  [/^merchant\.additionalContact$/, NEW, 'personal', 'kept masked'],
  [
    /^merchant\.(?:phone|customerContactPhone|websiteId|url|partnerIdCode|isoId|payFacId|submerchantId|marketplaceId|taxId|app\.schemeUrl)$/,
    NEW,
    'none',
    'kept refused',
  ],
  [/^merchant\./, NEW, 'none', 'kept masked'],

  [
    /^cart\.items\[n\]\.(?:shippingTrackingNumber|recipient\.phone)$/,
    `${NEW} checkout risk`,
    'personal',
    'echo kept refused',
  ],
  [
    /^cart\.items\[n\]\.(?:merchantItemId|sku|sellerId|productCode|partNumber|commodityCode|vatReferenceNumber|quantity|productUrl|imageUrl)$/,
    `${NEW} checkout risk`,
    'none',
    'echo kept refused',
  ],
  [
    /^cart\.items\[n\]\.(?:giftMessage$|shippingInstructions$|recipient\.)/,
    `${NEW} checkout risk`,
    'personal',
    'echo kept masked',
  ],
  [/^cart\./, `${NEW} checkout risk`, 'none', 'echo kept masked'],
  [/^marketPlace\.sellers\[n\]\.id$/, `${NEW} checkout`, 'none', 'kept refused'],
  [/^marketPlace\./, `${NEW} checkout`, 'none', 'kept masked'],
  // A booking opens with its number and a name; where somebody flies is nobody else's business.
  [
    /^airline\.(?:bookingRefNum|agentCode)$|^airline\.passengers\[n\]\.(?:ticketNumber|phone|frequentFlyerNumber|checkDigit)$/,
    `${NEW} checkout risk`,
    'personal',
    'kept refused',
  ],
  [
    /^airline\.passengers\[n\]\.legs\[n\]\.(?:ticketNumber|flightNumber|exchangeTicketNum|airlineCode|couponNumber|carrierCode)$/,
    `${NEW} checkout risk`,
    'personal',
    'kept refused',
  ],
  [
    /^airline\.(?:passengers\[n\]\.|agentName$|ticketIssueAddress$)/,
    `${NEW} checkout risk`,
    'personal',
    'kept masked',
  ],
  [/^airline\./, `${NEW} checkout risk`, 'none', 'kept masked'],
  [/^risk\.accountToken$/, `${NEW} checkout risk`, 'personal', 'kept refused'],
  [/^risk\.parameters\[name\]$/, `${NEW} checkout risk`, 'personal', 'kept masked'],
  [
    /^risk\.(?:channelId|serviceId|merchantWebsite)$/,
    `${NEW} checkout risk`,
    'none',
    'kept refused',
  ],
  [/^risk\./, `${NEW} checkout risk`, 'none', 'kept masked'],

  [/^(?:createRegistration|overrideHolder)$/, `${NEW} checkout`, 'none', 'kept masked'],
  [/^recurringMigration\.connectorTxId[123]$/, 'registration', 'none', 'kept refused'],
  [/^recurringMigration\./, 'registration', 'none', 'kept masked'],
  [
    /^threeDSecure\.(?:verificationId|dsTransactionId|acsTransactionId)$/,
    `${NEW} checkout`,
    'none',
    'echo kept refused',
  ],
  [/^threeDSecure\.deviceInfo$/, `${NEW} checkout threeDSecure`, 'personal', 'kept refused'],
  [
    /^threeDSecure\.(?:merchant\.url|v2\.[a-z]+\.requestorId)$/,
    `${NEW} checkout threeDSecure`,
    'none',
    'kept refused',
  ],
  [
    /^threeDSecure\.(?:eci|authenticationStatus|challengeMandatedIndicator|version|authType|transactionStatusReason|challengeIndicator|exemptionFlag|schemeData\[.*\])$/,
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
  [/^job\.name$/, 'schedule', 'none', 'echo kept masked'],
  [/^job\./, 'schedule', 'none', 'echo kept refused'],
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
