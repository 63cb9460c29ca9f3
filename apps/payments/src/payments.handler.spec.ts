import { describe, expect, it } from '@jest/globals';
import type { InitiatePayment, ReferToPayment } from '@sluice/contracts';
import { Streams } from '@sluice/aggregates';
import { StoreBusy, StoreUnavailable } from '@sluice/event-store';
import { paymentDecider } from '@sluice/domain-payments';
import { InfrastructureAway, Unrecorded } from '@sluice/messaging';
import type { Opened } from './opened-commands.js';
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
function handlerThatFails(failure: Error | 'contention'): {
  readonly handler: PaymentsHandler;
  readonly forgotten: string[];
} {
  const forgotten: string[] = [];
  const parts = {
    streams: new Streams(paymentDecider.initialState, 10),
    writer: {
      accept: () => {
        if (failure === 'contention') return Promise.resolve({ kind: 'contention' });
        return Promise.reject(failure);
      },
    },
    store: {
      readByTransaction: () => {
        return Promise.reject(failure === 'contention' ? new Error('not asked') : failure);
      },
    },
    workflow: {
      forget: ({ vaultReference }: { vaultReference: string }) => {
        forgotten.push(vaultReference);
        return Promise.resolve();
      },
    },
    clock: { now: () => NOW_MS, monotonicMs: () => NOW_MS },
    metrics: new PaymentMetrics(),
  };
  return { handler: new PaymentsHandler(parts as unknown as HandlerParts), forgotten };
}

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
