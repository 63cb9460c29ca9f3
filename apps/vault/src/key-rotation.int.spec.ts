import { describe, expect, it } from '@jest/globals';
import type { HeldCard } from '@sluice/contracts';
import { WrappingKeyRetired } from '@sluice/service';
import { card, numberOf, LIMITS, VaultFixture } from './vault-fixture.js';

const fixture = new VaultFixture();

describe('data keys', () => {
  it('are replaced after so many uses, and each tells how many it had (S-KEY-02)', async () => {
    const { vault, keys } = fixture.instance('vault-0', await fixture.keyRing('v1'), {
      usesMax: 10,
    });
    await Promise.all(Array.from({ length: 95 }, (_, index) => vault.hold(card(index))));
    await keys.sweep();
    const { rows } = await fixture.owner.query<{ uses: string; cards: string }>(
      `SELECT uses, (SELECT count(*) FROM vault.held_cards c WHERE c.data_key_id = k.data_key_id)
         AS cards FROM vault.data_keys k ORDER BY uses DESC`,
    );
    expect(rows.map(({ uses }) => Number(uses))).toEqual([...Array<number>(9).fill(10), 5]);
    expect(rows.every(({ uses, cards }) => uses === cards)).toBe(true);
  });

  it('are replaced after their slice of time', async () => {
    const { vault, clock } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    await vault.hold(card(1));
    clock.advance(LIMITS.sliceMs - 1);
    await vault.hold(card(2));
    expect(await fixture.count('data_keys')).toBe(1);
    clock.advance(1);
    await vault.hold(card(3));
    expect(await fixture.count('data_keys')).toBe(2);
  });

  it('are made once, however many wait for one', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    await Promise.all(Array.from({ length: 100 }, (_, index) => vault.hold(card(index))));
    expect(await fixture.count('data_keys')).toBe(1);
  });

  it('are erased when no card can need them, and the card is then gone for good', async () => {
    const ring = await fixture.keyRing('v1');
    const { vault, keys } = fixture.instance('vault-0', ring);
    const { reference } = await vault.hold(card(1));
    await keys.sweep();
    expect(await fixture.count('data_keys')).toBe(1);
    await fixture.owner.query(
      "UPDATE vault.data_keys SET erase_after = now() - interval '1 second'",
    );
    await keys.sweep();
    expect(await fixture.count('data_keys')).toBe(0);
    expect(await fixture.instance('vault-1', ring).vault.reveal(reference)).toBeUndefined();
    expect(await vault.reveal(reference)).toBeUndefined();
  });

  it('are never in the database in clear', async () => {
    const ring = await fixture.keyRing('v1');
    const { keys } = fixture.instance('vault-0', ring);
    const { key } = await keys.forEncryption();
    const { rows } = await fixture.owner.query<{ wrapped: Buffer }>(
      'SELECT wrapped FROM vault.data_keys',
    );
    expect(rows[0]?.wrapped.includes(key.export())).toBe(false);
  });
});

describe('rotation of the wrapping key', () => {
  it('refuses the old version for new keys at once and re-wraps the others', async () => {
    const ring = await fixture.keyRing('v1');
    const { vault, keys } = fixture.instance('vault-0', ring, { usesMax: 1 });
    const held = await Promise.all(
      Array.from({ length: 20 }, (_, index) => vault.hold(card(index))),
    );
    await ring.use('v2');
    const after = await vault.hold(card(99));
    const versions = async () =>
      (
        await fixture.owner.query<{ version: string; keys: number }>(
          `SELECT wrapping_key_version AS version, count(*)::integer AS keys FROM vault.data_keys
           GROUP BY 1 ORDER BY 1`,
        )
      ).rows;
    expect(await versions()).toEqual([
      { version: 'v1', keys: 20 },
      { version: 'v2', keys: 1 },
    ]);
    expect(await keys.rewrap()).toEqual({ rewrapped: 20, unreadable: 0 });
    expect(await versions()).toEqual([{ version: 'v2', keys: 21 }]);
    expect(await keys.rewrap()).toEqual({ rewrapped: 0, unreadable: 0 });
    await ring.retire('v1');
    const other = fixture.instance('vault-1', ring).vault;
    for (const { reference } of [...held, after]) {
      expect(await other.reveal(reference)).toBeDefined();
    }
  });

  it('ends the use of a data key that the old version wrapped', async () => {
    const ring = await fixture.keyRing('v1');
    const { keys } = fixture.instance('vault-0', ring);
    const before = await keys.forEncryption();
    await ring.use('v2');
    expect((await keys.forEncryption()).id).not.toBe(before.id);
  });

  it('leaves what a retired version wrapped unreadable, and says so', async () => {
    const ring = await fixture.keyRing('v1');
    const { reference } = await fixture.instance('vault-0', ring).vault.hold(card(1));
    await ring.use('v2');
    await ring.retire('v1');
    const other = fixture.instance('vault-1', ring);
    await expect(other.vault.reveal(reference)).rejects.toThrow(WrappingKeyRetired);
    expect(await other.keys.rewrap()).toEqual({ rewrapped: 0, unreadable: 1 });
  });

  it('goes on after it was broken off, on several instances at once', async () => {
    const ring = await fixture.keyRing('v1');
    const { vault } = fixture.instance('vault-0', ring, { usesMax: 1 });
    await Promise.all(Array.from({ length: 300 }, (_, index) => vault.hold(card(index))));
    await ring.use('v2');
    const brokenOff = fixture.instance('vault-0', ring).keys;
    let calls = 0;
    const query = fixture.pool.query.bind(fixture.pool) as (...all: unknown[]) => Promise<unknown>;
    fixture.pool.query = ((...all: unknown[]) => {
      calls += 1;
      return calls > 50 ? Promise.reject(new Error('killed')) : query(...all);
    }) as typeof fixture.pool.query;
    await expect(brokenOff.rewrap()).rejects.toThrow('killed');
    fixture.pool.query = query as typeof fixture.pool.query;
    const results = await Promise.all([
      fixture.instance('vault-1', ring).keys.rewrap(),
      fixture.instance('vault-2', ring).keys.rewrap(),
    ]);
    const rewrapped = results.reduce((sum, result) => sum + result.rewrapped, 0);
    expect(rewrapped).toBe(300 - 49);
  });

  it('is not noticed by payments under way (S-KEY-03)', async () => {
    const ring = await fixture.keyRing('v0');
    const { vault, keys } = fixture.instance('vault-0', ring, { usesMax: 5 });
    const other = fixture.instance('vault-1', ring).vault;
    const held: HeldCard[] = [];
    let reveals = 0;
    for (let round = 1; round <= 5; round += 1) {
      await ring.use(`v${round}`);
      const rewrapping = keys.rewrap();
      const fresh = await Promise.all(
        Array.from({ length: 100 }, (_, index) => vault.hold(card(index))),
      );
      await Promise.all(
        fresh.map(async ({ reference }, index) => {
          const revealed = await (index % 2 === 0 ? vault : other).reveal(reference);
          expect(revealed?.number.reveal()).toBe(numberOf(index));
          reveals += 1;
        }),
      );
      await rewrapping;
      held.push(...fresh);
    }
    expect(reveals).toBe(500);
    await keys.rewrap();
    for (let round = 0; round < 5; round += 1) await ring.retire(`v${round}`);
    const later = fixture.instance('vault-2', ring).vault;
    for (const { reference } of held) expect(await later.reveal(reference)).toBeDefined();
  });
});
