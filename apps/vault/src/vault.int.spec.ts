import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { SealBrokenError } from './detail-cipher.js';
import { HeldDetailRows } from './held-detail-rows.js';
import { card, LIFETIME_MS, numberOf, VaultFixture } from './vault-fixture.js';

const fixture = new VaultFixture();

describe('a held card', () => {
  it('is revealed whole by its instance, and gone when forgotten', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    const { reference, fingerprint } = await vault.hold(card(1));
    expect(reference).toMatch(/^vault-0\.[0-9a-f]{32}$/);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const revealed = await vault.reveal(reference);
    expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(1));
    expect(revealed?.details['card.cvv']?.reveal()).toBe('918');
    expect(revealed?.details['card.expiryYear']?.reveal()).toBe('2034');
    expect(fixture.statements).not.toContain('reveal');
    await vault.forget(reference);
    expect(await vault.reveal(reference)).toBeUndefined();
    expect(await fixture.count('held_cards')).toBe(0);
    await vault.forget(reference);
  });

  it('is revealed by another instance without its security code (D-42)', async () => {
    const ring = await fixture.keyRing('v1');
    const { reference } = await fixture.instance('vault-0', ring).vault.hold(card(2));
    const other = fixture.instance('vault-1', ring).vault;
    const revealed = await other.reveal(reference);
    expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(2));
    expect(revealed?.details).not.toHaveProperty(['card.cvv']);
    await other.forget(reference);
    expect(await fixture.count('held_cards')).toBe(0);
  });

  it('is gone by itself after its last use, which may be repeated for a moment', async () => {
    const ring = await fixture.keyRing('v1');
    const { vault, spent } = fixture.instance('vault-0', ring);
    const other = fixture.instance('vault-1', ring);
    const { reference } = await vault.hold(card(5));
    const revealed = await vault.reveal(reference, 'last');
    expect(revealed?.details['card.cvv']?.reveal()).toBe('918');
    const again = await vault.reveal(reference, 'last');
    expect(again?.details['card.number']?.reveal()).toBe(numberOf(5));
    // It was needed once, and is nowhere any more (D-42).
    expect(again?.details).not.toHaveProperty(['card.cvv']);
    const elsewhere = await other.vault.reveal(reference, 'last');
    expect(elsewhere?.details['card.number']?.reveal()).toBe(numberOf(5));
    await Promise.all([spent.close(), other.spent.close()]);
    expect(await vault.reveal(reference)).toBeUndefined();
    expect(await other.vault.reveal(reference)).toBeUndefined();
    expect(await fixture.count('held_cards')).toBe(0);
  });

  it('has the same fingerprint as the same card', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    const first = await vault.hold(card(3));
    const second = await vault.hold(card(3));
    const other = await vault.hold(card(4));
    expect(first.fingerprint).toBe(second.fingerprint);
    expect(first.reference).not.toBe(second.reference);
    expect(other.fingerprint).not.toBe(first.fingerprint);
  });

  it.each([
    '',
    'vault-0',
    `vault-0.${'0'.repeat(32)}`,
    `v.${'0'.repeat(31)}\u0000`,
    'x'.repeat(999),
  ])('is not behind a reference nobody gave: %j', async (reference) => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    expect(await vault.reveal(reference)).toBeUndefined();
    await vault.forget(reference);
  });

  it('does not open from another card’s row (S-KEY-01)', async () => {
    const ring = await fixture.keyRing('v1');
    const { vault } = fixture.instance('vault-0', ring);
    const held = await Promise.all(
      Array.from({ length: 10 }, (_, index) => vault.hold(card(index))),
    );
    const { rows } = await fixture.owner.query<{ nonce: Buffer; ciphertext: Buffer }>(
      'SELECT nonce, ciphertext FROM vault.held_cards ORDER BY reference',
    );
    const references = held.map(({ reference }) => reference).sort();
    for (const [index, reference] of references.entries()) {
      const { nonce, ciphertext } = rows[(index + 1) % rows.length]!;
      await fixture.owner.query(
        'UPDATE vault.held_cards SET nonce = $2, ciphertext = $3 WHERE reference = $1',
        [reference, nonce, ciphertext],
      );
    }
    const other = fixture.instance('vault-1', ring).vault;
    for (const { reference } of held) {
      await expect(other.reveal(reference)).rejects.toThrow(SealBrokenError);
    }
  });

  it('expires by the database’s clock, and by the monotonic clock in memory', async () => {
    const ring = await fixture.keyRing('v1');
    const { vault, clock, rows } = fixture.instance('vault-0', ring);
    const { reference } = await vault.hold(card(5));
    await fixture.owner.query(
      "UPDATE vault.held_cards SET expires_at = now() - interval '1 second'",
    );
    expect(await fixture.instance('vault-1', ring).vault.reveal(reference)).toBeUndefined();
    clock.advance(LIFETIME_MS);
    expect(await vault.reveal(reference)).toBeUndefined();
    expect(await rows.sweepExpired(10)).toBe(1);
    expect(await fixture.count('held_cards')).toBe(0);
  });

  it('is swept in bounded steps, and only when expired', async () => {
    const { vault, rows } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    await Promise.all(Array.from({ length: 30 }, (_, index) => vault.hold(card(index))));
    expect(await rows.sweepExpired(10)).toBe(0);
    await fixture.owner.query(
      "UPDATE vault.held_cards SET expires_at = now() - interval '1 second'",
    );
    await vault.hold(card(99));
    expect([await rows.sweepExpired(20), await rows.sweepExpired(20)]).toEqual([20, 10]);
    expect(await fixture.count('held_cards')).toBe(1);
  });
});

