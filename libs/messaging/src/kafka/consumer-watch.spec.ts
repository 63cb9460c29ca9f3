import { describe, expect, it } from '@jest/globals';
import type { Kafka } from 'kafkajs';
import { ConsumerWatch } from './consumer-watch.js';
import type { SupervisedConsumer } from './supervised-consumer.js';

describe('the watch over consumers (D-19)', () => {
  /** Which groups it calls stuck after one look. */
  async function stuck(silentMs: number, brokerAnswers: boolean): Promise<string[]> {
    const found: string[] = [];
    const admin = {
      connect: () => (brokerAnswers ? Promise.resolve() : Promise.reject(new Error('away'))),
      describeCluster: () => Promise.resolve({}),
      disconnect: () => Promise.resolve(),
    };
    const kafka = { admin: () => admin } as unknown as Kafka;
    const watch = new ConsumerWatch(kafka, (groupId) => found.push(groupId));
    const lastActivityMs = performance.now() - silentMs;
    watch.add({ groupId: 'payments.commands', lastActivityMs } as SupervisedConsumer);
    await watch.look();
    watch.close();
    return found;
  }

  it('calls one stuck that is silent while the broker answers', async () => {
    expect(await stuck(31_000, true)).toEqual(['payments.commands']);
  });

  it('waits while the broker is away for everybody', async () => {
    expect(await stuck(31_000, false)).toEqual([]);
  });

  it('lets one alone that has just been heard of', async () => {
    expect(await stuck(29_000, true)).toEqual([]);
  });
});
