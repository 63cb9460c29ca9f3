export {
  type AlertDecision,
  alertDecision,
  ALERT_EVERY_MS,
  type AlertMatter,
  alertMatters,
  digestDueAtMs,
  FAILING_FOR_MS,
  isOverAtOnce,
  type LastAlert,
  type ReceiverCondition,
} from './alert.js';
export { type AlertedSubscription, alertMail, wellAgainMail } from './alert-mail.js';
export {
  ANSWER_BODY_TIMEOUT_MS,
  ANSWER_BYTES_MAX,
  ATTEMPT_CONNECT_TIMEOUT_MS,
  ATTEMPT_TIMEOUT_MS,
  type AttemptOutcome,
  isAcknowledged,
  isGone,
  isNotWanted,
  KEPT_ANSWER_BYTES_MAX,
  mayKnowOtherSecret,
  RETRY_AFTER_MAX_MS,
} from './attempt-outcome.js';
export {
  type CalledObject,
  calledResult,
  type CalledResult,
  type CallType,
  callTypes,
  checkoutResult,
  isCallType,
  NO_SUBSCRIPTION,
} from './called-address.js';
export { type AnswerFields } from './customer-data.js';
export {
  ATTEMPT_LAPSES_AFTER_MS,
  type DeliveryCommand,
  deliveryDecider,
  queueDueAtMs,
} from './delivery-decider.js';
export {
  type Attempt,
  type Delivery,
  type DeliveryEvent,
  type DeliveryQueue,
} from './delivery-queue.js';
export {
  DIGEST_FAILURES_MAX,
  digestMail,
  type FailedNotification,
  type SubscriptionFailures,
} from './digest-mail.js';
export { MAIL_ADDRESS_CHARACTERS_MAX, mailAddressOf } from './mail-address.js';
export { type CallResult, type MailText, type ReceiverRecord } from './mail-text.js';
export {
  type Notification,
  type NotificationSource,
  notificationText,
  type Notified,
  type RegistrationAction,
  TEST_TEXT,
} from './notification.js';
export {
  afterBegin,
  afterEnd,
  closedBreaker,
  isThereAgain,
  mayBegin,
  opensWayAtMs,
  type ReceiverBreaker,
  receiverOf,
} from './receiver-breaker.js';
export {
  DELIVERY_LIFE_MS,
  type NotificationScheduleName,
  notificationSchedules,
  type RetryScheduleName,
} from './retry-schedule.js';
export {
  IV_BYTES,
  IV_HEADER,
  sealed,
  type SealedNotification,
  type Sealing,
  signatureHeaders,
  type Signing,
  TAG_HEADER,
} from './sealed-notification.js';
export { webhookSecretOf } from './secret-bytes.js';
export {
  collects,
  type Happening,
  isMailed,
  isToldOf,
  type SealedSecret,
  secretsToTry,
  sends,
  type Subscription,
  type SubscriptionStanding,
  type SubscriptionState,
  type SubscriptionTerms,
  testedUrlOf,
} from './subscription.js';
export type {
  AddSubscription,
  ChangeSubscription,
  ConfirmSecret,
  DisableSubscription,
  PauseSubscription,
  RecordTest,
  RemoveSubscription,
  ResumeSubscription,
  RotateSecret,
  SubscriptionCommand,
} from './subscription-commands.js';
export {
  refusalOf,
  SECRET_OVERLAP_MAX_MS,
  SECRET_OVERLAP_MS,
  subscriptionDecider,
  type SubscriptionRefusal,
} from './subscription-decider.js';
export { type SubscriptionEvent, subscriptionEventCodec } from './subscription-events.js';
