import { describe, expect, it } from '@jest/globals';
import { type DetailsToHold, instrumentKinds, RegistrationForgotten } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { bankAccount, card, numberOf, VaultFixture } from './vault-fixture.js';

const fixture = new VaultFixture();
const ORDER = '0'.repeat(32);
const REGISTRATION = 'a'.repeat(32);
const IBAN = 'DE23100000001234567890';
const OTHER_IBAN = 'NL91ABNA0417164300';

async function startVault() {
  const ring = await fixture.keyRing('v1');
  return { ...fixture.instance('vault-0', ring), ring };
}

type Instance = Awaited<ReturnType<typeof startVault>>;

async function keepForOrder(
  { vault, accounts }: Instance,
  details: DetailsToHold,
  orderId = ORDER,
) {
  const { reference: heldReference } = await vault.hold(details);
  return { heldReference, isKept: await accounts.keepBankAccount({ heldReference, orderId }) };
}

async function keepForRegistration({ vault }: Instance, details: DetailsToHold) {
  const { reference: heldReference } = await vault.hold(details);
  await vault.keep({ heldReference, registrationId: REGISTRATION, merchantId: 'b'.repeat(32) });
}

async function ibanOf({ accounts }: Pick<Instance, 'accounts'>, orderId = ORDER) {
  const revealed = await accounts.revealBankAccount(orderId);
  return revealed?.details['bankAccount.iban']?.reveal();
}

describe('the bank account of an order', () => {
  it('is kept, revealed by any instance, and forgotten for good', async () => {
    const instance = await startVault();
    const { heldReference, isKept } = await keepForOrder(instance, bankAccount(IBAN));
    expect(isKept).toBe(true);
    await instance.vault.forget(heldReference);
    const other = fixture.instance('vault-1', instance.ring);
    expect(await ibanOf(other)).toBe(IBAN);
    expect(await ibanOf(other)).toBe(IBAN);
    await other.accounts.forgetBankAccount(ORDER);
    await other.accounts.forgetBankAccount(ORDER);
    expect(await ibanOf(instance)).toBeUndefined();
    expect(await fixture.count('kept_details')).toBe(0);
  });

  it('is kept once, also when the answer was lost and nothing is held any more', async () => {
    const instance = await startVault();
    const { heldReference } = await keepForOrder(instance, bankAccount(IBAN));
    expect((await keepForOrder(instance, bankAccount(OTHER_IBAN))).isKept).toBe(true);
    await instance.vault.forget(heldReference);
    const again = { heldReference, orderId: ORDER };
    expect(await instance.accounts.keepBankAccount(again)).toBe(true);
    expect(await ibanOf(instance)).toBe(IBAN);
    expect(await fixture.count('kept_details')).toBe(1);
  });

  it('is not kept of what is held no more', async () => {
    const { accounts } = await startVault();
    const heldReference = `vault-0.${'0'.repeat(32)}`;
    expect(await accounts.keepBankAccount({ heldReference, orderId: ORDER })).toBe(false);
    expect(await ibanOf({ accounts })).toBeUndefined();
  });

  it('goes over to another wrapping key with the rest', async () => {
    const instance = await startVault();
    await keepForOrder(instance, bankAccount(IBAN));
    await instance.ring.use('v2');
    expect(await instance.kept.rewrap()).toMatchObject({ rewrapped: 1, unreadable: 0 });
    await instance.ring.retire('v1');
    expect(await ibanOf(instance)).toBe(IBAN);
  });

  it('is none of the registrations that others reveal, change and forget', async () => {
    const instance = await startVault();
    await keepForOrder(instance, bankAccount(IBAN));
    const { vault } = instance;
    await expect(vault.reveal(`kept.${ORDER}`)).rejects.toThrow(RegistrationForgotten);
    for (const reference of [`kept.order-${ORDER}`, `order-${ORDER}`]) {
      expect(await vault.reveal(reference)).toBeUndefined();
    }
    const change = { registrationId: ORDER, revision: 1, expiry: { month: '01', year: '2035' } };
    expect(await vault.changeKept(change)).toBe(false);
    await vault.forgetKept(ORDER);
    expect(await ibanOf(instance)).toBe(IBAN);
  });
});

describe('whoever writes files for a bank', () => {
  const others = instrumentKinds.filter((kind) => kind !== 'bankAccount');

  it.each(others)('has nothing kept that is held as %s', async (kind) => {
    const instance = await startVault();
    const details = { [`${kind}.number`]: new Detail(numberOf(1)) };
    expect((await keepForOrder(instance, { kind, details })).isKept).toBe(false);
    expect(await instance.accounts.revealBankAccount(ORDER)).toBeUndefined();
    expect(await fixture.count('kept_details')).toBe(0);
  });

  it.each(others)('gets nothing from a row that holds something else: %s', async (kind) => {
    const { kept, accounts } = await startVault();
    const planted = { kind, details: { [`${kind}.number`]: new Detail(numberOf(1)) } };
    const toKeep = { registrationId: `order-${ORDER}`, merchantId: '', heldReference: '' };
    await kept.keep(planted, toKeep);
    expect(await accounts.revealBankAccount(ORDER)).toBeUndefined();
  });

  it.each([
    ['card', card(1)],
    ['bank account', bankAccount(IBAN)],
  ])('comes to no %s of a registration: to reveal, to copy or to forget it', async (_what, own) => {
    const instance = await startVault();
    const { vault, accounts } = instance;
    await keepForRegistration(instance, own);
    expect(await accounts.revealBankAccount(REGISTRATION)).toBeUndefined();
    const copied = { heldReference: `kept.${REGISTRATION}`, orderId: ORDER };
    expect(await accounts.keepBankAccount(copied)).toBe(false);
    expect(await accounts.revealBankAccount(ORDER)).toBeUndefined();
    await accounts.forgetBankAccount(REGISTRATION);
    expect(await vault.reveal(`kept.${REGISTRATION}`)).toBeDefined();
  });
});
