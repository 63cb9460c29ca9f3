import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  RegisterInstrumentData,
  RegistrationOutcome,
  RegistrationTransactionAnswer,
} from '@sluice/contracts';
import { AWAITED_PAYMENTS_MAX } from '@sluice/domain-registrations';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  entityId,
  FakeVault,
  outcomeIn,
  referring,
  RegistrationsWorld,
} from '../test/registrations-fixture.js';

let world: RegistrationsWorld;
beforeAll(async () => {
  world = await RegistrationsWorld.open();
}, 60_000);
afterEach(() => world.endProcesses());
afterAll(() => world.close());

const approved = { status: 'approved', resultCode: '000.100.110' } as const;
const declined = { status: 'declined', resultCode: '800.100.152' } as const;
const expiry = { month: '11', year: '2039' };

/** A process, and its requests to store the same account where a registration may be there already. */
async function started(vault = new FakeVault()) {
  const process = await world.start(vault);
  const store = async (changes: Partial<RegisterInstrumentData> = {}) => {
    const command = await world.registration({ mayBeExisting: true, ...changes });
    return outcomeIn(await process.send(command));
  };
  const withPayment = async (paymentId = newTransactionId(Date.now())) => ({
    ...{ paymentId, outcome: await store({ paymentId }) },
  });
  return { ...process, store, withPayment };
}

describe('an account that is stored again', () => {
  it('is answered with the registration that it has, which is read by either id', async () => {
    const { store, ask, vault } = await started();
    const first = await store();
    const again = await store();
    expect(again).toMatchObject({ ...approved, existingId: first.id });
    expect(vault.kept.size).toBe(1);
    expect(await world.eventsOf(again.id)).toEqual(['RegistrationRequested', 'ExistingFound']);
    expect(await world.eventsOf(first.id)).toEqual(['RegistrationRequested', 'DetailsKept']);
    expect(await ask(again.id)).toMatchObject({ id: first.id, state: 'kept' });
  });

  it('is kept for the channel alone that asked, and apart from tests', async () => {
    const { store, vault } = await started();
    const { id } = await store();
    expect(vault.kept.get(id)?.scope).toBe(`${entityId}|INTERNAL`);
  });

  it('is another one at another provider', async () => {
    const { store, vault } = await started();
    const at = (brand: string) =>
      store({ instrument: { kind: 'virtualAccount', brand, vaultReference: 'vault-0.abc' } });
    const paypal = await at('PAYPAL');
    expect(await at('KLARNA_ACCOUNT')).not.toHaveProperty('existingId');
    expect(await at('PAYPAL')).toMatchObject({ existingId: paypal.id });
    const scopes = [...vault.kept.values()].map(({ scope }) => scope);
    expect(scopes).toEqual([
      ...[`${entityId}|INTERNAL|PAYPAL`, `${entityId}|INTERNAL|KLARNA_ACCOUNT`],
    ]);
  });

  it('is another one at another issuer of tokens', async () => {
    const { store } = await started();
    const of = (paymentMethod: 'NT' | 'ET', brand: string) =>
      store({
        instrument: { kind: 'tokenAccount', paymentMethod, brand, vaultReference: 'vault-0.abc' },
      });
    const network = await of('NT', 'VISA');
    expect(await of('ET', 'ACME')).not.toHaveProperty('existingId');
    expect(await of('ET', 'OTHER')).not.toHaveProperty('existingId');
    expect(await of('NT', 'VISA')).toMatchObject({ existingId: network.id });
  });

  it('is one of a bank by its IBAN alone: many banks have an account of one number', async () => {
    const { store } = await started();
    const by = (name: { maskedIban: string } | { maskedNumber: string }) =>
      store({
        instrument: {
          ...{ kind: 'bankAccount', paymentMethod: 'DD', vaultReference: 'vault-0.abc' },
          ...name,
        },
      });
    const first = await by({ maskedIban: 'DE****************7890' });
    expect(await by({ maskedIban: 'DE****************7890' })).toMatchObject({
      existingId: first.id,
    });
    expect(await by({ maskedNumber: '******7890' })).not.toHaveProperty('existingId');
    expect(await by({ maskedNumber: '******7890' })).not.toHaveProperty('existingId');
  });

  it('is one registration, however many ask at once', async () => {
    const { store, vault } = await started();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => store()));
    expect(vault.kept.size).toBe(1);
    const [id] = [...vault.kept.keys()];
    expect(new Set(outcomes.map((outcome) => outcome.existingId ?? outcome.id))).toEqual(
      new Set([id]),
    );
  });

  it('is a new one where that is not asked for', async () => {
    const { store, send, vault } = await started();
    await store();
    await send(await world.registration());
    expect(vault.kept.size).toBe(2);
  });

  it('has its new expiry taken over as a change, once', async () => {
    const { store, ask, vault } = await started();
    const first = await store();
    vault.expiry = expiry;
    await store();
    await store();
    expect(vault.changes.get(first.id)).toEqual([
      { registrationId: first.id, revision: 1, expiry },
    ]);
    expect(await ask(first.id)).toMatchObject({
      instrument: { expiryMonth: '11', expiryYear: '2039' },
    });
    expect(await world.eventsOf(first.id)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'UpdateRequested', 'RegistrationUpdated'],
    ]);
  });

  it('is found by queries without anything of the account, and names the one that has it', async () => {
    const { store, query } = await started();
    const first = await store();
    const { id: transactionId } = await store();
    const { transaction } = await query<RegistrationTransactionAnswer>('transaction', {
      ...{ transactionId, entityId },
    });
    expect(transaction).toMatchObject({ status: 'approved', referencedId: first.id });
    expect(transaction).not.toHaveProperty('instrument');
    expect(transaction?.personal).toEqual({});
  });
});

