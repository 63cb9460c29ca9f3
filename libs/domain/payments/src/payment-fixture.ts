// Fixed payments for the specs of this library; no other file imports it.
import { expect } from '@jest/globals';
import type { BeginningOperation, ReferenceOperation } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { currency, type Amount } from '@sluice/money';
import {
  referenceCommandTypes,
  type ConnectorRules,
  type InitiatePayment,
  type Outcome,
  type PaymentCommand,
  type RecordOutcome,
  type ReferToTransaction,
} from './commands.js';
import { decide } from './decide.js';
import { type EventMetadata, type PaymentEvent, paymentEventCodec } from './events.js';
import { evolveAll, initialState, type PaymentState } from './payment.js';
import { acquirerReferenceOf } from './recovery.js';

/** 2026-01-15T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 0, 15, 12);
export const MIDNIGHT_MS = Date.UTC(2026, 0, 16);

export const metadata: EventMetadata = {
  recordedAtMs: NOON_MS,
  entityId: '8a8294174b7ecb28014b9699220015ca'.slice(0, 32) as EntityId,
  channelName: 'demo',
  ndc: 'ndc-1',
  mode: 'INTERNAL',
  actor: 'token-node',
  correlationId: 'ndc-1',
  causationId: 'message-1',
};

export const card = {
  kind: 'card',
  vaultReference: 'vault-1:abc',
  bin: '420000',
  last4: '0000',
  brand: 'VISA',
  expiryMonth: '12',
  expiryYear: '2030',
} as const;

export const rules: ConnectorRules = {
  partialReversal: true,
  incrementalAuthorization: true,
  reauthorization: true,
  reversalCutOffMs: () => MIDNIGHT_MS,
};

/** A fixed id: the chain's shard is the same for all. */
export function id(number: number): TransactionId {
  return `0194670a0000abcd${number.toString(16).padStart(16, '0')}` as TransactionId;
}

export function eur(minor: number | bigint): Amount {
  return { minor: BigInt(minor), currency: currency('EUR') };
}

export function initiate(
  operation: BeginningOperation,
  minor: number,
  changes: Partial<InitiatePayment> = {},
): InitiatePayment {
  return {
    type: 'InitiatePayment',
    transactionId: id(1),
    operation,
    amount: eur(minor),
    instrument: card,
    request: requestOf(id(1)),
    parameters: { merchantTransactionId: 'order-0001' },
    metadata,
    ...changes,
  };
}

/** What a command on an earlier transaction says: how much, and any of its fields. */
interface Said {
  readonly minor?: number | bigint | undefined;
  readonly [field: string]: unknown;
}

/** A command on an earlier transaction; the last argument is its amount, or all that it says otherwise. */
export function refer(
  operation: ReferenceOperation,
  transactionId: TransactionId,
  referencedId: TransactionId,
  said: number | bigint | Said = {},
): ReferToTransaction {
  const { minor, ...changes } = typeof said === 'object' ? said : { minor: said };
  const command = {
    type: referenceCommandTypes[operation],
    transactionId,
    referencedId,
    final: false,
    rules,
    parameters: {},
    metadata,
    ...(minor !== undefined && { amount: eur(minor) }),
    ...(operation === 'chargeback' || operation === 'chargebackReversal'
      ? { source: 'merchant', manualChargebacks: true }
      : { request: requestOf(transactionId) }),
    ...changes,
  };
  return command as ReferToTransaction;
}

export function requestOf(transactionId: TransactionId) {
  const acquirerReference = acquirerReferenceOf(transactionId);
  return { connector: 'simulator', acquirerReference, deadlineMs: NOON_MS + 22_000 };
}

export function outcome(
  transactionId: TransactionId,
  kind: Outcome['kind'],
  nowMs: number = NOON_MS + 100,
): RecordOutcome {
  return { type: 'RecordOutcome', transactionId, nowMs, outcome: outcomes[kind] };
}

const outcomes: Record<Outcome['kind'], Outcome> = {
  approved: { kind: 'approved', connectorTxId: 'acq-1' },
  declined: { kind: 'declined', resultCode: '800.100.152' },
  pending: { kind: 'pending' },
  notPerformed: { kind: 'notPerformed', reason: 'notFound' },
  unknown: { kind: 'unknown', reason: 'timeout' },
};

/** The events that a sequence of commands brings about. */
export function happened(...commands: readonly PaymentCommand[]): PaymentEvent[] {
  const events: PaymentEvent[] = [];
  let state: PaymentState = initialState;
  for (const command of commands) {
    const decided = decide(command, state);
    state = evolveAll(state, decided);
    events.push(...decided);
  }
  return events;
}

export function stateAfter(...commands: readonly PaymentCommand[]): PaymentState {
  return evolveAll(initialState, happened(...commands));
}

/** `given(what happened).when(command).then(what follows)`; the state is folded from the events. */
export function given(...commands: readonly PaymentCommand[]) {
  const state = stateAfter(...commands);
  return {
    when(command: PaymentCommand) {
      const events = decide(command, state);
      return {
        then(...expected: readonly { readonly type: string; readonly data?: object }[]): void {
          expect(events).toHaveLength(expected.length);
          expected.forEach((event, index) => {
            expect(events[index]).toMatchObject(event);
          });
        },
        thenRejected(resultCode: string): void {
          expect(events.map((event) => event.type)).toEqual(['TransactionRejected']);
          expect(events[0]?.data).toMatchObject({ resultCode });
        },
        thenNothing(): void {
          expect(events).toEqual([]);
        },
      };
    },
  };
}

/** Commands for a transaction that is done: requested and approved at once. */
export function approved(command: InitiatePayment | ReferToTransaction): readonly PaymentCommand[] {
  const isFact = command.type === 'RecordChargeback' || command.type === 'RecordChargebackReversal';
  return isFact ? [command] : [command, outcome(command.transactionId, 'approved')];
}

/** The event as it comes back from the store. */
export function storedAndRead(event: PaymentEvent): PaymentEvent {
  const { data, metadata, ...encoded } = paymentEventCodec.encode(event);
  const parsed = { data: JSON.parse(data) as unknown, metadata: JSON.parse(metadata) as unknown };
  return paymentEventCodec.decode({ ...encoded, ...parsed });
}

/** The event of a reference that the rules let through. */
export const requested = { type: 'TransactionRequested' } as const;
