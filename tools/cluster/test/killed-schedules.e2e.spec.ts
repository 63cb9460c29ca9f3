import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { testKafka } from '@sluice/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { Services } from './services-fixture.js';

/** The demo channel, as the greeting of the sandbox prints it. */
const headers = { authorization: 'Bearer sluice-demo-access-token-for-sandboxes-only' };
const entityId = '8a8294174b7ecb28014b9699220015ca';
const RUNS = Number(process.env['TEST_SCHEDULED_RUNS'] ?? 200);
/** Of scheduling and of payments, in turn. */
const KILLS = Number(process.env['TEST_KILLS'] ?? 6);
/** All of them are created by then. */
const DUE_IN_MS = 10_000 + RUNS * 25;
const AT_ONCE = 20;
/** Schedules that one process of scheduling deals with at once. */
const RUNS_MAX = 20;
/** Of scheduling: two of its processes may have asked one of payments, as every other kill is its own. */
const ASKERS = 2;
const POLL_INTERVAL_MS = 50;
/** What a process that has died has begun is taken up at once. */
const SHORT_WAITS = {
  ...{ SCHEDULING_LEASE_MS: '500', SCHEDULING_SWEEP_INTERVAL_MS: '50' },
  SCHEDULING_RUNS_MAX: String(RUNS_MAX),
  ...{ PAYMENTS_LEASE_MS: '1000', PAYMENTS_SWEEP_INTERVAL_MS: '50' },
  ...{ EDGE_THROTTLE_PER_SECOND: '0' },
};

/** A kill and a start take seconds, and what payments has left open is decided a minute after the last. */
jest.setTimeout(300_000 + DUE_IN_MS + KILLS * 15_000);

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

/** Runs that are tried again under another id. */
const recovered = (): Promise<readonly string[]> => runs('RecoveryPlanned');

/** The payments of runs that have so many events, or more. */
async function paid(events: number): Promise<readonly string[]> {
  const rows = await services.rows<{ id: string }>(
    `SELECT stream_id AS id FROM payments.events WHERE stream_id IN (${PLANNED})
     GROUP BY stream_id HAVING count(*) >= ${events}`,
  );
  return rows.map(({ id }) => id);
}

async function untilPaid(count: number): Promise<void> {
  while ((await paid(1)).length < count) await pause(POLL_INTERVAL_MS);
}

/** Until the database has ended what it was told to record by a process that is gone. */
async function untilDisconnected(): Promise<void> {
  const connections = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND usename = 'sluice_payments_app'`;
  while ((await services.rows(connections)).length > 0) await pause(POLL_INTERVAL_MS);
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

async function killScheduling(): Promise<void> {
  await services.processes.get('scheduling')?.kill();
  await services.startScheduling();
}

/** @returns the payments that it has recorded, and of which nobody knows whether they were sent */
async function killPayments(): Promise<readonly string[]> {
  await services.processes.get('payments')?.kill();
  await untilDisconnected();
  const decided = new Set(await paid(2));
  const open = (await paid(1)).filter((id) => !decided.has(id));
  await services.startPayments();
  return open;
}

describe('runs that are due while scheduling and payments are killed (R-SCH-01)', () => {
  it('have exactly one payment each', async () => {
    await createAll(new Date(Date.now() + DUE_IN_MS));
    const leftOpen = new Set<string>();
    for (let kills = 0; kills < KILLS; kills += 1) {
      // In the middle of some, wherever each of them is.
      await untilPaid(Math.ceil(((kills + 1) * RUNS) / (KILLS + 1)));
      if (kills % 2 === 0) {
        await killScheduling();
        continue;
      }
      const open = (await killPayments()).filter((id) => !leftOpen.has(id));
      expect(open.length).toBeLessThanOrEqual(ASKERS * RUNS_MAX);
      for (const id of open) leftOpen.add(id);
    }
    await untilDecided();
    const [performed, failed] = [await runs('RunPerformed'), await runs('RunFailed')];
    expect(new Set([...performed, ...failed]).size).toBe(RUNS);
    // What a kill of payments has met between its record and its call is found nowhere, and may only seem so:
    // it is not tried again. Whatever else has failed was certainly sent to nobody, and is.
    const triedAgain = new Set(await recovered());
    expect(failed.filter((id) => leftOpen.has(id) === triedAgain.has(id))).toEqual([]);
    const booked = await book();
    const times = (id: string): number => booked.split(`"reference":"${id}"`).length - 1;
    for (const id of performed) expect([id, times(id)]).toEqual([id, 1]);
    for (const id of failed) expect([id, times(id)]).toEqual([id, 0]);
    expect(await paid(1)).toHaveLength(RUNS);
  });
});
