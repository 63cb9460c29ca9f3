import { proofOfIndicator } from './external-proofs.js';
import { NEW, WITHOUT_CARD } from './kinds-in-words.js';

/*
 * When a parameter must be sent, and which parameters must not come together, as requests: the rules
 * of Interface 2.2 to 2.19 over several parameters. A row that stands nowhere here is never demanded.
 */

const REFERENCES =
  'capture refund rebill receipt chargeback chargebackReversal incrementalAuthorization reauthorization';
const SHOPPER = `${NEW} checkout registration registrationUpdate schedule threeDSecure risk`;
const WALLET_TOKEN = 'walletPayment checkout registration';
const WALLET = `payment ${WALLET_TOKEN}`;
const OPEN = 'checkout registration risk';
/** In the widget a direct debit's account is told: it is where the shopper says it. */
const BANK = 'bankAccountPayment widgetPayment';
/** Interface 2.17: those that may ask for an authentication; others take no `threeDSecure.*`. */
const ASKING = `${NEW} checkout`;
/** Interface 2.18: what is of a card network, by the card or by what stands for it. */
export const BY_CARD = 'payment walletPayment tokenPayment';

/** Requests in which a rule speaks and in which it does not, as query strings. */
export interface Rule {
  readonly holds: readonly string[];
  readonly rests: readonly string[];
}

/** A rule and the kinds of request it is one of. */
interface Demand extends Rule {
  readonly key: RegExp;
  readonly kinds: string;
}

export const ALWAYS: Rule = { holds: ['', 'amount=92.00', 'createRegistration=true'], rests: [] };
export const NEVER: Rule = { holds: [], rests: ['', 'amount=92.00'] };

const AUTHENTICATIONS = [
  'threeDSecure.authenticationInd=PAYMENT',
  'threeDSecure.npa=true',
  'threeDSecure.decoupled=true',
  'threeDSecure.npa=false&threeDSecure.decoupled=true',
];
/** Those that no browser takes part in. */
const WITHOUT_BROWSER = [
  'threeDSecure.deviceInfo=x',
  'threeDSecure.threeRIInd=RECURRING',
  'threeDSecure.channel=3',
];
const NO_AUTHENTICATIONS = [
  ...['', 'threeDSecure.npa=true&threeDSecure.disable=true'],
  // Said no, nothing is asked for; and who the merchant is comes with everything.
  'threeDSecure.npa=false',
  'threeDSecure.decoupled=false&threeDSecure.npa=false',
  'threeDSecure.v2.visa.requestorId=1&threeDSecure.merchant.name=1',
  'threeDSecure.eci=05',
  // An external server has authenticated.
  ...['eci=05', 'verificationId=x', 'dsTransactionId=x'].map(
    (proof) => `threeDSecure.npa=true&threeDSecure.${proof}`,
  ),
  ...['threeDSecure.disable=true', 'card.number=4'],
];

/** Demanded only where somebody buys who does more than pass by (D-52). */
const namedCustomer: Rule = {
  holds: ['customer.email=a%40b.cd', 'customer.phone=1', 'customer.status=NEW', 'customer.sex=M'],
  rests: [
    ...['', 'customer.ip=1.2.3.4', 'customer.merchantCustomerId=1', 'customer.app.deviceId=1'],
    ...['customer.browser.language=de', 'customer.browserFingerprint.id=1', 'billing.city=Berlin'],
  ],
};

const paidCheckout: Rule = {
  holds: [
    ...['', 'createRegistration=false', 'createRegistration=true&amount=1.00'],
    ...['createRegistration=true&currency=EUR', 'createRegistration=true&paymentType=DB'],
  ],
  rests: ['createRegistration=true'],
};

function sent(key: string): Rule {
  return { holds: [`${key}=1`, `${key}=1&amount=92.00`], rests: ['', 'amount=92.00'] };
}

function without(...keys: readonly string[]): Rule {
  return { holds: ['', 'amount=92.00'], rests: keys.map((key) => `${key}=1`) };
}

/** D-50: of checkouts and registrations only where that account is the one used. */
function ofUsed(account: string, rule: Rule): Rule {
  const used = (query: string): string => `${account}.holder=x&${query}`;
  return { holds: rule.holds.map(used), rests: [...rule.rests, ...rule.rests.map(used), ''] };
}

/** Interface 2.7, wire contract 7: by these the shopper names the account at the bank. */
const AT_THE_BANK = ['GIROPAY', 'IDEAL', 'PAYTRAIL', 'SOFORTUEBERWEISUNG', 'EPS', 'giropay'];

