import type {
  Expiry,
  Instrument,
  RegistrationEventMetadata,
  RegistrationOperation,
  RegistrationOutcome,
  RegistrationState as Usability,
  RegistrationStatus,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import type { ExistingRegistration } from './commands.js';
import type { RegistrationEvent } from './registration-events.js';

/** A change that was asked for, and that the vault may not have made yet. */
export interface OpenUpdate {
  readonly transactionId: TransactionId;
  readonly parameters: Readonly<Record<string, string>>;
  readonly expiry?: Expiry;
  readonly personal?: string;
}

/** Personal parameters as they are recorded, and the request for whose id they are sealed. */
export interface SealedBlock {
  readonly transactionId: TransactionId;
  readonly sealed: string;
}

/** A payment that decides whether a registration can be used. */
export interface AwaitedPayment {
  readonly paymentId: TransactionId;
  /** When it was announced, milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** A registration after its recorded events. */
export interface Registration {
  readonly id: TransactionId;
  readonly state: Usability;
  /** Whether the vault may still have its details although nobody can use them. */
  readonly isToBeForgotten: boolean;
  /**
   * The vault keeps its details, and one of these payments has to be approved before they can be used.
   * Of one that was stored before: what the payment says of the expiry that it came with.
   */
  readonly awaitedPayments: readonly AwaitedPayment[];
  readonly mayBeExisting: boolean;
  /** The account was stored before: this is only the request to store it again. */
  readonly existing?: ExistingRegistration;
  readonly metadata: RegistrationEventMetadata;
  readonly merchantId?: EntityId;
  /** With the vault's reference while it can be used, and that of the request before. */
  readonly instrument?: Instrument;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal?: SealedBlock;
  /** How many updates were asked for. */
  readonly revision: number;
  readonly update?: OpenUpdate;
  /** The payment it was asked for with, or the one that has decided about it in its place. */
  readonly paymentId?: TransactionId;
  /** That payment had been made before. */
  readonly isPaymentMade: boolean;
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
    case 'RegistrationRequested':
      return requested(event);
    case 'RegistrationRejected':
      return rejected(event);
    case 'DetailsKept':
      return kept(existing(state), event.data);
    case 'ExistingFound':
      return existingFound(existing(state), event.data);
    case 'PaymentAwaited': {
      const { metadata, data } = event;
      const awaited = { paymentId: data.paymentId, sinceMs: metadata.recordedAtMs };
      const registration = existing(state);
      return { ...registration, awaitedPayments: [...registration.awaitedPayments, awaited] };
    }
    case 'DetailsNotKept': {
      const never = { ...existing(state), state: 'never' } as const;
      return withOutcome(withoutReference(never), {
        ...reasonOf(event.data),
        status: 'notPerformed',
      });
    }
    case 'RegistrationConfirmed': {
      const { resultCode } = event.data;
      const registration = decided(existing(state), event.data);
      const confirmed = registration.existing === undefined ? 'kept' : 'never';
      return withOutcome({ ...registration, state: confirmed }, { resultCode, status: 'approved' });
    }
    case 'RegistrationAbandoned': {
      const { resultCode } = event.data;
      const registration = decided(existing(state), event.data);
      const isToBeForgotten = registration.existing === undefined;
      const never = { ...registration, state: 'never', isToBeForgotten } as const;
      return withOutcome(withoutReference(never), { resultCode, status: 'rejected' });
    }
    case 'UpdateRequested':
    case 'RegistrationUpdated':
    case 'RegistrationNotUpdated':
      return withUpdateEvent(existing(state), event);
    case 'LifeExtended': {
      const { keptUntilMs } = event.data;
      return answered({ ...existing(state), keptUntilMs }, event.data, [
        ...(['extension', 'approved'] as const),
      ]);
    }
    case 'RegistrationDeleted':
      return answered(ended(existing(state)), event.data, ['deletion', 'approved']);
    case 'RegistrationExpired':
      return ended(existing(state));
    case 'DetailsForgotten':
      return { ...existing(state), isToBeForgotten: false };
  }
}

const REGISTRATION = { operation: 'registration' } as const;

function requested({
  data,
  metadata,
}: Extract<RegistrationEvent, { readonly type: 'RegistrationRequested' }>): Registration {
  const { transactionId: id, instrument, merchantId, parameters, personal, paymentId } = data;
  const outcome = {
    id,
    ...REGISTRATION,
    status: 'requested',
    resultCode: codes.pending,
  } as const;
  return {
    ...{ id, state: 'requested', isToBeForgotten: false, metadata, merchantId, instrument },
    ...{ parameters, revision: 0, ...sealedBlock(id, personal) },
    isPaymentMade: data.isPaymentMade === true,
    ...{ awaitedPayments: [], mayBeExisting: data.mayBeExisting === true },
    ...(paymentId !== undefined && { paymentId }),
    outcomes: new Map([[id, outcome]]),
  };
}

type UpdateEvent = Extract<
  RegistrationEvent,
  { readonly type: 'UpdateRequested' | 'RegistrationUpdated' | 'RegistrationNotUpdated' }
>;

function withUpdateEvent(registration: Registration, event: UpdateEvent): Registration {
  switch (event.type) {
    case 'UpdateRequested': {
      const { transactionId, revision, parameters, expiry, personal } = event.data;
      const update = {
        ...{ transactionId, parameters },
        ...(expiry !== undefined && { expiry }),
        ...(personal !== undefined && { personal }),
      };
      const open = { ...event.data, resultCode: codes.pending };
      return answered({ ...registration, revision, update }, open, ['update', 'requested']);
    }
    case 'RegistrationUpdated': {
      const { keptUntilMs } = event.data;
      return answered({ ...withUpdate(registration), keptUntilMs }, event.data, [
        ...(['update', 'approved'] as const),
      ]);
    }
    case 'RegistrationNotUpdated': {
      const { update: _, ...unchanged } = registration;
      return answered(unchanged, event.data, ['update', 'notPerformed']);
    }
  }
}

/** Its details are kept; if a payment was made with it, that one says whether it can be used. */
function kept(
  registration: Registration,
  data: Extract<RegistrationEvent, { readonly type: 'DetailsKept' }>['data'],
): Registration {
  const { resultCode, vaultReference, fingerprint, keptUntilMs } = data;
  const instrument = { ...registration.instrument, vaultReference } as Instrument;
  const stored = { ...registration, instrument, fingerprint, keptUntilMs } as const;
  if (registration.paymentId === undefined) {
    return withOutcome({ ...stored, state: 'kept' }, { resultCode, status: 'approved' });
  }
  return withOutcome(awaitingOwn(stored), AWAITS_PAYMENT);
}

const AWAITS_PAYMENT = { resultCode: codes.pending, status: 'awaitsPayment' } as const;

function awaitingOwn(registration: Registration): Registration {
  const { paymentId, metadata } = registration;
  if (paymentId === undefined) return registration;
  return { ...registration, awaitedPayments: [{ paymentId, sinceMs: metadata.recordedAtMs }] };
}

/** By the payment that is named, or by its own. */
function decided(
  registration: Registration,
  { paymentId }: Pick<Registration, 'paymentId'>,
): Registration {
  const ofPayment = paymentId === undefined ? {} : { paymentId };
  return { ...registration, awaitedPayments: [], ...ofPayment };
}

/** The vault has it for another one, which is the answer: once the payment is approved, if any. */
function existingFound(
  registration: Registration,
  data: Extract<RegistrationEvent, { readonly type: 'ExistingFound' }>['data'],
): Registration {
  const { resultCode, registrationId, expiry } = data;
  const known = { registrationId, ...(expiry !== undefined && { expiry }) };
  const found = withoutReference({ ...registration, state: 'never', existing: known });
  return registration.paymentId === undefined
    ? withOutcome(found, { resultCode, status: 'approved' })
    : withOutcome(awaitingOwn(found), AWAITS_PAYMENT);
}

function reasonOf(
  data: Pick<RegistrationOutcome, 'resultCode' | 'resultDescription'>,
): Pick<RegistrationOutcome, 'resultCode' | 'resultDescription'> {
  const { resultCode, resultDescription } = data;
  return resultDescription === undefined ? { resultCode } : { resultCode, resultDescription };
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
    ...{ revision: 0, isPaymentMade: false, ...sealedBlock(id, personal) },
    ...{ awaitedPayments: [], mayBeExisting: false },
    outcomes: new Map([[id, outcome]]),
  });
}

