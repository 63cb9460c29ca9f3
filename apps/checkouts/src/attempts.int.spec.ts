import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SubmitAttempt } from '@sluice/contracts';
import {
  ATTEMPT_UNKNOWN_AFTER_MS,
  CHECKOUT_LIFE_MS,
  RESULT_CALL_AFTER_MS,
} from '@sluice/domain-checkouts';
import { type CheckoutId, newCheckoutId, type TransactionId } from '@sluice/identifiers';
import { setTimeout as pause } from 'node:timers/promises';
import { CheckoutsWorld, foreignEntityId } from '../test/checkouts-fixture.js';

let world: CheckoutsWorld;
beforeAll(async () => {
  world = await CheckoutsWorld.open();
}, 60_000);
beforeEach(() => {
  world.outcomes.isAway = false;
});
afterEach(() => world.endProcesses());
afterAll(() => world.close());

type Process = Awaited<ReturnType<CheckoutsWorld['start']>>;

const APPROVED = { status: 'approved', resultCode: '000.100.110' } as const;
const DECLINED = { status: 'declined', resultCode: '800.100.152' } as const;
const AT_BANK = {
  ...{ status: 'pending', resultCode: '000.200.000' },
  redirect: { url: 'https://bank.example', method: 'GET', parameters: {}, preconditions: [] },
} as const;
const PENDING = '000.200.000';
const MINUTE_MS = 60_000;

async function created({ send }: Process): Promise<CheckoutId> {
  const command = await world.creation();
  expect(await send(command)).toEqual({ kind: 'recorded' });
  return command.data.checkoutId;
}

async function submitted(process: Process, checkoutId: CheckoutId): Promise<SubmitAttempt> {
  const command = await world.submission(checkoutId);
  expect(await process.send(command)).toEqual({ kind: 'recorded' });
  return command;
}

const decide = ({ data }: SubmitAttempt, outcome: object): void =>
  void world.outcomes.of.set(data.transactionId, outcome);

/** Resolves once its provider was asked. */
async function asked({ data }: SubmitAttempt): Promise<void> {
  while (world.outcomes.of.get(data.transactionId)?.status === 'pending') await pause(5);
}

const typesOf = async (checkoutId: CheckoutId): Promise<readonly string[]> =>
  (await world.eventsOf(checkoutId)).map(({ type }) => type);

