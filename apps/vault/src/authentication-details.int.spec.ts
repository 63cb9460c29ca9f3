import { describe, expect, it } from '@jest/globals';
import { Detail } from '@sluice/secrets';
import { card, numberOf, VaultFixture } from './vault-fixture.js';

const fixture = new VaultFixture();
const CRYPTOGRAM = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';

describe('the number for a directory server', () => {
  it('is that of the card that is held, and nothing else of it', async () => {
    const { vault, authentications } = fixture.instance('vault-0', await fixture.keyRing('1'));
    const { reference } = await vault.hold(card());
    expect((await authentications.revealNumber(reference))?.reveal()).toBe(numberOf(0));
  });

  it('leaves the security code for the acquirer', async () => {
    const { vault, authentications } = fixture.instance('vault-0', await fixture.keyRing('1'));
    const { reference } = await vault.hold(card());
    await authentications.revealNumber(reference);
    const { details } = (await vault.reveal(reference, 'last')) ?? {};
    expect(details?.['card.cvv']?.reveal()).toBe('918');
  });

  it('is that of a card that is kept', async () => {
    const { vault, authentications } = fixture.instance('vault-0', await fixture.keyRing('1'));
    const { reference: heldReference } = await vault.hold(card());
    const kept = await vault.keep({
      ...{ heldReference, merchantId: 'a'.repeat(32), registrationId: 'b'.repeat(32) },
    });
    const { reference } = kept as { reference: string };
    expect((await authentications.revealNumber(reference))?.reveal()).toBe(numberOf(0));
    const { reference: beside } = await vault.hold({
      ...{ kind: 'card', details: {}, kept: reference },
      inMemory: { 'card.cvv': new Detail('918') },
    });
    expect((await authentications.revealNumber(beside))?.reveal()).toBe(numberOf(0));
  });

  it.each(['', 'vault-0.none', `vault-0.${'0'.repeat(32)}`, `vault-0.p${'0'.repeat(32)}`])(
    'is not there for the reference "%s"',
    async (reference) => {
      const { authentications } = fixture.instance('vault-0', await fixture.keyRing('1'));
      expect(await authentications.revealNumber(reference)).toBeUndefined();
    },
  );
});

describe('a cryptogram', () => {
  it('is revealed by every instance, and by its own reference alone', async () => {
    const ring = await fixture.keyRing('1');
    const { vault, authentications } = fixture.instance('vault-0', ring);
    const reference = await authentications.holdProof(new Detail(CRYPTOGRAM));
    const { authentications: other } = fixture.instance('vault-1', ring);
    expect((await other.revealProof(reference))?.reveal()).toBe(CRYPTOGRAM);
    expect(await vault.reveal(reference)).toBeUndefined();
    expect(await other.revealNumber(reference)).toBeUndefined();
    const { reference: ofCard } = await vault.hold(card());
    expect(await authentications.revealProof(ofCard)).toBeUndefined();
  });

  it('is not in clear in its row, and expires with it', async () => {
    const { authentications } = fixture.instance('vault-0', await fixture.keyRing('1'));
    const reference = await authentications.holdProof(new Detail(CRYPTOGRAM));
    const { rows } = await fixture.owner.query<{ row: string }>(
      `SELECT encode(ciphertext, 'escape') AS row FROM vault.held_cards`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(CRYPTOGRAM);
    await fixture.owner.query(`UPDATE vault.held_cards SET expires_at = now() - interval '1 s'`);
    expect(await authentications.revealProof(reference)).toBeUndefined();
  });
});
