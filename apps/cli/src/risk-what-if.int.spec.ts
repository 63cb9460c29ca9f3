import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsModule, type RunningAccounts } from '@sluice/accounts';
import { channelAccounts } from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import { InProcessBus } from '@sluice/messaging';
import { PayerHashes } from '@sluice/risk';
import { createLogger, ensureRolesAndSchema, FileKeyProvider } from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';

const START_WITHIN_MS = 120_000;
const NOW_MS = Date.UTC(2031, 4, 4);
const channelId = '1'.repeat(32) as EntityId;
const shop = channelAccounts({
  ...{ entityId: channelId, name: 'Shop', merchant: 'Books', compatibility: {} },
  ...{ accessTokens: [], legacyCredentials: [] },
});
const merchantId = shop.find(({ kind }) => kind === 'merchant')?.id ?? '';
/** More than are read at once. */
const PAYMENTS = 6_000;
/** A fingerprint as rules have it. */
const cardNo = (at: number): string => String(at).padStart(64, '0');
/** Which card pays, by the number of the payment: some pay more often than others. */
const CARD = '(abs(hashint4(n)::bigint) % 60)::int';
/** Ten a minute: ten hours, of which the first is before the time that is looked at. */
const FROM = '2031-05-01T01:00';

let server: TestDatabase;
let accounts: RunningAccounts;
let administrator: pg.Pool;
let environment: NodeJS.ProcessEnv;
const folder = mkdtempSync(join(tmpdir(), 'sluice-what-if-'));
const keyFile = join(folder, 'keys.json');

beforeAll(async () => {
  server = await startTestDatabase();
  const databases = await ensureRolesAndSchema(server.url, ['accounts', 'risk', 'payments']);
  administrator = new pg.Pool({ connectionString: server.url, max: 1 });
  accounts = await AccountsModule.start({
    database: {
      databaseUrl: databases.accounts.appUrl,
      ownerDatabaseUrl: databases.accounts.ownerUrl,
      schema: 'accounts',
    },
    ...{ credentialKey: Buffer.alloc(32, 3), manualChargebacks: true },
    transport: new InProcessBus().transport('accounts'),
    logger: createLogger({ service: 'accounts', level: 'silent' }),
  });
  await accounts.seed(shop);
  environment = {
    ACCOUNTS_DATABASE_URL: databases.accounts.appUrl,
    RISK_DATABASE_URL: databases.risk.appUrl,
    RISK_OWNER_DATABASE_URL: databases.risk.ownerUrl,
    PAYMENTS_DATABASE_URL: databases.payments.appUrl,
    PAYMENTS_OWNER_DATABASE_URL: databases.payments.ownerUrl,
  };
  for (const service of ['risk', 'payments']) {
    expect((await run('migrations', 'apply', service)).exitCode).toBe(0);
  }
  await seed(databases.risk.appUrl);
}, START_WITHIN_MS);

afterAll(async () => {
  await accounts.close();
  await administrator.end();
  await server.drop();
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]): Promise<Ran> =>
  sluice(words, { environment, nowMs: NOW_MS });

