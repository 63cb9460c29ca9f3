import { describe, expect, it } from '@jest/globals';
import type { InitiatePayment, ReferToPayment } from '@sluice/contracts';
import { Streams } from '@sluice/aggregates';
import { StoreBusy, StoreUnavailable } from '@sluice/event-store';
import { paymentDecider } from '@sluice/domain-payments';
import { InfrastructureAway, Unrecorded } from '@sluice/messaging';
import type { Opened } from '@sluice/messaging';
import { PaymentMetrics } from './payment-metrics.js';
import { type HandlerParts, PaymentsHandler } from './payments.handler.js';

const NOW_MS = 1_000_000;
/** Somebody waits for the reply for so long yet. */
const HEARD_MS = NOW_MS + 20_000;
/** The life is nearly over; its sender began to wait before it began. */
const UNHEARD_MS = NOW_MS + 1_000;

const id = '01a200455885ed5bf7da20fccea873d4';
const initiation = {
  data: { transactionId: id, instrument: { kind: 'card', vaultReference: 'vault-0.aa' } },
} as Opened<InitiatePayment>;
const reference = { data: { transactionId: id, referencedId: id } } as Opened<ReferToPayment>;

/** A handler of which nothing can be recorded, and the cards it has forgotten. */
function handlerThatFails(failure: Error | 'contention') {
  return handlerThatAccepts(
    () =>
      failure === 'contention' ? Promise.resolve({ kind: 'contention' }) : Promise.reject(failure),
    failure === 'contention' ? new Error('not asked') : failure,
  );
}

/** A handler whose appends end so, and the cards it has forgotten; without `away` nothing is there. */
function handlerThatAccepts(
  accept: () => Promise<object>,
  away?: Error,
): { readonly handler: PaymentsHandler; readonly forgotten: string[] } {
  const forgotten: string[] = [];
  const parts = {
    streams: new Streams(paymentDecider.initialState, 10),
    writer: { accept },
    store: {
      readByTransaction: () =>
        away === undefined ? Promise.resolve(undefined) : Promise.reject(away),
      idempotency: { findTransaction: () => Promise.resolve(undefined) },
    },
    workflow: {
      forget: ({ vaultReference }: { vaultReference: string }) => {
        forgotten.push(vaultReference);
        return Promise.resolve();
      },
    },
    machine: { now: () => NOW_MS, monotonicMs: () => NOW_MS },
    clock: { now: () => NOW_MS },
    metrics: new PaymentMetrics(),
    routing: { isKnown: true },
    risk: { of: () => Promise.resolve({}) },
  };
  return { handler: new PaymentsHandler(parts as unknown as HandlerParts), forgotten };
}

describe('a reference to a transaction that nobody has', () => {
  const handler = new PaymentsHandler({
    streams: new Streams(paymentDecider.initialState, 10),
    store: {
      readByTransaction: () => Promise.resolve(undefined),
      idempotency: { findTransaction: () => Promise.resolve(undefined) },
    },
    machine: { now: () => NOW_MS, monotonicMs: () => NOW_MS },
    clock: { now: () => NOW_MS },
  } as unknown as HandlerParts);

  it('is not found, and is not delivered again: it could be there by then', async () => {
    const reply = await handler.refer(reference, NOW_MS + 1);
    expect(reply).toEqual(new Unrecorded({ kind: 'notFound' }));
  });

  it('is simply not found once it would not be performed any more', async () => {
    expect(await handler.refer(reference, NOW_MS)).toEqual({ kind: 'notFound' });
  });
});

describe('a reference to a payment that is under way here', () => {
  it('waits for its turn, though nobody could read the payment yet', async () => {
    const streams = new Streams(paymentDecider.initialState, 10);
    const proposed: string[] = [];
    const handler = new PaymentsHandler({
      streams,
      store: {
        readByTransaction: () => Promise.resolve(undefined),
        idempotency: { findTransaction: () => Promise.resolve(undefined) },
      },
      writer: {
        accept: ({ id: streamId }: { id: string }) => {
          proposed.push(streamId);
          return Promise.resolve({ kind: 'answered', answer: { kind: 'full' } });
        },
      },
      machine: { now: () => NOW_MS, monotonicMs: () => NOW_MS },
      clock: { now: () => NOW_MS },
      metrics: new PaymentMetrics(),
    } as unknown as HandlerParts);
    const held = streams.hold(id);
    let recorded: () => void = () => undefined;
    const recording = new Promise<void>((resolve) => (recorded = resolve));
    const turn = streams.exclusively(held, () => recording);
    const other = '01a200455885ed5bf7da20fccea873d5';
    const refund = { data: { transactionId: other, referencedId: id } } as Opened<ReferToPayment>;
    const reply = handler.refer(refund, HEARD_MS);
    expect(await Promise.race([reply, Promise.resolve('waits')])).toBe('waits');
    expect(proposed).toEqual([]);
    recorded();
    await turn;
    expect(await reply).toEqual({ kind: 'full' });
    expect(proposed).toEqual([id]);
  });
});

describe('the card of a payment that is not begun here', () => {
  const taken = {
    kind: 'alreadyClaimed',
    claim: 'idempotency',
    fingerprint: 'print',
    answer: '{}',
  };
  it.each([
    ['is left to who has begun it, when the command comes twice', { kind: 'nothingNew' }, []],
    [
      'is left to who has begun it, when that is another process',
      { kind: 'alreadyClaimed', claim: 'transaction' },
      [],
    ],
    [
      'is forgotten, when its idempotency key belongs to another one',
      { ...taken, transactionId: 'another' },
      ['vault-0.aa'],
    ],
  ])('%s', async (_, result, cards) => {
    const { handler, forgotten } = handlerThatAccepts(() => Promise.resolve(result));
    await handler.initiate(initiation, HEARD_MS);
    expect(forgotten).toEqual(cards);
  });
});

describe('a command that cannot be recorded', () => {
  it.each<[string, string, Error | 'contention']>([
    ['the queue is full', 'busy', new StoreBusy('queueFull')],
    ['others were quicker', 'busy', 'contention'],
    ['the database is away', 'unavailable', new StoreUnavailable('no')],
  ])(
    'is refused while its sender waits, and tried again afterwards: %s',
    async (_, kind, failure) => {
      const heard = handlerThatFails(failure);
      expect(await heard.handler.initiate(initiation, HEARD_MS)).toEqual(new Unrecorded({ kind }));
      expect(heard.forgotten).toEqual(['vault-0.aa']);
      // The merchant was told that it is pending, so something has to be recorded (D-03).
      const unheard = handlerThatFails(failure);
      const again = unheard.handler.initiate(initiation, UNHEARD_MS);
      await expect(again).rejects.toThrow(InfrastructureAway);
      expect(unheard.forgotten).toEqual([]);
    },
  );

  it('is treated alike when what it refers to cannot be read', async () => {
    const { handler } = handlerThatFails(new StoreUnavailable('no'));
    const heard = await handler.refer(reference, HEARD_MS);
    expect(heard).toEqual(new Unrecorded({ kind: 'unavailable' }));
    await expect(handler.refer(reference, UNHEARD_MS)).rejects.toThrow(InfrastructureAway);
  });
});
