import { describe, expect, it } from '@jest/globals';
import type { PaymentReply } from '@sluice/contracts';
import {
  decide,
  initialState,
  type PaymentEvent,
  paymentEventCodec,
} from '@sluice/domain-payments';
import { Execution } from '@sluice/messaging';
import { fixedClock } from '@sluice/testing';
import { context } from '../test/payments-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';
import { DuplicateCommands } from './duplicate-commands.js';
import { initiateCommand } from './payment-commands.js';
import type { PaymentEvents } from './payment-record.js';
import type { Handled } from './payment-replies.js';

const id = '0194670a0000abcd0000000000000001' as never;
const begun = decide(
  initiateCommand(
    {
      id: 'message',
      type: 'InitiatePayment',
      data: {
        ...{ transactionId: id, operation: 'debit', card: {} },
        amount: { minor: '100', currency: 'EUR' },
        ...{ context: context(), parameters: {}, personal: {} },
      },
    } as never,
    {
      ...{ nowMs: fixedClock(Date.UTC(2026, 0, 15)).now(), connector: new ScriptedConnector() },
      ...{ sendWindowMs: 2_000, personal: undefined },
    },
  ),
  initialState,
);
const approved = {
  type: 'TransactionApproved',
  data: { transactionId: id, resultCode: '000.100.110', connectorTxId: 'acq-1' },
  metadata: begun[0]?.metadata,
} as PaymentEvent;

/** As the store gives it back. */
function stored(event: PaymentEvent) {
  const { data, metadata, ...encoded } = paymentEventCodec.encode(event);
  return {
    ...encoded,
    data: JSON.parse(data) as unknown,
    metadata: JSON.parse(metadata) as unknown,
  };
}

/** Duplicates over a store in which the outcome is recorded after so many looks; undefined: never. */
function duplicates(outcomeAfterLooks: number | undefined) {
  const waitedMs: number[] = [];
  const store = {
    readByTransaction: () => {
      const isOver = outcomeAfterLooks !== undefined && waitedMs.length >= outcomeAfterLooks;
      const events = isOver ? [...begun, approved] : begun;
      return Promise.resolve({ streamId: id, events: events.map(stored) });
    },
  } as unknown as PaymentEvents;
  const wait = (ms: number): Promise<void> => {
    waitedMs.push(ms);
    return Promise.resolve();
  };
  return { duplicates: new DuplicateCommands(store, wait), waitedMs };
}

const claim = { kind: 'claimTaken', claim: 'transaction' } as const;

function finished(handled: Handled): Promise<PaymentReply> {
  if (!(handled instanceof Execution)) throw new Error('answered at once');
  return handled.run();
}

describe('a command that was delivered again while its payment is under way', () => {
  it('waits for the outcome of the instance that began it', async () => {
    const { duplicates: waiting, waitedMs } = duplicates(3);
    const reply = await finished(await waiting.claimTaken(claim, id));
    expect(reply).toMatchObject({ kind: 'transaction', outcome: { status: 'approved' } });
    expect(waitedMs).toEqual([100, 100, 100]);
  });

  it('is told that it is under way when there is none for three seconds', async () => {
    const { duplicates: waiting, waitedMs } = duplicates(undefined);
    const reply = await finished(await waiting.claimTaken(claim, id));
    expect(reply).toMatchObject({ kind: 'transaction', outcome: { status: 'requested' } });
    expect(waitedMs.reduce((sum, ms) => sum + ms)).toBe(3_000);
  });
});

describe('a command that comes again after its payment', () => {
  it('is answered at once', async () => {
    const { duplicates: over, waitedMs } = duplicates(0);
    expect(await over.claimTaken(claim as never, id)).toMatchObject({
      ...{ kind: 'transaction', outcome: { status: 'approved', resultCode: '000.100.110' } },
    });
    expect(waitedMs).toEqual([]);
  });

  it('under the same idempotency key gets the first answer, and no wait', async () => {
    const { duplicates: keyed, waitedMs } = duplicates(undefined);
    const answer = { id, ndc: 'ndc-1', timestamp: 'then', buildNumber: 'build' };
    const taken = {
      ...{ kind: 'claimTaken', claim: 'idempotencyKey', fingerprint: 'print' },
      ...{ transactionId: id, answer: JSON.stringify(answer) },
    };
    expect(await keyed.claimTaken(taken as never, id)).toMatchObject({
      ...{ kind: 'keyTaken', fingerprint: 'print', answer, outcome: { status: 'requested' } },
    });
    expect(waitedMs).toEqual([]);
  });
});
