import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  AssessmentAnswer,
  AssessQuery,
  AuthenticationVault,
  EventsOfStreamsQuery,
} from '@sluice/contracts';
import type { PaymentStep } from '@sluice/domain-risk';
import { type EntityId, newTransactionId } from '@sluice/identifiers';
import { InProcessBus, type Queries } from '@sluice/messaging';
import { RiskModule, RuleBook, type RunningRisk } from '@sluice/risk';
import { createLogger, ensureRolesAndSchema, FileKeyProvider } from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';

const START_WITHIN_MS = 60_000;
const CHANNEL = '1'.repeat(32) as EntityId;
const MERCHANT = '2'.repeat(32) as EntityId;
const folder = mkdtempSync(join(tmpdir(), 'sluice-counted-windows-'));
const amount = { minor: '9200', currency: 'EUR' } as const;

let server: TestDatabase;
let administrator: pg.Pool;
let rules: RuleBook;
let risk: RunningRisk;
let keys: FileKeyProvider;
let environment: NodeJS.ProcessEnv;
/** What payments has recorded, which its database has, too. */
const streams = new Map<string, readonly Step[]>();
const bus = new InProcessBus({ drainMs: 1 });

interface Step {
  readonly type: PaymentStep['type'];
  readonly data?: object;
}

const payments: Queries = {
  ask: <Answer>(_service: string, query: string, parameters: object) => {
    const heads = [...streams.keys()].map((streamId) => ({ streamId, version: 1 }));
    if (query === 'payments.streamHeads') {
      const answer = { heads, next: '1', more: false, incarnation: 'one' };
      return Promise.resolve(answer as Answer);
    }
    const { streamIds } = parameters as EventsOfStreamsQuery;
    const eventsOf = (id: string) =>
      (streams.get(id) ?? []).map(({ type, data }) => ({
        ...{ type, schemaVersion: 1, data: { event: { transactionId: id, ...data } } },
      }));
    return Promise.resolve({ streams: streamIds.map(eventsOf) } as Answer);
  },
};
const nobody = () => Promise.reject(new Error('Nobody is authenticated here.'));
const vault: AuthenticationVault = { revealNumber: nobody, holdProof: nobody, revealProof: nobody };

beforeAll(async () => {
  server = await startTestDatabase();
  const databases = await ensureRolesAndSchema(server.url, ['risk', 'payments']);
  const options = '-c search_path=risk';
  administrator = new pg.Pool({ connectionString: server.url, max: 1, options });
  rules = new RuleBook(administrator);
  environment = {
    RISK_DATABASE_URL: databases.risk.appUrl,
    RISK_OWNER_DATABASE_URL: databases.risk.ownerUrl,
    PAYMENTS_DATABASE_URL: databases.payments.appUrl,
    PAYMENTS_OWNER_DATABASE_URL: databases.payments.ownerUrl,
  };
  expect((await run('migrations', 'apply', 'payments')).exitCode).toBe(0);
  keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
  risk = await RiskModule.start({
    settings: {
      ...{ databaseUrl: databases.risk.appUrl, ownerDatabaseUrl: databases.risk.ownerUrl },
      schema: databases.risk.schema,
    },
    ...{ queries: payments, keyProvider: keys, vault, authentication: { resultsPort: 0 } },
    ...{ transport: bus.transport('risk') },
    logger: createLogger({ service: 'risk', level: 'silent' }),
  });
}, START_WITHIN_MS);

beforeEach(async () => {
  streams.clear();
  await administrator.query('TRUNCATE payments.events CASCADE');
  // The rules stay: the next ones are a newer version, which is read.
  await administrator.query('TRUNCATE assessments, payer_counts, payer_histories, outcomes_read');
});

afterAll(async () => {
  await risk.close();
  keys.close();
  await administrator.end();
  await server.drop();
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]): Promise<Ran> => sluice(words, { environment });

async function ruled(counts: string, atMost: number, ...others: readonly object[]): Promise<void> {
  const often = {
    ...{ id: 'often', name: 'Too often', then: 'reject' },
    when: { velocity: { by: 'card', counts, within: '1h', atMost } },
  };
  await rules.change(CHANNEL, { rules: [often, ...others] }, 'a spec');
  await risk.look();
}

const MINUTE_MS = 60_000;
let made = 0;

