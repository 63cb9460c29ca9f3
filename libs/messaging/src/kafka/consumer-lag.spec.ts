import { describe, expect, it } from '@jest/globals';
import type { Kafka } from 'kafkajs';
import { ConsumerLag, type FollowedConsumer, type PartitionPosition } from './consumer-lag.js';

/** A broker whose topic has partitions from 10 to 50, and a group that has committed 30 of the first. */
function broker(counts: { connected: number; broken: boolean }): Kafka {
  const admin = () => ({
    connect: () => {
      counts.connected += 1;
      return Promise.resolve();
    },
    disconnect: () => Promise.resolve(),
    fetchTopicOffsets: () =>
      counts.broken
        ? Promise.reject(new Error('away'))
        : Promise.resolve(
            [0, 1, 2].map((partition) => ({ partition, low: '10', high: '50', offset: '50' })),
          ),
    fetchOffsets: () =>
      Promise.resolve([
        {
          topic: 'orders',
          partitions: [
            { partition: 0, offset: '30' },
            { partition: 1, offset: '-1' },
          ],
        },
      ]),
  });
  return { admin } as unknown as Kafka;
}

function consumerAt(positions: readonly PartitionPosition[]): FollowedConsumer {
  return { consumer: { groupId: 'shop.orders' }, positions: () => positions } as FollowedConsumer;
}

function at(partition: number, position?: number): PartitionPosition {
  return { topic: 'orders', partition, position };
}

describe('the lag of a consumer', () => {
  it('is what lies behind its positions, in its own partitions alone', async () => {
    const lag = new ConsumerLag(broker({ connected: 0, broken: false }), (group) => group);
    const consumer = consumerAt([at(0, 45), at(2, 50)]);
    lag.add(consumer);
    expect(await lag.look()).toEqual([{ group: 'shop.orders', topic: 'orders', messages: 5 }]);
    lag.remove(consumer);
    expect(await lag.look()).toEqual([]);
  });

  it('is told by what the group has committed, where nothing has come yet', async () => {
    const lag = new ConsumerLag(broker({ connected: 0, broken: false }), (group) => group);
    lag.add(consumerAt([at(0), at(1)]));
    // 20 behind the commit, and all that is left where nothing was ever committed.
    expect((await lag.look()).map(({ messages }) => messages)).toEqual([60]);
  });

  it('makes a new connection after one that failed', async () => {
    const counts = { connected: 0, broken: true };
    const lag = new ConsumerLag(broker(counts), (group) => group);
    lag.add(consumerAt([at(0, 50)]));
    await expect(lag.look()).rejects.toThrow('away');
    counts.broken = false;
    expect((await lag.look()).map(({ messages }) => messages)).toEqual([0]);
    await lag.look();
    expect(counts.connected).toBe(2);
  });
});
