export { resultOf } from './answer-result.js';
export { type AnswerStamp, stampFields, timestampOf } from './answer-stamp.js';
export {
  BIN_DIGITS,
  type BinRow,
  BinTable,
  type CardDetailFields,
  type CardDetails,
  type CardIssuer,
  type CardRange,
  RANGE_DIGITS,
} from './bin-table.js';
export { BIN_FILE_BYTES_MAX, parseBinTable } from './bin-table-text.js';
export { builtInBins } from './built-in-bins.js';
export {
  codeOf,
  paymentBrandOf,
  type PaymentFields,
  paymentFields,
  type ShownTransaction,
} from './payment-fields.js';
export { redirectUrl } from './redirect-address.js';
export {
  registrationCodeOf,
  registrationFields,
  registrationIdOf,
  type ShownRegistration,
  type StoringRequest,
} from './registration-fields.js';
export {
  scheduleEntryFields,
  scheduleFields,
  type ShownSchedule,
  shownSchedule,
  triedFields,
} from './schedule-fields.js';
