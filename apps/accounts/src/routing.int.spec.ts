import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthenticationSettings, DirectoryAnswer, RoutingAnswer } from '@sluice/contracts';
import {
  channelAccounts,
  demoAccounts,
  demoChannel,
  demoMerchantAccount,
  demoRoute,
  derivedEntityId,
} from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import { InProcessBus } from '@sluice/messaging';
import { AccessToken } from '@sluice/secrets';
import { createLogger, ensureRolesAndSchema } from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import { AccountsModule, type RunningAccounts } from './accounts.module.js';

const bus = new InProcessBus();
let server: TestDatabase;
let accounts: RunningAccounts;
let administrator: pg.Pool;

beforeAll(async () => {
  server = await startTestDatabase();
  const { accounts: database } = await ensureRolesAndSchema(server.url, ['accounts']);
  const { appUrl: databaseUrl, ownerUrl: ownerDatabaseUrl, schema } = database;
  accounts = await AccountsModule.start({
    database: { databaseUrl, ownerDatabaseUrl, schema },
    ...{ credentialKey: Buffer.alloc(32, 3), manualChargebacks: true },
    transport: bus.transport('accounts'),
    logger: createLogger({ service: 'accounts', level: 'silent' }),
  });
  administrator = new pg.Pool({ connectionString: server.url, max: 1 });
});

beforeEach(forgetEverything);

afterAll(async () => {
  await accounts.close();
  await administrator.end();
  await server.drop();
});

