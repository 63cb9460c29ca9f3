import {
  industryPractices,
  standingInstructionModes,
  standingInstructionSources,
  standingInstructionTypes,
} from '@sluice/contracts';
import { noted } from '../format.js';
import { date, digits, oneOf, text } from '../formats.js';
import { newPaymentKinds } from '../kinds.js';
import {
  initiatedByMerchant,
  insteadOf,
  installmentsAgreed,
  installmentsOfThreeDSecure,
} from '../conditions.js';
import { furtherOfNothing, noInstallments } from '../conflicts.js';
import { conditional, optional, type Parameters, type Requirement, when } from '../parameter.js';

const ofStandingInstructions = {
  requirement: conditional('expected for card-on-file payments'),
  kinds: [
    ...newPaymentKinds,
    'checkout',
    'registration',
    'schedule',
    'threeDSecure',
    'rebill',
    'incrementalAuthorization',
    'reauthorization',
  ],
  sensitivity: 'none',
  echo: true,
  kept: true,
  interface: '2.18',
  since: '0.1.0',
} as const;

const FIRST_PAYMENT = 'standingInstruction.initialTransactionId';
const AGREEMENT = 'standingInstruction.agreementId';

/**
 * Of payments with a card, and with what stands for one: the agreement is one of a card network. Who
 * holds the account or the gift card knows none, and a provider has its own (pages 0049, 0063).
 */
const ofCards = (requirement: Requirement) => ({
  payment: requirement,
  walletPayment: requirement,
  tokenPayment: requirement,
});

/** Interface 2.18: card on file. */
export const standingInstruction = {
  'standingInstruction.type': {
    ...ofStandingInstructions,
    format: oneOf(...standingInstructionTypes),
    description: 'What has been agreed with the shopper.',
  },
  'standingInstruction.recurringType': {
    ...ofStandingInstructions,
    format: oneOf('STANDING_ORDER', 'SUBSCRIPTION'),
    description: 'Whether recurring amounts are fixed or follow a subscription.',
  },
  'standingInstruction.mode': {
    ...ofStandingInstructions,
    format: oneOf(...standingInstructionModes),
    description:
      'Whether this is the first payment of the agreement, which is a CIT (100.900.500), or a later one.',
  },
  'standingInstruction.source': {
    ...ofStandingInstructions,
    format: oneOf(...standingInstructionSources),
    description:
      'Who initiates the payment: the cardholder or the merchant. An order at a bank (giropay, iDEAL) is no MIT (100.900.500).',
  },
  [FIRST_PAYMENT]: {
    ...ofStandingInstructions,
    format: noted('AN or N, format depends on the acquirer', text({ max: 255 })),
    cardNumbers: 'refused',
    example: '484301795628194',
    requirementIn: ofCards(insteadOf(AGREEMENT, initiatedByMerchant)),
    description:
      "The acquirer's reference of the first payment, from its answer; of REPEATED alone (100.900.500). " +
      'What that agreed binds the later payment; a reference of another gateway is taken as given.',
  },
  'standingInstruction.industryPractice': {
    ...ofStandingInstructions,
    // The first of them is of what refers to a payment, and the example is of any request.
    format: { ...oneOf(...industryPractices), accepted: 'NO_SHOW' },
    conflict: furtherOfNothing,
    description:
      'Why the merchant initiates the payment: only of REPEATED and MIT (100.900.500). PA on a ' +
      'transaction or with `referenceUuid` says INCREMENTAL_AUTH or REAUTHORIZATION.',
  },
  'standingInstruction.expiry': {
    ...ofStandingInstructions,
    format: noted('yyyy-mm-dd', date),
    example: '2030-12-31',
    description:
      'The date after which no authorization is made: what a first payment said binds its rebills and ' +
      'the later payments that name it (600.200.501).',
  },
  'standingInstruction.frequency': {
    ...ofStandingInstructions,
    format: noted('N4', digits(4)),
    example: '30',
    description:
      'The minimum number of days between authorizations; binding as the expiry is (600.200.501).',
  },
  'standingInstruction.numberOfInstallments': {
    ...ofStandingInstructions,
    format: noted('N3', digits(3)),
    conflict: noInstallments,
    requirement: when(installmentsOfThreeDSecure),
    requirementIn: {
      threeDSecure: when(installmentsAgreed),
      registration: ofStandingInstructions.requirement,
      schedule: ofStandingInstructions.requirement,
      rebill: ofStandingInstructions.requirement,
      incrementalAuthorization: ofStandingInstructions.requirement,
      reauthorization: ofStandingInstructions.requirement,
    },
    example: '12',
    description:
      'The maximum number of authorizations, the first one among them; binding as the expiry is ' +
      '(600.200.501).',
  },
  [AGREEMENT]: {
    ...ofStandingInstructions,
    format: text({ max: 35 }),
    requirement: optional,
    requirementIn: ofCards({ ...insteadOf(FIRST_PAYMENT, initiatedByMerchant), letter: 'O' }),
    cardNumbers: 'refused',
    example: 'AGREEMENT-2026-0042',
    description:
      'Links the payments of one agreement. An approved first payment that sends none is given one. What ' +
      'that payment agreed binds those that name it; an unknown one is taken as given.',
  },
} as const satisfies Parameters;
