export { type Choice, type ChoiceReason, chooseRoute, explainRoutes } from './choose-route.js';
export {
  type Attempt,
  type AttemptOutcome,
  ATTEMPTS_MAX,
  failovers,
  nextRoute,
  type NoFurtherRoute,
  type NotPerformedReason,
} from './next-route.js';
export type { ConditionName } from './route-conditions.js';
export {
  type Installation,
  type PlacedRoute,
  type RoutedPayment,
  routesOf,
} from './routed-payment.js';
