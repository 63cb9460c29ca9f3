import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsModule, type RunningAccounts } from '@sluice/accounts';
import type { RoutingAnswer } from '@sluice/contracts';
import { channelAccounts } from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import { InProcessBus } from '@sluice/messaging';
import { createLogger, ensureRolesAndSchema, type ServiceDatabase } from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';

const START_WITHIN_MS = 60_000;
const channelId = '1'.repeat(32) as EntityId;
const accountId = 'a'.repeat(32);
const routeId = 'b'.repeat(32);

let server: TestDatabase;
let database: ServiceDatabase;
let accounts: RunningAccounts;
let administrator: pg.Pool;
let merchantId: string;
const bus = new InProcessBus();
const folder = mkdtempSync(join(tmpdir(), 'sluice-routing-'));

const shop = channelAccounts({
  ...{ entityId: channelId, name: 'Shop', merchant: 'Books', compatibility: {} },
  ...{ accessTokens: [], legacyCredentials: [] },
});

beforeAll(async () => {
  server = await startTestDatabase();
  ({ accounts: database } = await ensureRolesAndSchema(server.url, ['accounts']));
  administrator = new pg.Pool({ connectionString: server.url, max: 1 });
  accounts = await AccountsModule.start({
    database: {
      databaseUrl: database.appUrl,
      ownerDatabaseUrl: database.ownerUrl,
      schema: 'accounts',
    },
    ...{ credentialKey: Buffer.alloc(32, 3), manualChargebacks: true },
    transport: bus.transport('accounts'),
    logger: createLogger({ service: 'accounts', level: 'silent' }),
  });
  merchantId = shop.find(({ kind }) => kind === 'merchant')?.id ?? '';
}, START_WITHIN_MS);

beforeEach(async () => {
  await administrator.query('TRUNCATE accounts.events, accounts.streams');
  await administrator.query('UPDATE accounts.incarnation SET id = gen_random_uuid()');
  await accounts.seed(shop);
});

afterAll(async () => {
  await accounts.close();
  await administrator.end();
  await server.drop();
  rmSync(folder, { recursive: true });
});

function run(...words: readonly string[]): Promise<Ran> {
  return sluice(words, { environment: { ACCOUNTS_DATABASE_URL: database.appUrl } });
}

function file(content: object): string {
  const path = join(folder, 'said.json');
  writeFileSync(path, JSON.stringify(content, null, 2));
  return path;
}

const endpoint = { address: 'tls://host.acquirer.example:5000', acquirerMerchantId: 'M-1' };
const account = {
  ...{ id: accountId, name: 'Acquirer A', connector: 'iso8583' },
  endpoints: {
    LIVE: {
      ...{ ...endpoint, settings: { terminals: 'T1,T2' } },
      credentials: { key: 'secret:acquirer-a/key' },
    },
  },
};
const route = { id: routeId, merchantAccount: 'Acquirer A', modes: ['LIVE'], brands: ['VISA'] };

const setAccount = (...words: string[]) =>
  run('merchant-accounts', 'set', merchantId, file(account), ...words);
const setRoute = (said: object = route, ...words: string[]) =>
  run('routes', 'set', channelId, file(said), ...words);

/** What payments would be told of nodes that have any. */
async function told() {
  const { directory } = await bus.queries.ask<RoutingAnswer>('accounts', 'accounts.routing', {});
  const nodes = directory?.nodes ?? [];
  return nodes.filter(({ merchantAccounts, routes }) => merchantAccounts ?? routes);
}

