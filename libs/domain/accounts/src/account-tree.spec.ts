import { describe, expect, it } from '@jest/globals';
import { isEntityId } from '@sluice/identifiers';
import { channelAccounts, derivedEntityId } from './account-tree.js';
import { demoChannel } from './demo.js';

describe('channelAccounts', () => {
  it('gives a tree of PSP, division, merchant and channel, each under the one before', () => {
    const accounts = channelAccounts(demoChannel);
    expect(accounts.map(({ kind }) => kind)).toEqual(['psp', 'division', 'merchant', 'channel']);
    expect(accounts.map(({ parentId }) => parentId)).toEqual([
      undefined,
      ...accounts.slice(0, 3).map(({ id }) => id),
    ]);
    expect(accounts.every(({ id }) => isEntityId(id))).toBe(true);
  });

  it('says something of the channel alone', () => {
    expect(channelAccounts(demoChannel).map(({ terms }) => terms !== undefined)).toEqual([
      ...[false, false, false, true],
    ]);
  });

  it('puts channels of one merchant under the same node', () => {
    const other = { ...demoChannel, entityId: '0'.repeat(32) as typeof demoChannel.entityId };
    expect(channelAccounts(other)[2]).toEqual(channelAccounts(demoChannel)[2]);
  });

  it("takes a merchant's entity id as it is", () => {
    const merchant = 'abcdef0123456789abcdef0123456789';
    expect(channelAccounts({ ...demoChannel, merchant })[2]?.id).toBe(merchant);
  });

  it('has a PSP, a division and a merchant of one name as three nodes', () => {
    const ids = (['psp', 'division', 'merchant'] as const).map((kind) =>
      derivedEntityId(kind, 'Books'),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('has nothing above a PSP', () => {
    expect(Object.keys(channelAccounts(demoChannel)[0] ?? {})).toEqual(['id', 'kind', 'name']);
  });
});
