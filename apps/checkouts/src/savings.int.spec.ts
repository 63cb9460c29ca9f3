import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnownSaving, SaveForm } from '@sluice/contracts';
import { CHECKOUT_LIFE_MS } from '@sluice/domain-checkouts';
import { type CheckoutId, newTransactionId, type TransactionId } from '@sluice/identifiers';
import { CheckoutsWorld } from '../test/checkouts-fixture.js';

let world: CheckoutsWorld;
beforeAll(async () => {
  world = await CheckoutsWorld.open();
}, 60_000);
afterEach(() => world.endProcesses());
afterAll(() => world.close());

type Process = Awaited<ReturnType<CheckoutsWorld['start']>>;

const FIELDS = { 'card.holder': 'Jane Jones', paymentBrand: 'VISA', shopperResultUrl: 'https://s' };
const RECORDED = { kind: 'recorded' } as const;
const AT_PROVIDER = {
  ...({ status: 'pending', resultCode: '000.200.000' } as const),
  redirect: { url: 'https://bank.example', method: 'GET', parameters: {}, preconditions: [] },
} as const;
const APPROVED = { status: 'approved', resultCode: '000.100.110' } as const;

async function created({ send }: Process): Promise<CheckoutId> {
  const command = await world.creation();
  expect(await send(command)).toEqual(RECORDED);
  return command.data.checkoutId;
}

async function saved(
  process: Process,
  checkoutId: CheckoutId,
  before: KnownSaving = 'nothing',
): Promise<SaveForm> {
  const command = await world.saving(checkoutId, FIELDS, before);
  expect(await process.send(command)).toEqual(RECORDED);
  return command;
}

/** An attempt that is made of what is saved. */
async function attempt(checkoutId: CheckoutId, of: TransactionId) {
  const { data, ...message } = await world.submission(checkoutId);
  return { ...message, data: { ...data, saved: of, isOfSaved: true as const } };
}

const typesOf = async (checkoutId: CheckoutId): Promise<readonly string[]> =>
  (await world.eventsOf(checkoutId)).map(({ type }) => type);

describe('a form that is only saved', () => {
  it('is no attempt: the checkout is pending, nothing is due, and the merchant may change it', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    await saved(process, checkoutId);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    expect(await world.dueAtOf(checkoutId)).toBeNull();
    const change = await world.update(checkoutId, { amount: '8.00' });
    expect(await process.send(change)).toEqual(RECORDED);
    expect((await process.toComplete(checkoutId))?.saved).toBeDefined();
  });

  it('is told to who completes it, and is in the events as what nobody reads', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const { data } = await saved(process, checkoutId);
    const { transactionId: id, vaultReference, details } = data;
    expect(await process.toComplete(checkoutId)).toMatchObject({
      saved: { id, vaultReference, details, fields: FIELDS },
      endsAtMs: expect.any(Number),
    });
    const text = JSON.stringify(await world.eventsOf(checkoutId));
    expect(text).toContain(vaultReference);
    for (const word of ['Jane Jones', 'https://s']) expect(text).not.toContain(word);
  });

  it('is in the place of the one before, whose sender has to have known that', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const first = await saved(process, checkoutId);
    expect(await process.send(first)).toEqual(RECORDED);
    const late = await world.saving(checkoutId, FIELDS, 'nothing');
    expect(await process.send(late)).toEqual({ kind: 'savedOtherwise' });
    const second = await saved(process, checkoutId, first.data.transactionId);
    const { saved: now } = (await process.toComplete(checkoutId)) ?? {};
    expect(now?.id).toBe(second.data.transactionId);
    expect(await typesOf(checkoutId)).toEqual(['CheckoutCreated', 'FormSaved', 'FormSaved']);
  });

  it('is used up by one attempt, whoever takes the others', async () => {
    const processes = [await world.start(), await world.start()];
    const [one] = processes as [Process, Process];
    const checkoutId = await created(one);
    const { transactionId: of } = (await saved(one, checkoutId)).data;
    const commands = await Promise.all(Array.from({ length: 8 }, () => attempt(checkoutId, of)));
    const replies = await Promise.all(
      commands.map((command, index) => processes[index % 2]!.send(command)),
    );
    expect(replies.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
    expect(replies.filter(({ kind }) => kind === 'underWay')).toHaveLength(7);
    expect(await one.toComplete(checkoutId)).toMatchObject({ spent: { id: of } });
    expect(await one.toComplete(checkoutId)).not.toHaveProperty('saved');
    // Once it is decided, the same is told of it, and nothing is begun.
    const [made] = commands.filter((_, index) => replies[index]?.kind === 'recorded');
    const { transactionId } = made!.data;
    world.outcomes.of.set(transactionId, { status: 'declined', resultCode: '800.100.152' });
    expect(await one.send(await attempt(checkoutId, of))).toEqual({
      kind: 'savedOtherwise',
      attempt: { transactionId, resultCode: '800.100.152' },
    });
    expect(await one.statusOf(checkoutId)).toBe('failed');
  });

  it('is used up by an attempt with something else, of which it says nothing', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const { transactionId: of } = (await saved(process, checkoutId)).data;
    const { data, ...message } = await world.submission(checkoutId);
    const unaware = { ...message, data: { ...data, saved: 'nothing' as const } };
    expect(await process.send(unaware)).toEqual({ kind: 'savedOtherwise' });
    expect(await process.send({ ...message, data: { ...data, saved: of } })).toEqual(RECORDED);
    const told = await process.toComplete(checkoutId);
    expect(told).not.toHaveProperty('saved');
    expect(told).not.toHaveProperty('spent');
  });

  it('is told to who reads that the checkout was paid otherwise, and to nobody before', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const submission = await world.submission(checkoutId);
    expect(await process.send(submission)).toEqual(RECORDED);
    const { transactionId } = submission.data;
    world.outcomes.of.set(transactionId, AT_PROVIDER);
    expect(await process.standingOf(checkoutId)).toEqual({ status: 'pending' });
    const { vaultReference } = (await saved(process, checkoutId)).data;
    expect(await process.standingOf(checkoutId)).toEqual({ status: 'pending' });
    world.outcomes.of.set(transactionId, APPROVED);
    expect(await process.standingOf(checkoutId)).toMatchObject({
      ...{ status: 'succeeded', vaultReference },
    });
  });

  it('is not saved where an attempt is under way or has succeeded, nor when all is over', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const submission = await world.submission(checkoutId);
    expect(await process.send(submission)).toEqual(RECORDED);
    const { transactionId } = submission.data;
    const late = () => world.saving(checkoutId, FIELDS, 'nothing');
    expect(await process.send(await late())).toMatchObject({ kind: 'underWay' });
    world.outcomes.of.set(transactionId, APPROVED);
    expect(await process.send(await late())).toMatchObject({ kind: 'succeeded' });
    const old = await created(process);
    await saved(process, old);
    await process.close();
    await world.age(old, CHECKOUT_LIFE_MS);
    const fresh = await world.start();
    expect(await fresh.toComplete(old)).toBeUndefined();
    expect(await fresh.send(await world.saving(old, FIELDS, 'nothing'))).toEqual({ kind: 'gone' });
    expect(await fresh.send(await attempt(old, newTransactionId(Date.now())))).toEqual({
      kind: 'gone',
    });
  });
});
