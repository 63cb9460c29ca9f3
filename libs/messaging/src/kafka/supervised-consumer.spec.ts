import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import { type ArrivedBatch, SupervisedConsumer } from './supervised-consumer.js';

const TOPIC = 'ledger.events.v1';
const events = {
  ...{ FETCH: 'fetch', FETCH_START: 'fetch start', HEARTBEAT: 'heartbeat' },
  ...{ GROUP_JOIN: 'join', REBALANCING: 'rebalancing', CRASH: 'crash' },
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A consumer of kafkajs, by hand, that has joined its group; and what became of it. */
async function joined() {
  const emitter = new EventEmitter();
  const seen = { arrived: [] as ArrivedBatch[], troubles: [] as string[], assigned: 0, made: 0 };
  const resolved: string[] = [];
  let eachBatch: ((payload: EachBatchPayload) => Promise<void>) | undefined;
  const consumer = {
    events,
    on: (name: string, heard: (event: object) => void) => emitter.on(name, heard),
    connect: () => Promise.resolve(),
    subscribe: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    run: (options: { eachBatch: typeof eachBatch }) => {
      ({ eachBatch } = options);
      return Promise.resolve();
    },
  };
  const kafka = { consumer: () => ((seen.made += 1), consumer) } as unknown as Kafka;
  const supervised = new SupervisedConsumer({
    ...{ kafka, groupId: 'reporting', topics: [TOPIC] },
    duties: {
      assigned: () => void (seen.assigned += 1),
      revoked: () => void (seen.assigned = 0),
      arrived: (batch) => void seen.arrived.push(batch),
    },
    onTrouble: (reason) => void seen.troubles.push(reason),
  });
  void supervised.start();
  await jest.advanceTimersByTimeAsync(1);
  const join = () => emitter.emit('join', { payload: { memberAssignment: { [TOPIC]: [0] } } });
  join();
  return {
    ...{ seen, resolved, supervised, join },
    rebalance: () => emitter.emit('rebalancing', { payload: {} }),
    beat: async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        emitter.emit('heartbeat', { payload: {} });
        await jest.advanceTimersByTimeAsync(1_000);
      }
    },
    fetched: (offset: string) =>
      eachBatch?.({
        batch: { topic: TOPIC, partition: 0, messages: [{ offset }] },
        isStale: () => false,
        resolveOffset: (each: string) => resolved.push(each),
      } as unknown as EachBatchPayload),
  };
}

describe('a consumer whose group is joined again', () => {
  it('goes on when it has joined', async () => {
    const { seen, resolved, join, rebalance, beat, fetched } = await joined();
    rebalance();
    await beat(3);
    join();
    await beat(30);
    await fetched('7');
    expect([seen.assigned, seen.troubles, resolved]).toEqual([1, [], ['7']]);
    expect(seen.arrived).toMatchObject([{ topic: TOPIC, partition: 0 }]);
  });

  it('is replaced when kafkajs goes on as the member that it was', async () => {
    const { seen, rebalance, beat } = await joined();
    rebalance();
    await beat(20);
    expect(seen.troubles).toEqual(['the group was not joined again']);
    expect(seen.assigned).toBe(0);
  });

  it('takes no message meanwhile, and does not pass it over', async () => {
    const { seen, resolved, rebalance, fetched } = await joined();
    rebalance();
    jest.useRealTimers();
    await fetched('7');
    expect([seen.arrived, resolved]).toEqual([[], []]);
  });
});
