export { PAYMENT_UNKNOWN_AFTER_MS } from './awaited-payment.js';
export type {
  AwaitRepetition,
  ChangeRegistration,
  ExistingRegistration,
  ExpireRegistration,
  PaymentDecision,
  RecordExisting,
  RecordForgetting,
  RecordKeeping,
  RecordPayments,
  RegistrationCommand,
  RecordUpdate,
  RequestRegistration,
  StoreAgain,
  UpdateRegistration,
} from './commands.js';
export { dueAtMs, isBehind, type RecoveryPauses } from './due.js';
export { AWAITED_PAYMENTS_MAX } from './stored-again.js';
export type {
  AwaitedPayment,
  OpenUpdate,
  Registration,
  RegistrationStreamState,
  SealedBlock,
} from './registration.js';
export { registrationDecider, unrecordedOutcome } from './registration-decider.js';
export { type RegistrationEvent, registrationEventCodec } from './registration-events.js';
export {
  EXTENSION_MONTHS,
  extendedUntil,
  KEPT_MONTHS_AFTER_EXPIRY,
  keptUntil,
} from './retention.js';
