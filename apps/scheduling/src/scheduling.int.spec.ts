import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargeQuery } from '@sluice/contracts';
import { transactionIdOfRun } from '@sluice/identifiers';
import {
  ALWAYS,
  approved,
  card,
  decided,
  ending,
  FakeServices,
  foreignEntityId,
  LATER,
  recordedIn,
  registrationId,
  rescheduling,
  SchedulingWorld,
} from '../test/scheduling-fixture.js';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await SchedulingWorld.open();
});
afterEach(() => world.endProcesses());
afterAll(() => world.close());

/** One that ends with its first run. */
const declined = { status: 'declined', resultCode: '800.100.155' } as const;
const ONCE = { ...ALWAYS, 'job.durationUnit': 'SECOND', 'job.durationNumber': '1' };

const SOON_MS = 3_000;
/** A time that comes once, and has no term after which nothing is tried again; it is not past when it arrives. */
function soon(): Readonly<Record<string, string>> {
  const at = new Date(Date.now() + SOON_MS);
  const time = [at.getUTCSeconds(), at.getUTCMinutes(), at.getUTCHours()];
  const date = [at.getUTCDate(), at.getUTCMonth() + 1, '?', at.getUTCFullYear()];
  return { 'job.expression': [...time, ...date].join(' ') };
}

describe('a schedule whose time comes', () => {
  it('charges the registration, as the merchant by agreement, and is over with its last run', async () => {
    const { services, send, ask } = await world.start();
    const said = { 'customer.email': 'jane@example.org', 'job.name': 'Books' };
    const parameters = { ...ONCE, merchantTransactionId: 'plan-4711' };
    const command = await world.creation(parameters, { said });
    const { id } = recordedIn(await send(command)).outcome;
    await world.until(id, 'ScheduleEnded');
    expect(await world.eventsOf(id)).toEqual([
      ...['ScheduleCreated', 'RunDue', 'RunStarted', 'RunPerformed', 'ScheduleEnded'],
    ]);
    const [charge] = services.charged;
    expect(services.charged).toHaveLength(1);
    expect(charge).toMatchObject({
      payment: {
        ...{ operation: 'debit', amount: { minor: '990', currency: 'EUR' } },
        instrument: card.instrument,
        accountFingerprint: card.accountFingerprint,
        parameters: {
          ...{ registrationId, merchantTransactionId: 'plan-4711' },
          'standingInstruction.mode': 'REPEATED',
          'standingInstruction.source': 'MIT',
          'standingInstruction.type': 'RECURRING',
        },
      },
      personal: { 'card.holder': 'Jane Jones', 'customer.email': 'jane@example.org' },
    });
    expect(Object.keys(charge?.payment.parameters ?? {})).not.toContain('job.expression');
    expect(await ask(id)).toMatchObject({ isActive: false, personal: said });
  });

  it('has nothing personal in its events', async () => {
    const { send } = await world.start();
    const command = await world.creation(LATER, { said: { 'customer.surname': 'Jones' } });
    const { id } = recordedIn(await send(command)).outcome;
    const { rows } = await world.pool.query<{ data: object }>(
      'SELECT data FROM scheduling.events WHERE stream_id = $1',
      [id],
    );
    expect(JSON.stringify(rows)).not.toContain('Jones');
  });

  it('asks again for the same payment until it is decided', async () => {
    const services = new FakeServices();
    let asked = 0;
    services.answer = (query: ChargeQuery) => {
      asked += 1;
      if (asked === 2) throw new Error('cut off');
      return asked < 4 ? { kind: 'again' } : approved(query);
    };
    const { send } = await world.start(services);
    const { id } = recordedIn(await send(await world.creation(ONCE))).outcome;
    await world.until(id, 'RunPerformed');
    const ids = services.charged.map(({ transactionId }) => transactionId);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(1);
    const [due] = (
      await world.pool.query<{ data: { dueMs: number } }>(
        "SELECT data FROM scheduling.events WHERE stream_id = $1 AND type = 'RunDue'",
        [id],
      )
    ).rows;
    expect(ids[0]).toBe(transactionIdOfRun(id, due?.data.dueMs ?? 0));
  });

  it('is taken up by another process where the first one has ended in the middle', async () => {
    const first = new FakeServices();
    first.away.add('payments');
    const { send, end } = await world.start(first);
    const { id } = recordedIn(await send(await world.creation(ONCE))).outcome;
    await world.until(id, 'RunStarted');
    await end();
    const { services } = await world.start();
    await world.until(id, 'RunPerformed');
    expect(services.charged).toHaveLength(1);
  });

  it('has payments record the refusal where the registration is gone by then', async () => {
    const services = new FakeServices();
    const { send } = await world.start(services);
    const { id } = recordedIn(await send(await world.creation(ONCE))).outcome;
    services.registration = { ...card, state: 'ended' };
    services.answer = (query) =>
      decided(query, { status: 'declined', resultCode: query.payment.rejection ?? '' });
    await world.until(id, 'RunFailed');
    const [charge] = services.charged;
    expect(charge?.payment.rejection).toBe('100.150.203');
    expect(JSON.stringify(charge)).not.toContain('vault-0.abc');
  });

  it('is tried again later, where the advice of the issuer says when', async () => {
    const services = new FakeServices();
    services.answer = (query) =>
      decided(
        query,
        { status: 'declined', resultCode: '800.100.155' },
        { MerchantAdviceCode: '24' },
      );
    const { send, ask } = await world.start(services);
    const { id } = recordedIn(await send(await world.creation(soon()))).outcome;
    await world.until(id, 'RecoveryPlanned');
    const [paid] = services.charged;
    expect(paid?.payment).toMatchObject({ source: 'SCHEDULER' });
    const { recoveries = [] } = (await ask(id)) ?? {};
    expect(recoveries).toMatchObject([
      { paymentId: paid?.transactionId, amount: { minor: '990' }, source: 'MACRETRY' },
    ]);
  });

  it('is tried again soon, where nobody could be asked', async () => {
    const services = new FakeServices();
    services.answer = (query) =>
      decided(query, { status: 'notPerformed', resultCode: '900.100.310', wasNeverSent: true });
    const { send, ask } = await world.start(services);
    const { id } = recordedIn(await send(await world.creation(soon()))).outcome;
    await world.until(id, 'RecoveryPlanned');
    const { recoveries: [planned] = [] } = (await ask(id)) ?? {};
    expect(planned).toMatchObject({ source: 'SCHEDULER' });
    if (planned === undefined) throw new Error('no try is planned');
    expect(await ask(planned.id)).toMatchObject({ id, recovery: { ...planned, isActive: true } });
    expect(await ask(planned.id, { asker: foreignEntityId })).toBeUndefined();
    await send(ending(planned.id, 'deletion'));
    expect(await ask(planned.id)).toMatchObject({ id, recovery: { ...planned, isActive: false } });
  });

  it('is not tried again, where something could arrive late', async () => {
    const services = new FakeServices();
    services.answer = (query) =>
      decided(query, { status: 'notPerformed', resultCode: '900.100.310' });
    const { send, ask } = await world.start(services);
    const { id } = recordedIn(await send(await world.creation(ONCE))).outcome;
    await world.until(id, 'RecoveryEnded');
    expect((await ask(id))?.recoveries).toEqual([]);
  });
});