async function forgetEverything(): Promise<void> {
  await administrator.query('TRUNCATE accounts.events, accounts.streams');
  await administrator.query('UPDATE accounts.incarnation SET id = gen_random_uuid()');
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : 1;
const shop = channelAccounts({
  ...{ entityId: '1'.repeat(32) as EntityId, name: 'Shop', merchant: 'Books' },
  ...{ accessTokens: [new AccessToken('a')], legacyCredentials: [], compatibility: {} },
});
const NO_TERMS = { accessTokens: [], legacyCredentials: [], compatibility: {} };
const directory = async () =>
  (await bus.queries.ask<DirectoryAnswer>('accounts', 'accounts.directory', {})).directory;

describe('the routing directory', () => {
  const routing = (knownVersion?: string) =>
    bus.queries.ask<RoutingAnswer>('accounts', 'accounts.routing', {
      ...(knownVersion !== undefined && { knownVersion }),
    });
  const demoMerchantId = derivedEntityId('merchant', demoChannel.merchant);
  const routed = (found: RoutingAnswer['directory']) =>
    found?.nodes
      .filter(({ merchantAccounts, routes }) => merchantAccounts ?? routes)
      .map(({ id }) => id);
  const demoMerchant = demoAccounts.filter((each) => each.id === demoMerchantId);

  it('says where a channel stands also without routes: rules of a merchant hold for it', async () => {
    await accounts.seed(shop);
    const nodes = (await routing()).directory?.nodes ?? [];
    const places = shop.map(({ id, parentId }) => ({ id, ...(parentId && { parentId }) }));
    expect([...nodes].sort(byId)).toEqual([...places].sort(byId));
  });

  it('says where a channel stands, and what the nodes above it have', async () => {
    await accounts.seed([...demoAccounts, ...shop]);
    const { nodes } = (await routing()).directory!;
    const node = (nodeId: string) => nodes.find((each) => each.id === nodeId);
    expect(node(demoChannel.entityId)).toEqual({
      ...{ id: demoChannel.entityId, parentId: demoMerchantId },
      authentication: expect.objectContaining({ authenticates: 'onDemand' }) as unknown,
    });
    expect(node(demoMerchantId)).toMatchObject({
      ...{ merchantAccounts: [demoMerchantAccount], routes: [demoRoute] },
    });
  });

  describe('of a node that says how its shoppers are authenticated', () => {
    const settings: AuthenticationSettings = {
      ...({ authenticates: 'always', goesOnWith: ['Y'] } as const),
      ...{ merchantName: 'Books', merchantCountry: 'DE', merchantCategoryCode: '5942' },
      merchantUrl: 'https://shop.example',
      requestors: {
        visa: {
          ...{ requestorId: 'R-1', requestorName: 'Books Ltd', acquirerBin: '400000' },
          acquirerMerchantId: 'M-1',
        },
      },
    };
    const merchantId = derivedEntityId('merchant', 'Books');
    const saying = (threeDSecure?: AuthenticationSettings) =>
      shop.map((each) =>
        each.id === merchantId
          ? { ...each, terms: { ...NO_TERMS, ...(threeDSecure && { threeDSecure }) } }
          : each,
      );
    const told = async () =>
      (await routing()).directory?.nodes.flatMap(({ id, authentication }) =>
        authentication ? [[id, authentication]] : [],
      );

    it('has it at this node, once for each change', async () => {
      await accounts.seed(saying(settings));
      expect(await told()).toEqual([[merchantId, settings]]);
      const version = (await routing()).directory?.version;
      await accounts.seed(saying({ ...settings }));
      expect(await routing(version)).toEqual({});
      const changed = { ...settings, merchantName: 'Shoes' };
      await accounts.seed(saying(changed));
      expect(await told()).toEqual([[merchantId, changed]]);
      expect((await routing()).directory?.version).not.toBe(version);
    });

    it('has it no more when the seed says nothing of it', async () => {
      await accounts.seed(saying(settings));
      await accounts.seed(saying());
      expect(await told()).toEqual([]);
    });

    it('is for payments: edge gets the node without it', async () => {
      await accounts.seed(saying(settings));
      const nodes = (await directory())?.nodes ?? [];
      const merchant = nodes.find(({ id }) => id === merchantId);
      expect(merchant).toMatchObject({ name: 'Books' });
      expect(merchant).not.toHaveProperty('threeDSecure');
    });
  });

  it('of schedules is that of the nearest node that says when they run', async () => {
    const [psp, division, merchant, channel] = shop;
    if (!psp || !division || !merchant || !channel) throw new Error('no shop');
    const told = (entityId: string) =>
      bus.queries.ask('accounts', 'accounts.schedules', { entityId });
    expect(await told(channel.id)).toEqual({ timeZone: 'UTC', missedRuns: 'once' });
    const schedules = { timeZone: 'Asia/Tokyo', missedRuns: 'skip' } as const;
    const saying = { ...merchant, terms: { ...NO_TERMS, schedules } };
    await accounts.seed([psp, division, saying, channel]);
    expect(await told(channel.id)).toEqual(schedules);
    expect(await told('f'.repeat(32))).toEqual({ timeZone: 'UTC', missedRuns: 'once' });
    const nodes = (await directory())?.nodes ?? [];
    expect(nodes.find(({ id }) => id === merchant.id)).not.toHaveProperty('schedules');
  });

  it('is sent once for each version', async () => {
    await accounts.seed(demoAccounts);
    const version = (await routing()).directory?.version;
    expect(await routing(version)).toEqual({});
    await accounts.seed(shop);
    expect((await routing(version)).directory).toBeDefined();
  });

  it('is what the seed says last: exactly what it lists, and the same where it lists nothing', async () => {
    await accounts.seed(demoAccounts);
    await accounts.seed(demoAccounts);
    const seeds = await administrator.query(
      "SELECT FROM accounts.events WHERE type IN ('MerchantAccountConfigured', 'RouteConfigured')",
    );
    expect(seeds.rows).toHaveLength(2);
    await accounts.seed(channelAccounts(demoChannel));
    expect(routed((await routing()).directory)).toEqual([demoMerchantId]);
    await accounts.seed(demoMerchant.map((each) => ({ ...each, routes: [] })));
    const { nodes = [] } = (await routing()).directory ?? {};
    expect(nodes.find((each) => each.id === demoMerchantId)).not.toHaveProperty('routes');
    await accounts.seed(
      demoMerchant.map((each) => ({ ...each, merchantAccounts: [], routes: [] })),
    );
    expect(routed((await routing()).directory)).toEqual([]);
  });

  it('of a live installation has nothing of the demo merchant', async () => {
    await accounts.seed(demoAccounts);
    await accounts.revokeDemo();
    expect(routed((await routing()).directory)).toEqual([]);
    expect((await directory())?.credentials).toEqual([]);
    await forgetEverything();
    await accounts.revokeDemo();
    expect((await directory())?.nodes).toEqual([]);
  });

  it('is not changed by a seed whose routes lead nowhere, which is said', async () => {
    const lost = demoMerchant.map(({ merchantAccounts: _, ...each }) => each);
    await expect(accounts.seed(lost)).rejects.toThrow(
      'The seed is refused: neither the node nor one above it has this merchant account',
    );
    expect(routed((await routing()).directory)).toEqual([]);
  });
});
