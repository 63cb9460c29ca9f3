export { PAYMENT_UNKNOWN_AFTER_MS } from './awaited-payment.js';
export type {
  ChangeRegistration,
  ExpireRegistration,
  PaymentDecision,
  RecordForgetting,
  RecordKeeping,
  RecordPayment,
  RegistrationCommand,
  RequestRegistration,
} from './commands.js';
export { dueAtMs, type RecoveryPauses } from './due.js';
export type { Registration, RegistrationStreamState } from './registration.js';
export { registrationDecider, unrecordedOutcome } from './registration-decider.js';
export { type RegistrationEvent, registrationEventCodec } from './registration-events.js';
export {
  EXTENSION_MONTHS,
  extendedUntil,
  KEPT_MONTHS_AFTER_EXPIRY,
  keptUntil,
} from './retention.js';