describe('a schedule as it was after an event', () => {
  it('shows nothing that came later, and whose doing the event is', async () => {
    const services = new FakeServices();
    services.answer = (query) => decided(query, declined, { MerchantAdviceCode: '24' });
    const { send, ask } = await world.start(services);
    const { id } = recordedIn(await send(await world.creation(soon()))).outcome;
    await world.until(id, 'RecoveryPlanned');
    const types = await world.eventsOf(id);
    const at = (type: string) => ask(id, { atVersion: types.indexOf(type) + 1 });
    expect(await at('ScheduleCreated')).toMatchObject({
      ...{ channelName: 'demo', isActive: true, source: 'SCHEDULER', recoveries: [] },
    });
    expect(await at('RunFailed')).toMatchObject({ isActive: false, source: 'SCHEDULER' });
    expect(await at('RecoveryPlanned')).toMatchObject({ source: 'MACRETRY', recoveries: [{}] });
  });

  it('is not there before its first one', async () => {
    const { send, ask } = await world.start();
    const { id } = recordedIn(await send(await world.creation(LATER))).outcome;
    expect(await ask(id, { atVersion: 0 })).toBeUndefined();
  });
});

describe('a schedule that cannot be', () => {
  it.each<[string, Partial<FakeServices>, string]>([
    ['of a registration that there is not', { registration: undefined }, '100.150.200'],
    ['of one that has ended', { registration: { ...card, state: 'ended' } }, '100.150.203'],
    ['of one of another mode', { registration: { ...card, mode: 'EXTERNAL' } }, '700.100.600'],
  ])('%s is refused, and nothing is recorded', async (_, changes, resultCode) => {
    const { send, list } = await world.start(Object.assign(new FakeServices(), changes));
    const before = await list();
    expect(await send(await world.creation(LATER))).toMatchObject({ kind: 'refused', resultCode });
    expect(await list()).toEqual(before);
  });

  it.each([
    ['days of both sorts', { 'job.dayOfMonth': '1', 'job.dayOfWeek': '2' }, '100.250.120'],
    ['half a notice', { 'job.noticeUnit': 'DAY' }, '100.250.107'],
    ['a first payment', { ...LATER, 'standingInstruction.mode': 'INITIAL' }, '100.900.500'],
    ['a shopper who is there', { ...LATER, 'standingInstruction.source': 'CIT' }, '100.900.500'],
  ])('with %s is refused with %s', async (_, parameters, resultCode) => {
    const { send } = await world.start();
    const reply = await send(await world.creation(parameters));
    expect(reply).toMatchObject({ kind: 'refused', resultCode });
  });

  it('because it never runs is recorded so, and is none of those of the registration', async () => {
    const { send, ask, list } = await world.start();
    const before = await list();
    const command = await world.creation({ 'job.expression': '0 0 0 1 1 ? 2020' });
    const { outcome } = recordedIn(await send(command));
    expect(outcome.resultCode).toBe('100.250.100');
    expect(await ask(outcome.id)).toMatchObject({ isActive: false });
    expect(await list()).toEqual(before);
  });

  it('said by anybody is "unavailable" while accounts does not answer', async () => {
    const { services, send } = await world.start();
    services.away.add('accounts');
    expect(await send(await world.creation(LATER))).toEqual({ kind: 'unavailable' });
  });
});

