import { describe, expect, it } from '@jest/globals';
import { findTransaction } from '@sluice/domain-payments';
import { type AppendMember, type AppendResult, StoreUnavailable } from '@sluice/event-store';
import { fixedClock } from '@sluice/testing';
import { context } from '../test/payments-fixture.js';
import { ScriptedConnector } from '../test/scripted-connector.js';
import { Connectors } from './connectors.js';
import { initiateCommand } from './payment-commands.js';
import { type PaymentEvents, PaymentRecord } from './payment-record.js';
import { PaymentStreams, StreamBusy } from './payment-streams.js';
import { PaymentsSettings } from './settings.js';

const clock = fixedClock(Date.UTC(2026, 0, 15));
const connector = new ScriptedConnector();
const id = '0194670a0000abcd0000000000000001' as never;

/** A store that answers appends from a list; what it appended can be read again. */
function storeWith(answers: (AppendResult['kind'] | 'unavailable')[]) {
  const members: AppendMember[] = [];
  const recorded: AppendMember[] = [];
  const store = {
    append: async (member: AppendMember) => {
      members.push(member);
      const answer = answers.shift() ?? 'appended';
      if (answer === 'unavailable') throw new StoreUnavailable('unknown');
      if (answer !== 'appended') return { kind: answer };
      recorded.push(member);
      return { kind: 'appended', version: member.expectedVersion + member.events.length };
    },
    read: async () =>
      recorded.flatMap((member) =>
        member.events.map((event, index) => ({
          ...event,
          data: JSON.parse(event.data) as unknown,
          metadata: JSON.parse(event.metadata) as unknown,
          streamId: member.streamId,
          version: member.expectedVersion + index + 1,
          commandId: member.commandId,
          recordedAtMs: 0,
        })),
      ),
  };
  return { store: store as unknown as PaymentEvents, members };
}

function recordOn(store: PaymentEvents): PaymentRecord {
  const schedule = Object.assign(new PaymentsSettings(), { clockMarginMs: 0 });
  return new PaymentRecord(store, new Connectors([connector], 1), schedule, clock);
}

const proposal = async () => {
  const message = {
    id: 'message',
    type: 'InitiatePayment',
    data: {
      transactionId: id,
      operation: 'debit',
      amount: { minor: '100', currency: 'EUR' },
      card: {},
      context: context(),
      parameters: {},
      personal: {},
    },
  };
  const circumstances = { nowMs: clock.now(), connector, sendWindowMs: 2_000, personal: undefined };
  return {
    kind: 'command',
    command: initiateCommand(message as never, circumstances),
    claims: { commandId: 'message', notAfterMs: 1 },
  } as const;
};

describe('a command', () => {
  it('decides again after a conflict, five times, and is then told that it is busy', async () => {
    const { store, members } = storeWith(Array.from({ length: 6 }, () => 'versionConflict'));
    const stream = new PaymentStreams(1).hold(id);
    expect(await recordOn(store).accept(stream, proposal)).toEqual({ kind: 'contention' });
    expect(members).toHaveLength(6);
  });
  it('is due when its lease is over, so that a dead process is noticed', async () => {
    const { store, members } = storeWith([]);
    await recordOn(store).accept(new PaymentStreams(1).hold(id), proposal);
    expect(members[0]?.dueInMs).toBe(60_000);
  });
  it('that is too old is recorded without a request and without its age test', async () => {
    const { store, members } = storeWith(['expired']);
    await recordOn(store).accept(new PaymentStreams(1).hold(id), proposal);
    expect(members.map((member) => member.notAfterMs)).toEqual([1, undefined]);
    const [, second] = members;
    expect(second?.events.map((event) => event.type)).toEqual([
      'PaymentInitiated',
      'TransactionNotPerformed',
    ]);
    expect(second?.events[0]?.data).not.toContain('acquirerReference');
    expect(second?.dueInMs).toBeNull();
  });
});

describe('an outcome', () => {
  const outcome = {
    type: 'RecordOutcome',
    transactionId: id,
    nowMs: 1,
    outcome: { kind: 'approved', connectorTxId: 'a' },
  } as const;

  it('is recorded however often the database is away, and once', async () => {
    const { store, members } = storeWith([
      'appended',
      'unavailable',
      'unavailable',
      'versionConflict',
    ]);
    const record = recordOn(store);
    const stream = new PaymentStreams(1).hold(id);
    await record.accept(stream, proposal);
    expect(await record.record(stream, outcome)).toBe(true);
    expect(findTransaction(stream.state, id)?.status).toBe('approved');
    expect(await record.record(stream, outcome)).toBe(false);
    expect(members).toHaveLength(5);
    expect(members.at(-1)?.dueInMs).toBeNull();
  });
  it('is given up when the process ends: the sweeper will find it', async () => {
    const { store } = storeWith(['appended', 'unavailable', 'unavailable', 'unavailable']);
    const record = recordOn(store);
    const stream = new PaymentStreams(1).hold(id);
    await record.accept(stream, proposal);
    const recording = record.record(stream, outcome);
    record.close();
    await expect(recording).rejects.toThrow();
  });
});

describe('the queue of a payment', () => {
  it('keeps order, refuses what is too much, but never an outcome', async () => {
    const streams = new PaymentStreams(2);
    const stream = streams.hold(id);
    const order: number[] = [];
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const first = streams.exclusively(stream, () => held.then(() => void order.push(1)));
    const second = streams.exclusively(stream, async () => void order.push(2));
    await expect(streams.exclusively(stream, async () => undefined)).rejects.toThrow(StreamBusy);
    const third = streams.inTurn(stream, async () => void order.push(3));
    letGo();
    await Promise.all([first, second, third]);
    expect(order).toEqual([1, 2, 3]);
  });
  it('goes on after work that failed', async () => {
    const streams = new PaymentStreams(2);
    const stream = streams.hold(id);
    const failing = streams.exclusively(stream, () => Promise.reject(new Error('broken')));
    const next = streams.exclusively(stream, async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
  it('lets go of the payment with its last holder', () => {
    const streams = new PaymentStreams(2);
    const stream = streams.hold(id);
    expect(streams.hold(id)).toBe(stream);
    streams.release(stream);
    expect(streams.has(id)).toBe(true);
    streams.release(stream);
    expect(streams.has(id)).toBe(false);
  });
});
