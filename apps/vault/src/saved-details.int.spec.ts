import { describe, expect, it } from '@jest/globals';
import type { SecretDetails } from '@sluice/contracts';
import { card, LIFETIME_MS, numberOf, VaultFixture } from './vault-fixture.js';

const fixture = new VaultFixture();

const clear = (details: SecretDetails | undefined) =>
  details && Object.fromEntries(Object.entries(details).map(([name, one]) => [name, one.reveal()]));

const typed = {
  ...{ 'card.number': numberOf(0), 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  'card.cvv': '918',
};

describe('what a shopper has typed and not yet paid with', () => {
  it('is read as often as it is asked for, with the security code, until it is forgotten', async () => {
    const { saved } = fixture.instance('vault-0', await fixture.keyRing('1'));
    const reference = await saved.saveDetails(card(), LIFETIME_MS);
    expect(clear(await saved.readSaved(reference))).toEqual(typed);
    expect(clear(await saved.readSaved(reference))).toEqual(typed);
    await saved.forgetSaved(reference);
    expect(await saved.readSaved(reference)).toBeUndefined();
    expect(await fixture.count('held_cards')).toBe(0);
    await saved.forgetSaved(reference);
  });

  it('has no number in its row, nor a security code anywhere but in memory', async () => {
    const { saved } = fixture.instance('vault-0', await fixture.keyRing('1'));
    await saved.saveDetails(card(), LIFETIME_MS);
    const { rows } = await fixture.owner.query<{ row: string }>(
      `SELECT encode(ciphertext, 'escape') AS row FROM vault.held_cards`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(numberOf(0));
    expect(rows[0]?.row).not.toContain('918');
  });

  it('is without the security code where its instance is gone', async () => {
    const ring = await fixture.keyRing('1');
    const { saved } = fixture.instance('vault-0', ring);
    const reference = await saved.saveDetails(card(), LIFETIME_MS);
    const { saved: other } = fixture.instance('vault-1', ring);
    const { 'card.cvv': _, ...row } = typed;
    expect(clear(await other.readSaved(reference))).toEqual(row);
  });

  it('lives as long as it is asked for, and no longer than all that is held', async () => {
    const { saved, clock } = fixture.instance('vault-0', await fixture.keyRing('1'));
    const short = await saved.saveDetails(card(1), 10_000);
    const long = await saved.saveDetails(card(2), 10 * LIFETIME_MS);
    const { rows } = await fixture.owner.query<{ seconds: string }>(
      `SELECT round(extract(epoch FROM expires_at - now())) AS seconds
       FROM vault.held_cards ORDER BY expires_at`,
    );
    expect(rows.map(({ seconds }) => Number(seconds))).toEqual([10, 60]);
    clock.advance(10_001);
    await fixture.owner.query(`UPDATE vault.held_cards SET expires_at = now() - interval '1 s'`);
    expect(await saved.readSaved(short)).toBeUndefined();
    expect(clear(await saved.readSaved(long))?.['card.cvv']).toBe('918');
    clock.advance(LIFETIME_MS);
    saved.sweep(clock.monotonicMs());
    expect(await saved.readSaved(long)).toBeUndefined();
  });

  it('is no way to what is held for payments, nor they to it', async () => {
    const { saved, vault } = fixture.instance('vault-0', await fixture.keyRing('1'));
    const { reference: held } = await vault.hold(card());
    expect(await saved.readSaved(held)).toBeUndefined();
    await saved.forgetSaved(held);
    expect(await vault.reveal(held)).toBeDefined();
    const reference = await saved.saveDetails(card(), LIFETIME_MS);
    expect(await vault.reveal(reference)).toBeUndefined();
    // Of another name, it is not opened: it is bound to its own.
    const renamed = reference.replace('.s', '.');
    await fixture.owner.query(`UPDATE vault.held_cards SET reference = $1 WHERE reference = $2`, [
      renamed,
      reference,
    ]);
    await expect(vault.reveal(renamed)).rejects.toThrow('do not belong to their row');
  });
});