/** A history of sixty cards in two currencies; every tenth was rejected, every ninth charged back. */
async function seed(riskUrl: string): Promise<void> {
  const keys = await FileKeyProvider.open(keyFile, { createIfAbsent: true });
  const risk = new pg.Pool({ connectionString: riskUrl, max: 1, options: '-c search_path=risk' });
  const hashes = new PayerHashes(risk, keys);
  await hashes.open();
  const cards = Array.from({ length: 60 }, (_, at) => hashes.mark('card', cardNo(at)));
  await risk.end();
  keys.close();
  await administrator.query(
    `INSERT INTO risk.assessments (assessment_id, entity_id, amount_minor, currency, decision,
       score, fired, received_at, facts)
     SELECT lpad(to_hex(n), 32, '0'), $1, 1000 + (n * 37) % 9000,
       CASE WHEN n % 4 = 0 THEN 'JPY' ELSE 'EUR' END,
       CASE WHEN n % 10 = 0 THEN 'reject' ELSE 'accept' END, 0, '[]',
       timestamptz '2031-05-01T00:00Z' + make_interval(secs => (n / 2) * 12),
       jsonb_build_object('nodes', jsonb_build_array($1::text, $2::text), 'mode', 'LIVE',
         'operation', 'debit', 'payer', jsonb_build_object('card', ($3::text[])[1 + ${CARD}]))
     FROM generate_series(0, $4::int - 1) AS n`,
    [channelId, merchantId, cards, PAYMENTS],
  );
  const event = (type: string, data: string, version: number, when: string) =>
    administrator.query(
      `INSERT INTO payments.events (stream_id, version, event_id, command_id, type,
         schema_version, data, metadata)
       SELECT id, ${version}, gen_random_uuid(), gen_random_uuid(), '${type}', 1, ${data}, '{}'
       FROM (SELECT lpad(to_hex(n), 32, '0') AS id, n
         FROM generate_series(0, $1::int - 1) AS n) AS made WHERE ${when}`,
      [PAYMENTS],
    );
  const outcome = "json_build_object('transactionId', id)";
  await event('TransactionApproved', outcome, 2, 'n % 10 > 0 AND n % 7 > 0');
  await event('TransactionDeclined', outcome, 2, 'n % 10 > 0 AND n % 7 = 0');
  // A capture that was declined says nothing of its payment.
  const other = "json_build_object('transactionId', repeat('f', 32))";
  await event('TransactionDeclined', other, 3, 'n % 10 > 0 AND n % 7 > 0');
  const money = "json_build_object('amount', json_build_object('minor', '900', 'currency', 'EUR'))";
  await event('ChargebackReceived', money, 4, 'n % 10 > 0 AND n % 7 > 0 AND n % 9 < 2');
  await event('ChargebackReversed', money, 5, 'n % 10 > 0 AND n % 7 > 0 AND n % 9 = 1');
}

/** The same by one statement, from scratch: what a window counts, and what became of it. */
async function recounted(atMost: number): Promise<object> {
  const { rows } = await administrator.query<{ what: string; currency: string; sum: object }>(
    `WITH past AS (SELECT assessment_id AS id, received_at AS at, currency, amount_minor AS minor,
         decision, facts->'payer'->>'card' AS card FROM risk.assessments),
       judged AS (SELECT past.*, (SELECT count(*) FROM past AS other WHERE other.card = past.card
           AND other.at > past.at - interval '1h' AND (other.at, other.id) <= (past.at, past.id)
         ) > $1 AS stopped,
         EXISTS (SELECT FROM payments.events WHERE stream_id = id AND type = 'ChargebackReceived')
           AND NOT EXISTS (SELECT FROM payments.events
             WHERE stream_id = id AND type = 'ChargebackReversed') AS lost,
         EXISTS (SELECT FROM payments.events WHERE stream_id = id AND type = 'TransactionApproved'
           AND data->>'transactionId' = id) AS good
         FROM past WHERE at >= $2::timestamptz),
       named AS (SELECT *, CASE
           WHEN decision = 'reject' THEN CASE WHEN stopped THEN NULL ELSE 'admitted' END
           WHEN lost THEN CASE WHEN stopped THEN 'caught' ELSE 'missed' END
           WHEN good AND stopped THEN 'refused' END AS what FROM judged)
     SELECT what, currency, json_build_object('payments', count(*), 'amount', CASE currency
         WHEN 'JPY' THEN sum(minor)::text ELSE (sum(minor) / 100)::numeric(12, 2)::text END) AS sum
     FROM named WHERE what IS NOT NULL GROUP BY what, currency`,
    [atMost, `${FROM}Z`],
  );
  const counted: Record<string, Record<string, object>> = {};
  for (const { what, currency, sum } of rows) (counted[what] ??= {})[currency] = sum;
  return counted;
}

