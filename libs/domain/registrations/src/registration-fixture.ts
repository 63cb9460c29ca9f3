// Fixed registrations for the specs of this library; no other file imports it.
import type { InstrumentOf, RegistrationEventMetadata } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import type {
  ChangeRegistration,
  PaymentDecision,
  RegistrationCommand,
  RequestRegistration,
  UpdateRegistration,
} from './commands.js';
import type { Registration, RegistrationStreamState } from './registration.js';
import { registrationDecider } from './registration-decider.js';
import { type RegistrationEvent, registrationEventCodec } from './registration-events.js';

/** 2026-01-15T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 0, 15, 12);

export const metadata: RegistrationEventMetadata = {
  recordedAtMs: NOON_MS,
  entityId: '8a8294174b7ecb28014b9699220015ca' as EntityId,
  channelName: 'demo',
  ndc: 'ndc-1',
  mode: 'INTERNAL',
  actor: 'token-node',
  correlationId: 'ndc-1',
  causationId: 'message-1',
};

export const merchantId = '8a8294174b7ecb28014b9699220015cb' as EntityId;

export const card: InstrumentOf<'card'> = {
  kind: 'card',
  ...{ vaultReference: 'vault-1.abc', bin: '420000', last4: '0000' },
  ...{ brand: 'VISA', expiryMonth: '05', expiryYear: '2034' },
};

/** A network's token; it need not say when it expires. */
export const token: InstrumentOf<'tokenAccount'> = {
  ...{ kind: 'tokenAccount', vaultReference: 'vault-1.abc', paymentMethod: 'NT' },
  ...{ brand: 'VISA', maskedNumber: '************0075' },
};

export const kept = { reference: 'kept.abc', fingerprint: 'f'.repeat(64) };

/** A fixed id. */
export function id(number: number): TransactionId {
  return `0194670a0000abcd${number.toString(16).padStart(16, '0')}` as TransactionId;
}

/** The first request of a registration. */
export function request(changes: Partial<RequestRegistration> = {}): RequestRegistration {
  return {
    ...{ type: 'RequestRegistration', transactionId: id(1), instrument: card, merchantId },
    ...{ parameters: { merchantTransactionId: 'order-4711' }, metadata },
    ...changes,
  };
}

/** A later one. */
export function change(
  operation: ChangeRegistration['operation'],
  number = 2,
  atMs = NOON_MS,
): ChangeRegistration {
  return {
    ...{ type: 'ChangeRegistration', operation, transactionId: id(number), parameters: {} },
    metadata: { ...metadata, recordedAtMs: atMs },
  };
}

/** A request for another expiry, or for what `changes` says. */
export function update(number = 2, changes: Partial<UpdateRegistration> = {}): UpdateRegistration {
  return {
    ...{ type: 'UpdateRegistration', transactionId: id(number), parameters: {}, metadata },
    ...{ expiry: { month: '07', year: '2036' }, ...changes },
  };
}

/** What the vault answers to it. */
export const changed = { type: 'RecordUpdate', nowMs: NOON_MS + 8, isChanged: true } as const;

export const keeping = { type: 'RecordKeeping', nowMs: NOON_MS + 5, kept } as const;
/** What payments answers about the payment that a registration was asked for with. */
export function paymentIs(
  payment: PaymentDecision | undefined,
  nowMs = NOON_MS + 7,
): RegistrationCommand {
  return paymentsAre(payment === undefined ? [] : [[id(9), payment]], nowMs);
}

/** The same about several. */
export function paymentsAre(
  payments: readonly (readonly [TransactionId, PaymentDecision])[],
  nowMs = NOON_MS + 7,
): RegistrationCommand {
  return { type: 'RecordPayments', nowMs, payments: new Map(payments) };
}

export const forgetting = { type: 'RecordForgetting', nowMs: NOON_MS + 9 } as const;

/** The events of these commands, each in the state after the ones before, as the store gives them. */
export function eventsOf(...commands: readonly RegistrationCommand[]): RegistrationEvent[] {
  const events: RegistrationEvent[] = [];
  for (const command of commands) {
    const state = events.reduce<RegistrationStreamState>(registrationDecider.evolve, undefined);
    events.push(...registrationDecider.decide(command, state));
  }
  return events.map(stored);
}

/** The event as the store gives it back. */
function stored(event: RegistrationEvent): RegistrationEvent {
  const { data, metadata: about, ...encoded } = registrationEventCodec.encode(event);
  const parsed = { data: JSON.parse(data) as unknown, metadata: JSON.parse(about) as unknown };
  return registrationEventCodec.decode({ ...encoded, ...parsed });
}

/** The registration after them. */
export function after(...commands: readonly RegistrationCommand[]): Registration {
  const state = eventsOf(...commands).reduce<RegistrationStreamState>(
    registrationDecider.evolve,
    undefined,
  );
  if (state === undefined) throw new Error('nothing was recorded');
  return state;
}
