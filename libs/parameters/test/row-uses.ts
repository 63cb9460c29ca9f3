import type { Parameter, Sensitivity } from '../src/parameter.js';
import { NEW, REFERENCES } from './kinds-in-words.js';
import { rowsBeyondTheInterface } from './rows-beyond-the-interface.js';

/*
 * What becomes of each parameter, written down a second time, by structure: which kinds of request
 * use it, who may see it, whether it is kept and returned, and what happens to a card number in it.
 * The interface's list has no columns for these, so a row that departs from its structure by a slip
 * would go unnoticed without this page.
 */

const PAYMENTS = `${NEW} ${REFERENCES}`;
/** Interface 4: payments, references and checkouts have the parameters of 2.3. */
const BASIC = `${PAYMENTS} checkout`;
/** What the merchant says of a shopper (2.9 to 2.11), of a payment or of one to come. */
const SHOPPER = `${NEW} checkout registration registrationUpdate schedule threeDSecure risk`;
/** And what the shopper says in the widget's own form (wire contract 10: `billing.*` and the like). */
const TOLD = `${SHOPPER} widgetPayment`;
/** Interface 2.4: whoever has the card; a checkout has it from the widget. Wire contract 6: 3-D Secure. */
const CARD = 'payment widgetPayment registration threeDSecure risk';
/** Interface 2.5; decrypted it is a payment by card, and has no token. */
const WALLET_TOKEN = 'walletPayment checkout widgetPayment registration';
const WALLET = `payment ${WALLET_TOKEN}`;
/** Interface 2.7: the account of a payment, and of a risk check; not so the mandate. */
const MANDATE = 'bankAccountPayment checkout registration';
/** What takes money from an account, on a day of its own. */
const COLLECTING = 'payment bankAccountPayment checkout capture rebill receipt';
const NO_DEBITS = ['walletPayment', 'virtualAccountPayment', 'tokenPayment', 'giftCardPayment'];
const BANK = `${MANDATE} widgetPayment risk`;
/** Interface 2.18 of standing instructions, of 3-D Secure too: "used in EMV 3D authentication". */
const AGREEMENTS = `${NEW} checkout registration schedule threeDSecure rebill incrementalAuthorization reauthorization`;
/** Interface 2.17: in the 3-D Secure message, which a payment or a checkout has brought about. */
const MESSAGES = `${NEW} checkout threeDSecure`;

/** Wire contract 6: of a payment, so that what has none refuses it. */
const ELSEWHERE = 'refusedIn threeDSecure refusedIn risk';

/**
 * A key's form, its kinds, who may see it; `echo`, `kept`, `masked` or `refused`, `refusedIn` another
 * kind, `onlyThere`, and `with` the compatibility switch that alone lets it in.
 */
type Use = readonly [keys: RegExp, kinds: string, sensitivity: Sensitivity, words: string];

