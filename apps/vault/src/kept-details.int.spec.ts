import { describe, expect, it } from '@jest/globals';
import { RegistrationForgotten } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import { Detail } from '@sluice/secrets';
import { WrappedKeyBroken } from '@sluice/service';
import type { DetailVault } from './detail-vault.js';
import { card, keptAnew, numberOf, VaultFixture } from './vault-fixture.js';

const fixture = new VaultFixture();
const REGISTRATION = 'a'.repeat(32);
const MERCHANT = 'b'.repeat(32);

function toKeep(heldReference: string, registrationId = REGISTRATION, merchantId = MERCHANT) {
  return { heldReference, registrationId, merchantId };
}

/** An instance and a card that it keeps. */
async function keeping(index: number, registrationId = REGISTRATION, merchantId = MERCHANT) {
  const ring = await fixture.keyRing('v1');
  const instance = fixture.instance('vault-0', ring);
  const { reference } = await instance.vault.hold(card(index));
  const kept = keptAnew(await instance.vault.keep(toKeep(reference, registrationId, merchantId)));
  return { ...instance, ring, kept, held: reference };
}

describe('a kept card', () => {
  it('is revealed by any instance, as often as wished, without its security code', async () => {
    const { ring, kept } = await keeping(1);
    expect(kept.reference).toMatch(/^kept\.[0-9a-f]{32}$/);
    expect(kept.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const other = fixture.instance('vault-1', ring).vault;
    for (const use of ['last', undefined] as const) {
      const revealed = await other.reveal(kept.reference, use);
      expect(revealed?.kind).toBe('card');
      expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(1));
      expect(revealed?.details['card.expiryYear']?.reveal()).toBe('2034');
      expect(revealed?.details).not.toHaveProperty(['card.cvv']);
    }
  });

  it('outlives what was held of it, and what a payment has forgotten', async () => {
    const { vault, kept, held } = await keeping(2);
    await vault.forget(held);
    await vault.forget(kept.reference);
    expect(await vault.reveal(held)).toBeUndefined();
    expect((await vault.reveal(kept.reference))?.details['card.number']?.reveal()).toBe(
      numberOf(2),
    );
  });

  it('is kept once, whoever asks again and however late', async () => {
    const { vault, kept, held } = await keeping(3);
    expect(await vault.keep(toKeep(held))).toEqual(kept);
    await vault.forget(held);
    expect(await vault.keep(toKeep(held))).toEqual(kept);
    expect(await fixture.count('kept_details')).toBe(1);
  });

  it('is kept for another registration, which has a key and a life of its own', async () => {
    const { vault, kept } = await keeping(15);
    const other = 'c'.repeat(32);
    const again = keptAnew(await vault.keep(toKeep(kept.reference, other)));
    expect(again).toEqual({ reference: `kept.${other}`, fingerprint: kept.fingerprint });
    await vault.forgetKept(REGISTRATION);
    const revealed = await vault.reveal(`kept.${other}`);
    expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(15));
    expect(await vault.keep(toKeep(kept.reference, 'd'.repeat(32)))).toBeUndefined();
  });

  it('has the fingerprint that it had while it was held for a payment of that merchant', async () => {
    const { vault, kept } = await keeping(16);
    const hold = (merchantId: string, index = 16) =>
      vault.hold({ ...card(index), merchantId: merchantId as EntityId });
    expect((await hold(MERCHANT)).accountFingerprint).toBe(kept.fingerprint);
    expect((await hold('c'.repeat(32))).accountFingerprint).not.toBe(kept.fingerprint);
    expect((await hold(MERCHANT, 17)).accountFingerprint).not.toBe(kept.fingerprint);
    // What is held beside it is no account, and nobody asks for it without a merchant.
    const beside = { ...card(16), details: {}, kept: kept.reference };
    expect(await vault.hold({ ...beside, merchantId: MERCHANT as EntityId })).not.toHaveProperty(
      'accountFingerprint',
    );
    expect(await vault.hold(card(16))).not.toHaveProperty('accountFingerprint');
  });

  it('is not kept where nothing is held', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    expect(await vault.keep(toKeep(`vault-0.${'0'.repeat(32)}`))).toBeUndefined();
    expect(await vault.keep(toKeep('nonsense'))).toBeUndefined();
    expect(await fixture.count('kept_details')).toBe(0);
  });

  it('is forgotten for good: details and key, and forgetting twice is no error', async () => {
    const { vault, kept } = await keeping(4);
    await vault.forgetKept(REGISTRATION);
    await vault.forgetKept(REGISTRATION);
    await expect(vault.reveal(kept.reference)).rejects.toThrow(RegistrationForgotten);
    expect(await fixture.count('kept_details')).toBe(0);
  });

  it('is in no byte of its row', async () => {
    await keeping(5);
    const { rows } = await fixture.owner.query<{ row: string }>(
      `SELECT kept::text || encode(ciphertext, 'escape') AS row FROM vault.kept_details kept`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(numberOf(5));
    const hex = Buffer.from(numberOf(5)).toString('hex');
    expect(rows[0]?.row).not.toContain(hex);
  });

  it('cannot be opened as that of another registration', async () => {
    const { vault, kept } = await keeping(6);
    await fixture.owner.query(`UPDATE vault.kept_details SET registration_id = $1`, [
      'c'.repeat(32),
    ]);
    await expect(vault.reveal(`kept.${'c'.repeat(32)}`)).rejects.toThrow(WrappedKeyBroken);
    await expect(vault.reveal(kept.reference)).rejects.toThrow(RegistrationForgotten);
  });

  it('leaves out what belongs to one payment alone', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    const { details, ...held } = card(7);
    const proof = { 'threeDSecure.verificationId': new Detail('AAACAgSRBklmQCFgMpEGAAAAAAA=') };
    const { reference } = await vault.hold({ ...held, details: { ...details, ...proof } });
    const kept = keptAnew(await vault.keep(toKeep(reference)));
    const revealed = await vault.reveal(kept.reference);
    expect(Object.keys(revealed?.details ?? {}).sort()).toEqual([
      ...['card.expiryMonth', 'card.expiryYear', 'card.number'],
    ]);
  });
});

