import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deletePostgresData } from '@sluice/embedded-postgres';
import {
  endOrphans,
  RawConnection,
  seededRandom,
  seedOf,
  startSandbox,
  type SandboxProcess,
} from '@sluice/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  formText,
  hostile,
  hostileBytes,
  validDebit,
  type RequestContext,
  type WireParameter,
} from './request-text.js';
import { runHostileRequests, type HostileReport } from './run.js';

const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
const REQUESTS = 20_000;
/** Enough that the refused references are spread: a payment holds a thousand at most (D-09). */
const PAYMENTS = 40;
const RUN_WITHIN_MS = 150_000;
const ANSWER_WITHIN_MS = 10_000;
/** Control characters other than the line break, and what turns the direction of text. */
const UNPRINTABLE = /[^\P{Cc}\n]|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const account = {
  entityId: '8ac7a4c8700000000000000000000003',
  accessToken: 'hostile-requests-access-token-0123456789',
};

describe(`${REQUESTS} hostile requests (TEST_SEED=${SEED} repeats them)`, () => {
  const random = seededRandom(SEED);
  let folder: string;
  let started: SandboxProcess | undefined;
  let sandbox: SandboxProcess;
  let report: HostileReport;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-hostile-requests-'));
    await writeFile(join(folder, 'seed.json'), seedOf('Hostile requests', account));
    sandbox = started = await startSandbox({
      dataFolder: join(folder, 'data'),
      arguments: ['--seed', join(folder, 'seed.json')],
    });
    const { url } = sandbox;
    const context: RequestContext = { ...account, paymentIds: await makePayments(url) };
    report = await runHostileRequests({ url, context, random, requests: REQUESTS });
    const { durationMs, statuses, slowestMs } = report;
    process.stderr.write(
      `${REQUESTS} hostile requests in ${Math.round(durationMs)} ms, slowest ${Math.round(slowestMs)} ms, ` +
        `by status ${JSON.stringify(Object.fromEntries(statuses))}\n`,
    );
  }, RUN_WITHIN_MS);
  afterAll(async () => {
    // Where the start failed there is nothing to kill, and still a folder to remove.
    await started?.kill();
    await endOrphans(join(folder, 'data'));
    await deletePostgresData(join(folder, 'data'));
    await rm(folder, { recursive: true, force: true });
  });

  it('each is answered in time, without 5xx, as JSON with a result code, and refused if wrong', () => {
    expect(report.findings.join('\n\n')).toBe('');
    expect(report.findingsTotal).toBe(0);
    expect(report.requests).toBe(REQUESTS);
    expect(report.kinds.size).toBeGreaterThanOrEqual(30);
  });

  it('afterwards the sandbox still takes payments', async () => {
    expect(await makePayments(sandbox.url)).toHaveLength(PAYMENTS);
  });

  it('what it prints holds nothing that could forge or hide a line', () => {
    const lines = sandbox.output().split('\n');
    expect(lines.filter((line) => UNPRINTABLE.test(line)).slice(0, 5)).toEqual([]);
    expect(lines.filter((line) => line.includes('forged line')).slice(0, 5)).toEqual([]);
  });

  /** Card debits and authorizations of 92.00 EUR that hostile references can point at. */
  async function makePayments(url: string): Promise<string[]> {
    const context: RequestContext = { ...account, paymentIds: [] };
    const connection = new RawConnection(url);
    const ids: string[] = [];
    for (let index = 0; index < PAYMENTS; index++) {
      const parameters = validDebit(context, random).map<WireParameter>(([name, value]) =>
        name === 'paymentType' && index % 2 === 0 ? [name, 'PA'] : [name, value],
      );
      const bytes = hostileBytes(context, { body: formText(parameters) });
      const request = { ...hostile('payment', context, {}), bytes };
      const { answers } = await connection.exchange(request, ANSWER_WITHIN_MS);
      const text = answers[0]?.body.toString('utf8') ?? '';
      const { id } = JSON.parse(text) as { id?: string };
      if (id === undefined) throw new Error(`no payment: ${text}`);
      ids.push(id);
    }
    connection.close();
    return ids;
  }
});