describe('an attempt', () => {
  it('is recorded once, and every other sending is answered with it while nothing is known', async () => {
    const [one, other] = [await world.start(), await world.start()];
    const checkoutId = await created(one);
    const first = await submitted(one, checkoutId);
    const { transactionId } = first.data;
    expect(await other.send(first)).toEqual({ kind: 'recorded' });
    const underWay = { kind: 'underWay', attempt: { transactionId, resultCode: PENDING } };
    for (const process of [one, other]) {
      expect(await process.send(await world.submission(checkoutId))).toEqual(underWay);
    }
    expect(await one.statusOf(checkoutId)).toBe('pending');
    expect(await typesOf(checkoutId)).toEqual(['CheckoutCreated', 'AttemptSubmitted']);
  });

  it('is the only one of many that are sent at once, whoever takes them', async () => {
    const processes = [await world.start(), await world.start()];
    const checkoutId = await created(processes[0]!);
    const commands = await Promise.all(
      Array.from({ length: 8 }, () => world.submission(checkoutId)),
    );
    const replies = await Promise.all(
      commands.map((command, index) => processes[index % 2]!.send(command)),
    );
    expect(replies.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
    expect(replies.filter(({ kind }) => kind === 'underWay')).toHaveLength(7);
  });

  it('that was declined is told as often as asked, and another may follow', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    decide(await submitted(process, checkoutId), DECLINED);
    for (const _read of [1, 2]) expect(await process.statusOf(checkoutId)).toBe('failed');
    expect(await process.serve(checkoutId)).toBe(false);
    decide(await submitted(process, checkoutId), APPROVED);
    expect(await process.statusOf(checkoutId)).toBe('succeeded');
  });

  it('that was approved is told once, and then the checkout is as if it never was', async () => {
    const [one, other] = [await world.start(), await world.start()];
    const checkoutId = await created(one);
    const first = await submitted(one, checkoutId);
    decide(first, APPROVED);
    const { transactionId } = first.data;
    const succeeded = {
      kind: 'succeeded',
      attempt: { transactionId, resultCode: APPROVED.resultCode },
    };
    expect(await other.send(await world.submission(checkoutId))).toEqual(succeeded);
    expect(await one.statusOf(checkoutId)).toBe('succeeded');
    expect(await one.serve(checkoutId, foreignEntityId)).toBe(false);
    const served = await Promise.all([one.serve(checkoutId), other.serve(checkoutId)]);
    expect(served.toSorted()).toEqual([false, true]);
    expect(await one.statusOf(checkoutId)).toBeUndefined();
    expect(await other.toComplete(checkoutId)).toBeUndefined();
    expect(await one.send(await world.submission(checkoutId))).toEqual({ kind: 'gone' });
  });

  it('that was never asked for is over once nothing can come of it', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    await submitted(process, checkoutId);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    await world.age(checkoutId, ATTEMPT_UNKNOWN_AFTER_MS + 1_000);
    expect(await process.statusOf(checkoutId)).toBe('failed');
    await submitted(process, checkoutId);
  });

  it('that edge knows to have come to nothing makes room for another one at once', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const { transactionId } = (await submitted(process, checkoutId)).data;
    for (const _time of [1, 2]) await process.neverAsked({ checkoutId, transactionId });
    expect(await process.statusOf(checkoutId)).toBe('failed');
    const types = ['CheckoutCreated', 'AttemptSubmitted', 'AttemptFailed'];
    expect(await typesOf(checkoutId)).toEqual(types);
    decide(await submitted(process, checkoutId), APPROVED);
    expect(await process.statusOf(checkoutId)).toBe('succeeded');
  });

  it('of which more is known is not over, whatever edge says, nor is one of another checkout', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const sent = await submitted(process, checkoutId);
    const { transactionId } = sent.data;
    const unknown = newCheckoutId('test');
    await process.neverAsked({ checkoutId: unknown, transactionId });
    expect(await world.eventsOf(unknown)).toEqual([]);
    decide(sent, AT_BANK);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    await process.neverAsked({ checkoutId, transactionId });
    expect(await typesOf(checkoutId)).not.toContain('AttemptFailed');
  });

  it('of which nobody answers is under way', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const first = await submitted(process, checkoutId);
    world.outcomes.isAway = true;
    decide(first, DECLINED);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    expect(await process.send(await world.submission(checkoutId))).toMatchObject({
      ...{ kind: 'underWay' },
    });
  });

  it('is followed by ten at most', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    for (let sent = 0; sent < 10; sent += 1) {
      decide(await submitted(process, checkoutId), DECLINED);
    }
    expect(await process.send(await world.submission(checkoutId))).toEqual({ kind: 'exhausted' });
  });

  it('is none of a checkout that is unknown, over, of another channel or of the other purpose', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const gone = { kind: 'gone' };
    const { send } = process;
    expect(await send(await world.submission(newCheckoutId('test')))).toEqual(gone);
    expect(await send(await world.submission(checkoutId, undefined, 'registration'))).toEqual(gone);
    const own = await world.submission(checkoutId);
    const context = { ...own.data.context, entityId: foreignEntityId };
    expect(await send({ ...own, data: { ...own.data, context } })).toEqual(gone);
    await world.age(checkoutId, CHECKOUT_LIFE_MS);
    expect(await send(await world.submission(checkoutId))).toEqual(gone);
  });

  it('that only stores is asked for at registrations', async () => {
    const process = await world.start();
    const command = await world.creation({ purpose: 'registration', parameters: {} });
    const { checkoutId } = command.data;
    await process.send(command);
    const sent = await world.submission(checkoutId, undefined, 'registration');
    expect(await process.send(sent)).toEqual({ kind: 'recorded' });
    decide(sent, APPROVED);
    expect(await process.statusOf(checkoutId, { as: 'registration' })).toBe('succeeded');
  });
});

describe('an attempt that waits at another page', () => {
  it('gives way to the next one, and is reversed if it is approved after all', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const first = await submitted(process, checkoutId);
    decide(first, AT_BANK);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    const second = await submitted(process, checkoutId);
    decide(second, DECLINED);
    decide(first, APPROVED);
    expect(await process.statusOf(checkoutId)).toBe('failed');
    await world.until(checkoutId, 'ReversalEnded');
    const { transactionId: referencedId } = first.data;
    expect(world.outcomes.reversed).toContainEqual(expect.objectContaining({ referencedId }));
    const types = await typesOf(checkoutId);
    expect(types.filter((type) => type === 'ReversalRequested')).toHaveLength(1);
  });

  it('is reversed again, under another id, after its acquirer was away', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const first = await submitted(process, checkoutId);
    decide(first, AT_BANK);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    decide(await submitted(process, checkoutId), DECLINED);
    world.outcomes.failingReversals = 1;
    decide(first, APPROVED);
    expect(await process.statusOf(checkoutId)).toBe('failed');
    await world.until(checkoutId, 'ReversalEnded', 2);
    const { transactionId: referencedId } = first.data;
    const ids = world.outcomes.reversed
      .filter((reversal) => reversal.referencedId === referencedId)
      .map(({ transactionId }) => transactionId);
    expect(new Set(ids).size).toBe(2);
    const ended = (await world.eventsOf(checkoutId)).filter(({ type }) => type === 'ReversalEnded');
    expect(
      ended.map(({ data }) => (JSON.parse(data) as { isReversed: boolean }).isReversed),
    ).toEqual([false, true]);
  });

  it('is found out about by whoever looks later, with nobody asking', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    decide(await submitted(process, checkoutId), APPROVED);
    await world.until(checkoutId, 'AttemptSucceeded');
  });

  it('of a shopper who has paid and never come back is found before the merchant is called', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const sent = await submitted(process, checkoutId);
    decide(sent, AT_BANK);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    world.outcomes.atProvider.set(sent.data.transactionId, APPROVED);
    await world.age(checkoutId, 20 * MINUTE_MS);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    await world.age(checkoutId, RESULT_CALL_AFTER_MS - 20 * MINUTE_MS - MINUTE_MS);
    await world.makeDue(checkoutId);
    await asked(sent);
    // Whoever looks next.
    await world.makeDue(checkoutId);
    await world.until(checkoutId, 'AttemptSucceeded');
    expect(await process.statusOf(checkoutId)).toBe('succeeded');
  });

  it('of a shopper who has paid elsewhere after the end is found and reversed', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const sent = await submitted(process, checkoutId);
    decide(sent, AT_BANK);
    expect(await process.statusOf(checkoutId)).toBe('pending');
    world.outcomes.atProvider.set(sent.data.transactionId, APPROVED);
    await world.age(checkoutId, CHECKOUT_LIFE_MS);
    await world.makeDue(checkoutId);
    await asked(sent);
    await world.makeDue(checkoutId);
    await world.until(checkoutId, 'ReversalEnded');
  });
});