describe('a schedule that is changed', () => {
  it('has another amount at the same times, and is known by the id of the change, too', async () => {
    const { send, ask } = await world.start();
    const { id } = recordedIn(await send(await world.creation(LATER))).outcome;
    const before = await ask(id);
    const change = rescheduling(id, { amount: { minor: '1190', currency: 'EUR' } });
    const { outcome } = recordedIn(await send(change));
    expect(outcome).toMatchObject({ operation: 'reschedule', referencedId: id });
    const after = await ask(outcome.id);
    expect(after).toMatchObject({ id, amount: { minor: '1190' }, planId: outcome.id });
    expect(after?.nextDueMs).toBe(before?.nextDueMs);
    expect(after?.parameters).toEqual(LATER);
  });

  it('has other times where it says any, in the time zone of the channel', async () => {
    const { services, send, ask } = await world.start();
    services.settings = { timeZone: 'Asia/Tokyo', missedRuns: 'once' };
    const { id } = recordedIn(await send(await world.creation(LATER))).outcome;
    expect((await ask(id))?.nextDueMs).toBe(Date.UTC(2098, 11, 31, 23));
    const parameters = { 'job.year': '2098', 'job.hour': '9' };
    recordedIn(await send(rescheduling(id, { parameters })));
    expect(await ask(id)).toMatchObject({ parameters, nextDueMs: Date.UTC(2098, 0, 1, 0) });
  });

  it('keeps what is personal of it', async () => {
    const { send, ask } = await world.start();
    const said = { 'customer.email': 'jane@example.org' };
    const { id } = recordedIn(await send(await world.creation(LATER, { said }))).outcome;
    recordedIn(await send(rescheduling(id, { operation: 'authorization' })));
    expect(await ask(id)).toMatchObject({ personal: said });
  });

  it.each(['deschedule', 'deletion'] as const)('ends with a %s, once', async (operation) => {
    const { send, ask } = await world.start();
    const { id } = recordedIn(await send(await world.creation(LATER))).outcome;
    const { outcome } = recordedIn(await send(ending(id, operation)));
    expect(outcome).toMatchObject({ operation, resultCode: '000.100.110', referencedId: id });
    expect(await ask(id)).toMatchObject({ isActive: false });
    const again = await send(ending(id, operation));
    expect(again).toMatchObject({ kind: 'refused', resultCode: '100.360.303' });
  });

  it('by somebody else is not found, and is not shown to him', async () => {
    const { send, ask, list } = await world.start();
    const { id } = recordedIn(await send(await world.creation(LATER))).outcome;
    expect(await send(ending(id, 'deletion', foreignEntityId))).toEqual({ kind: 'notFound' });
    expect(await ask(id, { asker: foreignEntityId })).toBeUndefined();
    expect(await list(foreignEntityId)).toEqual([]);
    expect((await list()).map((each) => each.id)).toContain(id);
  });

  it('by a request that comes again is changed once', async () => {
    const { send, ask } = await world.start();
    const { id } = recordedIn(await send(await world.creation(LATER))).outcome;
    const change = rescheduling(id, { amount: { minor: '1190', currency: 'EUR' } });
    const replies = [await send(change), await send(change)];
    expect(replies[1]).toEqual(replies[0]);
    expect((await world.eventsOf(id)).length).toBe(2);
    expect(await ask(id)).toMatchObject({ amount: { minor: '1190' } });
  });
});
