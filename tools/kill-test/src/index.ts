export { bookOf } from './acquirer-book.js';
export { attemptsInBooks, type CheckoutRecord, type Told } from './checkout-shop.js';
export { checkoutViolations } from './checkout-violations.js';
export { disagreements, operationNames } from './compare.js';
export { readAllBack, readGatewaySide, recovered, withClient } from './gateway-side.js';
export { type PaymentEventName as EventName, paymentEvents, upcast } from '@sluice/contracts';
export { Merchant } from './merchant.js';
export { attemptOf } from './merchant-answers.js';
export { type Exchange, type MerchantAccount, MerchantConnection } from './merchant-connection.js';
export type { PlannedRequest } from './plan.js';
export {
  projected,
  type ProjectedTransaction,
  projectionDisagreements,
  readProjection,
} from './projection-side.js';
export type {
  Attempt,
  BookedEffect,
  Evidence,
  MerchantRequest,
  Outcome,
  ReadBack,
  RecordedTransaction,
  Violation,
} from './records.js';
export { ACCOUNT, seedFile, SHORT_WAITS } from './test-channel.js';
export { after, seconds } from './times.js';