describe('what became of an attempt', () => {
  it.each([DECLINED, APPROVED])(
    'is told of by whoever asks what is completed, once it is decided: %j',
    async (outcome) => {
      const [one, other] = [await world.start(), await world.start()];
      const checkoutId = await created(one);
      const sent = await submitted(one, checkoutId);
      expect(await other.toComplete(checkoutId)).toMatchObject({ isBegun: true });
      decide(sent, outcome);
      world.outcomes.isAway = true;
      expect(await other.toComplete(checkoutId)).toMatchObject({ isBegun: true });
      world.outcomes.isAway = false;
      const isBegun = (await other.toComplete(checkoutId))?.isBegun ?? false;
      expect(isBegun).toBe(outcome === APPROVED);
    },
  );

  it('is asked about only while nothing is known of it', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const sent = await submitted(process, checkoutId);
    decide(sent, DECLINED);
    expect(await process.toComplete(checkoutId)).not.toHaveProperty('isBegun');
    decide(sent, APPROVED);
    expect(await process.toComplete(checkoutId)).not.toHaveProperty('isBegun');
    expect(await typesOf(checkoutId)).toEqual([
      ...['CheckoutCreated', 'AttemptSubmitted', 'AttemptFailed'],
    ]);
  });
});

describe('a change', () => {
  it('replaces what it names, and keeps the rest', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const name = { 'customer.givenName': 'June' };
    const changed = await world.update(checkoutId, { amount: '8.00' }, name);
    expect(await process.send(changed)).toEqual({ kind: 'recorded' });
    expect(await process.toComplete(checkoutId)).toMatchObject({
      purpose: 'payment',
      parameters: { amount: '8.00', currency: 'EUR', paymentType: 'DB' },
      personal: { 'customer.email': 'jane@example.org', ...name },
    });
    const events = JSON.stringify(await world.eventsOf(checkoutId));
    expect(events).not.toMatch(/june|jane/iu);
  });

  it('names the stored accounts anew that the form offers', async () => {
    const process = await world.start();
    const registrations = ['a', 'b'].map((digit) => digit.repeat(32) as TransactionId);
    const command = await world.creation({ registrations });
    const { checkoutId } = command.data;
    await process.send(command);
    const offered = async () => (await process.toComplete(checkoutId))?.registrations;
    expect(await offered()).toEqual(registrations);
    await process.send(await world.update(checkoutId, { amount: '8.00' }));
    expect(await offered()).toEqual(registrations);
    const change = await world.update(checkoutId, {});
    const data = { ...change.data, registrations: registrations.slice(1) };
    expect(await process.send({ ...change, data })).toEqual({ kind: 'recorded' });
    expect(await offered()).toEqual(registrations.slice(1));
  });

  it('is refused while the shopper pays, and afterwards', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const first = await submitted(process, checkoutId);
    const change = () => world.update(checkoutId, { amount: '8.00' });
    expect(await process.send(await change())).toMatchObject({ kind: 'underWay' });
    expect(await process.toComplete(checkoutId)).toMatchObject({ isBegun: true });
    decide(first, APPROVED);
    expect(await process.send(await change())).toMatchObject({ kind: 'succeeded' });
    const shown = await process.toComplete(checkoutId);
    expect([shown?.parameters['amount'], shown?.isBegun]).toEqual(['92.00', true]);
  });

  it('is done once by one command', async () => {
    const process = await world.start();
    const checkoutId = await created(process);
    const command = await world.update(checkoutId, { amount: '8.00' });
    for (const _time of [1, 2]) expect(await process.send(command)).toEqual({ kind: 'recorded' });
    expect(await typesOf(checkoutId)).toEqual(['CheckoutCreated', 'CheckoutUpdated']);
  });
});