describe('another expiry of a kept card', () => {
  const later = { month: '11', year: '2039' };
  const expiryOf = async (vault: DetailVault) => {
    const revealed = await vault.reveal(`kept.${REGISTRATION}`);
    return ['Month', 'Year'].map((part) => revealed?.details[`card.expiry${part}`]?.reveal());
  };

  it('is changed under the key that the card has, and nothing else is', async () => {
    const { vault, kept } = await keeping(21);
    const before = await fixture.owner.query('SELECT wrapped FROM vault.kept_details');
    const change = { registrationId: REGISTRATION, revision: 1, expiry: later };
    expect(await vault.changeKept(change)).toBe(true);
    expect(await expiryOf(vault)).toEqual(['11', '2039']);
    const revealed = await vault.reveal(kept.reference);
    expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(21));
    const after = await fixture.owner.query('SELECT wrapped FROM vault.kept_details');
    expect(after.rows).toEqual(before.rows);
  });

  it('is changed once: neither a repetition nor one that is late undoes a later one', async () => {
    const { vault } = await keeping(22);
    const change = (revision: number, year: string) =>
      vault.changeKept({ registrationId: REGISTRATION, revision, expiry: { ...later, year } });
    await change(1, '2039');
    await change(2, '2040');
    expect(await change(1, '2039')).toBe(true);
    expect(await expiryOf(vault)).toEqual(['11', '2040']);
    await Promise.all([change(3, '2041'), change(3, '2041'), change(1, '2039')]);
    expect(await expiryOf(vault)).toEqual(['11', '2041']);
  });

  it('is none where nothing is kept any more', async () => {
    const { vault } = await keeping(23);
    await vault.forgetKept(REGISTRATION);
    const change = { registrationId: REGISTRATION, revision: 1, expiry: later };
    expect(await vault.changeKept(change)).toBe(false);
    expect(await fixture.count('kept_details')).toBe(0);
  });

  it('goes together with a rotation of the wrapping key', async () => {
    const { vault, kept, ring } = await keeping(24);
    await ring.use('v2');
    const instance = fixture.instance('vault-1', ring);
    await Promise.all([
      instance.kept.rewrap(),
      vault.changeKept({ registrationId: REGISTRATION, revision: 1, expiry: later }),
    ]);
    await ring.retire('v1');
    expect(await expiryOf(instance.vault)).toEqual(['11', '2039']);
    expect(kept.reference).toBe(`kept.${REGISTRATION}`);
  });
});