/** Of the interface's parameters; the first that fits holds. */
const uses: readonly Use[] = [
  // Interface 4, wire contract 4: what is stored has no amount.
  [/^amount$/, `${BASIC} schedule threeDSecure risk`, 'none', 'refusedIn registration'],
  // Wire contract 6: reports are of a currency.
  [/^currency$/, `${BASIC} schedule threeDSecure risk report`, 'none', 'refusedIn registration'],
  // Interface 2.16: "a registration request (payment type RG)".
  [/^paymentType$/, `${BASIC} registration registrationUpdate schedule`, 'none', ''],
  [/^(?:tax|discount)Amount$/, BASIC, 'none', 'echo kept'],
  // What refers to a payment has the payment's brand.
  [/^paymentBrand$/, TOLD, 'none', 'refused'],
  [/^integrity$/, 'checkout', 'none', ''],
  [/^overridePaymentType\[brand\]$/, 'checkout', 'none', 'onlyThere'],
  // In what the merchant's shop writes for this one payment a person may be named.
  [/^descriptor$/, BASIC, 'personal', 'echo kept masked'],
  [
    /^merchantTransactionId$/,
    // Wire contract 6 has it, and the category below, of POST /v1/threeDSecure; a risk check is found by it.
    `${BASIC} registration registrationUpdate schedule threeDSecure risk query`,
    'none',
    'echo kept refused',
  ],
  [/^(?:merchantInvoiceId|lifecycleId)$/, BASIC, 'none', 'echo kept refused'],
  [/^merchantMemo$/, BASIC, 'personal', 'kept masked'],
  [/^sequence$/, REFERENCES, 'none', ''],
  [/^referenceUuid$/, 'incrementalAuthorization reauthorization', 'none', ''],
  [/^transactionCategory$/, `${BASIC} threeDSecure`, 'none', 'echo kept masked'],
  // Of the authorization that they are captures of.
  [/^numberOfCaptures$/, `${NEW} checkout`, 'none', ELSEWHERE],
  [/^transactionPurposeCode$/, BASIC, 'none', 'kept masked'],
  [/^transactionPurposeAccount$/, BASIC, 'personal', 'kept masked'],
  [/^promotionCode$/, BASIC, 'none', 'kept refused'],
  [/^(?:locale|integrationType)$/, BASIC, 'none', 'kept refused'],
  [/^transaction(?:Bai|Tti|ProcessingCode)$/, BASIC, 'none', 'kept'],
  [/^forex\./, BASIC, 'none', 'echo kept'],

  [/^card\.holder$/, `${CARD} registrationUpdate`, 'personal', 'kept refused'],
  [/^card\.expiry(?:Month|Year)$/, `${CARD} registrationUpdate`, 'accountData', ''],
  [/^card\.numberType$/, CARD.replace('widgetPayment ', ''), 'none', 'kept'],
  [/^card\./, CARD, 'accountData', ''],
  [
    /^(?:(?:apple|google|samsung)Pay|clickToPay)\.paymentToken$/,
    WALLET_TOKEN,
    'accountData',
    'masked',
  ],
  [
    /^(?:(?:apple|google|samsung)Pay|clickToPay)\.source$/,
    WALLET.replace('widgetPayment ', ''),
    'none',
    'echo kept masked',
  ],
  [/^(?:(?:apple|google|samsung)Pay|clickToPay)\./, WALLET, 'none', 'echo kept masked'],
  [
    /^virtualAccount\./,
    'virtualAccountPayment checkout widgetPayment registration risk',
    'accountData',
    'refused',
  ],
  [/^bankAccount\.(?:number|iban)$/, BANK, 'accountData', ''],
  [/^bankAccount\.(?:holder|bankName)$/, `${BANK} registrationUpdate`, 'personal', 'kept masked'],
  [/^bankAccount\.bankCode$/, BANK, 'personal', 'kept refused'],
  [/^bankAccount\.mandate\./, `${MANDATE} registrationUpdate`, 'personal', 'kept'],
  [
    /^transactionDueDate$/,
    COLLECTING,
    'personal',
    ['kept', 'registration', ...NO_DEBITS].join(' refusedIn '),
  ],
  [/^bankAccount\./, BANK, 'personal', 'kept'],
  [/^tokenAccount\.type$/, 'tokenPayment registration', 'none', 'kept'],
  [
    /^tokenAccount\.expiry(?:Month|Year)$/,
    'tokenPayment registration registrationUpdate',
    ...(['accountData', ''] as const),
  ],
  [
    /^tokenAccount\.(?:cryptogram|dtvc)$/,
    'payment tokenPayment registration',
    ...(['accountData', ''] as const),
  ],
  [/^tokenAccount\./, 'tokenPayment registration', 'accountData', ''],

  // D-43: ids, numbers of telephones, devices and documents are another's when a digit changes.
  // Whom the shop takes the shopper for is nothing that he says himself.
  [
    /^(?:shipping\.)?customer\.(?:merchantCustomerId|merchantReference|ip)$/,
    SHOPPER,
    'personal',
    'echo kept refused',
  ],
  [/^customer\.status$/, SHOPPER, 'personal', 'echo kept masked'],
  [/^customer\.identificationDocId$/, TOLD, 'personal', 'echo kept refused'],
  [/^shipping\.customer\.identificationDocId$/, SHOPPER, 'personal', 'echo kept refused'],
  [/^customer\.(?:phone|mobile|workPhone)$/, TOLD, 'personal', 'echo kept refused'],
  [
    /^customer\.(?:browserFingerprint\.(?:id|value)|browser\.deviceId|app\.deviceId)$/,
    TOLD,
    'personal',
    'echo kept refused',
  ],
  [
    /^(?:shipping\.customer|(?:merchant\.)?shipping|merchant\.billing)\.(?:phone|mobile|workPhone)$/,
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
  [/^(?:customer|billing)\./, TOLD, 'personal', 'echo kept masked'],
  [/^(?:merchant\.billing|(?:merchant\.)?shipping)\./, SHOPPER, 'personal', 'echo kept masked'],

  // Interface 2.12 to 2.14: of a payment, so of a checkout's too.
  // Whoever buys as a company, sends or receives money may be one person.
  [/^corporate\.(?:phone|fax|vatId|postboxNumber)$/, `${NEW} checkout`, 'personal', 'kept refused'],
  [/^corporate\./, `${NEW} checkout`, 'personal', 'kept masked'],
  // An IBAN or a card number goes through the vault (D-45), as that of a bank account.
  [/^(?:sender|recipient)\.accountNumber$/, `${NEW} checkout`, 'accountData', ''],
  [
    /^(?:sender|recipient)\.(?:phone|identificationValue)$/,
    `${NEW} checkout`,
    'personal',
    'kept refused',
  ],
  [/^(?:sender|recipient)\./, `${NEW} checkout`, 'personal', 'kept masked'],
  // Wire contract 6: `merchant.*` of POST /v1/threeDSecure.
  // The merchant as a business, which the shopper's statement shows; who may be reached is a person.
  [/^merchant\.additionalContact$/, MESSAGES, 'personal', 'kept masked'],
  [
    /^merchant\.(?:phone|customerContactPhone|websiteId|url|partnerIdCode|isoId|payFacId|submerchantId|marketplaceId|taxId|app\.schemeUrl)$/,
    MESSAGES,
    'none',
    'kept refused',
  ],
  [/^merchant\.data\[key\]$/, MESSAGES, 'personal', 'kept masked'],
  [/^merchant\./, MESSAGES, 'none', 'kept masked'],

  [
    /^cart\.items\[n\]\.(?:shippingTrackingNumber|recipient\.phone)$/,
    `${NEW} checkout risk`,
    'personal',
    'echo kept refused',
  ],
  [
    /^cart\.items\[n\]\.(?:merchantItemId|sku|sellerId|productCode|partNumber|commodityCode|vatReferenceNumber|quantity)$/,
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
  // A page or a picture of an article may be made for the one who orders it.
  [
    /^cart\.items\[n\]\.(?:productUrl|imageUrl)$/,
    `${NEW} checkout risk`,
    'personal',
    'echo kept refused',
  ],
  [
    /^cart\.(?:items\[n\]\.(?:name|description|commodityDescription)|payments\[n\]\.name)$/,
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
  // Interface 2.18: the amount is that of 3-D Secure, too; no rule judges an authentication alone.
  [/^risk\.amount$/, `${NEW} checkout threeDSecure risk`, 'none', 'kept masked'],
  [
    /^risk\.accountToken$/,
    `${NEW} checkout risk`,
    'personal',
    'kept refused refusedIn threeDSecure',
  ],
  [
    /^risk\.parameters\[name\]$/,
    `${NEW} checkout risk`,
    'personal',
    'kept masked refusedIn threeDSecure',
  ],
  [
    /^risk\.(?:channelId|serviceId|merchantWebsite)$/,
    `${NEW} checkout risk`,
    'none',
    'kept refused refusedIn threeDSecure',
  ],
  [/^risk\./, `${NEW} checkout risk`, 'none', 'kept masked refusedIn threeDSecure'],

  // Interface 4: registrations have "`createRegistration` semantics"; wire contract 10: a box to tick.
  [
    /^createRegistration$/,
    `${PAYMENTS} checkout widgetPayment registration`,
    'none',
    'kept masked',
  ],
  [/^overrideHolder$/, `${NEW} checkout`, 'none', 'kept masked'],
  [/^recurringMigration\.connectorTxId[123]$/, 'registration', 'none', 'kept refused onlyThere'],
  [/^recurringMigration\./, 'registration', 'none', 'kept masked onlyThere'],
  // The cryptogram of an authentication is gone after the authorization (S-PCI-03).
  [/^threeDSecure\.verificationId$/, `${NEW} checkout`, 'accountData', ELSEWHERE],
  [
    /^threeDSecure\.(?:dsTransactionId|acsTransactionId)$/,
    `${NEW} checkout`,
    'none',
    `echo kept refused ${ELSEWHERE}`,
  ],
  [/^threeDSecure\.deviceInfo$/, MESSAGES, 'personal', 'kept refused refusedIn risk'],
  [
    /^threeDSecure\.(?:merchant\.url|v2\.[a-z]+\.requestorId)$/,
    MESSAGES,
    'none',
    'kept refused refusedIn risk',
  ],
  [
    /^threeDSecure\.(?:eci|authenticationStatus|version|authType|transactionStatusReason)$/,
    `${NEW} checkout`,
    'none',
    `echo kept masked ${ELSEWHERE}`,
  ],
  // Interface 2.17: "either the 3D Secure request or the payment request"; the scheme's data hangs
  // on the category of the message.
  [
    /^threeDSecure\.(?:challenge(?:Mandated)?Indicator|exemptionFlag|schemeData\[.*\])$/,
    MESSAGES,
    'none',
    'echo kept masked refusedIn risk',
  ],
  [/^threeDSecure\./, MESSAGES, 'none', 'kept masked refusedIn risk'],

  [
    /^customParameters\[name\]$/,
    `${BASIC} widgetPayment registration registrationUpdate schedule threeDSecure risk`,
    'personal',
    'echo kept masked',
  ],
  [/^notificationUrl$/, `${NEW} checkout registration threeDSecure`, 'personal', 'kept refused'],
  // The action of the widget's form.
  [
    /^shopperResultUrl$/,
    `${NEW} checkout widgetPayment registration threeDSecure`,
    'personal',
    'kept refused',
  ],
  [/^giftCard\.number$/, 'giftCardPayment registration', 'accountData', 'masked'],
  // Of a gift card that is stored, too.
  [/^giftCard\.pin$/, 'payment giftCardPayment registration', 'accountData', 'masked'],
  [/^giftCard\.holder$/, `${NEW} checkout registration`, 'personal', 'kept masked'],
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
  [/^job\.name$/, 'schedule', 'personal', 'echo kept masked'],
  [/^job\./, 'schedule', 'none', 'echo kept refused'],
  [/^date\.(?:from|to)$/, 'query report', 'none', ''],
  [
    /^(?:limit|paymentTypes|paymentMethods|includeLinkedTransactions|shortId)$/,
    'query',
    'none',
    '',
  ],
  [/^sort(?:Value|Order)$/, 'report', 'none', ''],
];

/** How a row is used, in comparable words: what is written above, and what a row says. */
export function expectedUseOf(key: string): string {
  const own = rowsBeyondTheInterface.find((row) => row.key === key)?.use;
  const [, ...listed] = uses.find(([keys]) => keys.test(key)) ?? [];
  const [kinds = 'nowhere', sensitivity = '', words = ''] = own ?? listed;
  return inWords(kinds.split(' '), sensitivity, words.split(' '));
}

/** The same of a row of the catalogue. */
export function useOf({
  kinds,
  sensitivity,
  echo,
  kept,
  cardNumbers,
  refusedIn = {},
  onlyThere,
  onlyWith,
}: Parameter): string {
  const words = [
    ...(echo ? ['echo'] : []),
    ...(kept ? ['kept'] : []),
    ...(cardNumbers === undefined ? [] : [cardNumbers]),
    ...Object.keys(refusedIn).flatMap((kind) => ['refusedIn', kind]),
    ...(onlyThere === true ? ['onlyThere'] : []),
    ...(onlyWith === undefined ? [] : ['with', onlyWith]),
  ];
  return inWords(kinds, sensitivity, words);
}

function inWords(kinds: readonly string[], sensitivity: string, words: readonly string[]): string {
  return `${kinds.toSorted().join(' ')}: ${sensitivity}, ${words.join(' ')}`;
}
