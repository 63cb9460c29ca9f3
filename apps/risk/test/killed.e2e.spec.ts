import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AssessmentAnswer, AssessQuery } from '@sluice/contracts';
import { HttpQueries } from '@sluice/messaging';
import { ensureRolesAndSchema } from '@sluice/service';
import {
  type ServiceProcess,
  startServiceProcess,
  startTestDatabase,
  type TestDatabase,
} from '@sluice/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { RuleBook } from '../src/index.js';
import { atMost, CHANNEL, payment } from './risk-fixture.js';

/** Risk as two processes of its own over one PostgreSQL, asked as payments asks. */
const LIMIT = 3;
/** Half of them each process is asked. */
const PAYMENTS = 200;
const START_MS = 120_000;
const POLL_INTERVAL_MS = 5;
const STUCK_WITHIN_MS = 10_000;

interface Instance {
  readonly process: ServiceProcess;
  readonly queries: HttpQueries;
}

let database: TestDatabase;
let administrator: pg.Pool;
let folder: string;
let environment: Readonly<Record<string, string>>;
const started: Instance[] = [];
let survivor: Instance;

async function start(): Promise<Instance> {
  const process = startServiceProcess({ entry: 'apps/risk/dist/main.js', environment });
  const { url } = await process.logged('Other services are answered.');
  await process.logged('The service risk has started.');
  const instance = { process, queries: new HttpQueries({ urls: { risk: [String(url)] } }) };
  started.push(instance);
  return instance;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-risk-killed-'));
  const keyFile = join(folder, 'keys.json');
  const keys = { current: '1', keys: { '1': Buffer.alloc(32, 1).toString('base64') } };
  await writeFile(keyFile, JSON.stringify(keys), { mode: 0o600 });
  database = await startTestDatabase();
  const own = (await ensureRolesAndSchema(database.url, ['risk'])).risk;
  const options = `-c search_path=${own.schema}`;
  administrator = new pg.Pool({ connectionString: database.url, max: 3, options });
  environment = {
    RISK_DATABASE_URL: own.appUrl,
    RISK_OWNER_DATABASE_URL: own.ownerUrl,
    RISK_KEY_FILE: keyFile,
    ...{ PAYMENTS_URLS: 'http://127.0.0.1:1', VAULT_URLS: 'http://127.0.0.1:1' },
  };
  // The first one makes the tables.
  const first = await start();
  await new RuleBook(administrator).change(CHANNEL, { rules: [atMost(LIMIT)] }, 'a spec');
  await first.process.stop();
  survivor = await start();
}, START_MS);

afterAll(async () => {
  for (const { process, queries } of started) {
    await queries.close();
    await process.kill();
  }
  await administrator.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const ask = ({ queries }: Instance, query: AssessQuery) =>
  queries.ask<AssessmentAnswer>('risk', 'risk.assess', query);
/** Undefined where the process ended before it answered. */
const tried = (instance: Instance, query: AssessQuery) =>
  ask(instance, query).catch(() => undefined);
const of = (card: string, count: number) =>
  Array.from({ length: count }, () => payment({ accountFingerprint: card }));
const passed = (answers: readonly (AssessmentAnswer | undefined)[]) =>
  answers.filter((answer) => answer?.decision === 'accept').length;

/** Asks the one that lives about all of them: under their ids, as payments does when it hears nothing. */
async function exactlyAsTheRuleSays(
  payments: readonly AssessQuery[],
  first: readonly (AssessmentAnswer | undefined)[],
): Promise<void> {
  const again = await Promise.all(payments.map((each) => ask(survivor, each)));
  expect(passed(again)).toBe(LIMIT);
  for (const [at, answer] of first.entries()) {
    if (answer !== undefined) expect(again[at]).toEqual(answer);
  }
  const ids = payments.map(({ assessmentId }) => assessmentId);
  const { rows } = await administrator.query<{ count: number }>(
    'SELECT count(*)::int FROM assessments WHERE assessment_id = ANY($1)',
    [ids],
  );
  expect(rows[0]?.count).toBe(PAYMENTS);
}

/** Waits until so many are in this statement and cannot go on. */
async function untilStuckIn(statement: string, count: number): Promise<void> {
  const text = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
  const giveUpAt = performance.now() + STUCK_WITHIN_MS;
  while (performance.now() < giveUpAt) {
    const { rowCount } = await administrator.query(text, [`${statement}%`]);
    if (rowCount !== null && rowCount >= count) return;
    await pause(POLL_INTERVAL_MS);
  }
  throw new Error(`Nobody waits in ${statement}.`);
}

async function countedRows(): Promise<number> {
  const text = 'SELECT count(*)::int FROM payer_counts';
  return (await administrator.query<{ count: number }>(text)).rows[0]?.count ?? 0;
}

describe('risk that is killed while two hundred payments of one card are judged', () => {
  it('has counted what it had sent, though it hears nothing of it, nothing else, and the other one goes on', async () => {
    const victim = await start();
    const [ofVictim, ofSurvivor] = [of('stuck', PAYMENTS / 2), of('stuck', PAYMENTS / 2)];
    // Preparing statements would wait for the table, too.
    await Promise.all(
      [victim, survivor].map((each) => ask(each, payment({ accountFingerprint: 'before' }))),
    );
    const before = await countedRows();
    const holder = await administrator.connect();
    // Whoever has decided cannot write it down.
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE payer_counts IN SHARE MODE');
    const lost = ofVictim.map((each) => tried(victim, each));
    await untilStuckIn('EXECUTE keep_assessments', 1);
    const kept = ofSurvivor.map((each) => ask(survivor, each));
    await untilStuckIn('BEGIN; EXECUTE lock_payers', 1);
    await victim.process.kill();
    await holder.query('COMMIT');
    holder.release();
    expect(await Promise.all(lost)).toEqual(ofVictim.map(() => undefined));
    const answers = await Promise.all(kept);
    // Its last message ends its transaction, so the database does that although nobody waits for it any more.
    const unheard = (await countedRows()) - before - PAYMENTS / 2;
    expect(unheard).toBeGreaterThan(0);
    expect(unheard).toBeLessThan(PAYMENTS / 2);
    expect(passed(answers)).toBe(LIMIT - Math.min(LIMIT, unheard));
    await exactlyAsTheRuleSays(
      [...ofVictim, ...ofSurvivor],
      [...ofVictim.map(() => undefined), ...answers],
    );
    expect((await countedRows()) - before).toBe(PAYMENTS);
  });

  it.each([1, 30, 60])('lets exactly three pass, killed after %i answers', async (killedAfter) => {
    const victim = await start();
    const before = await countedRows();
    const payments = of(`after ${killedAfter}`, PAYMENTS);
    let answered = 0;
    const first = payments.map(async (each, at) => {
      const answer = await tried(at % 2 === 0 ? victim : survivor, each);
      answered += answer === undefined ? 0 : 1;
      if (answered === killedAfter) victim.process.signal('SIGKILL');
      return answer;
    });
    const answers = await Promise.all(first);
    expect((await victim.process.ended).signal).toBe('SIGKILL');
    expect(answers).toContain(undefined);
    await exactlyAsTheRuleSays(payments, answers);
    expect((await countedRows()) - before).toBe(PAYMENTS);
  });
});
