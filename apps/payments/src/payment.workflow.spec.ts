import { describe, expect, it } from '@jest/globals';
import type { ConnectorRequest } from '@sluice/connectors';
import {
  type EventMetadata,
  type Outcome,
  type PaymentCommand,
  paymentDecider,
  type PaymentState,
} from '@sluice/domain-payments';
import { Stream, Streams } from '@sluice/aggregates';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { currency } from '@sluice/money';
import { Connectors } from './connectors.js';
import { PaymentMetrics } from './payment-metrics.js';
import { PaymentWorkflow, type WorkflowParts } from './payment.workflow.js';

const COMMITTED_AT_MS = 5_000;
const SEND_WINDOW_MS = 400;
const LIFE_MS = 25_000;
const transactionId = '01a200455885ed5bf7da20fccea873d4' as TransactionId;
const metadata: EventMetadata = {
  ...{ recordedAtMs: 0, entityId: '8a8294174b7ecb28014b9699220015ca' as EntityId, ndc: 'n' },
  ...{ channelName: 'demo', mode: 'INTERNAL', actor: 'token', correlationId: 'n' },
  causationId: 'message',
};

/** A payment whose request is recorded and not sent yet. */
function requestedPayment(): Stream<PaymentState> {
  const { decide, evolve, initialState } = paymentDecider;
  const stream = new Stream<PaymentState>(transactionId, initialState);
  const command: PaymentCommand = {
    ...{ type: 'InitiatePayment', transactionId, operation: 'debit', metadata, parameters: {} },
    amount: { minor: 100n, currency: currency('EUR') },
    instrument: {
      ...{ kind: 'card', vaultReference: 'vault-1', bin: '420000', last4: '0000', brand: 'VISA' },
      ...{ expiryMonth: '12', expiryYear: '2030' },
    },
    request: { connector: 'acquirer', acquirerReference: transactionId, deadlineMs: 22_000 },
  };
  stream.state = decide(command, initialState).reduce(evolve, initialState);
  return stream;
}

/** Performs the payment when so much time has passed since its commit; the acquirer approves. */
async function performedAfter(passedMs: number) {
  const calls: number[] = [];
  const outcomes: Outcome[] = [];
  const acquirer = {
    ...{ name: 'acquirer', takes: [], capabilities: { callTimeoutMs: 100 } },
    submit: (_: ConnectorRequest, __: unknown, { beginByMs }: { beginByMs: number }) => {
      calls.push(beginByMs);
      return Promise.resolve({ kind: 'approved', resultCode: '000.100.110' });
    },
  };
  const connectors = new Connectors([acquirer] as never, 1);
  const workflow = new PaymentWorkflow({
    ...{ connectors, metrics: new PaymentMetrics(), sendWindowMs: SEND_WINDOW_MS },
    streams: new Streams(paymentDecider.initialState, 10),
    writer: {
      record: async (_: unknown, { outcome }: { outcome: Outcome }) => outcomes.push(outcome),
    },
    machine: { now: () => 0, monotonicMs: () => COMMITTED_AT_MS + passedMs },
    clock: { now: () => 0, nowOf: () => 0 },
    logger: { info: () => undefined },
    routing: { afterAttempt: () => undefined },
    second: { mayFollow: () => false, follow: () => Promise.resolve({ kind: 'notFollowed' }) },
  } as unknown as WorkflowParts);
  const times = { committedAtMs: COMMITTED_AT_MS, lifeEndsMs: COMMITTED_AT_MS + LIFE_MS };
  const details = { transactionId, ...times, sent: { parameters: {} } };
  await workflow.execute(requestedPayment(), details);
  return { calls, outcomes, open: connectors.open()[0]?.value };
}

describe('a requested payment (D-25)', () => {
  it('is sent until the send window after its commit is over, and no byte of it later', async () => {
    for (const passedMs of [0, SEND_WINDOW_MS]) {
      const { calls, outcomes } = await performedAfter(passedMs);
      expect(calls).toEqual([COMMITTED_AT_MS + SEND_WINDOW_MS]);
      expect(outcomes).toMatchObject([{ kind: 'approved' }]);
    }
  });

  it('is never sent afterwards, and is recorded as not performed', async () => {
    const { calls, outcomes } = await performedAfter(SEND_WINDOW_MS + 1);
    expect(calls).toEqual([]);
    expect(outcomes).toEqual([{ kind: 'notPerformed', reason: 'sendWindowOver' }]);
  });

  it.each([0, SEND_WINDOW_MS + 1])('gives its place back in the end, after %s ms', async (ms) => {
    expect((await performedAfter(ms)).open).toBe(0);
  });
});
