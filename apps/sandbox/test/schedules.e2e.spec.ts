import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  APPROVED,
  type Body,
  codeOf,
  type Fields,
  send as sendTo,
} from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const POLL_INTERVAL_MS = 20;
const SCHEDULES = '/scheduling/v1/schedules';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const CHARGE = { amount: '9.90', currency: 'EUR', paymentType: 'SD' };
/** Every second. */
const ALWAYS = { 'job.expression': '* * * * * ? *' };
/** One that ends with its first run. */
const ONCE = { ...ALWAYS, 'job.durationUnit': 'SECOND', 'job.durationNumber': '1' };
/** On a day that no spec lives to see. */
const LATER = { 'job.expression': '0 0 8 1 1 ? 2099' };
/** A channel of somebody else, in Tokyo. */
const TOKYO = { entityId: '8ac7a4c97ee0000000000000000000b2', token: 'the-token-of-somebody-else' };

const folder = newFolder();
let sandbox: SandboxProcess;
let registrationId: string;

beforeAll(async () => {
  const seedFile = join(folder, 'seed.json');
  const { entityId, token } = TOKYO;
  const schedules = { timeZone: 'Asia/Tokyo' };
  const channel = { entityId, name: 'Tokyo', merchant: 'Other', accessTokens: [token], schedules };
  writeFileSync(seedFile, JSON.stringify({ channels: [channel] }));
  sandbox = await start(join(folder, 'data'), ['--seed', seedFile]);
  registrationId = (await send('POST', '/v1/registrations', CARD)).id;
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const send = (method: string, path: string, fields: Fields = {}, key?: string): Promise<Body> =>
  sendTo(sandbox, [method, path], fields, key);
const schedule = (fields: Fields, key?: string): Promise<Body> =>
  send('POST', SCHEDULES, { ...CHARGE, registrationId, ...fields }, key);
const read = (id: string): Promise<Body> => send('GET', `${SCHEDULES}/${id}`);

/** The same as another merchant. */
async function sendFromTokyo(method: string, path: string, fields: Fields = {}): Promise<Body> {
  const form = new URLSearchParams({ entityId: TOKYO.entityId, ...fields });
  const hasBody = method === 'POST';
  const target = `${sandbox.url}${path}${hasBody ? '' : `?${form.toString()}`}`;
  const headers = { Authorization: `Bearer ${TOKYO.token}` };
  const init = { method, headers, ...(hasBody && { body: form }) };
  return (await (await fetch(target, init)).json()) as Body;
}

const PENDING = '000.200.000';

/** What was paid under a merchant's own id, once it is decided. */
async function paidUnder(merchantTransactionId: string): Promise<readonly Body[]> {
  for (;;) {
    const found = await send('GET', '/v1/query', { merchantTransactionId });
    const entries = found['payments'] as readonly Body[] | undefined;
    // The schedule has it, too.
    const payments = entries?.filter((entry) => entry['paymentType'] !== 'SD');
    const isDecided = payments?.every(({ result }) => result.code !== PENDING) === true;
    if (isDecided && payments.length > 0) return payments;
    await pause(POLL_INTERVAL_MS);
  }
}

async function untilOver(id: string): Promise<Body> {
  for (;;) {
    const found = await read(id);
    if ((found['plan'] as { readonly active: boolean }).active) await pause(POLL_INTERVAL_MS);
    else return found;
  }
}

describe('a schedule', () => {
  it('pays at its time with what is stored, by agreement, and is over after its term', async () => {
    const merchantTransactionId = `plan-${randomUUID()}`;
    const created = await schedule({ ...ONCE, merchantTransactionId, 'job.name': 'Books' });
    expect(created).toMatchObject({
      ...{ registrationId, paymentType: 'SD', amount: '9.90', currency: 'EUR' },
      ...{ merchantTransactionId, job: { name: 'Books', expression: '* * * * * ? *' } },
      plan: { id: created.id, active: true, source: 'SCHEDULER' },
      result: { code: APPROVED },
    });
    const payments = await paidUnder(merchantTransactionId);
    expect(payments).toMatchObject([
      {
        ...{ paymentType: 'DB', amount: '9.90', registrationId, result: { code: APPROVED } },
        source: 'SCHEDULER',
        standingInstruction: { mode: 'REPEATED', source: 'MIT', type: 'RECURRING' },
        card: { last4Digits: '0000', holder: 'Jane Jones' },
      },
    ]);
    expect(await untilOver(created.id)).toMatchObject({ plan: { active: false } });
    const path = `/v1/payments/${payments[0]?.id ?? ''}`;
    expect(await send('GET', path)).toMatchObject({ source: 'SCHEDULER' });
    const refund = { amount: '9.90', currency: 'EUR', paymentType: 'RF' };
    const refunded = send('POST', path, refund);
    expect(await codeOf(refunded)).toBe(APPROVED);
  });

  it.each([
    ['PA', 'PA'],
    ['CD', 'CD'],
    ['DB', 'DB'],
  ])('of the type %s has payments of the type %s', async (paymentType, paid) => {
    const merchantTransactionId = `plan-${randomUUID()}`;
    await schedule({ ...ONCE, paymentType, merchantTransactionId });
    expect(await paidUnder(merchantTransactionId)).toMatchObject([
      { paymentType: paid, result: { code: APPROVED } },
    ]);
  });

  it('that is declined pays nothing', async () => {
    const merchantTransactionId = `plan-${randomUUID()}`;
    const declined = { 'customParameters[forceResultCode]': '800.100.155' };
    await schedule({ ...ONCE, ...declined, merchantTransactionId });
    const payments = await paidUnder(merchantTransactionId);
    expect(payments).toMatchObject([{ result: { code: '800.100.155' } }]);
  });

  it('is found by its registration', async () => {
    const { id } = await schedule(LATER);
    const found = await send('GET', SCHEDULES, { registrationId });
    expect(found.result.code).toBe('000.000.100');
    const ids = (found['schedules'] as readonly Body[]).map((each) => each.id);
    expect(ids).toContain(id);
    expect([...ids].sort()).toEqual(ids);
    expect(await send('GET', SCHEDULES)).toMatchObject({
      result: { code: '200.300.404', parameterErrors: [{ name: 'registrationId' }] },
    });
  });

  it('has another amount or other times from when it is rescheduled', async () => {
    const { id } = await schedule(LATER);
    const dearer = await send('POST', `${SCHEDULES}/${id}/reschedule`, {
      ...{ amount: '11.90', currency: 'EUR', paymentType: 'RS' },
    });
    expect(dearer).toMatchObject({
      ...{ referencedId: id, paymentType: 'RS', amount: '11.90', result: { code: APPROVED } },
      plan: { active: true, nextRun: '2099-01-01 08:00:00+0000' },
    });
    const earlier = { 'job.year': '2098', 'job.hour': '6' };
    // Any id of it names it.
    await send('POST', `${SCHEDULES}/${dearer.id}/reschedule`, earlier);
    expect(await read(id)).toMatchObject({
      ...{ id, paymentType: 'SD', amount: '11.90', job: { year: '2098', hour: '6' } },
      plan: { nextRun: '2098-01-01 06:00:00+0000' },
    });
    const other = { registrationId: 'f'.repeat(32) };
    expect(await send('POST', `${SCHEDULES}/${id}/reschedule`, other)).toMatchObject({
      result: { code: '200.300.404', parameterErrors: [{ name: 'registrationId' }] },
    });
  });

  it.each([
    ['deschedule', 'POST', '/deschedule'],
    ['delete', 'DELETE', ''],
  ])('is over after %s, once', async (_, method, path) => {
    const { id } = await schedule(LATER);
    const ended = await send(method, `${SCHEDULES}/${id}${path}`);
    expect(ended).toMatchObject({ referencedId: id, paymentType: 'DS', plan: { active: false } });
    expect(await codeOf(send(method, `${SCHEDULES}/${id}${path}`))).toBe('100.360.303');
    expect(await codeOf(send('POST', `${SCHEDULES}/${id}/reschedule`, LATER))).toBe('100.360.300');
    expect(await read(id)).toMatchObject({ id, plan: { active: false } });
  });

  it('is one under its key, and another one is refused under it', async () => {
    const key = randomUUID();
    const first = await schedule(LATER, key);
    expect(await schedule(LATER, key)).toEqual(first);
    expect((await schedule({ ...LATER, amount: '1.00' }, key)).result.code).not.toBe(APPROVED);
  });

  it.each<[string, Fields, string]>([
    ['times that contradict', { 'job.dayOfMonth': '1', 'job.dayOfWeek': '2' }, '100.250.120'],
    ['no times any more', { 'job.expression': '0 0 0 1 1 ? 2020' }, '100.250.100'],
    ['a field that is none', { 'job.hour': '24' }, '200.300.404'],
    ['nothing stored', { ...LATER, registrationId: 'f'.repeat(32) }, '100.150.200'],
    ['another brand', { ...LATER, paymentBrand: 'MASTER' }, '100.100.700'],
  ])('with %s is refused', async (_, fields, code) => {
    const answer = await schedule(fields);
    expect([answer.result.code !== APPROVED, answer.result.code]).toEqual([true, code]);
  });
});

describe('a schedule of somebody else', () => {
  it('is not found, changed, ended, listed or made of what he has stored', async () => {
    const { id } = await schedule(LATER);
    const none = '700.400.580';
    const foreign = [
      sendFromTokyo('GET', `${SCHEDULES}/${id}`),
      sendFromTokyo('POST', `${SCHEDULES}/${id}/reschedule`, LATER),
      sendFromTokyo('POST', `${SCHEDULES}/${id}/deschedule`),
      sendFromTokyo('DELETE', `${SCHEDULES}/${id}`),
    ];
    expect(await Promise.all(foreign.map(codeOf))).toEqual([none, none, none, none]);
    expect(await sendFromTokyo('GET', SCHEDULES, { registrationId })).toMatchObject({
      schedules: [],
    });
    const made = sendFromTokyo('POST', SCHEDULES, { ...CHARGE, ...LATER, registrationId });
    expect(await codeOf(made)).toBe('100.150.200');
    expect(await read(id)).toMatchObject({ plan: { active: true } });
  });

  it('runs in the time zone of his channel', async () => {
    const stored = await sendFromTokyo('POST', '/v1/registrations', CARD);
    const fields = { ...CHARGE, ...LATER, registrationId: stored.id };
    expect(await sendFromTokyo('POST', SCHEDULES, fields)).toMatchObject({
      plan: { nextRun: '2098-12-31 23:00:00+0000' },
    });
  });
});
