import { describe, expect, it } from '@jest/globals';
import type { DetailsToKeep } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { bankAccount, card, keptAnew, numberOf, VaultFixture } from './vault-fixture.js';

const fixture = new VaultFixture();
const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [
  ...[string, string, string],
];
const MERCHANT = 'b'.repeat(32);

/** An instance that keeps the same card as often as it is asked to. */
async function instanceWith(index: number) {
  const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
  const { reference: heldReference } = await vault.hold(card(index));
  const keep = (registrationId: string, more: Partial<DetailsToKeep> = {}) =>
    vault.keep({
      ...{ heldReference, registrationId, merchantId: MERCHANT, scope: 'shop' },
      ...{ mayBeExisting: true, ...more },
    });
  return { vault, keep };
}

describe('a card that is kept, and that may be kept only once', () => {
  it('is not kept again: the answer is the registration that it is kept for', async () => {
    const { vault, keep } = await instanceWith(1);
    const kept = keptAnew(await keep(FIRST));
    expect(await keep(SECOND)).toEqual({ keptFor: FIRST });
    // The first one that is asked for again is no other one.
    expect(await keep(FIRST)).toEqual(kept);
    expect(await fixture.count('kept_details')).toBe(1);
    expect((await vault.reveal(kept.reference))?.details['card.number']?.reveal()).toBe(
      numberOf(1),
    );
  });

  it('is kept once by many requests at once', async () => {
    const { keep } = await instanceWith(2);
    const ids = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(32, '0'));
    const answers = await Promise.all(ids.map((id) => keep(id)));
    expect(await fixture.count('kept_details')).toBe(1);
    const anew = answers.filter((answer) => answer !== undefined && 'reference' in answer);
    expect(anew).toHaveLength(1);
    const [winner] = anew.map((answer) => keptAnew(answer).reference.replace('kept.', ''));
    for (const answer of answers) {
      if (answer !== undefined && 'keptFor' in answer) expect(answer.keptFor).toBe(winner);
    }
  });

  it('is found where it was kept before that was asked for', async () => {
    const { vault, keep } = await instanceWith(3);
    const { reference } = await vault.hold(card(3));
    await vault.keep({
      ...{ heldReference: reference, registrationId: FIRST, merchantId: MERCHANT, scope: 'shop' },
    });
    expect(await keep(SECOND)).toEqual({ keptFor: FIRST });
  });

  it('is kept anew where it was forgotten, also while others ask', async () => {
    const { vault, keep } = await instanceWith(4);
    await keep(FIRST);
    await vault.forgetKept(FIRST);
    expect(keptAnew(await keep(SECOND)).reference).toBe(`kept.${SECOND}`);
    const [, ...answers] = await Promise.all([vault.forgetKept(SECOND), keep(THIRD), keep(FIRST)]);
    for (const answer of answers) expect(answer).toBeDefined();
    expect(await fixture.count('kept_details')).toBeLessThanOrEqual(1);
  });

  it.each([
    ['of another merchant', { merchantId: 'c'.repeat(32) }],
    ['of another scope', { scope: 'other shop' }],
  ])('is another one %s', async (_, more) => {
    const { keep } = await instanceWith(5);
    await keep(FIRST);
    expect(keptAnew(await keep(SECOND, more)).reference).toBe(`kept.${SECOND}`);
  });

  it('is kept again where that is not asked for', async () => {
    const { vault, keep } = await instanceWith(6);
    await keep(FIRST);
    const { reference: heldReference } = await vault.hold(card(6));
    const again = { heldReference, registrationId: SECOND, merchantId: MERCHANT, scope: 'shop' };
    expect(keptAnew(await vault.keep(again)).reference).toBe(`kept.${SECOND}`);
  });

  it('is found by the copy of itself', async () => {
    const { vault, keep } = await instanceWith(7);
    const { reference: heldReference } = keptAnew(await keep(FIRST));
    expect(await keep(SECOND, { heldReference })).toEqual({ keptFor: FIRST });
    await vault.forgetKept(FIRST);
    expect(await keep(SECOND, { heldReference })).toBeUndefined();
  });

  it('is told with its expiry where that is another', async () => {
    const { vault, keep } = await instanceWith(8);
    await keep(FIRST);
    const { details, ...held } = card(8);
    const renewed = { ...details, 'card.expiryYear': new Detail('2039') };
    const { reference: heldReference } = await vault.hold({ ...held, details: renewed });
    expect(await keep(SECOND, { heldReference })).toEqual({
      ...{ keptFor: FIRST, expiry: { month: expect.any(String), year: '2039' } },
    });
  });
});

describe('a bank account that is kept, and that may be kept only once', () => {
  const IBAN = 'DE23100000001234567890';
  const OTHER = 'DE89370400440532013000';

  it.each([
    ['with', 'without', [true, false]],
    ['without', 'with', [false, true]],
  ] as const)('is one %s its national number and %s', async (_, __, [isFirst, isSecond]) => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    const keep = async (registrationId: string, iban: string, isWithNumber: boolean) => {
      const { kind, details } = bankAccount(iban);
      const number = { 'bankAccount.number': new Detail(iban.slice(-10)) };
      const sent = { kind, details: { ...details, ...(isWithNumber && number) } };
      const { reference: heldReference } = await vault.hold(sent);
      const toKeep = { heldReference, registrationId, merchantId: MERCHANT, scope: 'shop' };
      return vault.keep({ ...toKeep, mayBeExisting: true });
    };
    keptAnew(await keep(FIRST, IBAN, isFirst));
    expect(await keep(SECOND, IBAN, isSecond)).toEqual({ keptFor: FIRST });
    expect(keptAnew(await keep(THIRD, OTHER, isSecond)).reference).toBe(`kept.${THIRD}`);
  });
});

describe('an account at a provider that is kept, and that may be kept only once', () => {
  it('is one in the same letters, and has one fingerprint in all', async () => {
    const { vault } = fixture.instance('vault-0', await fixture.keyRing('v1'));
    const keep = async (registrationId: string, accountId: string) => {
      const details = { 'virtualAccount.accountId': new Detail(accountId) };
      const held = await vault.hold({ kind: 'virtualAccount', details });
      const toKeep = { registrationId, merchantId: MERCHANT, scope: 'shop' };
      return vault.keep({ heldReference: held.reference, ...toKeep, mayBeExisting: true });
    };
    const [one, other] = [await keep(FIRST, 'Jane'), await keep(SECOND, 'jane')].map(keptAnew);
    expect(one?.fingerprint).toBe(other?.fingerprint);
    expect(await keep(THIRD, 'Jane')).toEqual({ keptFor: FIRST });
    expect(await keep(THIRD, 'jane')).toEqual({ keptFor: SECOND });
  });
});
