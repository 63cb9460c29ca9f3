import {
  brandNotDetectable,
  brandUnknownIn,
  checkoutThatPays,
  purposeOfTransfer,
} from '../conditions.js';
import { currencyWithdrawn } from '../conflicts.js';
import { noted } from '../format.js';
import { amount, characters, code, currencyCode, flag, integer, oneOf, text } from '../formats.js';
import { basicKinds, type Kind, newPaymentKinds, paymentKinds, referenceKinds } from '../kinds.js';
import {
  conditional,
  optional,
  type Parameters,
  required,
  type Requirement,
  sent,
  when,
} from '../parameter.js';

/** Payments, whatever refers to them, and checkouts take all of it (Interface 4). */
const ofPayments = {
  kinds: basicKinds,
  sensitivity: 'none',
  echo: true,
  kept: true,
  interface: '2.3',
  since: '0.1.0',
} as const;
const notEchoed = { ...ofPayments, echo: false } as const;
const ofCheckouts = {
  ...notEchoed,
  kinds: ['checkout'],
  kept: false,
} as const;
/** A checkout without payment registers payment details (wire contract 3). */
const ofCheckoutsThatPay = when(checkoutThatPays);
/** Paid with a brand: what refers to a payment has that of the payment. */
const brandKinds = [
  ...newPaymentKinds,
  'checkout',
  'widgetPayment',
  'registration',
  'schedule',
  'threeDSecure',
  'risk',
] as const;
const identifier = { cardNumbers: 'refused' } as const;
const freeText = { cardNumbers: 'masked' } as const;

/** What a checkout can end with, by any of its brands. */
const typesOfCheckouts = noted('A2', oneOf('PA', 'DB', 'CD'));

/** Interface 4, wire contract 4: what is stored has no amount; whoever sends one may wait for a payment. */
const ofNoRegistration = {
  refusedIn: { registration: 'is of a payment, and storing something pays nothing' },
} as const;

/** The same of whatever refers to a transaction. */
function ofReferences(requirement: Requirement): Readonly<Partial<Record<Kind, Requirement>>> {
  return Object.fromEntries(referenceKinds.map((kind) => [kind, requirement]));
}

/** The same of new payments by anything but a card, whose number alone tells a brand. */
function ofPaymentsWithoutCard(
  requirement: Requirement,
): Readonly<Partial<Record<Kind, Requirement>>> {
  const withoutCard = newPaymentKinds.filter((kind) => kind !== 'payment');
  return Object.fromEntries(withoutCard.map((kind) => [kind, requirement]));
}

