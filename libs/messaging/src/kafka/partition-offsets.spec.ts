import { describe, expect, it } from '@jest/globals';
import { PartitionOffsets } from './partition-offsets.js';

describe('the offsets of a partition', () => {
  it('have nothing to commit before anything came', () => {
    expect(new PartitionOffsets().uncommitted).toBeUndefined();
  });

  it('stop before the first message that is open, whatever ended behind it', () => {
    const offsets = new PartitionOffsets();
    for (const offset of [7, 8, 9, 12]) offsets.add(offset);
    expect(offsets.uncommitted).toBe(7);
    offsets.complete(8);
    offsets.complete(12);
    expect(offsets.uncommitted).toBe(7);
    offsets.complete(7);
    expect(offsets.uncommitted).toBe(9);
    offsets.complete(9);
    expect(offsets.uncommitted).toBe(13);
    expect(offsets.openCount).toBe(0);
  });

  it('are committed once', () => {
    const offsets = new PartitionOffsets();
    offsets.add(3);
    offsets.complete(3);
    offsets.committed(4);
    expect(offsets.uncommitted).toBeUndefined();
    offsets.add(4);
    // Nothing new: the position is where it was.
    expect(offsets.uncommitted).toBeUndefined();
    offsets.complete(4);
    expect(offsets.uncommitted).toBe(5);
  });
});
