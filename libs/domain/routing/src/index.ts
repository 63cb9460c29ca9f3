export {
  type Choice,
  type ChoiceReason,
  chooseRoute,
  explainRoutes,
  mayBeTaken,
} from './choose-route.js';
export {
  type Attempt,
  type AttemptOutcome,
  ATTEMPTS_MAX,
  DECLINES_MAX,
  failovers,
  nextRoute,
  type NoFurtherRoute,
  type NotPerformedReason,
} from './next-route.js';
export {
  mayTakeOtherRoute,
  type RetriedDecline,
  retriedDeclines,
  type SaidOfCard,
} from './retried-declines.js';
export type { ConditionName } from './route-conditions.js';
export {
  type Installation,
  type PlacedRoute,
  type RoutedPayment,
  routesOf,
} from './routed-payment.js';
export {
  type Advice,
  adviceFor,
  adviceTable,
  BLOCKED_DAYS,
  type Correction,
  type RetryRule,
} from './advice-table.js';
export {
  type AdvisedBlock,
  advisedBlock,
  type AdviceSide,
  adviceSideOf,
  type AllowedReason,
  AUTOMATIC_ATTEMPTS_DAYS,
  AUTOMATIC_ATTEMPTS_MAX,
  type EarlierAttempt,
  type Initiator,
  type NotAutomaticReason,
  retryAllowed,
  type RetryRuling,
  type WantedAttempt,
} from './retry-allowed.js';
