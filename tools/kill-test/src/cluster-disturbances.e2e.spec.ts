import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandTopics, deadTopicOf } from '@sluice/contracts';
import { deletePostgresData } from '@sluice/embedded-postgres';
import { createKafka } from '@sluice/messaging';
import {
  type ClusterProcess,
  endOrphans,
  type ServiceProcess,
  startCluster,
  startServiceProcess,
} from '@sluice/testing';
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadSample, notApproved, p99Ms, PaymentLoad } from './payment-load.js';
import { ACCOUNT, seedFile } from './test-channel.js';
import { after } from './times.js';

const PER_SECOND = 30;
const PHASE_MS = Number(process.env['TEST_DISTURBANCE_MS'] ?? 6_000);
/**
 * Twice the normal value is allowed, and at least this: on a machine that others use too, a few
 * milliseconds double by themselves. A group that stands still takes 3 s. The long run has 0 here.
 */
const P99_ALLOWED_MS = Number(process.env['TEST_P99_ALLOWED_MS'] ?? 1_500);
const FLOWS_AGAIN_WITHIN_MS = 8_000;
/** From here on a payment was felt to wait. */
const WAITED_MS = 1_000;
const SLOW_PER_SECOND = 4;
const SLOW_ACQUIRER = 'delay:10000';
const POISONS = 10;
const STANDARD_ERROR = 2;
const pause = (ms: number): Promise<void> => after(ms, () => Promise.resolve());
const say = (line: string): void => {
  writeSync(STANDARD_ERROR, `${line}\n`);
};

let folder: string;
let cluster: ClusterProcess;
const extras: ServiceProcess[] = [];
let normalP99Ms = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-disturbances-'));
  await writeFile(join(folder, 'seed.json'), seedFile());
  cluster = await startCluster({
    dataFolder: join(folder, 'data'),
    arguments: ['--seed', join(folder, 'seed.json')],
  });
  await during(() => pause(PHASE_MS / 2)); // everything is loaded and compiled by then
}, 300_000);

afterAll(async () => {
  await Promise.all(extras.map((extra) => extra.kill()));
  await cluster.stop();
  await endOrphans(join(folder, 'data'));
  await deletePostgresData(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
}, 120_000);

/** What payments met while something was done. */
async function during(work: () => Promise<unknown>): Promise<readonly LoadSample[]> {
  const load = new PaymentLoad(cluster.url, ACCOUNT);
  load.start(PER_SECOND);
  await work();
  return load.stop();
}

/** Another instance of payments beside the one that the cluster keeps. */
async function joined(): Promise<ServiceProcess> {
  const [member] = await cluster.members('payments');
  const extra = startServiceProcess({
    entry: 'apps/payments/dist/main.js',
    environment: { ...member!.environment, MANAGEMENT_PORT: '0', INTERNAL_PORT: '0' },
  });
  extras.push(extra);
  await extra.logged('Payments takes commands and queries.');
  return extra;
}

function expectUndisturbed(what: string, samples: readonly LoadSample[]): void {
  const p99 = p99Ms(samples);
  say(`${what}: p99 ${p99.toFixed(0)} ms of ${samples.length}, normally ${normalP99Ms.toFixed(0)}`);
  expect(notApproved(samples)).toEqual([]);
  expect(p99).toBeLessThanOrEqual(Math.max(2 * normalP99Ms, P99_ALLOWED_MS));
}

describe('a cluster under load', () => {
  it('grows from one instance of payments to three, and no reply is lost', async () => {
    const samples = await during(async () => {
      await joined();
      await pause(PHASE_MS / 2);
      await joined();
      await pause(PHASE_MS / 2);
    });
    say(`1 to 3: p99 ${p99Ms(samples).toFixed(0)} ms of ${samples.length}`);
    expect(notApproved(samples)).toEqual([]);
  }, 120_000);

  it('has a normal time', async () => {
    const samples = await during(() => pause(PHASE_MS));
    normalP99Ms = p99Ms(samples);
    say(`normally: p99 ${normalP99Ms.toFixed(0)} ms of ${samples.length}`);
    expect(notApproved(samples)).toEqual([]);
  }, 60_000);

  it('does not mind payments that wait ten seconds for their acquirer', async () => {
    const slow = new PaymentLoad(cluster.url, ACCOUNT, SLOW_ACQUIRER);
    slow.start(SLOW_PER_SECOND);
    const samples = await during(() => pause(PHASE_MS));
    const slowSamples = await slow.stop();
    expectUndisturbed('a slow acquirer', samples);
    expect(notApproved(slowSamples)).toEqual([]);
    expect(Math.min(...slowSamples.map(({ tookMs }) => tookMs))).toBeGreaterThan(9_900);
  }, 90_000);

  it('parks messages that nobody can read, and goes on', async () => {
    const { brokers } = await cluster.describe();
    const kafka = createKafka({ brokers: brokers.split(','), clientId: 'poison' });
    const [producer, admin] = [kafka.producer(), kafka.admin()];
    await Promise.all([producer.connect(), admin.connect()]);
    const dead = deadTopicOf(commandTopics.payments);
    const parked = async (): Promise<number> => {
      const offsets = await admin.fetchTopicOffsets(dead);
      return offsets.reduce((sum, { high }) => sum + Number(high), 0);
    };
    const before = await parked();
    const poisons = Array.from({ length: POISONS }, () => randomUUID().replaceAll('-', ''));
    const samples = await during(async () => {
      const messages = poisons.map((key) => ({ key, value: 'no JSON at all {' }));
      await producer.send({ topic: commandTopics.payments, messages });
      await pause(PHASE_MS);
    });
    expectUndisturbed('poison', samples);
    expect((await parked()) - before).toBe(POISONS);
    await Promise.all([producer.disconnect(), admin.disconnect()]);
  }, 60_000);

  it('does not mind an instance that leaves, and one that joins', async () => {
    const left = await during(async () => {
      await extras.pop()?.stop();
      await pause(PHASE_MS / 2);
    });
    expectUndisturbed('a graceful leave', left);
    const afterJoin = await during(async () => {
      await joined();
      await pause(PHASE_MS / 2);
    });
    expectUndisturbed('a graceful join', afterJoin);
  }, 120_000);

  it('pays again within eight seconds of kill -9 of one of three', async () => {
    let killedAt = 0;
    const samples = await during(async () => {
      await pause(1_000);
      killedAt = performance.now();
      await extras.pop()?.kill();
      await pause(FLOWS_AGAIN_WITHIN_MS + PHASE_MS / 2);
    });
    const felt = samples.filter(
      ({ sentAtMs, tookMs, outcome }) =>
        sentAtMs > killedAt && (tookMs > WAITED_MS || outcome !== '000.100.110'),
    );
    // Until a payment is answered that was held up, they do not flow.
    const flowsAfterMs = Math.max(
      0,
      ...felt.map(({ sentAtMs, tookMs }) => sentAtMs + tookMs - killedAt),
    );
    say(`kill -9 of one of three: payments flow again after ${flowsAfterMs.toFixed(0)} ms`);
    expect(flowsAfterMs).toBeLessThanOrEqual(FLOWS_AGAIN_WITHIN_MS);
  }, 120_000);

  it('shrinks back to one instance, and no reply is lost', async () => {
    const samples = await during(async () => {
      for (const extra of extras.splice(0)) expect(await extra.stop()).toMatchObject({ code: 0 });
      await pause(PHASE_MS / 2);
    });
    say(`3 to 1: p99 ${p99Ms(samples).toFixed(0)} ms of ${samples.length}`);
    expect(notApproved(samples)).toEqual([]);
  }, 120_000);
});