/** What says something of the request that made a registration, and is no part of what is stored. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set(['merchantTransactionId']);

/** What was asked for is done. */
function withUpdate({ update, ...registration }: Registration): Registration {
  if (update === undefined) throw new Error('An update that was never requested.');
  const { transactionId, parameters, expiry, personal } = update;
  const { instrument } = registration;
  const changed = Object.entries(parameters).filter(([name]) => !OF_THE_REQUEST.has(name));
  return {
    ...registration,
    parameters: { ...registration.parameters, ...Object.fromEntries(changed) },
    ...sealedBlock(transactionId, personal),
    ...(instrument !== undefined && { instrument: withExpiry(instrument, expiry) }),
  };
}

/** A token may have been stored without one. */
function withExpiry(instrument: Instrument, expiry: Expiry | undefined): Instrument {
  const hasExpiry = instrument.kind === 'card' || instrument.kind === 'tokenAccount';
  if (expiry === undefined || !hasExpiry) return instrument;
  return { ...instrument, expiryMonth: expiry.month, expiryYear: expiry.year };
}

function sealedBlock(
  transactionId: TransactionId,
  sealed: string | undefined,
): Pick<Registration, 'personal'> {
  return sealed === undefined ? {} : { personal: { transactionId, sealed } };
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
  [operation, status]: readonly [RegistrationOperation, RegistrationStatus],
): Registration {
  const { transactionId: id, referencedId, resultCode } = answer;
  const outcome = { id, referencedId, operation, status, resultCode } as const;
  return { ...registration, outcomes: added(registration, outcome) };
}

/** What became of the request that made it. */
function withOutcome(
  registration: Registration,
  result: Omit<RegistrationOutcome, 'id' | 'operation' | 'referencedId'>,
): Registration {
  const { id, existing: before } = registration;
  const existingId = before === undefined ? {} : { existingId: before.registrationId };
  const outcome = { id, ...REGISTRATION, ...existingId, ...result };
  return { ...registration, outcomes: added(registration, outcome) };
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
