import type {
  Expiry,
  IdempotencyClaim,
  Instrument,
  PersonalEnvelope,
  ReferToRegistration,
  ReferToRegistrationData,
  RegisterInstrument,
  RegistrationCommandData,
  UpdateRegistration,
} from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { type Rejection, registrationRejection } from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { commandMessage } from './command-message.js';
import { referenceContextOf, requestContextOf } from './request-context.js';

/** What both commands are made of. */
export interface RegistrationCommandParts {
  readonly admitted: AdmittedRequest;
  readonly transactionId: TransactionId;
  readonly parameters: RegistrationCommandData['parameters'];
  readonly sealed?: PersonalEnvelope;
  readonly idempotency?: IdempotencyClaim;
}

/** The payment that a registration is asked for with. */
export interface OfPayment {
  readonly paymentId?: TransactionId;
  /** It was made before, and the form says nothing of what is to be stored. */
  readonly isPaymentMade?: true;
  /** Why what it was made with cannot be stored. */
  readonly rejection?: Rejection;
}

/**
 * A form without violations as the command that stores its instrument (Interface 4).
 * @param payment the payment that it is asked for with, if it is
 */
export function registerInstrument(
  parts: RegistrationCommandParts,
  instrument: Instrument,
  payment: OfPayment = {},
): RegisterInstrument {
  const { admitted, transactionId } = parts;
  const { form, mode, receivedAtMs, access } = admitted;
  const { rejection: ofPayment, ...named } = payment;
  // With a payment, what can be stored was checked before the payment's token was used up.
  const rejection =
    named.paymentId === undefined ? registrationRejection(form, receivedAtMs, mode) : ofPayment;
  const description = rejection?.description;
  return commandMessage(admitted, transactionId, 'RegisterInstrument', {
    ...commonData(parts),
    context: requestContextOf(admitted),
    ...{ instrument, merchantId: access.merchant.id, ...named },
    ...(access.registrations === 'existing' && { mayBeExisting: true as const }),
    ...(rejection !== undefined && { rejection: rejection.code }),
    ...(description !== undefined && { rejectionDescription: description }),
  });
}

/** The command that extends the life of a registration, or deletes it (wire contract 4). */
export function referToRegistration(
  parts: RegistrationCommandParts,
  operation: ReferToRegistrationData['operation'],
  registrationId: TransactionId,
): ReferToRegistration {
  const { admitted } = parts;
  return commandMessage(admitted, registrationId, 'ReferToRegistration', {
    ...commonData(parts),
    ...{ registrationId, operation },
  });
}

/** The command that changes a registration (wire contract 4). */
export function updateRegistration(
  parts: RegistrationCommandParts,
  registrationId: TransactionId,
  expiry: Expiry | undefined,
): UpdateRegistration {
  return commandMessage(parts.admitted, registrationId, 'UpdateRegistration', {
    ...{ ...commonData(parts), registrationId },
    ...(expiry !== undefined && { expiry }),
  });
}

function commonData(parts: RegistrationCommandParts): RegistrationCommandData {
  const { admitted, transactionId, parameters, sealed, idempotency } = parts;
  return {
    ...{ transactionId, parameters, context: referenceContextOf(admitted) },
    ...(sealed !== undefined && { personal: sealed }),
    ...(idempotency !== undefined && { idempotency }),
  };
}
