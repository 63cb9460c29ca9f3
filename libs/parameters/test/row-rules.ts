import { Form } from '../src/form.js';
import { NEAR_MISSES } from './example-shapes.js';

/*
 * When a parameter must be sent, and which parameters must not come together, as requests: the rules
 * of Interface 2.2 to 2.19 over several parameters. A row that stands nowhere here is never demanded.
 */

const NEW = 'payment walletPayment virtualAccountPayment bankAccountPayment tokenPayment';
const REFERENCES =
  'capture refund rebill receipt chargeback chargebackReversal incrementalAuthorization reauthorization';
const SHOPPER = `${NEW} checkout registration schedule threeDSecure risk`;
const WALLET_TOKEN = 'walletPayment checkout widgetPayment registration';
const WALLET = `payment ${WALLET_TOKEN}`;
const OPEN = 'checkout registration risk';
/** In the widget a direct debit's account is told: it is where the shopper says it. */
const BANK = 'bankAccountPayment widgetPayment';
/** Interface 2.17: those that may ask for an authentication; others take no `threeDSecure.*`. */
const ASKING = `${NEW} checkout`;

/** Requests in which a rule speaks and in which it does not, as query strings. */
interface Rule {
  readonly holds: readonly string[];
  readonly rests: readonly string[];
}

/** A rule and the kinds of request it is one of. */
interface Demand extends Rule {
  readonly key: RegExp;
  readonly kinds: string;
}

const ALWAYS: Rule = { holds: ['', 'amount=92.00', 'createRegistration=true'], rests: [] };
const NEVER: Rule = { holds: [], rests: ['', 'amount=92.00'] };

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
  'threeDSecure.channel=1',
];
const NO_AUTHENTICATIONS = [
  '',
  'threeDSecure.npa=true&threeDSecure.disable=true',
  // Said no, nothing is asked for; and who the merchant is comes with everything.
  'threeDSecure.npa=false',
  'threeDSecure.decoupled=false&threeDSecure.npa=false',
  'threeDSecure.v2.visa.requestorId=1&threeDSecure.merchant.name=1',
  'threeDSecure.eci=05',
  // An external server has authenticated.
  ...['eci=05', 'verificationId=x', 'dsTransactionId=x'].map(
    (proof) => `threeDSecure.npa=true&threeDSecure.${proof}`,
  ),
  'threeDSecure.disable=true',
  'card.number=4',
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
    {
      key: new RegExp(String.raw`^${name}\.source$`),
      kinds: WALLET,
      holds: [`${name}.cardType=credit&${card}`],
      rests: ['', card, `${name}.cardType=credit`, `${name}.paymentToken=x&${card}`],
    },
  ];
}

const CARD_IS_USED = [
  ...ALWAYS.holds,
  ...['registrationId=1&card.number=4', 'registrations[0].id=1', 'card.holder=Jane'],
];
const REGISTRATION_IS_USED = ['registrationId=1', 'registrationId=1&card.cvv=123&paymentType=DB'];

const demands: readonly Demand[] = [
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
    kinds: 'walletPayment virtualAccountPayment bankAccountPayment tokenPayment',
    ...ALWAYS,
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
    rests: [...REGISTRATION_IS_USED, 'bankAccount.iban=1', 'virtualAccount.accountId=1'],
  },
  {
    // Wire contract 10: forms for cards, for bank accounts, for virtual ones and for wallets.
    key: /^card\.(?:number|expiryMonth|expiryYear)$/,
    kinds: 'widgetPayment',
    holds: [...CARD_IS_USED, 'tokenAccount.number=1'],
    rests: [
      ...[...REGISTRATION_IS_USED, 'bankAccount.iban=1', 'virtualAccount.accountId=1'],
      ...['applePay.paymentToken=1', 'googlePay.paymentToken=1', 'samsungPay.paymentToken=1'],
    ],
  },
  {
    key: /^card\.(?:number|expiryMonth|expiryYear)$/,
    kinds: 'registration',
    holds: ['', 'card.holder=Jane', 'bankAccount.iban=1&card.holder=Jane'],
    rests: [
      ...['bankAccount.iban=1', 'virtualAccount.accountId=1', 'applePay.paymentToken=1'],
      'tokenAccount.number=1',
    ],
  },
  ...['applePay', 'googlePay', 'samsungPay'].flatMap(wallet),
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
  // Wire contract 6: a schedule is of a registration.
  { key: /^registrationId$/, kinds: 'schedule', ...ALWAYS },
];

