import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  RecordedTransactions,
  ReferenceHeadsAnswer,
  RegistrationTransactionAnswer,
} from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import {
  entityId,
  FakePayments,
  FakeVault,
  foreignEntityId,
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

const ALL = { limit: 100, pageNo: 1 } as const;

async function lived(reference: string) {
  const process = await world.start();
  const parameters = { merchantTransactionId: reference };
  const command = await world.registration({ parameters });
  const { transactionId: id } = command.data;
  await process.send(command);
  const update = await world.updating(id, { changed: { 'card.holder': 'Jane Doe' }, parameters });
  await process.send(update);
  const search = (more: object = {}) =>
    process.query<RecordedTransactions>('transactionsByReference', {
      ...{ entityId, by: parameters, includeLinked: false, ...ALL, ...more },
    });
  return { ...process, id, updateId: update.data.transactionId, search };
}

const typesOf = ({ transactions }: RecordedTransactions) =>
  transactions.map(({ operation }) => operation);

describe('what was done to a registration', () => {
  it('is found by its id, each of it, by its own tenant alone', async () => {
    const { query, id, updateId } = await lived('by-id-0001');
    const one = (transactionId: string, asker = entityId) =>
      query<RegistrationTransactionAnswer>('transaction', { transactionId, entityId: asker });
    expect((await one(id)).transaction).toMatchObject({
      ...{ id, operation: 'registration', status: 'approved', instrument: { last4: '0000' } },
      ...{ personal: { 'card.holder': 'Jane Jones' }, entityId },
    });
    expect((await one(updateId)).transaction).toMatchObject({
      ...{ id: updateId, referencedId: id, operation: 'update', status: 'approved', personal: {} },
    });
    expect(await one(id, foreignEntityId)).toEqual({});
    expect(await one(newTransactionId(Date.now()))).toEqual({});
  });

  it('comes with the rest on demand', async () => {
    const { query, id, updateId } = await lived('linked-0001');
    const entries = { transactionId: updateId, entityId, includeLinked: true, ...ALL };
    const all = await query<RecordedTransactions>('transactionEntries', entries);
    expect(all.transactions.map((each) => each.id)).toEqual([updateId, id]);
    const filtered = { ...entries, operations: ['registration'] };
    expect(typesOf(await query('transactionEntries', filtered))).toEqual(['registration']);
  });

  it("is found by the merchant's own id, newest first, with filters and pages", async () => {
    const { search, id } = await lived('by-reference-1');
    expect(typesOf(await search())).toEqual(['update', 'registration']);
    expect(typesOf(await search({ operations: ['update'], includeLinked: true }))).toEqual([
      ...['update', 'registration'],
    ]);
    expect(typesOf(await search({ paymentMethods: ['CC'] }))).toEqual(['registration']);
    const second = await search({ limit: 1, pageNo: 2 });
    expect([second.transactions[0]?.id, second.total]).toEqual([id, 2]);
    expect(await search({ entityId: foreignEntityId })).toEqual({ transactions: [], total: 0 });
  });

  it('has its extensions among the rest, also one that it did not need', async () => {
    const { send, query, search, id } = await lived('extended-0001');
    const extension = referring(id, 'extension');
    await send(extension);
    const { transactionId } = extension.data;
    const one = { transactionId, entityId };
    const found = await query<RegistrationTransactionAnswer>('transaction', one);
    expect(found.transaction).toMatchObject({
      ...{ id: transactionId, referencedId: id, operation: 'extension', status: 'approved' },
    });
    const linked = await search({ includeLinked: true });
    expect(typesOf(linked)).toEqual(['update', 'registration', 'extension']);
  });

  it('says how far its streams are', async () => {
    const { query, id } = await lived('heads-0001');
    const asked = { entityId, merchantTransactionId: 'heads-0001' };
    const { heads, more } = await query<ReferenceHeadsAnswer>('referenceHeads', asked);
    expect([heads, more]).toEqual([[{ streamId: id, version: 4 }], false]);
  });

  it('shows nothing of what was deleted', async () => {
    const { send, search, id } = await lived('deleted-0001');
    await send(referring(id, 'deletion'));
    const found = await search({ includeLinked: true });
    expect(typesOf(found)).toEqual(['update', 'registration', 'deletion']);
    expect(found.transactions[1]).not.toHaveProperty('instrument');
    expect(JSON.stringify(found)).not.toContain('Jane');
  });
});

describe('a registration that was asked for with a payment', () => {
  it('leaves the reference to the payment', async () => {
    const { send, query } = await world.start();
    const parameters = { merchantTransactionId: 'of-payment-1' };
    const paymentId = newTransactionId(Date.now());
    const command = await world.registration({ paymentId, parameters });
    await send(command);
    const asked = { entityId, merchantTransactionId: 'of-payment-1' };
    expect((await query<ReferenceHeadsAnswer>('referenceHeads', asked)).heads).toEqual([]);
    const { transactionId } = command.data;
    const found = await query<RegistrationTransactionAnswer>('transaction', {
      ...{ transactionId, entityId },
    });
    expect(found.transaction).toMatchObject({ referencedId: paymentId });
  });

  it.each(['transaction', 'transactionEntries'])(
    'is approved for whoever asks for it by its id, as soon as the payment is: %s',
    async (name) => {
      // No sweeper looks at it meanwhile.
      const unhurried = await world.start(new FakeVault(), new FakePayments(), 60_000);
      const { send, payments, query } = unhurried;
      const paymentId = newTransactionId(Date.now());
      const command = await world.registration({ paymentId });
      await send(command);
      const { transactionId } = command.data;
      const asked = { transactionId, entityId, includeLinked: true, ...ALL };
      const statusNow = async (asker = entityId) => {
        const answer = await query<RegistrationTransactionAnswer & Partial<RecordedTransactions>>(
          name,
          { ...asked, entityId: asker },
        );
        return [answer.transaction, ...(answer.transactions ?? [])].find((each) => each)?.status;
      };
      expect(await statusNow()).toBe('awaitsPayment');
      payments.outcomes.set(paymentId, { status: 'approved', resultCode: '000.100.110' });
      expect(await statusNow(foreignEntityId)).toBeUndefined();
      expect(await world.eventsOf(transactionId)).not.toContain('RegistrationConfirmed');
      expect(await statusNow()).toBe('approved');
      expect(await world.eventsOf(transactionId)).toContain('RegistrationConfirmed');
    },
  );

  it('after it was made is confirmed at once', async () => {
    const { send, payments, vault } = await world.start();
    const paymentId = newTransactionId(Date.now());
    payments.outcomes.set(paymentId, { status: 'approved', resultCode: '000.100.110' });
    const command = await world.registration({ paymentId, isPaymentMade: true });
    expect(outcomeIn(await send(command))).toMatchObject({ status: 'approved' });
    vault.holdsNothing = true;
    const late = await world.registration({ paymentId, isPaymentMade: true });
    expect(outcomeIn(await send(late))).toMatchObject({
      ...{ status: 'notPerformed', resultCode: '100.150.206' },
      resultDescription: expect.stringContaining('createRegistration=true'),
    });
  });
});