describe('the id of a request that was answered with another registration', () => {
  it('deletes, extends and changes that one', async () => {
    const { store, send, ask, vault } = await started();
    const first = await store();
    const { id } = await store();
    await send(await world.updating(id, { expiry }));
    expect(vault.changes.has(first.id)).toBe(true);
    expect(outcomeIn(await send(referring(id, 'deletion')))).toMatchObject({
      ...{ ...approved, referencedId: first.id },
    });
    expect(vault.kept.size).toBe(0);
    expect((await ask(first.id))?.state).toBe('ended');
  });
});

describe('an account whose registration is deleted', () => {
  it('is stored anew', async () => {
    const { store, send, vault } = await started();
    const first = await store();
    await send(referring(first.id, 'deletion'));
    const next = await store();
    expect(next).not.toHaveProperty('existingId');
    expect([...vault.kept.keys()]).toEqual([next.id]);
  });

  it('is stored anew although the vault had not forgotten it yet', async () => {
    const { store, send, vault } = await started();
    const first = await store();
    vault.isAway = true;
    await send(referring(first.id, 'deletion'));
    vault.isAway = false;
    const next = await store();
    expect(next).not.toHaveProperty('existingId');
    expect([...vault.kept.keys()]).toEqual([next.id]);
  });

  it('ends cleanly with those that ask meanwhile', async () => {
    const { store, send, ask, vault } = await started();
    const first = await store();
    const [, ...outcomes] = await Promise.all([
      ...[send(referring(first.id, 'deletion')), store(), store(), store()],
    ]);
    for (const outcome of outcomes as Awaited<ReturnType<typeof store>>[]) {
      const id = outcome.existingId ?? outcome.id;
      // Told before the deletion, or stored after it.
      expect((await ask(id))?.state).toBe(id === first.id ? 'ended' : 'kept');
    }
    expect(vault.kept.has(first.id)).toBe(false);
    expect(vault.kept.size).toBeLessThanOrEqual(1);
  });
});

describe('an account that a crash has left with the vault alone', () => {
  it('is recorded when it is stored again, and is the answer', async () => {
    const vault = new FakeVault();
    const { id, until } = await keptWithoutRecord(vault);
    const { store } = await started(vault);
    expect(await store()).toMatchObject({ ...approved, existingId: id });
    await until(id);
    expect(vault.kept.size).toBe(1);
  });

  /** The vault has it, and its answer was lost. */
  async function keptWithoutRecord(vault: FakeVault) {
    const process = await world.start(vault);
    const command = await world.registration({ mayBeExisting: true });
    const { transactionId: id } = command.data;
    vault.isAway = true;
    await process.send(command);
    await process.end();
    vault.isAway = false;
    await vault.keep({
      ...{ heldReference: 'vault-0.abc', registrationId: id, merchantId: entityId },
      ...{ scope: `${entityId}|INTERNAL`, mayBeExisting: true },
    });
    const until = async (wanted: TransactionId) => {
      while (!(await world.eventsOf(wanted)).includes('DetailsKept')) await delay(5);
    };
    return { id, until };
  }
});

