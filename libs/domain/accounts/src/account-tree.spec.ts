import { describe, expect, it } from '@jest/globals';
import { isEntityId } from '@sluice/identifiers';
import { nodesOf } from './account-tree.js';
import { demoChannel } from './demo.js';

const options = { manualChargebacks: true };

describe('nodesOf', () => {
  it('gives a tree of PSP, division, merchant and channel, each under the one before', () => {
    const nodes = nodesOf(demoChannel, options);
    expect(nodes.map(({ kind }) => kind)).toEqual(['psp', 'division', 'merchant', 'channel']);
    expect(nodes.map(({ parentId }) => parentId)).toEqual([
      undefined,
      ...nodes.slice(0, 3).map(({ id }) => id),
    ]);
    expect(nodes.every(({ id }) => isEntityId(id))).toBe(true);
  });

  it('puts channels of one merchant under the same node', () => {
    const other = { ...demoChannel, entityId: '0'.repeat(32) as typeof demoChannel.entityId };
    expect(nodesOf(other, options)[2]).toEqual(nodesOf(demoChannel, options)[2]);
  });

  it("takes a merchant's entity id as it is", () => {
    const merchant = 'abcdef0123456789abcdef0123456789';
    expect(nodesOf({ ...demoChannel, merchant }, options)[2]?.id).toBe(merchant);
  });

  it('allows manual chargebacks on the channel alone, and only where asked for', () => {
    const flags = (manualChargebacks: boolean) =>
      nodesOf(demoChannel, { manualChargebacks }).map((node) => node.manualChargebacks);
    expect(flags(true)).toEqual([false, false, false, true]);
    expect(flags(false)).toEqual([false, false, false, false]);
  });
});