/** The requests of a rule, ready to be checked. */
export interface Probes {
  readonly holds: readonly Form[];
  readonly rests: readonly Form[];
}

const never = probesOf(NEVER);
const probes = demands.map(({ key, kinds, ...rule }) => ({
  key,
  kinds: kinds.split(' '),
  ...probesOf(rule),
}));

/** When a kind of request demands a parameter, as requests. */
export function demandOf(key: string, kind: string): Probes {
  return probes.find((each) => each.key.test(key) && each.kinds.includes(kind)) ?? never;
}

/** Interface 2.7: of two that would do, either is enough. */
const EITHER: readonly (readonly [string, string])[] = [
  ['bankAccount.number', 'bankAccount.iban'],
  ['bankAccount.bankCode', 'bankAccount.bic'],
];

/** What may be sent in the place of a parameter, so that its absence is no violation of its own. */
export function insteadOf(key: string): string | undefined {
  const pair = EITHER.find((each) => each.includes(key));
  return pair?.find((each) => each !== key);
}

/** Interface 2.17: what needs 3-D Secure 2.2. */
const SINCE_2_2: readonly string[] = [
  'threeDSecure.challengeIndicator',
  'threeDSecure.exemptionFlag',
];

/** Requests that a row's conflict refuses and accepts; undefined for rows without one. */
export function conflictOf(key: string): Probes | undefined {
  if (SINCE_2_2.includes(key)) {
    const version = (text: string): string => `${key}=01&threeDSecure.version=${text}`;
    const holds = ['1.0.2', '2.0.1', '2.1.0'].map(version);
    return probesOf({ holds, rests: [`${key}=01`, ...['2.2.0', '2.3.1'].map(version)] });
  }
  if (key === 'currency') {
    // ISO 4217 has withdrawn these; what was paid in them before is still given back.
    const probes = (codes: readonly string[], types: readonly string[]): string[] =>
      codes.flatMap((code) => types.map((type) => `currency=${code}&paymentType=${type}`));
    const older = ['CP', 'RV', 'RF', 'RC', 'CB', 'CR'];
    return probesOf({
      holds: [...probes(['ANG', 'BGN'], ['DB', 'PA', 'CD', 'RB', 'SD']), 'currency=ANG'],
      rests: [...probes(['ANG', 'BGN'], older), ...probes(['EUR', 'XCG'], ['DB', 'PA', 'RF'])],
    });
  }
  if (key === 'threeDSecure.amount') return fractionsOfAuthentication();
  return streetsOf(key);
}

/** ISO 4217: JPY and ISK have no minor unit, EUR has two decimals, KWD three. */
function fractionsOfAuthentication(): Probes {
  const of = (code: string, amount: string): string =>
    `threeDSecure.amount=${amount}&threeDSecure.currency=${code}`;
  return probesOf({
    holds: [
      of('JPY', '1.50'),
      of('ISK', '0.01'),
      of('JPY', '10.05'),
      `${of('JPY', '1.10')}&currency=EUR`,
    ],
    rests: [
      ...[of('JPY', '1.00'), of('JPY', '150'), of('EUR', '1.50'), of('KWD', '1.55')],
      ...[of('JPY', '0.00'), of('zzz', '1.50'), of('JPY', 'x'), 'threeDSecure.amount=1.50', ''],
      ...['threeDSecure.currency=JPY', `${of('EUR', '1.50')}&currency=JPY`],
    ],
  });
}