/** What the rules say of a payment, of which then this is recorded. */
async function decided(...steps: readonly Step[]): Promise<string> {
  made += 1;
  const receivedAtMs = Date.now() - 30 * MINUTE_MS + made;
  const assessmentId = newTransactionId(receivedAtMs);
  const { decision } = await bus.queries.ask<AssessmentAnswer>('risk', 'risk.assess', {
    ...{ assessmentId, entityId: CHANNEL, nodes: [CHANNEL, MERCHANT], mode: 'INTERNAL' },
    ...{ operation: 'debit', amount, receivedAtMs, accountFingerprint: 'f1' },
    instrument: {
      ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
      ...{ expiryMonth: '05', expiryYear: '2034' },
    },
    parameters: {},
  } satisfies AssessQuery);
  const all: readonly Step[] = [{ type: 'PaymentInitiated', data: { amount } }, ...steps];
  streams.set(assessmentId, all);
  for (const [at, { type, data }] of all.entries()) {
    await administrator.query(
      `INSERT INTO payments.events (stream_id, version, event_id, command_id, type,
         schema_version, data, metadata)
       VALUES ($1, $2, gen_random_uuid(), gen_random_uuid(), $3, 1, $4, '{}')`,
      [assessmentId, at + 1, type, { transactionId: assessmentId, ...data }],
    );
  }
  await risk.look();
  return decision;
}

async function rebuildCounts(): Promise<void> {
  expect((await run('risk', 'rebuild-counts', '--execute')).exitCode).toBe(0);
}

/** How many payments the rule of velocity would have rejected, by the rules that there are; none is added above. */
async function rejectedOnceMore(): Promise<number> {
  const path = join(folder, 'idle.json');
  writeFileSync(path, '{ "rules": [] }');
  const ran = await run('risk', 'what-if', '--rules', path, '--from', '2026-01-01', '--json');
  const { rules: held } = ran.json() as {
    rules: readonly { id: string; held: { EUR?: { payments: number } } }[];
  };
  return held.find(({ id }) => id === 'often')?.held.EUR?.payments ?? 0;
}

describe('a window counts the same live, counted again, and in what-if', () => {
  it('as passed: not what rules rejected once the issuer was asked', async () => {
    const code = {
      id: 'code',
      name: 'Wrong code',
      then: 'reject',
      when: { checks: { cvv: ['N'] } },
    };
    await ruled('passed', 2, code);
    const rejected: readonly Step[] = [
      { type: 'RiskAssessed', data: { decision: 'reject', score: 0 } },
      { type: 'TransactionDeclined', data: { resultCode: '800.100.153' } },
    ];
    expect([await decided(...rejected), await decided(...rejected)]).toEqual(['accept', 'accept']);
    expect(await decided()).toBe('accept');
    await rebuildCounts();
    expect([await decided(), await decided()]).toEqual(['accept', 'reject']);
    expect(await rejectedOnceMore()).toBe(1);
  });

  it('as passed: what rules let pass, and a person did not want', async () => {
    await ruled('passed', 1);
    const unwanted = await decided(
      { type: 'RiskAssessed', data: { decision: 'review', score: 0 } },
      { type: 'TransactionApproved' },
      { type: 'ReviewDecided', data: { decision: 'rejected' } },
    );
    expect([unwanted, await decided()]).toEqual(['accept', 'reject']);
    await rebuildCounts();
    expect(await decided()).toBe('reject');
    expect(await rejectedOnceMore()).toBe(2);
  });

  it('as declined: no challenge that came to nothing, also of a soft decline', async () => {
    await ruled('declined', 1);
    const cancelled: readonly Step[] = [
      { type: 'AuthenticationPending' },
      { type: 'AuthenticationCompleted', data: { goesOn: false } },
      { type: 'TransactionDeclined', data: { resultCode: '100.396.101' } },
    ];
    const soft: readonly Step[] = [{ type: 'AuthorizationRequested' }, ...cancelled];
    const declined: readonly Step[] = [
      { type: 'AuthenticationPending' },
      { type: 'AuthenticationCompleted', data: { goesOn: true } },
      { type: 'TransactionDeclined', data: { resultCode: '800.100.152' } },
    ];
    const steps = [cancelled, soft, cancelled, declined];
    const decisions: string[] = [];
    for (const each of steps) decisions.push(await decided(...each));
    expect(decisions).toEqual(steps.map(() => 'accept'));
    await rebuildCounts();
    expect([await decided(...declined), await decided()]).toEqual(['accept', 'reject']);
    expect(await rejectedOnceMore()).toBe(1);
  });
});
