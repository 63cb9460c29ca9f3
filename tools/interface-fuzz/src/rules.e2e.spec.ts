import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@sluice/testing';
import { randomBytes } from 'node:crypto';
import { type FuzzedSandbox, startFuzzedSandbox } from './fuzzed-sandbox.js';
import { reportLines, type RuleReport, runRules } from './rule-run.js';
import type { HttpAnswer } from './rule-sending.js';
import { toldOtherwise } from './told-answers.js';

const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
const REQUESTS = 2_000;
const PAYMENTS = 20;
const RUN_WITHIN_MS = 240_000;
/** A payment, approved: as it is told. */
const PAID = /^\{"id":"[0-9a-f]{32}".*"paymentType":"(?:DB|PA|CD)".*"code":"000\.100\.1/s;

describe(`${REQUESTS} requests, right or wrong in one rule (TEST_SEED=${SEED} repeats them)`, () => {
  let sandbox: FuzzedSandbox | undefined;
  let report: RuleReport;
  const answers: HttpAnswer[] = [];

  beforeAll(async () => {
    sandbox = await startFuzzedSandbox(PAYMENTS);
    const { url, context } = sandbox;
    const random = seededRandom(SEED);
    const onAnswer = (answer: HttpAnswer) => void answers.push(answer);
    report = await runRules({ url, context, random, requests: REQUESTS, onAnswer });
    process.stderr.write(`${reportLines(report).slice(0, 5).join('\n')}\n`);
  }, RUN_WITHIN_MS);
  afterAll(() => sandbox?.stop());

  it("each has the interface's verdict, without 5xx and within a second", () => {
    expect(report.findings.join('\n\n')).toBe('');
    expect(report.findingsTotal).toBe(0);
    expect(report.requests).toBe(REQUESTS);
  });

  it('what was paid is told as it was answered', async () => {
    const { receiver } = sandbox!;
    const paid = answers.filter(({ body }) => PAID.test(body));
    expect(paid.length).toBeGreaterThan(REQUESTS / 20);
    for (const { body } of paid) {
      await receiver.hasHeard((JSON.parse(body) as { readonly id: string }).id);
    }
    expect(toldOtherwise(paid, receiver.told)).toEqual([]);
  });

  it('both kinds of verdict are there', () => {
    expect(report.valid).toBeGreaterThan(REQUESTS / 4);
    expect(report.requests - report.valid).toBeGreaterThan(REQUESTS / 4);
    expect(report.rules).toBeGreaterThan(500);
  });
});