/**
 * Interface 2.10: the two lines of a street are not digits only, in whichever script, wherever the
 * bill goes; 2.11 has no such rule.
 */
function streetsOf(key: string): Probes | undefined {
  const address = /^((?:merchant\.)?billing)\.street[12]$/.exec(key)?.[1];
  if (address === undefined) return undefined;
  const [street1, street2, house] = ['street1', 'street2', 'houseNumber1'].map(
    (part) => `${address}.${part}`,
  );
  if (key === street1) {
    const holds = ['12', '1%202', '\u0661\u0662', '\uff11\uff12', '\u0967\u0968'].map(
      (digits) => `${street1}=${digits}`,
    );
    const rests = ['', `${street1}=Main+Street`, `${street1}=12&${street2}=Main+Street`];
    return probesOf({
      holds: [
        ...holds,
        ...[`${street1}=12&${street2}=34`, `${street1}=1%202&${street2}=\u0663`],
        // A house number apart leaves street2 without a say.
        `${street1}=12&${street2}=Main&${house}=1`,
      ],
      rests,
    });
  }
  const rests = ['', `${street2}=Main+Street`, `${street1}=12&${street2}=34`];
  return probesOf({ holds: [`${street2}=12`, `${street2}=\u0661`], rests });
}

/** Where a kind of request takes fewer values than the interface's list has for all. */
const OWN_VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // Wire contract 3 and 4: what a payment is; wire contract 6: schedules have a type of their own.
  paymentType: { checkout: ['PA', 'DB', 'CD'], schedule: ['SD', 'DB', 'PA', 'CD'] },
};

/** The values that each of some kinds takes alone; none for rows that are the same for all. */
export function ownValuesOf(key: string): Readonly<Record<string, readonly string[]>> {
  return OWN_VALUES[key] ?? {};
}

/** Names in brackets as a kind of request takes and refuses them. */
interface OwnNames {
  readonly kind: string;
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

/** Interface 2.18: "sent from the client side (widget), the name must start with SHOPPER_". */
const FROM_THE_WIDGET: OwnNames = {
  kind: 'widgetPayment',
  accepted: ['SHOPPER_', 'SHOPPER_a', 'SHOPPER_a.b_9Z', `SHOPPER_${'x'.repeat(56)}`],
  refused: [
    ...['', 'SHOPPER', 'shopper_a', 'Shopper_a', 'xSHOPPER_a', ' SHOPPER_a', 'SHOPPER-a', 'note'],
    ...NEAR_MISSES.filter((each) => !/[._]/.test(each)).map((each) => `SHOPPER_a${each}`),
    ...['SHOPPER_a-b', 'SHOPPER_ä', 'SHOPPER_a b', 'SHOPPER_a\n', `SHOPPER_${'x'.repeat(57)}`],
    ...['forceResultCode', '3DS2_enrolled', 'SHOPPER_x]', 'SHOPPERxa', 'SHOPPER__€', '9HOPPER_a'],
  ],
};

/** Where a kind takes names of a form of its own; undefined for all other rows. */
export function ownNamesOf(key: string): OwnNames | undefined {
  return key === 'customParameters[name]' ? FROM_THE_WIDGET : undefined;
}

const TEST_DIRECTIVES = ['forceResultCode', 'simulator.fault', 'simulator.avs', 'simulator.cvv'];

/** Names in brackets that a test installation reads; undefined for rows without them. */
export function testDirectivesOfRow(key: string): readonly string[] | undefined {
  return key === 'customParameters[name]' ? TEST_DIRECTIVES : undefined;
}

function probesOf({ holds, rests }: Rule): Probes {
  return { holds: holds.map(formOf), rests: rests.map(formOf) };
}

function formOf(query: string): Form {
  return new Form(new Map(new URLSearchParams(query)));
}
