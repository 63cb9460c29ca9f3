import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScheduleReply, ScheduleView } from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
import { bearer, call, type Parameters, post } from './http-client.js';
import { entityId, personalOf, ScriptedEdge } from './scripted-edge.js';
import { planned, stateOf } from './scripted-schedules.js';
import { ID } from './stored-card.js';

const edge = new ScriptedEdge();
beforeAll(() => edge.start({}, undefined, { sendsEveryCommand: true }));
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const INSTALLMENTS = 'recurring.numberOfInstallments';
const charge: Parameters = {
  ...{ entityId, registrationId: ID, amount: '9.90', currency: 'EUR', paymentType: 'SD' },
  'job.expression': '0 0 8 1 * ? *',
};
const create = (parameters: Parameters = charge, headers: Record<string, string> = {}) =>
  post(`${edge.url}/scheduling/v1/schedules`, parameters, headers);
const change = (way: string, parameters: Parameters = { entityId }) =>
  post(`${edge.url}/scheduling/v1/schedules/${ID}/${way}`, parameters);
const one = (method: string, query = `entityId=${entityId}`, id: string = ID) =>
  call(`${edge.url}/scheduling/v1/schedules${id === '' ? '' : `/${id}`}?${query}`, {
    ...{ headers: bearer, method },
  });
const replying = (reply: ScheduleReply): void => {
  edge.script.schedule = () => ({ kind: 'replied', reply });
};
const view: ScheduleView = {
  ...{ ...stateOf(ID, true), entityId, mode: 'INTERNAL' },
  ...{ channelName: 'demo', source: 'SCHEDULER' },
  outcome: { id: ID, operation: 'schedule', resultCode: '000.100.110' },
  ...{ parameters: { 'job.hour': '8' }, personal: { 'job.name': 'Books' } },
};

describe('POST /scheduling/v1/schedules', () => {
  it('sends what is to be charged, with what is personal sealed, and answers the plan', async () => {
    const shopper = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
    const sent = { ...charge, ...shopper, 'job.name': 'Books' };
    const { status, body } = await create(sent);
    expect(status).toBe(200);
    expect(isTransactionId(body.id)).toBe(true);
    expect(body).toMatchObject({
      ...{ paymentType: 'SD', amount: '9.90', currency: 'EUR', result: { code: '000.100.110' } },
      ...{ job: { name: 'Books', expression: '0 0 8 1 * ? *' } },
      plan: { active: true, source: 'SCHEDULER', nextRun: '2027-01-01 08:00:00+0000' },
      recoveries: [{ source: 'MACRETRY', amount: '9.90' }],
    });
    const [command] = edge.schedules;
    expect(command).toMatchObject({
      type: 'CreateSchedule',
      data: {
        ...{ transactionId: body.id, registrationId: ID, operation: 'debit' },
        amount: { minor: '990', currency: 'EUR' },
        parameters: { 'job.expression': '0 0 8 1 * ? *' },
      },
    });
    expect(command && personalOf(command as never)).toEqual({ ...shopper, 'job.name': 'Books' });
    expect(JSON.stringify(command)).not.toMatch(/Books|Jones/);
  });

  it.each<[string, Parameters, string]>([
    ['no registration', { registrationId: undefined }, 'registrationId'],
    ['no amount', { amount: undefined }, 'amount'],
    ['the type of a refund', { paymentType: 'RF' }, 'paymentType'],
    ['an hour that there is not', { 'job.hour': '24' }, 'job.hour'],
  ])('with %s is refused', async (_, changes, name) => {
    const { status, body } = await create({ ...charge, ...changes });
    expect([status, body.result.parameterErrors]).toMatchObject([400, [{ name }]]);
    expect(edge.schedules).toEqual([]);
  });

  it('has no use for a card, and does not pass it on', async () => {
    await create({ ...charge, 'card.number': '4200000000000000' });
    expect(edge.schedules).toHaveLength(1);
    expect(JSON.stringify(edge.schedules)).not.toContain('4200000000000000');
  });

  it.each([
    ['creates', () => create({ ...charge, [INSTALLMENTS]: '3' })],
    ['changes', () => change('reschedule', { entityId, [INSTALLMENTS]: '12' })],
  ])('is paid at once: what %s it does not say in how many installments', async (_, asks) => {
    const { status, body } = await asks();
    expect([status, body.result.code]).toEqual([400, '600.200.500']);
    expect(body.result.description).toContain(`${INSTALLMENTS} must be 0, 1 or absent`);
    expect(edge.schedules).toEqual([]);
    expect((await create({ ...charge, [INSTALLMENTS]: '1' })).status).toBe(200);
  });

  it('says what scheduling refuses, and why', async () => {
    replying({ kind: 'refused', resultCode: '100.250.120', problem: 'Days contradict.' });
    const { status, body } = await create();
    expect([status, body.result]).toMatchObject([
      400,
      { code: '100.250.120', description: 'Days contradict.' },
    ]);
  });

  it('answers what its key was used for, and refuses another use', async () => {
    const key = { 'Idempotency-Key': 'a' };
    const first = await create(charge, key);
    const [command] = edge.schedules;
    if (command === undefined) throw new Error('nothing was sent');
    const { fingerprint = '', answer } = command.data.idempotency ?? {};
    if (answer === undefined) throw new Error('no key was sent');
    replying({ kind: 'keyTaken', fingerprint, answer, first: planned(command) });
    expect((await create(charge, key)).text).toBe(first.text);
    const other = await create({ ...charge, amount: '1.00' }, key);
    expect(other.body.result.code).not.toBe('000.100.110');
    replying({ kind: 'keyTaken', fingerprint, answer });
    expect((await create(charge, key)).body.result.code).toBe('800.600.100');
  });

  it.each([
    ['is pending while nobody has answered', 'unanswered', 200, '000.200.000'],
    ['is uncertain where it was given up', 'failed', 400, '900.100.300'],
    ['is uncertain where nobody knows whether it left', 'uncertain', 400, '900.100.300'],
  ] as const)('%s', async (_, kind, status, code) => {
    edge.script.schedule = () => ({ kind });
    const answer = await create();
    expect([answer.status, answer.body]).toMatchObject([
      status,
      { id: edge.schedules[0]?.data.transactionId, paymentType: 'SD', result: { code } },
    ]);
  });

  it.each([
    ['busy', 400],
    ['unavailable', 503],
    ['elsewhere', 503],
  ] as const)('is refused where scheduling is %s', async (kind, status) => {
    replying({ kind });
    expect((await create()).status).toBe(status);
  });
});

