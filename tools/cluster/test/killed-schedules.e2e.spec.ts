import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { testKafka } from '@sluice/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { Services } from './services-fixture.js';

jest.setTimeout(300_000);

/** The demo channel, as the greeting of the sandbox prints it. */
const headers = { authorization: 'Bearer sluice-demo-access-token-for-sandboxes-only' };
const entityId = '8a8294174b7ecb28014b9699220015ca';
const RUNS = 200;
/** Of scheduling and of payments, in turn. */
const KILLS = 6;
/** All of them are created by then. */
const DUE_IN_MS = 15_000;
const AT_ONCE = 20;
const POLL_INTERVAL_MS = 50;
/** What a process that has died has begun is taken up at once. */
const SHORT_WAITS = {
  ...{ SCHEDULING_LEASE_MS: '500', SCHEDULING_SWEEP_INTERVAL_MS: '50' },
  ...{ PAYMENTS_LEASE_MS: '1000', PAYMENTS_SWEEP_INTERVAL_MS: '50' },
  ...{ EDGE_THROTTLE_PER_SECOND: '0' },
};

const services = new Services(testKafka(), SHORT_WAITS);
beforeAll(async () => {
  await services.start();
}, 180_000);
afterAll(async () => {
  await services.remove();
}, 60_000);

async function post(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const body = new URLSearchParams({ entityId, ...fields });
  const answer = await fetch(`${services.url}${path}`, { method: 'POST', headers, body });
  const { id, result } = (await answer.json()) as { id: string; result: { code: string } };
  expect(result.code).toBe('000.100.110');
  return id;
}

/** The fields of a time that comes once. */
function onceAt(time: Date): string {
  const [second, minute, hour] = [time.getUTCSeconds(), time.getUTCMinutes(), time.getUTCHours()];
  const [day, month, year] = [time.getUTCDate(), time.getUTCMonth() + 1, time.getUTCFullYear()];
  return `${second} ${minute} ${hour} ${day} ${month} ? ${year}`;
}

async function createAll(due: Date): Promise<void> {
  const card = {
    ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
    ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentBrand: 'VISA' },
  };
  const registrationId = await post('/v1/registrations', card);
  const fields = {
    ...{ registrationId, amount: '9.90', currency: 'EUR', paymentType: 'SD' },
    'job.expression': onceAt(due),
  };
  for (let made = 0; made < RUNS; made += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => post('/scheduling/v1/schedules', fields)),
    );
  }
}

/** Of their times, not of later tries. */
const PLANNED =
  "SELECT data->>'runId' FROM scheduling.events WHERE type = 'RunDue' AND data->>'recoveredRunId' IS NULL";

/** The ids of runs of which this is recorded. */
async function runs(type: string): Promise<readonly string[]> {
  const rows = await services.rows<{ id: string }>(
    `SELECT data->>'runId' AS id FROM scheduling.events WHERE type = '${type}'
     AND data->>'runId' IN (${PLANNED})`,
  );
  return rows.map(({ id }) => id);
}

async function untilRecorded(type: string, count: number): Promise<void> {
  while ((await runs(type)).length < count) await pause(POLL_INTERVAL_MS);
}

async function untilDecided(): Promise<void> {
  const decided = async (): Promise<number> =>
    (await runs('RunPerformed')).length + (await runs('RunFailed')).length;
  while ((await decided()) < RUNS) await pause(POLL_INTERVAL_MS);
}

/** What the acquirer has in its book. */
async function book(): Promise<string> {
  const line = await services.processes
    .get('simulator')
    ?.logged('The simulator takes transactions.');
  return (await fetch(`${String(line?.['url'])}/book`)).text();
}

async function kill(name: 'scheduling' | 'payments'): Promise<void> {
  await services.processes.get(name)?.kill();
  await (name === 'scheduling' ? services.startScheduling() : services.startPayments());
}

describe('runs that are due while scheduling and payments are killed (R-SCH-01)', () => {
  it('have exactly one payment each', async () => {
    await createAll(new Date(Date.now() + DUE_IN_MS));
    for (let kills = 0; kills < KILLS; kills += 1) {
      // In the middle of some, wherever each of them is.
      await untilRecorded('RunStarted', Math.ceil(((kills + 1) * RUNS) / (KILLS + 1)));
      await kill(kills % 2 === 0 ? 'scheduling' : 'payments');
    }
    await untilDecided();
    const [performed, failed] = [await runs('RunPerformed'), await runs('RunFailed')];
    expect(new Set([...performed, ...failed]).size).toBe(RUNS);
    // Nobody was asked for those that a kill has met between their record and their call.
    expect(failed.length).toBeLessThan(AT_ONCE);
    // They are tried again, under another id, where nothing could arrive late.
    expect(new Set(await runs('RecoveryPlanned')).size).toBeLessThanOrEqual(failed.length);
    const booked = await book();
    const times = (id: string): number => booked.split(`"reference":"${id}"`).length - 1;
    for (const id of performed) expect([id, times(id)]).toEqual([id, 1]);
    for (const id of failed) expect([id, times(id)]).toEqual([id, 0]);
    const paid = await services.rows<{ count: number }>(
      `SELECT count(*)::int FROM payments.events WHERE type = 'PaymentInitiated' AND stream_id IN (${PLANNED})`,
    );
    expect(paid).toEqual([{ count: RUNS }]);
  });
});
