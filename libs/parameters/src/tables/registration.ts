import { type Format, noted } from '../format.js';
import { amountOfDigits, dateTime, flag, oneOf, text } from '../formats.js';
import { newPaymentKinds, referenceKinds } from '../kinds.js';
import { conditional, optional, type Parameters, when } from '../parameter.js';
import { anySent } from '../conditions.js';
import { overridesNothing } from '../conflicts.js';

const ofRegistrations = {
  requirement: conditional('expected by some receivers'),
  kinds: ['registration'],
  sensitivity: 'none',
  echo: false,
  kept: true,
  interface: '2.16',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;

/** Only a registration request carries the data of a first payment from elsewhere (Interface 2.16). */
const ofMigrations = { ...ofRegistrations, onlyThere: true } as const;

const MADE_AT = '2024-06-01 09:30:00';
/** What refers to a payment is made with nothing that could be stored. */
const ofNewPayments: Format = {
  ...noted('true or false', oneOf('false')),
  message: 'must be false: what an earlier payment was made with is stored by RG',
};

/** Interface 2.16: storing payment details, and taking over agreements from elsewhere. */
export const registration = {
  createRegistration: {
    ...ofRegistrations,
    format: flag(),
    formatIn: {
      // Storing is all that is asked for there.
      registration: noted('true or false', oneOf('true')),
      ...Object.fromEntries(referenceKinds.map((kind) => [kind, ofNewPayments])),
    },
    requirement: optional,
    kinds: [...newPaymentKinds, ...referenceKinds, 'checkout', 'widgetPayment', 'registration'],
    description:
      'Whether the payment details are stored if the payment is approved; the answer has their `registrationId`. Of an earlier payment, RG stores them.',
  },
  overrideHolder: {
    ...ofRegistrations,
    // With true it is refused without a registration, so that is no example of what is taken.
    format: { ...flag(), accepted: 'false' },
    conflict: overridesNothing,
    requirement: optional,
    kinds: [...newPaymentKinds, 'checkout'],
    description:
      'Whether the holder sent replaces an empty one of the registration, for this payment; one that is stored stays, and without a holder in the request nothing is replaced.',
  },
  'recurringMigration.paymentType': {
    ...ofMigrations,
    format: noted('A2', oneOf('DB', 'CD', 'PA')),
    requirement: { ...when(anySent('recurringMigration.')), letter: 'R' },
    deprecated: 'Send `standingInstruction.initialTransactionId` with the payment.',
    description: 'Type of the first payment.',
  },
  'recurringMigration.amount': {
    ...ofMigrations,
    format: amountOfDigits(8),
    requirement: optional,
    deprecated: 'Send `standingInstruction.initialTransactionId` with the payment.',
    example: '9.99',
    description: 'Amount of the first payment.',
  },
  'recurringMigration.requestTimestamp': {
    ...ofMigrations,
    // What is accepted of other dates lies in the future.
    format: noted('AN19, yyyy-MM-dd HH:mm:ss form', { ...dateTime, accepted: MADE_AT }),
    deprecated: 'Send `standingInstruction.initialTransactionId` with the payment.',
    example: MADE_AT,
    description: 'When the first payment was made: not in the future.',
  },
  'recurringMigration.connectorTxId1': {
    ...ofMigrations,
    format: text({ max: 128 }),
    cardNumbers: 'refused',
    deprecated: 'Send `standingInstruction.initialTransactionId` with the payment.',
    example: '8819462043',
    description:
      "The acquirer's first reference of the first payment. The first one sent is the `standingInstruction.initialTransactionId` of what the merchant initiates with it, unless that names another.",
  },
  'recurringMigration.connectorTxId2': {
    ...ofMigrations,
    format: text({ max: 128 }),
    cardNumbers: 'refused',
    deprecated: 'Send `standingInstruction.initialTransactionId` with the payment.',
    example: '024153883129',
    description:
      "The acquirer's second reference of the first payment. The first one sent is the `standingInstruction.initialTransactionId` of what the merchant initiates with it, unless that names another.",
  },
  'recurringMigration.connectorTxId3': {
    ...ofMigrations,
    format: text({ max: 128 }),
    cardNumbers: 'refused',
    deprecated: 'Send `standingInstruction.initialTransactionId` with the payment.',
    example: 'MCC0815240601',
    description:
      "The acquirer's third reference of the first payment. The first one sent is the `standingInstruction.initialTransactionId` of what the merchant initiates with it, unless that names another.",
  },
} as const satisfies Parameters;
