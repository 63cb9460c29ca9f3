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
  type Saving,
} from './checkout.js';
export {
  checkoutDecider,
  type CheckoutRefusal,
  deletionOf,
  isBegun,
  isToBeCalled,
  type RefusableRequest,
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
  SaveForm,
  ServeStatus,
  SubmitAttempt,
  UpdateCheckout,
} from './commands.js';
export { dueAtMs, isProviderToBeAsked, type RecoveryPauses, reversalDueAtMs } from './due.js';
export {
  CHECKOUT_LIFE_MS,
  isExpired,
  isGone,
  RESULT_CALL_AFTER_MS,
  SAVINGS_MAX,
  UNSUCCESSFUL_ATTEMPTS_MAX,
} from './session.js';
export { type CheckoutStatus, statusOf } from './status.js';
