import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newTransactionId } from '@sluice/identifiers';
import { setTimeout as delay } from 'node:timers/promises';
import {
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
const instrument = {
  ...({ kind: 'bankAccount', vaultReference: 'vault-0.abc', paymentMethod: 'DD' } as const),
  ...{ brand: 'DIRECTDEBIT_SEPA', maskedIban: 'DE****************9890' },
};
const jane = {
  ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.mandate.id': 'M-JANE' },
  'bankAccount.mandate.dateOfSignature': '2026-01-02',
};
const maria = {
  ...{ 'bankAccount.holder': 'Maria Muster', 'bankAccount.mandate.id': 'M-MARIA' },
  'bankAccount.mandate.dateOfSignature': '2026-01-20',
};

/** A process, and its requests to store the same account under one mandate or another. */
async function started() {
  const process = await world.start(new FakeVault());
  const store = async (
    said: Readonly<Record<string, string>>,
    changes: Parameters<RegistrationsWorld['registration']>[0] = {},
  ) => {
    const command = await world.registration({
      ...{ instrument, mayBeExisting: true, said, ...changes },
    });
    return outcomeIn(await process.send(command));
  };
  return { ...process, store };
}

describe('an account that is stored again under another mandate', () => {
  it('has that one from then on, with who signed it, and nothing else that was said', async () => {
    const { store, ask } = await started();
    const first = await store({ ...jane, 'billing.city': 'Berlin' });
    const again = await store({ ...maria, 'billing.city': 'Bonn' });
    expect(again).toMatchObject({ ...approved, existingId: first.id });
    expect((await ask(first.id))?.personal).toEqual({ ...maria, 'billing.city': 'Berlin' });
  });

  it('has no day of signature that was said of the mandate before', async () => {
    const { store, ask } = await started();
    const { id } = await store(jane);
    await store({ 'bankAccount.holder': 'Jane Jones', 'bankAccount.mandate.id': 'M-2' });
    expect((await ask(id))?.personal).toEqual({
      ...{ 'bankAccount.holder': 'Jane Jones', 'bankAccount.mandate.id': 'M-2' },
    });
  });

  it('is changed once by it, and not at all under the same mandate or none', async () => {
    const { store } = await started();
    const { id } = await store(jane);
    await store({ ...jane, 'bankAccount.holder': 'J. Jones' });
    await store({ 'bankAccount.holder': 'J. Jones' });
    expect(await world.eventsOf(id)).toEqual(['RegistrationRequested', 'DetailsKept']);
    await store(maria);
    await store(maria);
    expect(await world.eventsOf(id)).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'UpdateRequested', 'RegistrationUpdated'],
    ]);
    const { rows } = await world.pool.query(
      'SELECT data::text FROM registrations.events WHERE stream_id = $1',
      [id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/Maria|M-MARIA/);
  });

  it('has it once the payment is approved that it came with', async () => {
    const { store, ask, payments } = await started();
    const first = await store(jane);
    const paymentId = newTransactionId(Date.now());
    const { id } = await store(maria, { paymentId });
    expect((await ask(first.id))?.personal).toEqual(jane);
    payments.outcomes.set(paymentId, approved);
    while ((await world.eventsOf(id)).at(-1) !== 'RegistrationConfirmed') await delay(5);
    expect((await ask(first.id))?.personal).toEqual(maria);
  });

  it('has it, too, where the first payment is decided by the second one', async () => {
    const { store, ask, payments } = await started();
    const [one, other] = [newTransactionId(Date.now()), newTransactionId(Date.now())];
    const first = await store(jane, { paymentId: one });
    const { id } = await store(maria, { paymentId: other });
    payments.outcomes.set(other, approved);
    while ((await world.eventsOf(id)).at(-1) !== 'RegistrationConfirmed') await delay(5);
    expect((await ask(first.id))?.personal).toEqual(maria);
  });

  it('keeps its own where that payment is declined', async () => {
    const { store, ask, payments } = await started();
    const first = await store(jane);
    const paymentId = newTransactionId(Date.now());
    const { id } = await store(maria, { paymentId });
    payments.outcomes.set(paymentId, declined);
    while ((await world.eventsOf(id)).at(-1) !== 'RegistrationAbandoned') await delay(5);
    expect((await ask(first.id))?.personal).toEqual(jane);
  });

  it('gets nothing where its registration is deleted', async () => {
    const { store, send } = await started();
    const first = await store(jane);
    await send(referring(first.id, 'deletion'));
    expect(await store(maria)).not.toHaveProperty('existingId');
  });
});
