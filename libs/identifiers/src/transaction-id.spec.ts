import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  chainShard,
  isTransactionId,
  keyMark,
  mintedAtMs,
  newTransactionId,
  newTransactionIdInChainOf,
} from './transaction-id.js';

const now = Date.parse('2026-03-15T12:00:00.123Z');

describe('a new transaction id', () => {
  const id = newTransactionId(now);

  it('has the form of Interface 2.1', () => {
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(isTransactionId(id)).toBe(true);
  });

  it('tells when it was minted (D-01, D-04)', () => {
    expect(mintedAtMs(id)).toBe(now);
    expect(mintedAtMs(newTransactionId(0))).toBe(0);
    expect(mintedAtMs(newTransactionId(2 ** 48 - 1))).toBe(2 ** 48 - 1);
  });

  it('sorts by time', () => {
    const ids = [now, now + 1, now + 1_000_000].map((ms) => newTransactionId(ms));
    expect([...ids].sort()).toEqual(ids);
  });

  it('is never the same twice: 100,000 of one millisecond', () => {
    const ids = Array.from({ length: 100_000 }, () => newTransactionId(now));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('spreads chains over the shards', () => {
    const shards = new Set(Array.from({ length: 5_000 }, () => chainShard(newTransactionId(now))));
    expect(shards.size).toBeGreaterThan(4_500);
  });
});

describe('an id in the chain of another', () => {
  it('has its shard and its own time and random part', () => {
    const first = newTransactionId(now);
    const second = newTransactionIdInChainOf(first, now + 5);
    expect(chainShard(second)).toBe(chainShard(first));
    expect(chainShard(second)).toHaveLength(4);
    expect(mintedAtMs(second)).toBe(now + 5);
    expect(second.slice(16)).not.toBe(first.slice(16));
  });
});

describe("the ids of one idempotency key's requests (D-36)", () => {
  const hash = createHash('sha256').update('key').digest('hex');

  it('differ, and have what the hash begins with', () => {
    const first = newTransactionId(now, hash);
    const repeated = newTransactionId(now, hash);
    expect(repeated).not.toBe(first);
    expect(hash.startsWith(keyMark(first))).toBe(true);
    expect(keyMark(repeated)).toBe(keyMark(first));
    expect(chainShard(repeated)).toBe(chainShard(first));
    expect(isTransactionId(first)).toBe(true);
  });

  it('have it in the chain of another transaction, too', () => {
    const first = newTransactionId(now);
    const refund = newTransactionIdInChainOf(first, now + 5, hash);
    expect(chainShard(refund)).toBe(chainShard(first));
    expect(hash.startsWith(keyMark(refund))).toBe(true);
    expect(keyMark(newTransactionIdInChainOf(first, now + 5))).not.toBe(keyMark(refund));
  });
});

describe('a text that is no transaction id', () => {
  it.each([
    '',
    'x',
    '0'.repeat(31),
    '0'.repeat(33),
    'A'.repeat(32),
    `${'0'.repeat(31)}\n`,
    'g'.repeat(32),
  ])('%j', (text) => {
    expect(isTransactionId(text)).toBe(false);
  });
});
