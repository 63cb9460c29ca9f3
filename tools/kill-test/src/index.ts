export { bookOf } from './acquirer-book.js';
export { disagreements } from './compare.js';
export { readAllBack, readGatewaySide } from './gateway-side.js';
export { Merchant, type MerchantAccount } from './merchant.js';
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
export { after, seconds } from './times.js';
