import type { RegistrationOutcome, ShownInstrument } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { answeredInstrument, echo } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import { resultOf } from './answer-result.js';
import type { BinTable } from './bin-table.js';
import { paymentBrandOf } from './payment-fields.js';

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

/** A running request looks pending from outside (D-34). */
export function registrationCodeOf({ status, resultCode }: RegistrationOutcome): string {
  return status === 'requested' ? codes.pending : resultCode;
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
  code = registrationCodeOf(outcome),
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
