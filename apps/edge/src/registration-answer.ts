import type { RegistrationOutcome, ShownInstrument } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { answeredInstrument, echo, registrationTypeOf } from '@sluice/parameters';
import { codes, httpStatusOf } from '@sluice/result-codes';
import { type Answer, type AnswerStamp, resultOf } from './answer.js';
import type { BinTable } from './bin-table.js';
import { paymentBrandOf, stampFields } from './payment-answer.js';

/** What a request that stores something says of itself (Interface 2.2, wire contract D4). */
export interface StoringRequest {
  /** As it was sent. */
  readonly paymentType?: string;
  /** The payment whose instrument it stores (RG). */
  readonly referencedId?: TransactionId;
}

/** A request about a registration, with what its answer echoes. */
export interface ShownRegistration {
  readonly outcome: RegistrationOutcome;
  /** Of the registration itself; absent where a request refers to one. */
  readonly instrument?: ShownInstrument;
  /** What a request that stores says of itself. */
  readonly asked?: StoringRequest;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

/** The answer to the request that made or changed a registration (wire contract 4). */
export function registrationAnswer(
  shown: ShownRegistration,
  stamp: AnswerStamp,
  bins: BinTable,
): Answer {
  return answerOf(shown, stamp, bins, codeOf(shown.outcome));
}

/** The answer to a read: HTTP 200 whatever became of it (D-34). */
export function readRegistrationAnswer(
  shown: ShownRegistration,
  stamp: AnswerStamp,
  bins: BinTable,
): Answer {
  return { ...answerOf(shown, stamp, bins, codeOf(shown.outcome)), status: 200 };
}

/** The command may have left and nobody knows: read, do not repeat (D-34). */
export function uncertainRegistrationAnswer(
  shown: ShownRegistration,
  stamp: AnswerStamp,
  bins: BinTable,
): Answer {
  return answerOf(shown, stamp, bins, codes.timeoutUncertain);
}

function codeOf({ status, resultCode }: RegistrationOutcome): string {
  return status === 'requested' ? codes.pending : resultCode;
}

function answerOf(
  shown: ShownRegistration,
  stamp: AnswerStamp,
  bins: BinTable,
  code: string,
): Answer {
  const { outcome } = shown;
  const fields = registrationFields(shown, bins, code);
  const body = JSON.stringify({ ...idsOf(shown), ...fields, ...stampFields(stamp) });
  const status = httpStatusOf(code);
  return { status, resultCode: code, ndc: stamp.ndc, body, transactionId: outcome.id };
}

/**
 * A change answers the registration itself, which has its own id there (Interface 2.1); what else is
 * done to one answers the request.
 */
function idsOf({ outcome, asked }: ShownRegistration): object {
  const { id, referencedId, operation } = outcome;
  const paymentType = registrationTypeOf(operation);
  switch (operation) {
    case 'registration':
      return { id: registrationIdOf(outcome), ...asked };
    case 'update':
      return { id: referencedId, paymentType };
    case 'extension':
    case 'deletion':
      return { id, referencedId, paymentType };
  }
}

/** The registration that a request has made, or that its account had before. */
export function registrationIdOf({ id, status, existingId }: RegistrationOutcome): TransactionId {
  const isStored = status === 'approved' || status === 'awaitsPayment';
  return isStored ? (existingId ?? id) : id;
}

/** What answers and queries say of a registration, or of what was done to one, beside its ids. */
export function registrationFields(
  { outcome, instrument, parameters, personal }: ShownRegistration,
  bins: BinTable,
  code = codeOf(outcome),
): object {
  const { resultCode, resultDescription } = outcome;
  const description = code === resultCode ? resultDescription : undefined;
  return {
    paymentBrand: instrument && paymentBrandOf(instrument),
    ...echo(parameters, personal),
    result: resultOf(code, description),
    ...(instrument && answeredInstrument(instrument, { personal, bins })),
  };
}