describe('a kept token', () => {
  it('is kept without the cryptogram, which proves one payment', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    const details = {
      'tokenAccount.number': new Detail('4200000000000075'),
      'tokenAccount.cryptogram': new Detail('AgAAAAAABk4DWZ4C28yUQAAAAAA='),
    };
    const { reference } = await vault.hold({ kind: 'tokenAccount', details });
    const kept = keptAnew(await vault.keep(toKeep(reference)));
    const revealed = await vault.reveal(kept.reference);
    expect(Object.keys(revealed?.details ?? {})).toEqual(['tokenAccount.number']);
  });
});

describe('a kept account at a provider', () => {
  it('is the account alone, without those of a transfer that it paid', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    const account = { 'virtualAccount.accountId': new Detail('jane.jones@example.org') };
    const sender = { 'sender.accountNumber': new Detail('DE23100000001234567890') };
    const keptOf = async (details: object, registrationId: string) => {
      const held = { ...account, ...details };
      const { reference } = await vault.hold({ kind: 'virtualAccount', details: held });
      return keptAnew(await vault.keep(toKeep(reference, registrationId)));
    };
    const kept = await keptOf(sender, REGISTRATION);
    const revealed = await vault.reveal(kept.reference, 'last');
    expect(revealed?.kind).toBe('virtualAccount');
    expect(Object.keys(revealed?.details ?? {})).toEqual(['virtualAccount.accountId']);
    expect((await keptOf({}, 'd'.repeat(32))).fingerprint).toBe(kept.fingerprint);
  });
});

describe('the fingerprint of a kept card', () => {
  it('is the same for the same number of one merchant, whenever it expires', async () => {
    const first = await keeping(8);
    const { details, ...held } = card(8);
    const renewed = { ...details, 'card.expiryYear': new Detail('2039') };
    const { reference } = await first.vault.hold({ ...held, details: renewed });
    const again = keptAnew(await first.vault.keep(toKeep(reference, 'd'.repeat(32))));
    expect(again.fingerprint).toBe(first.kept.fingerprint);
  });

  it('is another for another number, and for another merchant', async () => {
    const fingerprints = [
      (await keeping(9)).kept.fingerprint,
      (await keeping(10, 'd'.repeat(32))).kept.fingerprint,
      (await keeping(9, 'e'.repeat(32), 'f'.repeat(32))).kept.fingerprint,
    ];
    expect(new Set(fingerprints).size).toBe(3);
  });
});

