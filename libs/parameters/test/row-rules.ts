import { Form } from '../src/form.js';

/*
 * When a parameter must be sent, and which parameters must not come together, as requests: the rules
 * of Interface 2.2 to 2.19 over several parameters. A row that stands nowhere here is never demanded.
 */

const NEW = 'payment walletPayment virtualAccountPayment bankAccountPayment tokenPayment';
const REFERENCES =
  'capture refund rebill receipt chargeback chargebackReversal incrementalAuthorization reauthorization';
const SHOPPER = `${NEW} checkout registration schedule threeDSecure risk`;
const CARD = 'payment registration threeDSecure risk';
const WALLET = 'payment walletPayment checkout registration';
const BANK = 'bankAccountPayment checkout registration';

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
  'threeDSecure.threeRIInd=RECURRING',
  'threeDSecure.channel=1',
  'threeDSecure.npa=true',
  'threeDSecure.decoupled=true',
  'threeDSecure.v2.visa.requestorId=1',
];
const NO_AUTHENTICATIONS = [
  '',
  'threeDSecure.eci=05',
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
  holds: ['', 'createRegistration=false'],
  rests: ['createRegistration=true'],
};

function sent(key: string): Rule {
  return { holds: [`${key}=1`, `${key}=1&amount=92.00`], rests: ['', 'amount=92.00'] };
}

function without(...keys: readonly string[]): Rule {
  return { holds: ['', 'amount=92.00'], rests: keys.map((key) => `${key}=1`) };
}

function wallet(name: string): Demand[] {
  const card = 'card.number=4200000000000000';
  return [
    {
      key: new RegExp(String.raw`^${name}\.paymentToken$`),
      kinds: WALLET,
      holds: [`${name}.cardType=credit`, `${name}.other=1&${card}`],
      rests: ['', `${name}.source=web`, card, `${name}.cardType=credit&${name}.source=app`],
    },
    {
      key: new RegExp(String.raw`^${name}\.source$`),
      kinds: WALLET,
      holds: [`${name}.cardType=credit&${card}`],
      rests: ['', card, `${name}.cardType=credit`, `${name}.paymentToken=x&${card}`],
    },
  ];
}

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
    kinds: 'payment walletPayment registration schedule threeDSecure risk',
    holds: ['card.number=9999999999999999'],
    rests: ['', 'card.number=4200000000000000'],
  },
  {
    key: /^paymentBrand$/,
    kinds: 'virtualAccountPayment bankAccountPayment tokenPayment',
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
  { key: /^card\.(?:number|expiryMonth|expiryYear)$/, kinds: CARD, ...ALWAYS },
  ...['applePay', 'googlePay', 'samsungPay'].flatMap(wallet),
  {
    key: /^virtualAccount\.accountId$/,
    kinds: 'virtualAccountPayment checkout registration',
    ...ALWAYS,
  },
  { key: /^bankAccount\.holder$/, kinds: BANK, ...ALWAYS },
  { key: /^bankAccount\.number$/, kinds: BANK, ...without('bankAccount.iban') },
  { key: /^bankAccount\.iban$/, kinds: BANK, ...without('bankAccount.number') },
  {
    key: /^bankAccount\.bankCode$/,
    kinds: BANK,
    ...without('bankAccount.bic', 'bankAccount.iban'),
  },
  {
    key: /^bankAccount\.bic$/,
    kinds: BANK,
    ...without('bankAccount.bankCode', 'bankAccount.iban'),
  },
  { key: /^tokenAccount\.(?:number|type)$/, kinds: 'tokenPayment registration', ...ALWAYS },
  { key: /^customer\.(?:givenName|surname)$/, kinds: SHOPPER, ...namedCustomer },
  {
    key: /^customer\.identificationDocType$/,
    kinds: SHOPPER,
    ...sent('customer.identificationDocId'),
  },
  {
    key: /^customer\.identificationDocId$/,
    kinds: SHOPPER,
    ...sent('customer.identificationDocType'),
  },
  {
    key: /^customer\.browser\.(?:acceptHeader|language|screenHeight|screenWidth|timezone|userAgent|javaEnabled)$/,
    kinds: SHOPPER,
    holds: AUTHENTICATIONS,
    rests: [
      ...NO_AUTHENTICATIONS,
      ...AUTHENTICATIONS.map((each) => `${each}&threeDSecure.deviceInfo=x`),
    ],
  },
  {
    key: /^billing\.(?:street1|city|postcode|country)$/,
    kinds: SHOPPER,
    holds: [...AUTHENTICATIONS, 'threeDSecure.deviceInfo=x'],
    rests: NO_AUTHENTICATIONS,
  },
  { key: /^billing\.houseNumber1$/, kinds: SHOPPER, ...sent('billing.houseNumber2') },
  { key: /^shipping\.houseNumber1$/, kinds: SHOPPER, ...sent('shipping.houseNumber2') },
  {
    key: /^recurringMigration\.paymentType$/,
    kinds: 'registration',
    holds: ['recurringMigration.amount=1.00'],
    rests: ['', 'amount=1.00'],
  },
  { key: /^date\.(?:from|to)$/, kinds: 'report', ...ALWAYS },
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

/** Interface 2.10, 2.11: the two lines of a street are not digits only. */
const streets: readonly string[] = ['billing', 'shipping'];

/** Requests that a row's conflict refuses and accepts; undefined for rows without one. */
export function conflictOf(key: string): Probes | undefined {
  const address = streets.find((each) => key === `${each}.street1`);
  if (address === undefined) return undefined;
  const [street1, street2, house] = ['street1', 'street2', 'houseNumber1'].map(
    (part) => `${address}.${part}`,
  );
  const holds = [`${street1}=12`, `${street1}=12&${street2}=34`, `${street1}=1%202&${street2}=3`];
  const rests = ['', `${street1}=Main+Street`, `${street1}=12&${street2}=Main+Street`];
  // A house number apart leaves street2 without a say.
  return probesOf({ holds: [...holds, `${street1}=12&${street2}=Main&${house}=1`], rests });
}

const READ_IN_TESTS = ['forceResultCode', 'simulator.fault', 'simulator.avs', 'simulator.cvv'];

/** Names in brackets that a test installation reads; undefined for rows without them. */
export function namesReadInTests(key: string): readonly string[] | undefined {
  return key === 'customParameters[name]' ? READ_IN_TESTS : undefined;
}

function probesOf({ holds, rests }: Rule): Probes {
  return { holds: holds.map(formOf), rests: rests.map(formOf) };
}

function formOf(query: string): Form {
  return new Form(new Map(new URLSearchParams(query)));
}