/** Interface 2.3: basic payment parameters, in its order. */
export const basic = {
  amount: {
    ...ofPayments,
    ...ofNoRegistration,
    format: noted('N10.N2: 1-10 digits, optional dot and exactly 2 decimals', amount),
    kinds: [...paymentKinds, 'checkout', 'schedule', 'threeDSecure', 'risk'],
    requirement: required,
    // D-30: a reversal without amount takes all that is open.
    requirementIn: { reversal: optional, checkout: ofCheckoutsThatPay },
    emptyIsWrong: true,
    echo: false,
    kept: false,
    example: '92.00',
    description: 'The only amount that is processed; tax, shipping and the like are part of it.',
  },
  taxAmount: {
    ...ofPayments,
    format: amount,
    requirement: conditional('expected by some receivers'),
    example: '14.69',
    description: 'The tax that is part of the amount.',
  },
  discountAmount: {
    ...ofPayments,
    format: amount,
    requirement: optional,
    example: '5.00',
    description: 'Discount on the whole invoice (level 3 card data).',
  },
  currency: {
    ...ofPayments,
    ...ofNoRegistration,
    format: noted('A3, uppercase', currencyCode),
    kinds: [...paymentKinds, 'checkout', 'schedule', 'threeDSecure', 'risk', 'report'],
    requirement: required,
    requirementIn: {
      reversal: when(sent('amount')),
      checkout: ofCheckoutsThatPay,
      report: optional,
    },
    conflict: currencyWithdrawn,
    echo: false,
    kept: false,
    example: 'EUR',
    description: 'The currency of the amount, ISO 4217.',
  },
  paymentBrand: {
    ...notEchoed,
    ...identifier,
    kinds: [...brandKinds, 'registrationUpdate'],
    format: characters(32, 'a-z A-Z 0-9 _', 'a-zA-Z0-9_'),
    requirement: when(brandNotDetectable),
    requirementIn: {
      ...ofPaymentsWithoutCard({ ...required, letter: 'C' }),
      checkout: conditional('the shopper chooses the brand in the widget'),
      widgetPayment: when(brandUnknownIn('widgetPayment')),
      registration: when(brandUnknownIn('registration')),
      registrationUpdate: conditional('the registration has its brand'),
      schedule: conditional('the registration has its brand'),
      risk: when(brandUnknownIn('risk')),
    },
    kept: false,
    example: 'VISA',
    description: 'The brand of the card; detected from the card number if absent.',
  },
  paymentType: {
    ...ofPayments,
    kinds: [...paymentKinds, 'checkout', 'registration', 'registrationUpdate', 'schedule'],
    format: code(2),
    // Wire contract 3 and 6; of payments and references the list follows where they are sent.
    formatIn: {
      checkout: typesOfCheckouts,
      // Interface 2.16: a registration request is of type RG.
      registration: noted('A2', oneOf('RG')),
      registrationUpdate: noted('A2', oneOf('RR')),
      schedule: noted('A2', oneOf('SD', 'DB', 'PA', 'CD')),
    },
    requirement: required,
    requirementIn: {
      checkout: ofCheckoutsThatPay,
      registration: optional,
      registrationUpdate: optional,
    },
    echo: false,
    kept: false,
    example: 'DB',
    description:
      'PA authorization, DB debit, CD credit; for a transaction: CP capture, RV reversal, RF refund, RB rebill, RC receipt, CB chargeback, CR chargeback reversal, PA increment, RG storing.',
  },
  integrity: {
    ...ofCheckouts,
    format: noted('A5', flag()),
    requirement: optional,
    description: 'Asks for the hash of the payment script.',
  },
  'overridePaymentType[brand]': {
    ...ofCheckouts,
    format: noted('brand AN32 (chars a-z A-Z 0-9 _), value A2', typesOfCheckouts),
    nameFormat: characters(32, 'a-z A-Z 0-9 _', 'a-zA-Z0-9_'),
    requirement: optional,
    onlyThere: true,
    description:
      'Payment type for one brand, in place of `paymentType`: the brand that the payment has, sent, detected, stored or in a wallet.',
  },
  descriptor: {
    ...ofPayments,
    ...freeText,
    format: text({ min: 1, max: 127 }),
    requirement: optional,
    sensitivity: 'personal',
    example: 'Bookshop order 4711',
    description: "Part of the text on the shopper's statement; `merchant.name` overrides it.",
  },
  merchantTransactionId: {
    ...ofPayments,
    ...identifier,
    kinds: [
      ...basicKinds,
      ...(['registration', 'registrationUpdate', 'schedule', 'threeDSecure', 'risk'] as const),
      'query',
    ],
    format: text({ min: 8, max: 255 }),
    formatIn: { query: text({ max: 255 }) },
    requirement: conditional('expected by some receivers'),
    requirementIn: { query: optional },
    example: 'order-4711',
    description: "The merchant's own reference, unique, used for reconciliation.",
  },
  merchantInvoiceId: {
    ...ofPayments,
    ...identifier,
    format: text({ min: 8, max: 255 }),
    requirement: optional,
    example: 'invoice-2026-0815',
    description: 'Invoice number, unique, not sent onwards.',
  },
  merchantMemo: {
    ...ofPayments,
    ...freeText,
    format: text({ min: 8, max: 255 }),
    requirement: optional,
    echo: false,
    sensitivity: 'personal',
    example: 'Gift wrapped, deliver by Friday',
    description: 'A note that appears in reporting only.',
  },
  transactionCategory: {
    ...notEchoed,
    ...freeText,
    kinds: [...basicKinds, 'threeDSecure'],
    format: characters(32, 'a-z A-Z 0-9', 'a-zA-Z0-9', 0),
    requirement: optional,
    echo: true,
    example: 'EC',
    description: 'Where the order came from, e.g. EC, MO, TO, MOTO, PO.',
  },
  sequence: {
    ...ofPayments,
    kinds: referenceKinds,
    // The interface writes AN and gives one value a meaning. Another one, `final` say, would leave
    // an authorization open that the merchant takes for closed.
    format: noted('AN', oneOf('FINAL')),
    requirement: optional,
    echo: false,
    kept: false,
    description: 'FINAL, its only value, marks the last capture, reversal, refund and the like.',
  },
  numberOfCaptures: {
    ...notEchoed,
    // Said of an authorization when it is made; what refers to it counts.
    kinds: [...newPaymentKinds, 'checkout'],
    refusedIn: {
      threeDSecure: 'is of a payment: nothing of this is captured',
      risk: 'is of a payment: nothing of this is captured',
    },
    format: integer(2, 1, 98),
    requirement: optional,
    kept: false,
    example: '3',
    description: 'The maximum number of partial captures.',
  },
  promotionCode: {
    ...notEchoed,
    ...identifier,
    format: characters(15, 'a-z A-Z 0-9', 'a-zA-Z0-9', 0),
    requirement: optional,
    example: 'SPRING26',
    description: 'Promotion code, one per order.',
  },
  locale: {
    ...notEchoed,
    ...identifier,
    format: text({ min: 1, max: 10 }),
    requirement: optional,
    example: 'de_DE',
    description: 'Language and country of the shopper, as far as the connector knows them.',
  },
  transactionPurposeCode: {
    ...notEchoed,
    ...freeText,
    format: text({ min: 1, max: 12 }),
    requirement: { ...when(purposeOfTransfer), letter: 'O' },
    // The recipient was named with the payment that they refer to.
    requirementIn: ofReferences(optional),
    example: 'SALARY',
    description:
      'Purpose of an account-funding or original-credit transfer, demanded by some countries of the recipient.',
  },
  integrationType: {
    ...notEchoed,
    ...identifier,
    format: text({ min: 1, max: 10 }),
    requirement: optional,
    example: 'PLUGIN',
    description: "How the merchant's system is integrated.",
  },
  transactionBai: {
    ...notEchoed,
    format: text({ max: 2 }),
    requirement: optional,
    example: 'AA',
    description: 'Business application identifier of network funding and credit transfers.',
  },
  transactionTti: {
    ...notEchoed,
    format: text({ max: 3 }),
    requirement: optional,
    example: 'P2P',
    description: 'Transaction type identifier of network send transactions.',
  },
  transactionProcessingCode: {
    ...notEchoed,
    format: oneOf('PURCHASE', 'FUNDING', 'PAYMENT'),
    requirement: optional,
    description: 'PURCHASE if absent; FUNDING for account funding, PAYMENT for original credits.',
  },
  lifecycleId: {
    ...ofPayments,
    ...identifier,
    format: text({ max: 35 }),
    requirement: optional,
    example: 'LC20260412A7F39',
    description: 'Links an authorization with its increments, reversals and captures.',
  },
  referenceUuid: {
    ...ofPayments,
    kinds: ['incrementalAuthorization', 'reauthorization'],
    // Any text: one that is no id refers to nothing, and says so in the same words (D-33).
    format: text({ max: 32 }),
    requirement: optional,
    echo: false,
    kept: false,
    example: '8ac7a4a28d1f4b6e018d20a3c5f30b21',
    description:
      'The transaction that an increment or reauthorization sent to the payments collection refers to.',
  },
  transactionPurposeAccount: {
    ...notEchoed,
    format: text({}),
    ...freeText,
    requirement: optional,
    sensitivity: 'personal',
    example: 'PAYROLL',
    description: 'Purpose of an account-funding payment, e.g. PAYROLL.',
  },
  'forex.amount': {
    ...notEchoed,
    format: amount,
    requirement: conditional('expected by some receivers'),
    echo: true,
    example: '99.36',
    description: 'The amount in the currency of the foreign exchange.',
  },
  'forex.currency': {
    ...notEchoed,
    format: currencyCode,
    requirement: conditional('expected by some receivers'),
    echo: true,
    example: 'USD',
    description: 'The currency of the foreign exchange.',
  },
  'forex.tax': {
    ...notEchoed,
    format: amount,
    requirement: conditional('expected by some receivers'),
    echo: true,
    example: '1.84',
    description: "Markup for currency conversion on the sender's funding transaction.",
  },
} as const satisfies Parameters;