describe('an account that is stored again with a payment', () => {
  it('is answered at once, and its new expiry waits for the payment', async () => {
    const { store, withPayment, ask, payments, vault } = await started();
    const first = await store();
    vault.expiry = expiry;
    const { paymentId, outcome } = await withPayment();
    expect(outcome).toMatchObject({ status: 'awaitsPayment', existingId: first.id });
    expect((await ask(first.id))?.state).toBe('kept');
    expect(vault.changes.has(first.id)).toBe(false);
    payments.outcomes.set(paymentId, approved);
    while (!vault.changes.has(first.id)) await delay(5);
    while ((await world.eventsOf(outcome.id)).at(-1) !== 'RegistrationConfirmed') await delay(5);
    expect(vault.changes.get(first.id)).toHaveLength(1);
  });

  it('changes nothing where the payment is declined', async () => {
    const { store, withPayment, ask, payments, vault } = await started();
    const first = await store();
    vault.expiry = expiry;
    const { paymentId, outcome } = await withPayment();
    payments.outcomes.set(paymentId, declined);
    while ((await world.eventsOf(outcome.id)).at(-1) !== 'RegistrationAbandoned') await delay(5);
    expect(vault.changes.has(first.id)).toBe(false);
    expect(await ask(first.id)).toMatchObject({
      state: 'kept',
      instrument: { expiryYear: '2034' },
    });
  });

  it('is one registration for two payments at once, if either is approved', async () => {
    const { withPayment, ask, payments, vault } = await started();
    const both = await Promise.all([withPayment(), withPayment()]);
    expect(vault.kept.size).toBe(1);
    const [id] = [...vault.kept.keys()] as [TransactionId];
    for (const { outcome } of both) expect(outcome.existingId ?? outcome.id).toBe(id);
    const [own, other] = both[0].outcome.id === id ? both : [both[1], both[0]];
    payments.outcomes.set(own.paymentId, declined);
    expect((await ask(id))?.state).toBe('requested');
    payments.outcomes.set(other.paymentId, approved);
    expect((await ask(id))?.state).toBe('kept');
  });

  it('is forgotten where both payments fail', async () => {
    const { withPayment, payments, vault } = await started();
    const both = [await withPayment(), await withPayment()];
    for (const { paymentId } of both) payments.outcomes.set(paymentId, declined);
    while (vault.kept.size > 0) await delay(5);
  });

  it('can be used at once where it is stored without a payment meanwhile', async () => {
    const { withPayment, store, ask } = await started();
    const { outcome } = await withPayment();
    expect(await store()).toMatchObject({ ...approved, existingId: outcome.id });
    expect((await ask(outcome.id))?.state).toBe('kept');
  });
});

describe('an account that many payments are to store at once', () => {
  const idOf = ({ outcome }: { readonly outcome: RegistrationOutcome }) =>
    outcome.existingId ?? outcome.id;

  it('is one registration for all of them, whichever process they are sent to', async () => {
    const vault = new FakeVault();
    const [one, other] = await Promise.all([started(vault), started(vault)]);
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? one : other).withPayment()),
    );
    expect(new Set(all.map(({ outcome }) => outcome.status))).toEqual(new Set(['awaitsPayment']));
    expect(new Set(all.map(idOf))).toEqual(new Set(vault.kept.keys()));
  });

  it('is one, too, for more than it can wait for, once one of the payments is approved', async () => {
    const { withPayment, payments, vault } = await started();
    const own = await withPayment();
    const awaited = Array.from({ length: AWAITED_PAYMENTS_MAX - 1 }, () => withPayment());
    await Promise.all(awaited);
    const asked = vault.asked.length;
    const more = Array.from({ length: 5 }, () => withPayment());
    // Each of them has found it full, and come again.
    while (vault.asked.length < asked + 2 * more.length) await delay(5);
    payments.outcomes.set(own.paymentId, approved);
    const all = await Promise.all([...awaited, ...more]);
    expect(new Set(all.map(({ outcome }) => outcome.status))).toEqual(new Set(['awaitsPayment']));
    expect(new Set(all.map(idOf))).toEqual(new Set([own.outcome.id]));
  });
});
