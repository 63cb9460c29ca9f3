// Fixed checkouts for the specs of this library; no other file imports it.
import type { CheckoutEventMetadata, KnownSaving } from '@sluice/contracts';
import type { CheckoutId, EntityId, TransactionId } from '@sluice/identifiers';
import type { Checkout, CheckoutState } from './checkout.js';
import { checkoutDecider } from './checkout-decider.js';
import { type CheckoutEvent, checkoutEventCodec } from './checkout-events.js';
import type {
  AttemptDecision,
  CheckoutCommand,
  CreateCheckout,
  RecordAttempt,
  RecordReversal,
  SaveForm,
  SubmitAttempt,
  UpdateCheckout,
} from './commands.js';

/** 2026-01-15T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 0, 15, 12);
/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;

export const checkoutId = `${'0123456789ABCDEF'.repeat(2)}.test01` as CheckoutId;

const metadata: CheckoutEventMetadata = {
  recordedAtMs: NOON_MS,
  entityId: '8a8294174b7ecb28014b9699220015ca' as EntityId,
  channelName: 'demo',
  ndc: checkoutId,
  mode: 'INTERNAL',
  actor: 'token-node',
  correlationId: 'ndc-1',
  causationId: 'message-1',
};

/** A fixed id of a payment, or of its reversal. */
export function id(number: number): TransactionId {
  return `0194670a0000abcd${number.toString(16).padStart(16, '0')}` as TransactionId;
}

const REVERSAL = 0x100;
const SAVING = 0x200;

/** The id of the reversal of payment `number`. */
export function reversalOf(number: number): TransactionId {
  return id(REVERSAL + number);
}

const asOf = (atMs: number): CheckoutEventMetadata => ({ ...metadata, recordedAtMs: atMs });

/** The first request. */
export function create(changes: Partial<CreateCheckout> = {}): CreateCheckout {
  return {
    ...{ type: 'CreateCheckout', checkoutId, purpose: 'payment', metadata },
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    ...changes,
  };
}

/** A change of the amount. */
export function update(amount: string, atMs = NOON_MS + MINUTE_MS): UpdateCheckout {
  const about = { ...asOf(atMs), causationId: `change to ${amount}` };
  return { type: 'UpdateCheckout', parameters: { amount }, metadata: about };
}

/** The form, sent as payment `number`. */
export function submit(number: number, atMs = NOON_MS + 2 * MINUTE_MS): SubmitAttempt {
  return { type: 'SubmitAttempt', transactionId: id(number), metadata: asOf(atMs) };
}

/** Saving `number`, by who knows that before it there was this one. */
export function save(
  number: number,
  before: KnownSaving = 'nothing',
  atMs = NOON_MS + MINUTE_MS,
): SaveForm {
  return {
    ...{ type: 'SaveForm', transactionId: savingOf(number), saved: before },
    ...{ details: ['card.number', 'card.cvv'], vaultReference: `vault-0.s${number}` },
    ...{ fields: 'sealed', metadata: asOf(atMs) },
  };
}

/** The id of saving `number`. */
export function savingOf(number: number): TransactionId {
  return id(SAVING + number);
}

/** Payment `number`, made of this saving. */
export function submitSaved(
  number: number,
  saving: number,
  atMs = NOON_MS + 2 * MINUTE_MS,
): SubmitAttempt {
  return { ...submit(number, atMs), saved: savingOf(saving), isOfSaved: true };
}

/** The same, by who has read the checkout when it was changed so often. */
export function submitOf(revision: number, number: number, atMs?: number): SubmitAttempt {
  return { ...submit(number, atMs), revision };
}

const CODES = { open: '000.200.000', succeeded: '000.100.110', failed: '800.100.152' } as const;

/** What payments says of payment `number`. */
export function decided(
  number: number,
  kind: AttemptDecision['kind'],
  nowMs = NOON_MS + 3 * MINUTE_MS,
): RecordAttempt {
  const decision = { kind, resultCode: CODES[kind] };
  return {
    ...{ type: 'RecordAttempt', nowMs, transactionId: id(number), decision },
    reversalId: reversalOf(number),
  };
}

/** What became of a reversal; a next one would have the id `next`. */
export function reversed(
  transactionId: TransactionId,
  isReversed: boolean,
  next: TransactionId,
  nowMs = NOON_MS + 5 * MINUTE_MS,
): RecordReversal {
  return {
    ...{ type: 'RecordReversal', nowMs, transactionId, isReversed, nextReversalId: next },
    resultCode: isReversed ? '000.100.110' : '900.100.300',
  };
}

/** The merchant reads. */
export function serve(nowMs = NOON_MS + 4 * MINUTE_MS): CheckoutCommand {
  return { type: 'ServeStatus', nowMs };
}

/** The merchant deletes it. */
export function deleteCheckout(nowMs = NOON_MS + 4 * MINUTE_MS): CheckoutCommand {
  return { type: 'DeleteCheckout', nowMs };
}

/** The merchant's page of results was called. */
export function call(nowMs: number): CheckoutCommand {
  return { type: 'CallForResult', nowMs };
}

/** The events of these commands, each in the state after the ones before, as the store gives them. */
export function eventsOf(...commands: readonly CheckoutCommand[]): CheckoutEvent[] {
  const events: CheckoutEvent[] = [];
  for (const command of commands) {
    const state = events.reduce<CheckoutState>(checkoutDecider.evolve, undefined);
    events.push(...checkoutDecider.decide(command, state));
  }
  return events.map(stored);
}

/** The event as the store gives it back. */
function stored(event: CheckoutEvent): CheckoutEvent {
  const { data, metadata: about, ...encoded } = checkoutEventCodec.encode(event);
  const parsed = { data: JSON.parse(data) as unknown, metadata: JSON.parse(about) as unknown };
  return checkoutEventCodec.decode({ ...encoded, ...parsed });
}

/** The checkout after them. */
export function after(...commands: readonly CheckoutCommand[]): Checkout {
  const state = eventsOf(...commands).reduce<CheckoutState>(checkoutDecider.evolve, undefined);
  if (state === undefined) throw new Error('nothing was recorded');
  return state;
}
