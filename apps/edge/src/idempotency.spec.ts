import { describe, expect, it } from '@jest/globals';
import type { TransactionOutcome } from '@sluice/contracts';
import { type EntityId, newTransactionId } from '@sluice/identifiers';
import { Form } from '@sluice/parameters';
import {
  DUPLICATE_WAIT_MS,
  IDEMPOTENCY_KEY_CHARACTERS_MAX,
  idempotencyHeader,
  type IdempotencyScope,
  inputFingerprint,
  outcomeOfFirst,
  scopedKey,
} from './idempotency.js';

describe('the header', () => {
  const malformed = { kind: 'malformed' };

  it('may be absent, or be repeated with the same key', () => {
    expect(idempotencyHeader()).toEqual({ kind: 'absent' });
    expect(idempotencyHeader(['order 1', 'order 1'])).toEqual({ kind: 'key', key: 'order 1' });
  });

  it('has one key of 1 to 255 printable ASCII characters', () => {
    const longest = 'k'.repeat(IDEMPOTENCY_KEY_CHARACTERS_MAX);
    expect(idempotencyHeader([longest])).toEqual({ kind: 'key', key: longest });
    for (const keys of [[`${longest}k`], [''], ['Bücher'], ['one', 'another']]) {
      expect(idempotencyHeader(keys)).toMatchObject(malformed);
    }
  });
});

describe('a key (R-IDEM-01)', () => {
  const scope: IdempotencyScope = {
    ...{ actor: 'a'.repeat(32) as EntityId, entityId: 'b'.repeat(32) as EntityId },
    ...{ method: 'POST', path: '/v1/payments' },
  };

  it('is the same for the same sender, channel and operation', () => {
    expect(scopedKey({ ...scope }, 'order-1')).toBe(scopedKey(scope, 'order-1'));
    expect(scopedKey(scope, 'order-1')).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, Partial<IdempotencyScope>, string]>([
    ['sender', { actor: 'c'.repeat(32) as EntityId }, 'order-1'],
    ['channel', { entityId: 'c'.repeat(32) as EntityId }, 'order-1'],
    ['method', { method: 'PUT' }, 'order-1'],
    ['operation', { path: '/v1/payments/1' }, 'order-1'],
    ['key', {}, 'order-2'],
  ])('is another one for another %s', (_, other, key) => {
    expect(scopedKey({ ...scope, ...other }, key)).not.toBe(scopedKey(scope, 'order-1'));
  });
});

describe('the fingerprint of an input', () => {
  const hmacKey = Buffer.alloc(32, 7);
  const sent = { amount: '92.00', currency: 'EUR', 'card.number': '4200000000000000' };
  const printOf = (form: object, held?: string, key = hmacKey) =>
    inputFingerprint(key, new Form(new Map(Object.entries(form))), held);
  const print = () => printOf(sent, 'card-1');

  it('does not depend on the order of the parameters, nor on who asks', () => {
    const turned = Object.fromEntries(Object.entries(sent).reverse());
    expect(printOf(turned, 'card-1')).toBe(print());
    expect(printOf({ ...sent, entityId: 'a'.repeat(32) }, 'card-1')).toBe(print());
  });

  it('has nothing of the card but what the vault says of it', () => {
    const { 'card.number': _, ...rest } = sent;
    expect(printOf(rest, 'card-1')).toBe(print());
    expect(printOf(sent, 'card-2')).not.toBe(print());
    expect(printOf(sent)).not.toBe(print());
  });

  it.each([{ amount: '92.01' }, { currency: 'USD' }, { descriptor: 'Books' }])(
    'is another one with %j, and so is that of fewer parameters',
    (changed) => {
      expect(printOf({ ...sent, ...changed }, 'card-1')).not.toBe(print());
      expect(printOf({ amount: sent.amount }, 'card-1')).not.toBe(print());
    },
  );

  it('can be made by nobody without the key', () => {
    expect(printOf(sent, 'card-1', Buffer.alloc(32, 8))).not.toBe(print());
  });
});

const outcome: TransactionOutcome = {
  id: newTransactionId(Date.UTC(2026, 0, 15)),
  operation: 'debit',
  status: 'requested',
  resultCode: '000.200.000',
};

/** Looks until the first request has ended; by a clock on which each look takes so long. */
async function waitFor({ lookMs, endsAtMs }: { lookMs: number; endsAtMs: number }) {
  let nowMs = 0;
  const found = await outcomeOfFirst({
    look: async () => {
      nowMs += lookMs;
      return nowMs >= endsAtMs ? { ...outcome, status: 'approved' } : outcome;
    },
    waitMs: DUPLICATE_WAIT_MS,
    clock: { monotonicMs: () => nowMs },
    // Time passes while it looks, and a test waits for nothing else.
    delays: { wait: async () => undefined, ended: false },
  });
  return { status: found?.status, waitedMs: nowMs };
}

describe('a duplicate of a running request', () => {
  it('waits 30 s for its outcome, as is promised (D-36)', async () => {
    expect(await waitFor({ lookMs: 9_999, endsAtMs: 29_997 })).toEqual({
      status: 'approved',
      waitedMs: 29_997,
    });
  });
  it('and no longer', async () => {
    expect(await waitFor({ lookMs: 10_000, endsAtMs: 40_000 })).toEqual({
      status: undefined,
      waitedMs: 30_000,
    });
  });
});
