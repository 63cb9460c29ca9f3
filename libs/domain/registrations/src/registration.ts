import type {
  Instrument,
  RegistrationEventMetadata,
  RegistrationOutcome,
  RegistrationState as Usability,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { RegistrationEvent } from './registration-events.js';

/** A registration after its recorded events. */
export interface Registration {
  readonly id: TransactionId;
  readonly state: Usability;
  /** Whether the vault may still have its details although nobody can use them. */
  readonly isToBeForgotten: boolean;
  /** The vault keeps its details, and this payment decides whether they can ever be used. */
  readonly awaitedPaymentId?: TransactionId;
  readonly metadata: RegistrationEventMetadata;
  readonly merchantId?: EntityId;
  /** With the vault's reference while it can be used, and that of the request before. */
  readonly instrument?: Instrument;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal?: string;
  /** The payment it was asked for with. */
  readonly paymentId?: TransactionId;
  readonly fingerprint?: string;
  /** Milliseconds since the epoch. */
  readonly keptUntilMs?: number;
  /** Every request about it by its id, its own first. */
  readonly outcomes: ReadonlyMap<string, RegistrationOutcome>;
}

/** Undefined before the first event. */
export type RegistrationStreamState = Registration | undefined;

/** The state after one more event. */
export function evolve(
  state: RegistrationStreamState,
  event: RegistrationEvent,
): RegistrationStreamState {
  switch (event.type) {
    case 'RegistrationRequested': {
      const { transactionId: id, instrument, merchantId, parameters, personal } = event.data;
      const { paymentId } = event.data;
      const { metadata } = event;
      const outcome = {
        id,
        ...REGISTRATION,
        status: 'requested',
        resultCode: codes.pending,
      } as const;
      return {
        ...{ id, state: 'requested', isToBeForgotten: false, metadata, merchantId, instrument },
        parameters,
        ...(personal !== undefined && { personal }),
        ...(paymentId !== undefined && { paymentId }),
        outcomes: new Map([[id, outcome]]),
      };
    }
    case 'RegistrationRejected':
      return rejected(event);
    case 'DetailsKept':
      return kept(existing(state), event.data);
    case 'DetailsNotKept': {
      const { resultCode } = event.data;
      const never = { ...existing(state), state: 'never' } as const;
      return withOutcome(withoutReference(never), { resultCode, status: 'notPerformed' });
    }
    case 'RegistrationConfirmed': {
      const { resultCode } = event.data;
      const { awaitedPaymentId: _, ...registration } = existing(state);
      return withOutcome({ ...registration, state: 'kept' }, { resultCode, status: 'approved' });
    }
    case 'RegistrationAbandoned': {
      const { resultCode } = event.data;
      const { awaitedPaymentId: _, ...registration } = existing(state);
      const never = { ...registration, state: 'never', isToBeForgotten: true } as const;
      return withOutcome(withoutReference(never), { resultCode, status: 'rejected' });
    }
    case 'LifeExtended': {
      const { keptUntilMs } = event.data;
      return answered({ ...existing(state), keptUntilMs }, event.data, 'extension');
    }
    case 'RegistrationDeleted':
      return answered(ended(existing(state)), event.data, 'deletion');
    case 'RegistrationExpired':
      return ended(existing(state));
    case 'DetailsForgotten':
      return { ...existing(state), isToBeForgotten: false };
  }
}

const REGISTRATION = { operation: 'registration' } as const;

/** Its details are kept; if a payment was made with it, that one says whether it can be used. */
function kept(
  registration: Registration,
  data: Extract<RegistrationEvent, { readonly type: 'DetailsKept' }>['data'],
): Registration {
  const { resultCode, vaultReference, fingerprint, keptUntilMs } = data;
  const instrument = { ...registration.instrument, vaultReference } as Instrument;
  const stored = { ...registration, instrument, fingerprint, keptUntilMs } as const;
  const { paymentId: awaitedPaymentId } = registration;
  if (awaitedPaymentId === undefined) {
    return withOutcome({ ...stored, state: 'kept' }, { resultCode, status: 'approved' });
  }
  const pending = { resultCode: codes.pending, status: 'awaitsPayment' } as const;
  return withOutcome({ ...stored, awaitedPaymentId }, pending);
}

function rejected({
  data,
  metadata,
}: Extract<RegistrationEvent, { readonly type: 'RegistrationRejected' }>): Registration {
  const { transactionId: id, resultCode, resultDescription } = data;
  const { instrument, parameters, personal } = data;
  const outcome: RegistrationOutcome = {
    ...{ id, ...REGISTRATION, status: 'rejected', resultCode },
    ...(resultDescription !== undefined && { resultDescription }),
  };
  return withoutReference({
    ...{ id, state: 'never', isToBeForgotten: false, metadata, instrument, parameters },
    ...(personal !== undefined && { personal }),
    outcomes: new Map([[id, outcome]]),
  });
}

/** The vault may still have the details, but nobody gets the reference any more. */
function ended(registration: Registration): Registration {
  return withoutReference({ ...registration, state: 'ended', isToBeForgotten: true });
}

function withoutReference({ instrument, ...registration }: Registration): Registration {
  if (instrument === undefined) return registration;
  const { vaultReference: _, ...shown } = instrument as Instrument & { vaultReference?: string };
  return { ...registration, instrument: shown as Instrument };
}

function answered(
  registration: Registration,
  answer: {
    readonly transactionId: TransactionId;
    readonly referencedId: TransactionId;
    readonly resultCode: string;
  },
  operation: 'extension' | 'deletion',
): Registration {
  const { transactionId: id, referencedId, resultCode } = answer;
  const outcome = { id, referencedId, operation, status: 'approved', resultCode } as const;
  return { ...registration, outcomes: added(registration, outcome) };
}

/** What became of the request that made it. */
function withOutcome(
  registration: Registration,
  result: Pick<RegistrationOutcome, 'resultCode' | 'status'>,
): Registration {
  const { id } = registration;
  return { ...registration, outcomes: added(registration, { id, ...REGISTRATION, ...result }) };
}

function added(
  { outcomes }: Registration,
  outcome: RegistrationOutcome,
): ReadonlyMap<string, RegistrationOutcome> {
  return new Map(outcomes).set(outcome.id, outcome);
}

function existing(state: RegistrationStreamState): Registration {
  if (state === undefined) throw new Error('An event of a registration that was never requested.');
  return state;
}