describe('a security code that goes with a kept card', () => {
  it('is revealed together with it, once, and by the instance alone that holds it', async () => {
    const { vault, kept, ring, spent } = await keeping(11);
    const inMemory = { 'card.cvv': new Detail('123') };
    const { reference } = await vault.hold({
      ...{ kind: 'card', details: {}, inMemory, kept: kept.reference },
    });
    const elsewhere = await fixture.instance('vault-1', ring).vault.reveal(reference);
    expect(elsewhere?.details['card.number']?.reveal()).toBe(numberOf(11));
    expect(elsewhere?.details).not.toHaveProperty(['card.cvv']);
    const whole = await vault.reveal(reference, 'last');
    expect(whole?.details['card.number']?.reveal()).toBe(numberOf(11));
    expect(whole?.details['card.cvv']?.reveal()).toBe('123');
    await spent.close();
    expect(await vault.reveal(reference)).toBeUndefined();
    expect(await vault.reveal(kept.reference)).toBeDefined();
  });

  it('is worth nothing without the card', async () => {
    const { vault, kept } = await keeping(12);
    const inMemory = { 'card.cvv': new Detail('123') };
    const { reference } = await vault.hold({
      ...{ kind: 'card', details: {}, inMemory, kept: kept.reference },
    });
    await vault.forgetKept(REGISTRATION);
    await expect(vault.reveal(reference)).rejects.toThrow(RegistrationForgotten);
  });

  it('that is lost says nothing of the card, which is kept', async () => {
    const { vault, kept } = await keeping(19);
    const { reference } = await vault.hold({ kind: 'card', details: {}, kept: kept.reference });
    await vault.forget(reference);
    expect(await vault.reveal(reference)).toBeUndefined();
    expect(await vault.reveal(kept.reference)).toBeDefined();
  });
});

describe('kept cards while the wrapping key is rotated', () => {
  const MANY = 1_200;

  async function keepMany() {
    const ring = await fixture.keyRing('v1');
    const instance = fixture.instance('vault-0', ring);
    const { reference } = await instance.vault.hold(card(13));
    const ids = Array.from({ length: MANY }, (_, index) => index.toString(16).padStart(32, '0'));
    await Promise.all(ids.map((id) => instance.vault.keep(toKeep(reference, id))));
    return { ...instance, ring, ids };
  }

  const versions = async () =>
    (
      await fixture.owner.query<{ version: string; count: string }>(
        `SELECT wrapping_key_version AS version, count(*) FROM vault.kept_details
         GROUP BY 1 ORDER BY 1`,
      )
    ).rows.map(({ version, count }) => [version, Number(count)]);

  it('are wrapped anew, all of them, and are revealed after the old version is gone', async () => {
    const { vault, kept, ring, ids } = await keepMany();
    expect(await kept.rewrap()).toEqual({ rewrapped: 0, unreadable: 0 });
    await ring.use('v2');
    expect(await kept.rewrap()).toEqual({ rewrapped: MANY, unreadable: 0 });
    await ring.retire('v1');
    expect(await versions()).toEqual([['v2', MANY]]);
    const some = [ids[0], ids[MANY / 2], ids[MANY - 1]];
    for (const id of some) {
      const revealed = await vault.reveal(`kept.${id}`);
      expect(revealed?.details['card.number']?.reveal()).toBe(numberOf(13));
    }
  });

  it('are kept, revealed and forgotten meanwhile, on several instances, none of them lost', async () => {
    const { vault, kept, ring, ids } = await keepMany();
    const other = fixture.instance('vault-1', ring);
    await ring.use('v2');
    const { reference } = await vault.hold(card(14));
    const added = 'f'.repeat(32);
    const rewrapping = Promise.all([kept.rewrap(), other.kept.rewrap()]);
    await Promise.all([
      ...ids.slice(0, 50).map((id) => vault.forgetKept(id)),
      vault.keep(toKeep(reference, added)),
      ...ids.slice(100, 150).map(async (id) => {
        expect(await other.vault.reveal(`kept.${id}`)).toBeDefined();
      }),
    ]);
    const [first, second] = await rewrapping;
    // What two wrap at once is done by one of them.
    expect(first.rewrapped + second.rewrapped).toBeLessThanOrEqual(MANY);
    await kept.rewrap();
    expect(await versions()).toEqual([['v2', MANY - 50 + 1]]);
  });

  it('stay as they are under a version that was retired too soon, and are counted', async () => {
    const { kept, ring } = await keepMany();
    await ring.use('v2');
    await ring.retire('v1');
    expect(await kept.rewrap()).toEqual({ rewrapped: 0, unreadable: 1 });
    expect(await versions()).toEqual([['v1', MANY]]);
  });
});
