export {
  describeResult,
  groupOf,
  isKnown,
  outcomeOf,
  type ResultCode,
  resultCodes,
  type ResultCodeRow,
} from './catalogue.js';
export { codes } from './codes.js';
export { type GroupName, groups, type Outcome, type ResultCodeGroup } from './groups.js';
export {
  endStatusesOf,
  httpStatusOf,
  type HttpStatus,
  type RefusalStatus,
  refusalStatusesOf,
} from './http-status.js';
export { referenceTable } from './reference-table.js';
export {
  adviceOf,
  merchantAdvice,
  type MerchantAdvice,
  type Retry,
  retryMeanings,
  retryOf,
} from './retry.js';
export { reviewedCode, successCode } from './success-code.js';