/** A merchant names it with a checkout, whose shopper tells the account. */
const MANDATES = ['bankAccount.mandate.id=A', 'bankAccount.mandate.dateOfSignature=2026-03-02'];

/**
 * Interface 2.7. With its country alone the shopper names the account at the bank (wire contract 7),
 * but never for a direct debit.
 */
function bankAccount(field: string, rule: Rule): Demand[] {
  const key = new RegExp(String.raw`^bankAccount\.${field}$`);
  const debit = (query: string): string => `paymentBrand=DIRECTDEBIT_SEPA&${query}`;
  const told = ofUsed('bankAccount', rule).holds;
  const atTheBank = AT_THE_BANK.flatMap((brand) =>
    [...told, ...rule.holds].map((query) => `paymentBrand=${brand}&${query}`),
  );
  const ofBank: Rule = {
    holds: [...told, ...rule.holds.map(debit), ...told.map((query) => `paymentBrand=X&${query}`)],
    rests: [
      ...[...rule.rests.map((query) => `bankAccount.holder=x&${query}`), ...rule.rests.map(debit)],
      ...['', 'bankAccount.country=DE', 'bankAccount.country=DE&paymentBrand=GIROPAY'],
      ...atTheBank,
    ],
  };
  const country = 'bankAccount.country=DE&paymentBrand=DIRECTDEBIT_SEPA';
  const open = ofUsed('bankAccount', rule);
  return [
    { key, kinds: BANK, ...ofBank },
    { key, kinds: OPEN, ...open, rests: [...open.rests, country, ...atTheBank] },
    { key, kinds: 'checkout', holds: [], rests: MANDATES },
    { key, kinds: 'registration', holds: MANDATES, rests: [] },
  ];
}

function wallet(name: string): Demand[] {
  const card = 'card.number=4200000000000000';
  return [
    {
      key: new RegExp(String.raw`^${name}\.paymentToken$`),
      kinds: WALLET_TOKEN,
      holds: [`${name}.cardType=credit`, `${name}.other=1`],
      rests: [
        ...['', `${name}.source=web`, card, `${name}.cardType=credit&${name}.source=app`],
        `${name}.cardType=credit&${card}`,
      ],
    },
    // A shopper says nothing of where he paid: that would be a card without its code.
    {
      key: new RegExp(String.raw`^${name}\.paymentToken$`),
      kinds: 'widgetPayment',
      holds: [`${name}.cardType=credit`, `${name}.other=1`],
      rests: ['', card, `${name}.cardType=credit&${card}`],
    },
    {
      key: new RegExp(String.raw`^${name}\.source$`),
      kinds: WALLET,
      holds: [`${name}.cardType=credit&${card}`],
      rests: ['', card, `${name}.cardType=credit`, `${name}.paymentToken=x&${card}`],
    },
  ];
}

const PAID_ELSEWHERE = [
  ...['paymentBrand=PAYPAL', 'paymentBrand=paypal&paymentType=DB', 'paymentBrand=KLARNA_INVOICE'],
  ...['paymentBrand=GIROPAY', 'paymentBrand=IDEAL&paymentType=PA', 'paymentBrand=STC_PAY'],
];
const NOT_PAID_ELSEWHERE = [
  ...['', 'paymentBrand=DIRECTDEBIT_SEPA', 'paymentBrand=VISA', 'paymentBrand=X'],
  ...['paymentBrand=PAYPAL&paymentType=CD', 'paymentBrand=GIROPAY&paymentType=CD'],
];
const BY_MERCHANT = 'standingInstruction.source=MIT';
const CARD_IS_USED = [
  ...ALWAYS.holds,
  ...['registrationId=1&card.number=4', 'registrations[0].id=1', 'card.holder=Jane'],
];
const REGISTRATION_IS_USED = ['registrationId=1', 'registrationId=1&card.cvv=123&paymentType=DB'];

