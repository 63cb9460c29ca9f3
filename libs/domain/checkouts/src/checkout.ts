import type { CheckoutEventMetadata, CheckoutPurpose } from '@sluice/contracts';
import type { CheckoutId, TransactionId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { CheckoutEvent } from './checkout-events.js';

/**
 * How an attempt stands. `submitted`: the payment or registration is asked for, nothing is known.
 * `open`: the shopper was sent to the page of somebody else. `superseded`: another one was begun
 * while it was open. `reversing`: it was approved and must not be; `reversed` and `unreversed` end that.
 */
export type AttemptState =
  | 'submitted'
  | 'open'
  | 'succeeded'
  | 'failed'
  | 'superseded'
  | 'reversing'
  | 'reversed'
  | 'unreversed';

/** One sending of the form. */
export interface Attempt {
  readonly transactionId: TransactionId;
  readonly state: AttemptState;
  readonly resultCode: string;
  readonly submittedAtMs: number;
  /** Where the shopper goes afterwards, sealed. */
  readonly personal?: string;
  /** Of the latest reversal, once one is requested. */
  readonly reversalId?: TransactionId;
  /** How many reversals were requested: another one follows each that failed, up to `REVERSALS_MAX`. */
  readonly reversals: number;
  /** When the latest reversal was requested, milliseconds since the epoch. */
  readonly reversalAtMs?: number;
  /** The saving that it was made of, if it was made of one. */
  readonly saved?: TransactionId;
}

/** What the shopper has typed, and not yet paid with (page 0068). */
export interface Saving {
  readonly id: TransactionId;
  /** The names of what the vault holds. */
  readonly details: readonly string[];
  readonly vaultReference?: string;
  /** All other fields, sealed. */
  readonly fields: string;
}

/** A checkout after its recorded events. */
export interface Checkout {
  readonly id: CheckoutId;
  readonly purpose: CheckoutPurpose;
  /** What the merchant sent, by wire name, with all changes. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Sealed. */
  readonly personal?: string;
  /** What was stored that the form offers to pay with, in the merchant's order. */
  readonly registrations: readonly TransactionId[];
  /** The hash of the script that is served for it. */
  readonly script?: string;
  readonly createdAtMs: number;
  /** In the order in which they were submitted. */
  readonly attempts: readonly Attempt[];
  /** What the next attempt can be made of; any attempt uses it up. */
  readonly saved?: Saving;
  /** How often something was saved. */
  readonly savings: number;
  /** Its success has been read. */
  readonly isServed: boolean;
  /** The merchant has deleted it. */
  readonly isDeleted: boolean;
  /** The merchant's page of results was called, or cannot be. */
  readonly isCalled: boolean;
  readonly metadata: CheckoutEventMetadata;
  /** The messages whose changes are in `parameters`: a message may come twice. */
  readonly changedBy: readonly string[];
}

/** Undefined before the first event. */
export type CheckoutState = Checkout | undefined;

/** How often the merchant has changed it: whoever has read it can tell whether it still is so. */
export function revisionOf({ changedBy }: Checkout): number {
  return changedBy.length;
}

/** The attempt that counts: the last one. */
export function latestAttempt({ attempts }: Checkout): Attempt | undefined {
  return attempts.at(-1);
}

/** The attempt of a payment or registration, or of the reversal of one. */
export function attemptOf({ attempts }: Checkout, transactionId: string): Attempt | undefined {
  return attempts.find(
    (attempt) => attempt.transactionId === transactionId || attempt.reversalId === transactionId,
  );
}

/** The state after one more event. */
export function evolve(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  if (event.type === 'CheckoutCreated') return created(event);
  if (state === undefined) throw new Error('A checkout that was never created.');
  switch (event.type) {
    case 'CheckoutUpdated': {
      const { parameters, personal, registrations } = event.data;
      return {
        ...state,
        parameters: { ...state.parameters, ...parameters },
        ...(personal !== undefined && { personal }),
        ...(registrations !== undefined && { registrations }),
        changedBy: [...state.changedBy, event.metadata.causationId],
      };
    }
    case 'FormSaved': {
      const { transactionId, ...saved } = event.data;
      return { ...state, saved: { id: transactionId, ...saved }, savings: state.savings + 1 };
    }
    case 'AttemptSubmitted': {
      const { saved: _, ...unsaved } = state;
      return { ...unsaved, attempts: [...state.attempts, submitted(event)] };
    }
    case 'AttemptOpened':
      return withAttempt(state, event.data.transactionId, { ...event.data, state: 'open' });
    case 'AttemptSucceeded':
      return withAttempt(state, event.data.transactionId, { ...event.data, state: 'succeeded' });
    case 'AttemptFailed':
      return withAttempt(state, event.data.transactionId, { ...event.data, state: 'failed' });
    case 'AttemptSuperseded':
      return withAttempt(state, event.data.transactionId, { state: 'superseded' });
    case 'ReversalRequested': {
      const { transactionId: reversalId, referencedId } = event.data;
      const reversals = (attemptOf(state, referencedId)?.reversals ?? 0) + 1;
      return withAttempt(state, referencedId, {
        ...{ state: 'reversing', reversalId, reversals },
        reversalAtMs: event.metadata.recordedAtMs,
      });
    }
    case 'ReversalEnded': {
      const { referencedId, isReversed } = event.data;
      return withAttempt(state, referencedId, { state: isReversed ? 'reversed' : 'unreversed' });
    }
    case 'StatusServed':
      return { ...state, isServed: true };
    case 'CheckoutDeleted':
      return { ...state, isDeleted: true };
    case 'ResultCalled':
      return { ...state, isCalled: true };
  }
}

type EventOf<Type extends CheckoutEvent['type']> = Extract<CheckoutEvent, { readonly type: Type }>;

function created({ data, metadata }: EventOf<'CheckoutCreated'>): Checkout {
  const { checkoutId, purpose, parameters, personal, registrations = [], script } = data;
  return {
    ...{ id: checkoutId as CheckoutId, purpose, parameters, registrations, metadata },
    ...(personal !== undefined && { personal }),
    ...(script !== undefined && { script }),
    ...{ createdAtMs: metadata.recordedAtMs, attempts: [], isServed: false, isCalled: false },
    ...{ isDeleted: false, changedBy: [], savings: 0 },
  };
}

function submitted({ data, metadata }: EventOf<'AttemptSubmitted'>): Attempt {
  return {
    ...{ ...data, state: 'submitted', resultCode: codes.pending },
    ...{ submittedAtMs: metadata.recordedAtMs, reversals: 0 },
  };
}

function withAttempt(
  checkout: Checkout,
  transactionId: string,
  changes: Partial<Omit<Attempt, 'transactionId' | 'submittedAtMs'>>,
): Checkout {
  const attempts = checkout.attempts.map((attempt) =>
    attempt.transactionId === transactionId ? { ...attempt, ...changes } : attempt,
  );
  return { ...checkout, attempts };
}