function file(...rules: object[]): string {
  const path = join(folder, 'rules.json');
  writeFileSync(path, JSON.stringify({ rules }));
  return path;
}

const often = (atMost: number) => ({
  ...{ id: 'often', name: 'Too often', then: 'reject' },
  when: { velocity: { by: 'card', within: '1h', atMost } },
});
const whatIf = (rules: string, ...words: readonly string[]) =>
  run('risk', 'what-if', '--rules', rules, '--from', FROM, ...words);

describe('risk what-if', () => {
  it.each([8, 12])('agrees with a recount of the history in SQL, at most %i', async (atMost) => {
    const ran = await whatIf(file(often(atMost)), '--json');
    expect([ran.exitCode, ran.errors]).toEqual([0, expect.stringContaining('6,000 of 6,000')]);
    const { caught, missed, refused, admitted, rules } = ran.json() as Record<string, object>;
    const expected = await recounted(atMost);
    expect(Object.keys(expected).sort()).toEqual(['admitted', 'caught', 'missed', 'refused']);
    expect({ caught, missed, refused, admitted }).toEqual(expected);
    expect(rules).toMatchObject([{ id: 'often', caught, refused }]);
  });

  it('shows tables, and draws', async () => {
    const picture = join(folder, 'effect.svg');
    const ran = await whatIf(file(often(8)), '--node', channelId, '--picture', picture);
    expect([ran.exitCode, ran.output]).toEqual([0, expect.stringContaining('5,400 payments')]);
    expect(ran.output).toMatch(/^charged back, would be rejected +EUR +[0-9]+ +[0-9,.]+$/m);
    expect(ran.output).toMatch(new RegExp(`^often +${channelId} +JPY +[0-9]`, 'm'));
    expect(ran.output).toContain(`It is drawn in ${picture}.`);
    const drawn = readFileSync(picture, 'utf8');
    expect(drawn).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(drawn).toContain('>often: charged back</text><rect ');
  });

  it('finds persons and cards on lists by the key, and leaves such lists out without it', async () => {
    const listed = file({
      ...{ id: 'stolen', name: 'Stolen', then: 'reject' },
      when: { list: { by: 'card', values: [cardNo(0), cardNo(1)] } },
    });
    const without = await whatIf(listed);
    expect(without.output).toContain('Left out: stolen of the top; card is kept as marks');
    environment = { ...environment, RISK_KEY_FILE: keyFile };
    const { rules, leftOut } = (await whatIf(listed, '--json')).json() as Record<string, object[]>;
    const { rows } = await administrator.query<{ count: string }>(
      `SELECT count(*) FROM risk.assessments, generate_series(0, $1::int - 1) AS n
       WHERE assessment_id = lpad(to_hex(n), 32, '0') AND ${CARD} < 2
         AND received_at >= $2::timestamptz`,
      [PAYMENTS, `${FROM}Z`],
    );
    const [rule] = rules as { held: Record<string, { payments: number }> }[];
    const held = Object.values(rule?.held ?? {}).reduce((sum, each) => sum + each.payments, 0);
    expect([leftOut, held]).toEqual([[], Number(rows[0]?.count)]);
    expect(held).toBeGreaterThan(100);
  });

  it('knows what people and rules decided later, and checks alone', async () => {
    const amount = { minor: '9200', currency: 'EUR' };
    const reviewed = { RiskAssessed: { decision: 'review' }, TransactionApproved: {} };
    await judged('a', 'review', reviewed);
    await judged('b', 'review', { ...reviewed, ReviewDecided: { decision: 'rejected' } });
    await judged('c', 'accept', { RiskAssessed: { decision: 'reject' }, TransactionDeclined: {} });
    await judged('d', 'accept', { StandaloneCompleted: {} }, false);
    const stretch = ['--from', '2031-05-05', '--to', '2031-05-06', '--node', channelId];
    const rules = file({
      ...{ id: 'all', name: 'All', then: 'reject' },
      when: { amount: { above: '1.00', currency: 'EUR' } },
    });
    const ran = await whatIf(rules, ...stretch, '--json');
    const one = { EUR: { payments: 1, amount: '92.00' } };
    expect(ran.json()).toMatchObject({
      ...{ checksAlone: 1, replayed: { EUR: { payments: 3 } }, refused: {}, admitted: {} },
      ...{
        undecided: one,
        foreseen: one,
        before: { reject: one, review: { EUR: { payments: 2 } } },
      },
    });
    expect((await whatIf(rules, ...stretch)).output).toContain('1 check without a payment');

    async function judged(
      id: string,
      decision: string,
      steps: object,
      isPayment = true,
    ): Promise<void> {
      const streamId = id.repeat(32);
      const facts = { nodes: [channelId, merchantId], mode: 'LIVE', payer: {} };
      await administrator.query(
        `INSERT INTO risk.assessments (assessment_id, entity_id, amount_minor, currency, decision,
           score, fired, received_at, facts) VALUES ($1, $2, 9200, 'EUR', $3, 0, '[]', '2031-05-05T01:00Z', $4)`,
        [streamId, channelId, decision, { ...facts, ...(isPayment && { operation: 'debit' }) }],
      );
      const all = Object.entries({ PaymentInitiated: { amount }, ...steps });
      for (const [at, [type, data]] of all.entries()) {
        await administrator.query(
          `INSERT INTO payments.events (stream_id, version, event_id, command_id, type,
             schema_version, data, metadata)
           VALUES ($1, $2, gen_random_uuid(), gen_random_uuid(), $3, 1, $4, '{}')`,
          [streamId, at + 1, type, { transactionId: streamId, ...(data as object) }],
        );
      }
    }
  });

  it('says where live payments and tests are added together, and tells of one kind', async () => {
    const stretch = ['--from', '2031-05-07', '--to', '2031-05-08', '--node', channelId];
    for (const [at, mode] of ['LIVE', 'LIVE', 'EXTERNAL'].entries()) {
      const facts = { nodes: [channelId, merchantId], mode, operation: 'debit', payer: {} };
      await administrator.query(
        `INSERT INTO risk.assessments (assessment_id, entity_id, amount_minor, currency, decision,
           score, fired, received_at, facts)
         VALUES ($1, $2, 9200, 'EUR', 'accept', 0, '[]', '2031-05-07T01:00Z', $3)`,
        [`e${at}`.padEnd(32, 'e'), channelId, facts],
      );
    }
    const both = await whatIf(file(often(3)), ...stretch);
    expect(both.output).toContain('all modes, 1 EXTERNAL, 2 LIVE; --mode tells of one.');
    const live = await whatIf(file(often(3)), ...stretch, '--mode', 'LIVE', '--json');
    expect(live.json()).toMatchObject({
      modes: { LIVE: 2 },
      replayed: { EUR: { payments: 2, amount: '184.00' } },
    });
  });

  it('says that there is nothing where nothing was judged', async () => {
    const ran = await whatIf(file(often(3)), '--from', '2031-05-02');
    expect(ran.output).toMatch(/^0 payments that rules judged from 2031-05-02 .*judged again\.\n$/);
  });

  it.each<[string, readonly string[], string]>([
    ['an end before the beginning', ['--to', '2031-04-01'], 'The end is not after'],
    ['a picture of another kind', ['--picture', 'effect.png'], 'would be an SVG file'],
    ['a mode that is none', ['--mode', 'live'], 'it is one of INTERNAL, EXTERNAL, LIVE'],
    ['a node that is none', ['--node', '9'.repeat(32)], 'There is no node 999'],
    ['a picture that cannot be', ['--picture', '/nowhere/a.svg'], 'cannot be written (ENOENT)'],
  ])('refuses %s', async (_, words, sentence) => {
    const ran = await whatIf(file(often(3)), ...words);
    expect([ran.exitCode > 0, ran.errors]).toEqual([true, expect.stringContaining(sentence)]);
  });
});
