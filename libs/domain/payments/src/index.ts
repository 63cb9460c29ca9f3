export {
  agreementMarked,
  agreementMarks,
  agreementOf,
  type AgreementSoFar,
  firstPaymentsNamed,
  hasBegun,
  idsNamed,
  isLater,
  isStanding,
  isUnderAgreement,
  type PaymentMark,
  type RecordedAgreement,
  subjectOfAgreement,
  subjectOfRegistration,
  subjectsOfNames,
} from './agreements.js';
export { type InquireAuthentication } from './authentication-inquiries.js';
export { isUnderReview } from './before-authorization.js';
export {
  type AwaitAuthentication,
  type ConnectorRules,
  type EndedAttempt,
  type FirstAuthentication,
  type InitiatePayment,
  type Outcome,
  type PaymentCommand,
  type RecordFinding,
  type RecordOutcome,
  type RerouteTransaction,
  referenceCommandTypes,
  type RiskAssessment,
  type ReferToTransaction,
} from './commands.js';
export { decide, isFull, TRANSACTIONS_MAX } from './decide.js';
export { paymentDecider } from './payment-decider.js';
export {
  type AcquirerRequest,
  type CaseReason,
  type Decline,
  type EventMetadata,
  isOpen,
  type LateAnswer,
  type NotPerformedReason,
  type PaymentEvent,
  paymentEventCodec,
  type PaymentEventOf,
  type PaymentEventType,
  type RouteTaken,
} from './events.js';
export { invariantViolations } from './invariants.js';
export { asExpired } from './outcomes.js';
export {
  evolve,
  evolveAll,
  findTransaction,
  initialState,
  initialTransaction,
  type PaymentState,
  transactionsOf,
} from './payment.js';
export { type GivingBack, givingBack, TRY_AGAIN_AFTER_MS } from './giving-back.js';
export { isSent, type SentOperation } from './sent-operations.js';
export {
  acquirerReferenceOf,
  attemptReferenceOf,
  type Inquire,
  lateRefundReferenceOf,
  nextDue,
  type RecoveryCapabilities,
  type RecoverySchedule,
  type RecoveryStep,
  inquiryOnReturn,
  recoverySteps,
} from './recovery.js';
export { outcomeOf } from './result.js';
export { noAgreementRefusal } from './standing-instruction-terms.js';
export { agreementTold, needsFirstPayment, type FirstPayment } from './told-agreement.js';
export { originalReference, type Totals, totals } from './totals.js';
export type { FailedAttempt, LateApproval, Transaction, Transactions } from './transaction.js';
export { notSuccessfulCode, type Transition, transitions } from './transitions.js';