describe('concurrent callers', () => {
  it('share fixture.statements, inserts and deletes alike', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    await vault.hold(card());
    fixture.statements = [];
    const held = await Promise.all(
      Array.from({ length: 256 }, (_, index) => vault.hold(card(index))),
    );
    expect(fixture.statements.filter((name) => name === 'hold').length).toBeLessThanOrEqual(4);
    expect(await fixture.count('held_cards')).toBe(257);
    fixture.statements = [];
    await Promise.all([
      ...held.map(({ reference }) => vault.forget(reference)),
      ...held.map((_, index) => vault.hold(card(index))),
    ]);
    expect(fixture.statements.length).toBeLessThanOrEqual(5);
    expect(fixture.statements).toContain('hold-and-forget');
    expect(await fixture.count('held_cards')).toBe(257);
  });

  it('are refused when the database falls behind, and all hear of its failure', async () => {
    const failing = new HeldDetailRows(
      { query: () => Promise.reject(new Error('database is down')) } as unknown as pg.Pool,
      { lifetimeMs: LIFETIME_MS, writeAfterMs: 0 },
    );
    const results = await Promise.allSettled(
      Array.from({ length: 11_000 }, (_, index) => failing.delete(`vault-0.${index}`)),
    );
    const messages = results.map((result) =>
      result.status === 'rejected' ? (result.reason as Error).message : 'fulfilled',
    );
    expect(new Set(messages)).toEqual(new Set(['database is down', 'The vault is busy.']));
    expect(messages.filter((message) => message === 'The vault is busy.').length).toBeLessThan(
      1_100,
    );
  });
});

describe('the database’s files (S-PCI-02)', () => {
  async function dataFolder(): Promise<string> {
    await fixture.owner.query('CHECKPOINT');
    const { rows } = await fixture.owner.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]!.data_directory;
  }

  /** The files that contain one of the needles. */
  async function filesWith(folder: string, needles: readonly Buffer[]): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      if (needles.some((needle) => bytes.includes(needle))) found.push(path);
    }
    return found;
  }

  function formsOf(text: string): Buffer[] {
    return [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      Buffer.from(Buffer.from(text).toString('hex')),
      Buffer.from(Buffer.from(text).toString('base64').slice(0, 20)),
    ];
  }

  it('have no card in clear, and the write-ahead log nothing of a held card at all', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    const held = await Promise.all(
      Array.from({ length: 200 }, (_, index) => vault.hold(card(index + 1_000))),
    );
    const needles = [1_000, 1_050, 1_199].flatMap((index) => formsOf(numberOf(index)));
    const { rows } = await fixture.owner.query<{ ciphertext: Buffer }>(
      'SELECT ciphertext FROM vault.held_cards LIMIT 1',
    );
    const ciphertext = rows[0]!.ciphertext;
    const folder = await dataFolder();
    expect(await filesWith(folder, needles)).toEqual([]);
    expect(await filesWith(join(folder, 'pg_wal'), [ciphertext])).toEqual([]);
    await Promise.all(held.map(({ reference }) => vault.forget(reference)));
    expect(await filesWith(await dataFolder(), needles)).toEqual([]);
  });

  it('would show a card that was written in clear', async () => {
    const planted = numberOf(2_000);
    await fixture.owner.query('CREATE TABLE vault.planted (text text)');
    await fixture.owner.query('INSERT INTO vault.planted VALUES ($1)', [planted]);
    expect(await filesWith(await dataFolder(), formsOf(planted))).not.toEqual([]);
    await fixture.owner.query('DROP TABLE vault.planted');
  });
});
