export {
  ATTEMPT_UNKNOWN_AFTER_MS,
  isUnknown,
  NEVER_PERFORMED,
  paymentDecision,
  registrationDecision,
} from './attempt-decision.js';
export {
  type Attempt,
  attemptOf,
  type AttemptState,
  type Checkout,
  type CheckoutState,
  latestAttempt,
  revisionOf,
} from './checkout.js';
export {
  checkoutDecider,
  type CheckoutRefusal,
  deletionOf,
  isToBeCalled,
  refusalOf,
} from './checkout-decider.js';
export { type CheckoutEvent, checkoutEventCodec } from './checkout-events.js';
export type {
  AttemptDecision,
  CallForResult,
  CheckoutCommand,
  CreateCheckout,
  DeleteCheckout,
  RecordAttempt,
  RecordReversal,
  ServeStatus,
  SubmitAttempt,
  UpdateCheckout,
} from './commands.js';
export { dueAtMs, type RecoveryPauses, reversalDueAtMs } from './due.js';
export {
  CHECKOUT_LIFE_MS,
  isExpired,
  isGone,
  RESULT_CALL_AFTER_MS,
  UNSUCCESSFUL_ATTEMPTS_MAX,
} from './session.js';
export { type CheckoutStatus, statusOf } from './status.js';
