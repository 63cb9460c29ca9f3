import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RegisterInstrumentData, RegistrationReply } from '@sluice/contracts';
import { newTransactionId, type TransactionId } from '@sluice/identifiers';
import { setTimeout as delay } from 'node:timers/promises';
import { outcomeIn, RegistrationsWorld } from '../test/registrations-fixture.js';

let world: RegistrationsWorld;
beforeAll(async () => {
  world = await RegistrationsWorld.open();
}, 60_000);
afterEach(() => world.endProcesses());
afterAll(() => world.close());

const approved = { status: 'approved', resultCode: '000.100.110' } as const;
const declined = { status: 'declined', resultCode: '800.100.152' } as const;
const KEPT = ['RegistrationRequested', 'DetailsKept'];
const fingerprint = 'b'.repeat(64);

/** Each spec has a key of its own. */
let keys = 0;
const newKey = () => (keys += 1).toString(16).padStart(64, '0');

/** A process, and requests with one key to store what a payment is made with. */
async function keyed() {
  const process = await world.start();
  const key = newKey();
  const pay = async (changes: Partial<RegisterInstrumentData> = {}, ofInput = fingerprint) => {
    const paymentId = newTransactionId(Date.now());
    const command = await world.registration({ paymentId, ...changes });
    const { transactionId: id } = command.data;
    const answer = { id, ndc: 'ndc-1', timestamp: 'now', buildNumber: 'one' };
    const idempotency = { key, fingerprint: ofInput, answer };
    const message = { ...command, data: { ...command.data, idempotency } };
    return { id, paymentId, send: () => process.send(message) };
  };
  const paid = async (changes: Partial<RegisterInstrumentData> = {}) => {
    const { send, ...ids } = await pay(changes);
    return { ...ids, reply: await send() };
  };
  return { ...process, pay, paid };
}

/** What a repetition is told of the first request's registration. */
function takenBy(id: TransactionId, outcome: object): object {
  return { kind: 'keyTaken', fingerprint, answer: { id }, outcome: { id, ...outcome } };
}

/** Those of these ids under which something is recorded. */
async function madeOf(ids: readonly TransactionId[]): Promise<readonly TransactionId[]> {
  const made: TransactionId[] = [];
  for (const id of ids) if ((await world.eventsOf(id)).length > 0) made.push(id);
  return made;
}

/** As if it had been asked for so long ago. */
async function ageBy(id: TransactionId, ms: number): Promise<void> {
  await world.pool.query(
    `UPDATE registrations.events SET metadata = jsonb_set(metadata::jsonb, '{recordedAtMs}',
       to_jsonb((metadata::jsonb ->> 'recordedAtMs')::bigint - $2::bigint))::text::json
     WHERE stream_id = $1 AND version = 1`,
    [id, ms],
  );
}

const HOUR_MS = 3_600_000;

