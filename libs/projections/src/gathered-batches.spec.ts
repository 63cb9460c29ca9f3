import { describe, expect, it } from '@jest/globals';
import { GatheredBatches, type PartitionBatch } from './gathered-batches.js';

const batch = (partition: number, events = 1): PartitionBatch => ({
  events: Array.from({ length: events }, () => ({}) as PartitionBatch['events'][number]),
  checkpoint: { topic: 't', partition, offset: '1' },
});

const partitionsOf = (batches: readonly PartitionBatch[]) =>
  batches.map(({ checkpoint }) => checkpoint.partition);

describe('batches of several partitions', () => {
  /** Notes which were applied together and which alone. */
  function gathered(together: () => Promise<boolean>, alone = () => Promise.resolve()) {
    const applied: (number[] | number)[] = [];
    const batches = new GatheredBatches(
      (all) => {
        applied.push(partitionsOf(all));
        return together();
      },
      (one) => {
        applied.push(...partitionsOf([one]));
        return alone();
      },
    );
    return { applied, batches };
  }

  it('that arrive in one turn are applied together, and one alone by itself', async () => {
    const { applied, batches } = gathered(() => Promise.resolve(true));
    await Promise.all([batches.add(batch(1)), batches.add(batch(2))]);
    await batches.add(batch(3));
    expect(applied).toEqual([[1, 2], 3]);
  });

  it('are no more than a thousand events at once, except one batch that has more', async () => {
    const { applied, batches } = gathered(() => Promise.resolve(true));
    const sizes = [600, 400, 1, 1_500];
    await Promise.all(sizes.map((events, index) => batches.add(batch(index, events))));
    expect(applied).toEqual([[0, 1], 2, 3]);
  });

  it.each([
    ['are refused', () => Promise.resolve(false)],
    ['fail', () => Promise.reject(new Error('away'))],
  ])('that %s together are applied each alone', async (_what, together) => {
    const { applied, batches } = gathered(together);
    await Promise.all([batches.add(batch(1)), batches.add(batch(2))]);
    expect(applied).toEqual([[1, 2], 1, 2]);
  });

  it('reject only where their own application does', async () => {
    const { batches } = gathered(
      () => Promise.reject(new Error('away')),
      () => Promise.reject(new Error('still away')),
    );
    await expect(batches.add(batch(1))).rejects.toThrow('still away');
  });
});
