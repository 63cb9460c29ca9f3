export { PAYMENT_UNKNOWN_AFTER_MS } from './awaited-payment.js';
export type {
  ChangeRegistration,
  ExpireRegistration,
  PaymentDecision,
  RecordForgetting,
  RecordKeeping,
  RecordPayment,
  RegistrationCommand,
  RecordUpdate,
  RequestRegistration,
  UpdateRegistration,
} from './commands.js';
export { dueAtMs, isBehind, type RecoveryPauses } from './due.js';
export type {
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