export const demands: readonly Demand[] = [
  { key: /^amount$/, kinds: `${NEW} ${REFERENCES} schedule threeDSecure risk`, ...ALWAYS },
  { key: /^amount$/, kinds: 'checkout', ...paidCheckout },
  { key: /^currency$/, kinds: `${NEW} ${REFERENCES} schedule threeDSecure risk`, ...ALWAYS },
  { key: /^currency$/, kinds: 'checkout', ...paidCheckout },
  // D-30: a reversal without an amount takes all that is open.
  { key: /^currency$/, kinds: 'reversal', ...sent('amount'), rests: ['', 'currency=EUR'] },
  { key: /^paymentType$/, kinds: `${NEW} ${REFERENCES} reversal schedule`, ...ALWAYS },
  { key: /^paymentType$/, kinds: 'checkout', ...paidCheckout },
  {
    key: /^paymentBrand$/,
    kinds: 'payment threeDSecure',
    holds: ['card.number=9999999999999999'],
    rests: ['', 'card.number=4200000000000000'],
  },
  {
    key: /^paymentBrand$/,
    kinds: 'widgetPayment registration risk',
    holds: [
      ...['card.number=9999999999999999', 'virtualAccount.accountId=jane'],
      'bankAccount.iban=1',
    ],
    rests: ['', 'card.number=4200000000000000'],
  },
  {
    key: /^paymentBrand$/,
    kinds: WITHOUT_CARD,
    ...ALWAYS,
  },
  {
    // Interface 2.18: whoever is paid by a shopper elsewhere says where the shopper comes back to.
    key: /^shopperResultUrl$/,
    kinds: 'bankAccountPayment',
    holds: [...PAID_ELSEWHERE, 'paymentBrand=GIROPAY&standingInstruction.source=CIT'],
    rests: [
      ...NOT_PAID_ELSEWHERE,
      // An order at a bank is no MIT, whatever address is sent.
      ...[BY_MERCHANT, 'recurringType=REPEATED'].map((said) => `paymentBrand=GIROPAY&${said}`),
    ],
  },
  {
    key: /^shopperResultUrl$/,
    kinds: 'virtualAccountPayment',
    holds: [
      ...PAID_ELSEWHERE,
      // Without the account there is no agreement to go by either.
      `paymentBrand=PAYPAL&${BY_MERCHANT}`,
      ...[
        ...['', '&standingInstruction.source=CIT', '&recurringType=INITIAL'],
        '&recurringType=REPEATED&standingInstruction.source=CIT',
      ].map((said) => `paymentBrand=PAYPAL&virtualAccount.accountId=jane${said}`),
    ],
    rests: [
      ...NOT_PAID_ELSEWHERE,
      // By the agreement that the shopper made with the provider.
      ...[BY_MERCHANT, 'recurringType=REPEATED'].map(
        (said) => `paymentBrand=PAYPAL&virtualAccount.accountId=jane&${said}`,
      ),
    ],
  },
  {
    key: /^transactionPurposeCode$/,
    kinds: `${NEW} checkout`,
    holds: [
      ...['ARG', 'BGD', 'CHL', 'COL', 'EGY', 'IND'].map(
        (country) => `transactionProcessingCode=FUNDING&recipient.country=${country}`,
      ),
      'transactionProcessingCode=PAYMENT&recipient.country=EGY',
    ],
    rests: [
      ...['', 'recipient.country=EGY', 'transactionProcessingCode=FUNDING'],
      'transactionProcessingCode=PURCHASE&recipient.country=EGY',
      'transactionProcessingCode=FUNDING&recipient.country=DEU',
    ],
  },
  {
    key: /^card\.(?:number|expiryMonth|expiryYear)$/,
    kinds: 'payment threeDSecure',
    holds: [...CARD_IS_USED, 'bankAccount.iban=1', 'virtualAccount.accountId=1'],
    // D-50: a registration is used in place of a card.
    rests: REGISTRATION_IS_USED,
  },
  {
    // Interface 2.7 has risk checks of bank accounts too; those of tokens and wallets nobody takes.
    key: /^card\.(?:number|expiryMonth|expiryYear)$/,
    kinds: 'risk',
    holds: [...CARD_IS_USED, 'tokenAccount.number=1', 'applePay.paymentToken=1'],
    rests: [
      ...[...REGISTRATION_IS_USED, 'bankAccount.iban=1', 'virtualAccount.accountId=1'],
      'paymentBrand=PAYPAL',
    ],
  },
  {
    // Wire contract 10: forms for cards, for bank accounts, for virtual ones and for wallets.
    key: /^card\.(?:number|expiryMonth|expiryYear)$/,
    kinds: 'widgetPayment',
    holds: [...CARD_IS_USED, 'tokenAccount.number=1'],
    rests: [
      ...[...REGISTRATION_IS_USED, 'bankAccount.iban=1', 'virtualAccount.accountId=1'],
      ...['applePay.paymentToken=1', 'googlePay.paymentToken=1', 'samsungPay.paymentToken=1'],
      'clickToPay.paymentToken=1',
      'paymentBrand=PAYPAL',
    ],
  },
  {
    key: /^card\.(?:number|expiryMonth|expiryYear)$/,
    kinds: 'registration',
    holds: [
      ...['', 'card.holder=Jane', 'bankAccount.iban=1&card.holder=Jane', 'paymentBrand=VISA'],
      'paymentBrand=PAYPAL&card.holder=Jane',
    ],
    rests: [
      ...['bankAccount.iban=1', 'virtualAccount.accountId=1', 'applePay.paymentToken=1'],
      ...['paymentBrand=PAYPAL', 'paymentBrand=klarna_invoice'],
      ...['tokenAccount.number=1', 'giftCard.number=1'],
    ],
  },
  // Half an expiry says nothing.
  ...['card', 'tokenAccount'].flatMap((structure) =>
    [
      ['Month', 'Year'],
      ['Year', 'Month'],
    ].map(([own, other]) => ({
      key: new RegExp(`^${structure}\\.expiry${own}$`),
      kinds:
        structure === 'card'
          ? 'registrationUpdate'
          : 'tokenPayment registration registrationUpdate',
      ...sent(`${structure}.expiry${other}`),
    })),
  ),
  ...['applePay', 'googlePay', 'samsungPay', 'clickToPay'].flatMap(wallet),
  {
    // The shopper may log in at the provider instead (wire contract 7).
    key: /^virtualAccount\.accountId$/,
    kinds: `virtualAccountPayment widgetPayment ${OPEN}`,
    holds: ['virtualAccount.other=1'],
    rests: ['', 'card.number=4', 'paymentBrand=PAYPAL'],
  },
  ...bankAccount('holder', ALWAYS),
  ...bankAccount('number', without('bankAccount.iban')),
  ...bankAccount('iban', without('bankAccount.number')),
  ...bankAccount('bankCode', without('bankAccount.bic')),
  ...bankAccount('bic', without('bankAccount.bankCode')),
  { key: /^tokenAccount\.(?:number|type)$/, kinds: 'tokenPayment', ...ALWAYS },
  {
    key: /^tokenAccount\.(?:number|type)$/,
    kinds: 'registration',
    holds: ['tokenAccount.dtvc=123'],
    rests: ['', 'card.number=4'],
  },
  { key: /^giftCard\.number$/, kinds: 'giftCardPayment', ...ALWAYS },
  {
    key: /^giftCard\.number$/,
    kinds: 'registration',
    holds: ['giftCard.pin=4821'],
    rests: ['', 'card.number=4', 'giftCard.pin=4821&card.number=4'],
  },
  { key: /^customer\.(?:givenName|surname)$/, kinds: SHOPPER, ...namedCustomer },
  {
    key: /^customer\.identificationDocType$/,
    kinds: `${SHOPPER} widgetPayment`,
    ...sent('customer.identificationDocId'),
  },
  {
    key: /^customer\.identificationDocId$/,
    kinds: `${SHOPPER} widgetPayment`,
    ...sent('customer.identificationDocType'),
  },
  {
    key: /^customer\.browser\.(?:acceptHeader|language|screenHeight|screenWidth|timezone|userAgent|javaEnabled)$/,
    // In a checkout the widget tells them.
    kinds: NEW,
    holds: AUTHENTICATIONS,
    rests: [
      ...NO_AUTHENTICATIONS,
      ...WITHOUT_BROWSER,
      ...AUTHENTICATIONS.map((each) => `${each}&threeDSecure.deviceInfo=x`),
    ],
  },
  {
    // Interface 2.9: "mandatory for 3D Secure v2", which a request for it need not ask for.
    key: /^customer\.browser\.(?:acceptHeader|language|screenHeight|screenWidth|timezone|userAgent|javaEnabled)$/,
    kinds: 'threeDSecure',
    holds: [...ALWAYS.holds, ...AUTHENTICATIONS, 'threeDSecure.eci=05'],
    rests: WITHOUT_BROWSER,
  },
  {
    // Interface 2.10: "mandatory for 3D Secure v2". Wire contract 6: clients that ask for an
    // authentication without saying which send none.
    key: /^billing\.(?:street1|city|postcode|country)$/,
    kinds: `${ASKING} threeDSecure`,
    holds: [...AUTHENTICATIONS, ...WITHOUT_BROWSER],
    rests: NO_AUTHENTICATIONS,
  },
  { ...proofOfIndicator, kinds: ASKING },
  {
    key: /^billing\.houseNumber1$/,
    kinds: `${SHOPPER} widgetPayment`,
    ...sent('billing.houseNumber2'),
  },
  // Interface 2.10, 2.11: the merchant's addresses carry the same fields.
  ...['shipping', 'merchant.billing', 'merchant.shipping'].map((address) => ({
    key: new RegExp(String.raw`^${address.replace('.', String.raw`\.`)}\.houseNumber1$`),
    kinds: SHOPPER,
    ...sent(`${address}.houseNumber2`),
  })),
  {
    // Interface 2.18, wire contract 4: what the merchant initiates names the first payment.
    key: /^standingInstruction\.(?:initialTransactionId|agreementId)$/,
    kinds: BY_CARD,
    holds: [
      'standingInstruction.source=MIT',
      'standingInstruction.source=MIT&standingInstruction.mode=REPEATED&paymentType=PA',
      'standingInstruction.source=MIT&standingInstruction.industryPractice=NO_SHOW',
    ],
    rests: [
      ...['', 'standingInstruction.source=CIT', 'standingInstruction.mode=REPEATED'],
      'standingInstruction.source=MIT&standingInstruction.agreementId=1&standingInstruction.initialTransactionId=1',
      'standingInstruction.source=MIT&registrationId=1',
      'standingInstruction.source=MIT&paymentType=CD',
      'standingInstruction.source=MIT&standingInstruction.mode=INITIAL',
      'recurringType=REPEATED',
    ],
  },
  {
    key: /^standingInstruction\.numberOfInstallments$/,
    kinds: ASKING,
    holds: AUTHENTICATIONS.map((each) => `${each}&standingInstruction.type=INSTALLMENT`),
    rests: [
      ...['', ...AUTHENTICATIONS, 'standingInstruction.type=INSTALLMENT'],
      `${AUTHENTICATIONS[0] ?? ''}&standingInstruction.type=RECURRING`,
    ],
  },
  {
    // Interface 2.18: "mandatory for 3D Secure on installment transactions".
    key: /^standingInstruction\.numberOfInstallments$/,
    kinds: 'threeDSecure',
    holds: [
      'standingInstruction.type=INSTALLMENT',
      'standingInstruction.type=INSTALLMENT&amount=1',
    ],
    rests: ['', 'amount=1', ...AUTHENTICATIONS, 'standingInstruction.type=RECURRING'],
  },
  {
    // Interface 2.17: of a PA, or of an NPA with indicator 02 or 03.
    key: /^threeDSecure\.schemeData\[CB-USECASE\]$/,
    kinds: 'threeDSecure',
    holds: [
      'threeDSecure.schemeData[CB-ITEMSNB]=1',
      'threeDSecure.v2.cartebancaire.requestorId=1',
      ...['RECURRING', 'INSTALLMENT'].map(
        (indicator) =>
          `threeDSecure.npa=true&threeDSecure.authenticationInd=${indicator}&threeDSecure.schemeData[CB-ITEMSNB]=1`,
      ),
    ],
    rests: [
      ...['', ...AUTHENTICATIONS, 'threeDSecure.v2.visa.requestorId=1'],
      'threeDSecure.npa=true&threeDSecure.schemeData[CB-ITEMSNB]=1',
      'threeDSecure.npa=true&threeDSecure.authenticationInd=PAYMENT&threeDSecure.schemeData[CB-ITEMSNB]=1',
    ],
  },
  {
    key: /^threeDSecure\.schemeData\[CB-USECASE\]$/,
    kinds: `${NEW} checkout`,
    holds: [
      'threeDSecure.decoupled=true&threeDSecure.schemeData[CB-ITEMSNB]=1',
      'threeDSecure.authenticationInd=PAYMENT&threeDSecure.v2.cartebancaire.requestorId=1',
      'threeDSecure.npa=true&threeDSecure.authenticationInd=RECURRING&threeDSecure.schemeData[CB-ITEMSNB]=1',
    ],
    rests: [
      ...['', ...AUTHENTICATIONS, 'threeDSecure.schemeData[CB-ITEMSNB]=1'],
      'threeDSecure.v2.cartebancaire.requestorId=1',
      'threeDSecure.npa=true&threeDSecure.schemeData[CB-ITEMSNB]=1',
      'threeDSecure.npa=true&threeDSecure.authenticationInd=PAYMENT&threeDSecure.schemeData[CB-ITEMSNB]=1',
    ],
  },
  {
    key: /^recurringMigration\.paymentType$/,
    kinds: 'registration',
    holds: ['recurringMigration.amount=1.00'],
    rests: ['', 'amount=1.00'],
  },
  { key: /^date\.(?:from|to)$/, kinds: 'report', ...ALWAYS },
];
