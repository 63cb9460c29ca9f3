import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { repairKafkajs } from './kafkajs-repairs.js';

interface Queue {
  throttledUntil: number;
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}

type QueueClass = new (options: object) => Queue;

describe('the request queue of a connection', () => {
  let queue: Queue;

  beforeEach(() => {
    jest.useFakeTimers();
    repairKafkajs();
    const load = createRequire(import.meta.url);
    const RequestQueue = load('kafkajs/src/network/requestQueue') as QueueClass;
    queue = new RequestQueue({ logger: { debug: () => undefined } });
  });

  afterEach(() => {
    queue.destroy();
    jest.useRealTimers();
  });

  it('starts no timer while nothing waits (#1751)', () => {
    queue.scheduleCheckPendingRequests();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('looks at what waits as soon as it may be sent', () => {
    const sent: string[] = [];
    queue.throttledUntil = Date.now() + 1_000;
    queue.pending.push({ send: () => sent.push('request'), expectResponse: true });
    queue.scheduleCheckPendingRequests();
    jest.advanceTimersByTime(999);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(sent).toEqual(['request']);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('the look for answers that are late', () => {
  const SHORTEST_MS = 2_000;
  let isConnected: boolean;
  let queue: Queue & {
    scheduleRequestTimeoutCheck(): void;
    push(request: object): void;
    fulfillRequest(answer: object): void;
  };
  /** Which requests were given up, and when. */
  let late: (readonly [correlationId: number, atMs: number])[];
  let startMs: number;

  beforeEach(() => {
    jest.useFakeTimers();
    repairKafkajs();
    [isConnected, late, startMs] = [true, [], Date.now()];
    const load = createRequire(import.meta.url);
    const RequestQueue = load('kafkajs/src/network/requestQueue') as QueueClass;
    queue = new RequestQueue({
      ...{ requestTimeout: SHORTEST_MS, enforceRequestTimeout: true },
      isConnected: () => isConnected,
      logger: { debug: () => undefined },
    }) as typeof queue;
    queue.scheduleRequestTimeoutCheck();
  });

  afterEach(() => {
    queue.destroy();
    jest.useRealTimers();
  });

  function send(correlationId: number, requestTimeout?: number): void {
    const reject = (): void => void late.push([correlationId, Date.now() - startMs]);
    const entry = { correlationId, apiName: 'Fetch', reject, resolve: () => undefined };
    const sendRequest = (): void => undefined;
    queue.push({ entry, expectResponse: true, requestTimeout, sendRequest });
  }

  it('wakes nobody more often than the shortest request may take', () => {
    let looks = 0;
    for (; Date.now() - startMs < 10 * SHORTEST_MS; looks += 1) jest.advanceTimersToNextTimer();
    expect(looks).toBe(10);
  });

  it('ends each as soon as it is late, whenever it was sent', () => {
    jest.advanceTimersByTime(300);
    send(1);
    send(2, 5_000);
    jest.advanceTimersByTime(500);
    send(3);
    queue.fulfillRequest({ correlationId: 3, payload: null, size: 0 });
    send(4);
    jest.advanceTimersByTime(60_000);
    expect(late).toEqual([
      [1, 300 + SHORTEST_MS + 1],
      [4, 800 + SHORTEST_MS + 1],
      [2, 300 + 5_000 + 1],
    ]);
  });

  it('ends with its connection', () => {
    isConnected = false;
    jest.advanceTimersByTime(SHORTEST_MS + 1);
    expect(jest.getTimerCount()).toBe(0);
  });
});

interface Group {
  maxWaitTime: number;
  generationId: number;
  paused(): readonly unknown[];
  fetch(nodeId: string): Promise<readonly { rawMessages: readonly unknown[] }[]>;
}

type GroupClass = new (options: object) => Group;

describe('a fetch', () => {
  const message = { offset: '0' };
  /** The waits that the broker was asked for, newest last. */
  let asked: number[];
  let answer: readonly (readonly object[])[];
  let paused: readonly object[];
  let group: Group;

  beforeEach(() => {
    jest.useFakeTimers();
    repairKafkajs();
    repairKafkajs();
    [asked, answer, paused] = [[], [[]], []];
    group = member();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** A member with one partition, whose broker answers what is in `answer`. */
  function member(): Group {
    const broker = {
      fetch: ({ maxWaitTime }: { maxWaitTime: number }) => {
        asked.push(maxWaitTime);
        const partitions = answer.map((messages, partition) => ({
          ...{ partition, messages, abortedTransactions: [] },
        }));
        return Promise.resolve({ responses: [{ topicName: 'topic', partitions }] });
      },
    };
    const load = createRequire(import.meta.url);
    const ConsumerGroup = load('kafkajs/src/consumer/consumerGroup') as GroupClass;
    const numbers = [0, 1];
    return Object.assign(
      new ConsumerGroup({
        ...{
          topics: ['topic'],
          maxWaitTimeInMs: 100,
          instrumentationEmitter: { emit: () => null },
        },
        logger: { namespace: () => ({}) },
        cluster: { refreshMetadataIfNecessary: () => null, findBroker: () => broker },
      }),
      {
        ...{ generationId: 1, paused: () => paused, checkForStaleAssignment: () => null },
        ...{
          seekOffsets: () => null,
          getActiveTopicPartitions: () => ({ topic: new Set(numbers) }),
        },
        filterPartitionsByNode: () => [{ topic: 'topic', partitions: numbers }],
        offsetManager: {
          committedOffsets: () => ({ topic: { 0: '0', 1: '0' } }),
          nextOffset: () => '0',
        },
      },
    );
  }

  async function waitAfter(ms: number): Promise<number | undefined> {
    jest.advanceTimersByTime(ms);
    await group.fetch('1');
    return asked.at(-1);
  }

  it('waits longer at rest, and as before after a message', async () => {
    expect(await waitAfter(0)).toBe(100);
    expect(await waitAfter(4_999)).toBe(100);
    expect(await waitAfter(1)).toBe(1_000);
    answer = [[message]];
    expect(await waitAfter(0)).toBe(1_000);
    answer = [[]];
    expect(await waitAfter(4_999)).toBe(100);
    expect(await waitAfter(1)).toBe(1_000);
  });

  it('waits as before after a rebalance, and while a partition is paused', async () => {
    await waitAfter(0);
    group.generationId = 2;
    expect(await waitAfter(5_000)).toBe(100);
    expect(await waitAfter(5_000)).toBe(1_000);
    paused = [{}];
    expect(await waitAfter(5_000)).toBe(100);
    expect(await waitAfter(5_000)).toBe(100);
    paused = [];
    expect(await waitAfter(5_000)).toBe(1_000);
  });

  it('hands over only partitions from which something has come', async () => {
    answer = [[], [message]];
    expect(await group.fetch('1')).toMatchObject([{ partition: 1, rawMessages: [message] }]);
    answer = [[], []];
    expect(await group.fetch('1')).toEqual([]);
  });
});