describe('merchant accounts and routes', () => {
  it('are only said without --execute', async () => {
    const { exitCode, output } = await setAccount();
    expect([exitCode, output]).toEqual([
      0,
      `Merchant account ${accountId} (Acquirer A) would be set.\n` +
        'Nothing was done. Add --execute to do it.\n',
    ]);
    expect(await told()).toEqual([]);
  });

  it('are set, and payments hears of them: secrets by their names', async () => {
    expect((await setAccount('--execute')).exitCode).toBe(0);
    const { output } = await setRoute(
      { ...route, amountFrom: '10.00 EUR', priority: 1, weight: 70 },
      '--execute',
    );
    expect(output).toContain(`Route ${routeId} is set.\nIt is the first route`);
    const nodes = await told();
    expect(nodes.find(({ id }) => id === merchantId)?.merchantAccounts).toEqual([
      {
        ...account,
        endpoints: {
          LIVE: {
            ...account.endpoints.LIVE,
            credentials: { key: { kind: 'reference', reference: 'secret:acquirer-a/key' } },
          },
        },
      },
    ]);
    expect(nodes.find(({ id }) => id === channelId)?.routes).toEqual([
      {
        ...{ id: routeId, merchantAccountId: accountId, modes: ['LIVE'], brands: ['VISA'] },
        ...{ amountFrom: { minor: '1000', currency: 'EUR' }, priority: 1, weight: 70 },
      },
    ]);
    const { rows } = await administrator.query<{ actor: string }>(
      "SELECT metadata->>'actor' AS actor FROM accounts.events WHERE type = 'RouteConfigured'",
    );
    expect(rows[0]?.actor).toMatch(/^operator /);
  });

  it('are changed by the same command, and the same again changes nothing', async () => {
    await setAccount('--execute');
    await setRoute(route, '--execute');
    await setRoute({ ...route, brands: ['MASTER'] }, '--execute');
    await setRoute({ ...route, brands: ['MASTER'] }, '--execute');
    const { rows } = await administrator.query(
      "SELECT FROM accounts.events WHERE type = 'RouteConfigured'",
    );
    expect(rows).toHaveLength(2);
    const listed = (await run('routes', 'list', channelId, '--json')).json() as object[];
    expect(listed).toEqual([expect.objectContaining({ id: routeId, brands: ['MASTER'] })]);
  });

  it('are listed with what is special about them', async () => {
    await setAccount('--execute');
    await setRoute({ ...route, amountTo: '10.00 EUR', takesDeclined: true }, '--execute');
    const { output } = await run('routes', 'list', channelId);
    expect(output).toContain('VISA; to 10.00 EUR; takes declined');
  });

  it('without an id is a further route', async () => {
    await setAccount('--execute');
    const { id: _, ...said } = route;
    await setRoute(said, '--execute');
    await setRoute({ ...said, brands: ['MASTER'] }, '--execute');
    expect((await run('routes', 'list', '--json')).json()).toHaveLength(2);
  });

  it('are listed for a channel with those of the nodes above', async () => {
    await setAccount('--execute');
    await setRoute(route, '--execute');
    const listed = await run('routes', 'list', channelId);
    expect(listed.output).toMatch(
      new RegExp(`${channelId} +${routeId} +Acquirer A +LIVE +0 +1 +VISA\n`),
    );
    const ofChannel = await run('merchant-accounts', 'list', channelId);
    expect(ofChannel.output).toMatch(
      new RegExp(
        `${merchantId} +${accountId} +Acquirer A +iso8583 +tls://host.acquirer.example:5000\n`,
      ),
    );
    expect((await run('routes', 'list', merchantId)).output).toBe('There are no routes.\n');
  });

  it('are removed, routes first', async () => {
    await setAccount('--execute');
    await setRoute(route, '--execute');
    const early = await run('merchant-accounts', 'remove', merchantId, 'Acquirer A', '--execute');
    expect([early.exitCode, early.errors]).toEqual([
      4,
      'A route leads to it in a mode that would go: change or remove the route first.\n',
    ]);
    const removed = await run('routes', 'remove', channelId, routeId, '--execute');
    expect(removed.output).toContain('It is the last route of this installation');
    const gone = await run('merchant-accounts', 'remove', merchantId, 'Acquirer A', '--execute');
    expect(gone.exitCode).toBe(0);
    expect(await told()).toEqual([]);
  });
});

describe('what cannot be', () => {
  it.each<[string, () => Promise<Ran>, number, string]>([
    [
      'a secret in clear, which is not repeated',
      () => {
        const LIVE = { ...account.endpoints.LIVE, credentials: { key: 'hunter2' } };
        return run(
          'merchant-accounts',
          'set',
          merchantId,
          file({ ...account, endpoints: { LIVE } }),
        );
      },
      2,
      'a credential must name a mounted secret, e.g. "secret:acquirer-a/key"; it is never said in clear',
    ],
    ['a route to nowhere', () => setRoute(), 2, 'line 3: neither the node nor one above it'],
    [
      'a node that is none',
      () => run('merchant-accounts', 'set', '9'.repeat(32), file(account)),
      ...([4, 'There is no such node in the account tree.'] as const),
    ],
    ['a word that is no node', () => run('routes', 'list', 'shop'), 2, '"shop" is no entity id'],
    [
      'a file that is not there',
      () => run('routes', 'set', channelId, '/nowhere/route.json'),
      ...([1, 'cannot be read (ENOENT)'] as const),
    ],
  ])('is refused with a sentence: %s', async (_, command, exitCode, sentence) => {
    const ran = await command();
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.errors).toContain(sentence);
    expect(ran.errors).not.toContain('hunter2');
    expect(await told()).toEqual([]);
  });

  it('is refused: a route in a mode for which its account has no endpoint', async () => {
    await setAccount('--execute');
    const ran = await setRoute({ ...route, modes: ['EXTERNAL'] }, '--execute');
    expect([ran.exitCode, ran.errors]).toEqual([
      4,
      'The merchant account has no endpoint for a mode of the route.\n',
    ]);
  });
});