describe('a payment with createRegistration that comes again under its key', () => {
  it('has the registration of the first one, which waits for either payment', async () => {
    const { paid, payments, ask, vault } = await keyed();
    const first = await paid();
    expect(outcomeIn(first.reply).status).toBe('awaitsPayment');
    const again = await paid();
    expect(again.reply).toMatchObject(takenBy(first.id, { status: 'awaitsPayment' }));
    expect(await world.eventsOf(first.id)).toEqual([...KEPT, 'PaymentAwaited']);
    expect(await world.eventsOf(again.id)).toEqual([]);
    expect([...vault.kept.keys()]).toEqual([first.id]);
    payments.outcomes.set(again.paymentId, approved);
    expect(await ask(first.id)).toMatchObject({ state: 'kept', paymentId: again.paymentId });
  });

  it('has one registration, however many come at once', async () => {
    const { pay, vault } = await keyed();
    const requests = await Promise.all(Array.from({ length: 10 }, () => pay()));
    const replies = await Promise.all(requests.map(({ send }) => send()));
    const made = await madeOf(requests.map(({ id }) => id));
    expect(made).toHaveLength(1);
    expect([...vault.kept.keys()]).toEqual(made);
    const standings = replies.map((reply) => statusIn(reply));
    expect(new Set(standings)).toEqual(new Set(['awaitsPayment']));
  });

  it('is answered with what is stored by then, and waited for by nobody', async () => {
    const { paid, payments } = await keyed();
    const first = await paid();
    payments.outcomes.set(first.paymentId, approved);
    expect((await paid()).reply).toMatchObject(takenBy(first.id, { status: 'approved' }));
    expect(await world.eventsOf(first.id)).toEqual([...KEPT, 'RegistrationConfirmed']);
  });

  it('stores nothing again where the first payment was declined', async () => {
    const { paid, payments, vault } = await keyed();
    const first = await paid();
    payments.outcomes.set(first.paymentId, declined);
    const again = await paid();
    expect(again.reply).toMatchObject(takenBy(first.id, { status: 'rejected' }));
    expect(await world.eventsOf(again.id)).toEqual([]);
    expect(vault.kept.size).toBe(0);
  });

  it('is refused by nobody here, and changes nothing, where its input is another one', async () => {
    const { paid, pay } = await keyed();
    const first = await paid();
    const other = await pay({}, 'c'.repeat(64));
    expect(await other.send()).toMatchObject({ kind: 'keyTaken', fingerprint });
    expect(await world.eventsOf(first.id)).toEqual(KEPT);
  });

  it('waits for the vault as the first one does', async () => {
    const { paid, vault } = await keyed();
    vault.isAway = true;
    const first = await paid();
    expect(outcomeIn(first.reply).status).toBe('requested');
    expect((await paid()).reply).toEqual({ kind: 'unavailable' });
    vault.isAway = false;
    expect((await paid()).reply).toMatchObject(takenBy(first.id, { status: 'awaitsPayment' }));
  });

  it('is told nothing while payments cannot say whether the first one was made', async () => {
    const { paid, payments } = await keyed();
    const first = await paid();
    payments.outcomes.set(first.paymentId, declined);
    while ((await world.eventsOf(first.id)).at(-1) !== 'DetailsForgotten') await delay(5);
    payments.isAway = true;
    expect((await paid()).reply).toEqual({ kind: 'unavailable' });
  });

  it('names the registration that the account had before, which waits for either payment', async () => {
    const { send, paid, payments, ask } = await keyed();
    const paymentId = newTransactionId(Date.now());
    const before = await world.registration({ mayBeExisting: true, paymentId });
    const { transactionId: existingId } = before.data;
    await send(before);
    const first = await paid({ mayBeExisting: true });
    expect(outcomeIn(first.reply)).toMatchObject({ status: 'awaitsPayment', existingId });
    const again = await paid({ mayBeExisting: true });
    expect(again.reply).toMatchObject(takenBy(first.id, { status: 'awaitsPayment', existingId }));
    expect(await world.eventsOf(first.id)).toEqual([
      ...['RegistrationRequested', 'ExistingFound', 'PaymentAwaited'],
    ]);
    payments.outcomes.set(again.paymentId, approved);
    expect((await ask(existingId))?.state).toBe('kept');
    while ((await world.eventsOf(first.id)).at(-1) !== 'RegistrationConfirmed') await delay(5);
  });
});

describe('a payment that comes again when the registration of the first one is over', () => {
  it('has one of its own where the first payment was never made', async () => {
    const { paid, payments, ask, vault } = await keyed();
    const first = await paid();
    await ageBy(first.id, HOUR_MS);
    while ((await world.eventsOf(first.id)).at(-1) !== 'DetailsForgotten') await delay(5);
    const again = await paid();
    expect(outcomeIn(again.reply)).toMatchObject({ id: again.id, status: 'awaitsPayment' });
    expect([...vault.kept.keys()]).toEqual([again.id]);
    payments.outcomes.set(again.paymentId, approved);
    expect((await ask(again.id))?.state).toBe('kept');
  });

  it('has one of its own where payments may have forgotten the key', async () => {
    const { paid, payments } = await keyed();
    const first = await paid();
    payments.outcomes.set(first.paymentId, declined);
    while ((await world.eventsOf(first.id)).at(-1) !== 'DetailsForgotten') await delay(5);
    await ageBy(first.id, 23 * HOUR_MS);
    const again = await paid();
    expect(outcomeIn(again.reply)).toMatchObject({ id: again.id, status: 'awaitsPayment' });
  });

  it('has one of its own where the vault had lost what the first one was to store', async () => {
    const { paid, vault } = await keyed();
    vault.holdsNothing = true;
    expect(outcomeIn((await paid()).reply).status).toBe('notPerformed');
    vault.holdsNothing = false;
    const again = await paid();
    expect(outcomeIn(again.reply)).toMatchObject({ id: again.id, status: 'awaitsPayment' });
  });
});

describe('another request with a payment and a key', () => {
  it('is answered as before where the payment had been made: RG on a payment', async () => {
    const { paid, payments } = await keyed();
    const paymentId = newTransactionId(Date.now());
    payments.outcomes.set(paymentId, declined);
    const first = await paid({ paymentId, isPaymentMade: true });
    expect(outcomeIn(first.reply).status).toBe('rejected');
    await ageBy(first.id, 23 * HOUR_MS);
    const again = await paid({ paymentId, isPaymentMade: true });
    expect(again.reply).toMatchObject(takenBy(first.id, { status: 'rejected' }));
    expect(await world.eventsOf(again.id)).toEqual([]);
  });
});

/** How a registration stands, whoever stored it. */
function statusIn(reply: RegistrationReply): string | undefined {
  return reply.kind === 'keyTaken' ? reply.outcome?.status : outcomeIn(reply).status;
}
