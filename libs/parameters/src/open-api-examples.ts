/** A request that works against the demo channel of a sandbox, as people would write it. */
export interface RequestExample {
  /** What comes of it. */
  readonly summary: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The demo channel's entity, which every sandbox has; a test in the sandbox pays with these. */
const entityId = '8a8294174b7ecb28014b9699220015ca';

const payment = {
  entityId,
  amount: '92.00',
  currency: 'EUR',
  paymentBrand: 'VISA',
  paymentType: 'DB',
} as const;

const card = {
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
} as const;

/** Bodies of `POST /v1/payments`. */
export const paymentExamples = {
  debit: { summary: 'A debit by card: approved', fields: { ...payment, ...card } },
  authorization: {
    summary: 'An authorization by card: approved, to be captured later',
    fields: { ...payment, paymentType: 'PA', ...card },
  },
  credit: {
    summary: 'A credit to a card: paid out without a payment before it',
    fields: { ...payment, amount: '10.00', paymentType: 'CD', ...card },
  },
  detailed: {
    summary: 'A debit with shopper, address and cart: approved',
    fields: {
      ...payment,
      merchantTransactionId: 'order-4711',
      ...card,
      'customer.givenName': 'Jane',
      'customer.surname': 'Jones',
      'customer.email': 'jane.jones@example.org',
      'billing.street1': 'Hauptstr. 1',
      'billing.city': 'Berlin',
      'billing.postcode': '10115',
      'billing.country': 'DE',
      'cart.items[0].name': 'Book',
      'cart.items[0].quantity': '1',
      'cart.items[0].price': '92.00',
      'customParameters[shelf]': 'A7',
    },
  },
  declined: {
    summary: 'A debit that the simulated acquirer declines: 800.100.155',
    fields: { ...payment, ...card, 'customParameters[forceResultCode]': '800.100.155' },
  },
  refused: {
    summary: 'A debit with two mistakes: 200.300.404 says which',
    fields: { ...payment, amount: '92.5', ...card, 'card.expiryMonth': '13' },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

const browser = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en-GB',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.userAgent': 'Mozilla/5.0',
} as const;

const { paymentType: _type, ...withoutType } = payment;

/** Bodies of `POST /v1/threeDSecure`. */
export const authenticationExamples = {
  frictionless: {
    summary: 'A test card whose issuer does not ask: authenticated at once',
    fields: { ...withoutType, ...card, 'card.number': '4200000000000026', ...browser },
  },
  challenge: {
    summary: 'A test card whose issuer asks: pending, with a redirect',
    fields: {
      ...{ ...withoutType, ...card, 'card.number': '4200000000000042', ...browser },
      shopperResultUrl: 'https://shop.example/result',
    },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /v1/risk`. */
export const riskExamples = {
  check: {
    summary: 'A card is judged: refused with 600.200.500 where the channel has no rules',
    fields: { ...withoutType, ...card, 'customer.email': 'jane.jones@example.org' },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

const { 'card.cvv': _, ...storedCard } = card;

/** Bodies of `POST /v1/registrations`. */
export const registrationExamples = {
  card: {
    summary: 'A card, for later payments: stored without its security code',
    fields: { entityId, paymentBrand: 'VISA', ...storedCard },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /v1/registrations/{id}`. */
export const updateExamples = {
  expiry: {
    summary: 'The card was issued again, with another expiry',
    fields: { entityId, 'card.expiryMonth': '07', 'card.expiryYear': '2036' },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /v1/checkouts`. */
export const checkoutExamples = {
  payment: {
    summary: 'A debit that the shopper completes',
    fields: { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
  },
  registration: {
    summary: 'Something is stored, and nothing paid',
    fields: { entityId, createRegistration: 'true' },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /v1/checkouts/{id}`. */
export const checkoutUpdateExamples = {
  amount: { summary: 'Another amount', fields: { entityId, amount: '82.00' } },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /v1/checkouts/{id}/payment`. */
export const shopperExamples = {
  card: { summary: 'A card', fields: { paymentBrand: 'VISA', ...card } },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /v1/registrations/{id}/payments`. */
export const storedPaymentExamples = {
  debit: {
    summary: 'A debit of what was stored',
    fields: { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /scheduling/v1/schedules`. */
export const scheduleExamples = {
  monthly: {
    summary: 'A debit on the first of each month, for a year',
    fields: {
      entityId,
      registrationId: '8ac7a4a28d1f4b6e018d20a41b7e0c94',
      ...{ amount: '9.90', currency: 'EUR', paymentType: 'SD' },
      'job.expression': '0 0 8 1 * ? *',
      ...{ 'job.durationUnit': 'YEAR', 'job.durationNumber': '1' },
    },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /scheduling/v1/schedules/{id}/reschedule`. */
export const rescheduleExamples = {
  dearer: {
    summary: 'Another amount at the same times',
    fields: { entityId, amount: '11.90', currency: 'EUR' },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Bodies of `POST /v1/payments/{id}`. */
export const referenceExamples = {
  refund: {
    summary: 'A refund of a debit, or of what was captured',
    fields: { entityId, amount: '10.00', currency: 'EUR', paymentType: 'RF' },
  },
  capture: {
    summary: 'A capture of an authorization',
    fields: { entityId, amount: '92.00', currency: 'EUR', paymentType: 'CP' },
  },
  reversal: {
    summary: 'A reversal before settlement',
    fields: { entityId, paymentType: 'RV' },
  },
  increment: {
    summary: 'An increment of an authorization',
    fields: {
      entityId,
      ...{ amount: '20.00', currency: 'EUR', paymentType: 'PA' },
      'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
    },
  },
  rebill: {
    summary: 'A rebill: the card of a debit or capture pays again',
    fields: { entityId, amount: '10.00', currency: 'EUR', paymentType: 'RB' },
  },
  chargeback: {
    summary: 'A chargeback, recorded as the issuer imposed it',
    fields: { entityId, amount: '92.00', currency: 'EUR', paymentType: 'CB' },
  },
  chargebackReversal: {
    summary: 'The reversal of a chargeback',
    fields: { entityId, amount: '92.00', currency: 'EUR', paymentType: 'CR' },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;
