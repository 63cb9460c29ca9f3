import { describe, expect, it } from '@jest/globals';
import type { Producer, ProducerBatch, RecordMetadata } from 'kafkajs';
import { GatheringProducer } from './gathering-producer.js';
import type { Outgoing, SendOutcome } from './producer-lane.js';

const TIME_LIMIT_MS = 10_000;

const message = (partition: number): Outgoing => ({
  ...{ topic: 'events', partition, key: null, value: null, headers: {} },
});

/** A client of which only these partitions are known to its metadata. */
class Client {
  readonly requested: number[][] = [];
  isClosed = false;

  constructor(private readonly known: readonly number[]) {}

  connect(): Promise<void> {
    return Promise.resolve();
  }

  /** As kafkajs: what it knows nothing of is neither sent nor named in the answer. */
  sendBatch({ topicMessages = [] }: ProducerBatch): Promise<RecordMetadata[]> {
    const asked = topicMessages.flatMap(({ messages }) =>
      messages.map(({ partition }) => partition ?? 0),
    );
    this.requested.push(asked);
    return Promise.resolve(
      asked
        .filter((partition) => this.known.includes(partition))
        .map((partition) => ({ topicName: 'events', partition, errorCode: 0 })),
    );
  }

  disconnect(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

describe('a request of which the client leaves out a partition', () => {
  it('acknowledges the others alone; that one is sent again by a new client', async () => {
    const clients = [new Client([0]), new Client([0, 1])];
    const [first, second] = clients;
    const reasons: string[] = [];
    let recoveries = 0;
    let made = 0;
    const producer = new GatheringProducer({
      makeProducer: () => clients[made++] as unknown as Producer,
      timeLimitMs: TIME_LIMIT_MS,
      onTrouble: (reason) => reasons.push(reason),
      onRecovered: () => (recoveries += 1),
    });
    await producer.connect();
    const outcomes: [number, SendOutcome['kind']][] = [];
    for (const partition of [0, 1]) {
      producer.send(message(partition), ({ kind }) => outcomes.push([partition, kind]));
    }
    await producer.idle();
    expect(first?.requested).toEqual([[0, 1]]);
    expect(first?.isClosed).toBe(true);
    expect(second?.requested).toEqual([[1]]);
    expect(outcomes).toEqual([
      [0, 'acknowledged'],
      [1, 'acknowledged'],
    ]);
    expect(reasons).toEqual(["Kafka's client knows of no partition 1 of events"]);
    expect(recoveries).toBe(1);
    await producer.close();
  });
});

describe('a request that failed without an answer of the broker', () => {
  it.each(['Broker not connected', 'Connection error'])(
    'is made by a new client: %s',
    async (why) => {
      const [first, second] = [new Client([0]), new Client([0])];
      first.sendBatch = () => Promise.reject(new Error(why));
      const clients = [first, second];
      const producer = new GatheringProducer({
        makeProducer: () => clients.shift() as unknown as Producer,
        timeLimitMs: TIME_LIMIT_MS,
      });
      await producer.connect();
      const outcomes: SendOutcome['kind'][] = [];
      producer.send(message(0), ({ kind }) => outcomes.push(kind));
      await producer.idle();
      expect([outcomes, first.isClosed, second.isClosed]).toEqual([['acknowledged'], true, false]);
      await producer.close();
    },
  );
});