describe('a change of a schedule', () => {
  it('says what is sent and leaves the rest, whatever is demanded of a new one', async () => {
    const { body } = await change('reschedule', { entityId, paymentType: 'RS', 'job.hour': '9' });
    expect(body).toMatchObject({ referencedId: ID, paymentType: 'RS', job: { hour: '9' } });
    const [command] = edge.schedules;
    expect(command).toMatchObject({ type: 'Reschedule', data: { scheduleId: ID } });
    for (const name of ['amount', 'operation']) expect(command?.data).not.toHaveProperty(name);
    await change('reschedule', { entityId, amount: '11.90', currency: 'EUR', paymentType: 'PA' });
    expect(edge.schedules[1]?.data).toMatchObject({
      ...{ amount: { minor: '1190' }, operation: 'authorization' },
    });
  });

  it.each<[string, Parameters, string]>([
    ['an amount without a currency', { amount: '1.00' }, 'currency'],
    ['a month that there is not', { 'job.month': '13' }, 'job.month'],
    ['the type of an end', { paymentType: 'DS' }, 'paymentType'],
  ])('with %s is refused', async (_, changes, name) => {
    const { body } = await change('reschedule', { entityId, ...changes });
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
    expect(edge.schedules).toEqual([]);
  });

  it('of another registration is refused, and of the same one is not', async () => {
    edge.script.scheduled = () => ({ ...view, registrationId: ID });
    const same = await change('reschedule', { entityId, registrationId: ID, 'job.hour': '9' });
    expect(same.status).toBe(200);
    const registrationId = 'f'.repeat(32);
    const other = await change('reschedule', { entityId, registrationId, 'job.hour': '9' });
    expect(other.body.result.parameterErrors).toMatchObject([{ name: 'registrationId' }]);
  });

  it('to its end takes who asks and the type, and nothing that would mean nothing', async () => {
    const ended = await change('deschedule', { entityId, paymentType: 'DS' });
    expect(ended.body).toMatchObject({
      ...{ referencedId: ID, paymentType: 'DS' },
      plan: { active: false, end: '2027-01-01 08:00:00+0000' },
    });
    const idle = await change('deschedule', { entityId, 'job.noticeNumber': '3' });
    expect(idle.body.result.parameterErrors).toMatchObject([{ name: 'job.noticeNumber' }]);
    expect((await one('DELETE')).body).toMatchObject({ referencedId: ID, paymentType: 'DS' });
    expect(edge.schedules.map(({ data }) => 'operation' in data && data.operation)).toEqual([
      ...['deschedule', 'deletion'],
    ]);
  });

  it('of one that there is not is 404', async () => {
    replying({ kind: 'notFound' });
    const { status, body } = await change('deschedule');
    expect([status, body.result.code]).toEqual([404, '700.400.580']);
    expect((await one('DELETE', undefined, 'nothing')).status).toBe(404);
  });
});

describe('a read', () => {
  it('shows a schedule as it stands', async () => {
    edge.script.scheduled = () => view;
    const { status, body } = await one('GET');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: ID, paymentType: 'SD', job: { hour: '8', name: 'Books' } });
  });

  it('by the id of a try shows the plan of the try, and that it is over', async () => {
    const dueMs = Date.UTC(2026, 11, 24, 8);
    const amount = { minor: '990', currency: 'EUR' } as const;
    const recovery = { id: ID, paymentId: ID, dueMs, amount, source: 'MACRETRY' } as const;
    const of = (isActive: boolean) => ({ ...view, recovery: { ...recovery, isActive } });
    edge.script.scheduled = () => of(true);
    const { body } = await one('GET');
    expect(body).toMatchObject({
      ...{ id: ID, referencedId: view.id, amount: '9.90' },
      plan: { id: ID, referencedId: ID, active: true, source: 'MACRETRY' },
    });
    expect(body).toMatchObject({ plan: { nextRun: '2026-12-24 08:00:00+0000' } });
    expect(body).not.toHaveProperty('recoveries');
    edge.script.scheduled = () => of(false);
    const over = await one('GET');
    expect(over.body).toMatchObject({ plan: { active: false, source: 'MACRETRY' } });
    expect(over.body).not.toHaveProperty('plan.nextRun');
  });

  it('of one that there is not is 404', async () => {
    expect((await one('GET')).body.result.code).toBe('700.400.580');
  });

  it('lists those of a registration, which it has to name', async () => {
    edge.script.scheduledOf = ({ registrationId }) => [{ ...view, registrationId }];
    const listed = await one('GET', `entityId=${entityId}&registrationId=${ID}`, '');
    expect(listed.body).toMatchObject({
      ...{ result: { code: '000.000.100' }, schedules: [{ id: ID, registrationId: ID }] },
    });
    const { body } = await one('GET', `entityId=${entityId}`, '');
    expect(body.result.parameterErrors).toMatchObject([{ name: 'registrationId' }]);
  });
});
