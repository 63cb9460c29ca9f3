import type { CustomTransportStrategy } from '@nestjs/microservices';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  accessTokenHash,
  type Demands,
  type DirectoryAnswer,
  legacyCredentialHash,
} from '@sluice/contracts';
import {
  channelAccounts,
  demoAccounts,
  demoChannel,
  derivedEntityId,
  type SeedAccount,
} from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import { AccessToken } from '@sluice/secrets';
import { HttpQueries, InProcessBus, QueryServer, ServiceTransport } from '@sluice/messaging';
import {
  createLogger,
  ensureRolesAndSchema,
  InternalServer,
  type ServiceDatabase,
} from '@sluice/service';
import { startTcpProxy, startTestDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import { AccountsModule, type RunningAccounts } from './accounts.module.js';

const credentialKey = Buffer.alloc(32, 3);
const logged: string[] = [];
const logger = createLogger({
  service: 'accounts',
  level: 'info',
  destination: { write: (line) => void logged.push(line) },
});

let server: TestDatabase;
let database: ServiceDatabase;
let bus: InProcessBus;
let accounts: RunningAccounts;
let administrator: pg.Pool;

const start = ({
  databaseUrl = database.appUrl,
  transport = bus.transport('accounts'),
}: { databaseUrl?: string; transport?: CustomTransportStrategy } = {}) =>
  AccountsModule.start({
    database: {
      databaseUrl,
      ownerDatabaseUrl: database.ownerUrl,
      schema: database.schema,
    },
    credentialKey,
    manualChargebacks: true,
    transport,
    logger,
  });
const ask = async (knownVersion?: string) =>
  bus.queries.ask<DirectoryAnswer>('accounts', 'accounts.directory', {
    ...(knownVersion !== undefined && { knownVersion }),
  });
const directory = async () => {
  const answer = await ask();
  if (!answer.directory) {
    throw new Error('no directory');
  }
  return answer.directory;
};
const id = (digit: string) => digit.repeat(32) as EntityId;
const shop = (digit: string, ...tokens: string[]): readonly SeedAccount[] =>
  channelAccounts({
    entityId: id(digit),
    name: `Shop ${digit}`,
    merchant: 'Books',
    accessTokens: tokens.map((token) => new AccessToken(token)),
    legacyCredentials: [],
    compatibility: {},
  });

beforeAll(async () => {
  server = await startTestDatabase();
  ({ accounts: database } = await ensureRolesAndSchema(server.url, ['accounts']));
  bus = new InProcessBus();
  accounts = await start();
  administrator = new pg.Pool({ connectionString: server.url, max: 1 });
});

beforeEach(async () => {
  await administrator.query('TRUNCATE accounts.events, accounts.streams');
  await administrator.query('UPDATE accounts.incarnation SET id = gen_random_uuid()');
});

afterAll(async () => {
  await accounts.close();
  await administrator.end();
  await server.drop();
});

describe('accounts in a process of its own, without its database', () => {
  it('logs the cause of a failed query once, and nothing that is no cause', async () => {
    const wire = await startTcpProxy(database.appUrl);
    const internal = new InternalServer({ logger });
    const address = { host: '127.0.0.1', port: 0 };
    const transport = new ServiceTransport({
      queries: new QueryServer(internal, address, {
        ...{ 'accounts.directory': [], 'accounts.routing': [], 'accounts.schedules': [] },
      }),
    });
    const alone = await start({ databaseUrl: wire.url, transport });
    const queries = new HttpQueries({ urls: { accounts: [transport.url ?? ''] } });
    await queries.ask('accounts', 'accounts.directory', {});
    await wire.close();
    logged.length = 0;
    const failure = queries.ask('accounts', 'accounts.directory', {});
    await expect(failure).rejects.toMatchObject({ reason: 'failed' });
    const errors = logged
      .map((line) => JSON.parse(line) as { level: string; err: object })
      .filter(({ level }) => level === 'error');
    expect(errors.map(({ err }) => err)).toEqual([
      expect.objectContaining({
        cause: expect.objectContaining({
          message: expect.stringMatching(/ECONN|terminated/) as unknown,
        }) as unknown,
      }),
    ]);
    await queries.close();
    await alone.close();
  });
});

describe('askers', () => {
  const asks = async (asker: string): Promise<number | undefined> =>
    (await bus.queries.ask<DirectoryAnswer>('accounts', 'accounts.directory', { asker })).askers;

  const report = (asker: string | undefined, demands: Demands) =>
    bus.queries.ask<DirectoryAnswer>('accounts', 'accounts.directory', {
      ...(asker !== undefined && { asker }),
      demands,
    });
  const key = (digits: string): string => digits.padStart(32, '0');

  beforeEach(() => administrator.query(`TRUNCATE ${database.schema}.askers`));

  it('are counted, each once, until they ask no more', async () => {
    expect(await asks('edge-a')).toBe(1);
    expect(await asks('edge-b')).toBe(2);
    expect(await asks('edge-a')).toBe(2);
    const ago = `UPDATE ${database.schema}.askers SET asked_at = now() - $1::interval WHERE asker = $2`;
    await administrator.query(ago, ['11 s', 'edge-b']);
    expect(await asks('edge-a')).toBe(1);
    await administrator.query(ago, ['2 hours', 'edge-b']);
    await asks('edge-a');
    const left = `SELECT asker FROM ${database.schema}.askers`;
    expect((await administrator.query(left)).rows).toEqual([{ asker: 'edge-a' }]);
  });

  it('without a name are not', async () => {
    expect(await ask()).not.toHaveProperty('askers');
    const answer = await report(undefined, { [key('1')]: 4 });
    expect(answer).not.toHaveProperty('others');
    expect((await report('edge-a', { [key('1')]: 1 })).others).toEqual({});
  });

  it('hear what the others were asked for of the keys that they have themselves', async () => {
    expect((await report('edge-a', { [key('1')]: 4, [key('2')]: 0.5 })).others).toEqual({});
    expect((await report('edge-b', { [key('1')]: 7, [key('3')]: 9 })).others).toEqual({
      [key('1')]: [4],
    });
    const third = (await report('edge-c', { [key('1')]: 1, [key('2')]: 1 })).others;
    expect(third?.[key('1')]?.toSorted()).toEqual([4, 7]);
    expect(third?.[key('2')]).toEqual([0.5]);
    expect(Object.keys(third ?? {})).toHaveLength(2);
  });

  it('hear of the last report alone, and of none that is old', async () => {
    await report('edge-a', { [key('1')]: 4, [key('2')]: 2 });
    await report('edge-a', { [key('1')]: 5 });
    const both = { [key('1')]: 1, [key('2')]: 1 };
    expect((await report('edge-b', both)).others).toEqual({ [key('1')]: [5] });
    const ago = `UPDATE ${database.schema}.askers SET asked_at = now() - interval '6 s' WHERE asker = $1`;
    await administrator.query(ago, ['edge-a']);
    const later = await report('edge-b', both);
    expect(later).toMatchObject({ askers: 2, others: {} });
  });

  it('cannot report without bound', async () => {
    const endless = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [key(`${at}`), at]),
    );
    await expect(report('edge-a', endless)).rejects.toThrow();
    expect((await report('edge-a', { [key('1')]: 1 })).askers).toBe(1);
  });
});

describe('seeding', () => {
  it('makes the tree above a channel and keeps its credentials as keyed hashes alone', async () => {
    await accounts.seed(demoAccounts);
    const { nodes, credentials } = await directory();
    expect(nodes.map(({ kind }) => kind).sort()).toEqual([
      'channel',
      'channel',
      'division',
      'merchant',
      'psp',
    ]);
    expect(nodes.find(({ id: nodeId }) => nodeId === demoChannel.entityId)).toEqual({
      id: demoChannel.entityId,
      kind: 'channel',
      name: demoChannel.name,
      parentId: derivedEntityId('merchant', demoChannel.merchant),
      manualChargebacks: true,
      compatibility: {},
    });
    const nodeId = demoChannel.entityId;
    const expected = [
      ...demoChannel.accessTokens.map((each) => accessTokenHash(credentialKey, each)).sort(),
      ...demoChannel.legacyCredentials
        .map((each) => legacyCredentialHash(credentialKey, each))
        .sort(),
    ];
    const own = credentials.filter((entry) => entry.nodeId === nodeId);
    expect(own.map(({ hash }) => hash)).toEqual(expected);
    const [token] = demoChannel.accessTokens;
    const [legacy] = demoChannel.legacyCredentials;
    const dump = JSON.stringify((await administrator.query('SELECT * FROM accounts.events')).rows);
    expect(dump).not.toContain(token?.reveal());
    expect(dump).not.toContain(legacy?.password.reveal());
  });

  it('twice changes nothing, not even the version', async () => {
    await accounts.seed([...demoAccounts, ...shop('1', 'a')]);
    const first = await directory();
    await accounts.seed([...demoAccounts, ...shop('1', 'a')]);
    expect(await directory()).toEqual(first);
  });

  it('replaces the tokens of a channel and leaves the others alone', async () => {
    await accounts.seed([...shop('1', 'a', 'b'), ...shop('2', 'c')]);
    await accounts.seed(shop('1', 'b', 'd'));
    const { credentials } = await directory();
    const hashes = (nodeId: string) =>
      credentials.filter((entry) => entry.nodeId === nodeId).map(({ hash }) => hash);
    const expected = (...tokens: string[]) =>
      tokens.map((token) => accessTokenHash(credentialKey, new AccessToken(token))).sort();
    expect(hashes('1'.repeat(32))).toEqual(expected('b', 'd'));
    expect(hashes('2'.repeat(32))).toEqual(expected('c'));
  });

  it('gives one token to several nodes, and takes it from one alone (D-68)', async () => {
    const ofMerchant = {
      id: derivedEntityId('merchant', 'Books'),
      ...({ kind: 'merchant', name: 'Books' } as const),
      parentId: derivedEntityId('division', 'Sandbox'),
      terms: { accessTokens: [new AccessToken('a')], legacyCredentials: [], compatibility: {} },
    };
    await accounts.seed([...shop('1', 'a'), ...shop('2', 'a'), ofMerchant]);
    const owners = async () => (await directory()).credentials.map(({ nodeId }) => nodeId).sort();
    expect(await owners()).toEqual([id('1'), id('2'), ofMerchant.id].sort());
    // Of the merchant nothing is said here, so it keeps what it has.
    await accounts.seed(shop('2', 'b'));
    const hash = accessTokenHash(credentialKey, new AccessToken('a'));
    const { credentials } = await directory();
    const left = credentials.filter((entry) => entry.hash === hash).map(({ nodeId }) => nodeId);
    expect(left.sort()).toEqual([id('1'), ofMerchant.id].sort());
  });

  it('keeps the switches of a node, and changes them with the seed', async () => {
    const [, , , channel] = shop('1', 'a');
    if (channel?.terms === undefined) throw new Error('no channel');
    const withSwitches = (compatibility: object): readonly SeedAccount[] => [
      ...shop('1', 'a').slice(0, 3),
      { ...channel, terms: { ...channel.terms, compatibility } as SeedAccount['terms'] & object },
    ];
    const kept = async () =>
      (await directory()).nodes.find(({ kind }) => kind === 'channel')?.compatibility;
    const said = { limitBelow100: true, shippingName: false };
    await accounts.seed(withSwitches(said));
    expect(await kept()).toEqual(said);
    const { version } = await directory();
    await accounts.seed(withSwitches(said));
    expect(await ask(version)).toEqual({});
    await accounts.seed(withSwitches({}));
    expect(await kept()).toEqual({});
  });

  it('keeps what a node says of registrations, apps and shoppers, and forgets it with the seed', async () => {
    const [, , , channel] = shop('1', 'a');
    if (channel?.terms === undefined) throw new Error('no channel');
    const { terms } = channel;
    const kept = async () => (await directory()).nodes.find(({ kind }) => kind === 'channel');
    const others = shop('1', 'a').slice(0, 3);
    const said = {
      ...({ registrations: 'existing' } as const),
      ...{ appSchemes: ['com.shop.app'], shoppersMayDelete: false },
    };
    await accounts.seed([...others, { ...channel, terms: { ...terms, ...said } }]);
    expect(await kept()).toMatchObject(said);
    await accounts.seed([...others, channel]);
    for (const name of Object.keys(said)) expect(await kept()).not.toHaveProperty(name);
  });

  it('can take the public credentials away, wherever they are', async () => {
    await accounts.seed([...demoAccounts, ...shop('1', 'a')]);
    await accounts.revokeDemo();
    const hash = accessTokenHash(credentialKey, new AccessToken('a'));
    expect((await directory()).credentials).toEqual([
      { kind: 'accessToken', hash, nodeId: id('1') },
    ]);
    const { version } = await directory();
    await accounts.revokeDemo();
    expect(await ask(version)).toEqual({});
  });

  it('records what happened, by whom, and nothing of what was so before', async () => {
    await accounts.seed(shop('1', 'a'));
    await accounts.seed(shop('1', 'b'));
    const { rows } = await administrator.query<{ type: string; metadata: { actor: string } }>(
      'SELECT type, metadata FROM accounts.events WHERE stream_id = $1 ORDER BY version',
      [id('1')],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      ...['NodeAdded', 'CredentialGranted', 'CredentialRevoked', 'CredentialGranted'],
    ]);
    expect(new Set(rows.map(({ metadata }) => metadata.actor))).toEqual(new Set(['seed']));
  });

  it('renames a channel', async () => {
    await accounts.seed(shop('1', 'a'));
    await accounts.seed(
      shop('1', 'a').map((each) =>
        each.kind === 'channel' ? { ...each, name: 'New name' } : each,
      ),
    );
    const { nodes } = await directory();
    expect(nodes.find(({ kind }) => kind === 'channel')?.name).toBe('New name');
  });

  it('at the same time from two sides ends as one of them', async () => {
    await Promise.all([accounts.seed(shop('1', 'a')), accounts.seed(shop('1', 'b'))]);
    expect((await directory()).credentials).toHaveLength(1);
  });

  it('at the same time by two instances ends as if one had done it', async () => {
    const other = await start({ transport: new InProcessBus().transport('accounts') });
    const seed = [...demoAccounts, ...shop('1', 'a'), ...shop('2', 'b')];
    await Promise.all([accounts.seed(seed), other.seed(seed)]);
    await other.close();
    const { version } = await directory();
    const rows = 'SELECT stream_id, type, data FROM accounts.events';
    const { rows: recorded } = await administrator.query<object>(rows);
    expect(new Set(recorded.map((row) => JSON.stringify(row))).size).toBe(recorded.length);
    await accounts.seed(seed);
    expect(await ask(version)).toEqual({});
  });
});

describe('the query accounts.directory', () => {
  it('answers nothing to somebody who is up to date', async () => {
    await accounts.seed(demoAccounts);
    const { version } = await directory();
    expect(await ask(version)).toEqual({});
  });

  it('answers everything under another version after a change', async () => {
    await accounts.seed(demoAccounts);
    const { version } = await directory();
    await accounts.seed(shop('1', 'a'));
    const next = (await ask(version)).directory;
    expect(next?.nodes).toHaveLength(7);
    expect(next?.version).not.toBe(version);
  });

  it('gives a database made anew a version that no edge remembers', async () => {
    await accounts.seed(shop('1', 'a'));
    const { version } = await directory();
    await administrator.query('TRUNCATE accounts.events, accounts.streams');
    await administrator.query('UPDATE accounts.incarnation SET id = gen_random_uuid()');
    await accounts.seed(shop('2', 'a'));
    const { directory: anew } = await ask(version);
    expect(anew?.nodes.map(({ id: nodeId }) => nodeId)).toContain(id('2'));
    expect(anew?.nodes.map(({ id: nodeId }) => nodeId)).not.toContain(id('1'));
  });

  it('has what another instance has changed', async () => {
    await accounts.seed(shop('1', 'a'));
    const { version } = await directory();
    const other = await start({ transport: new InProcessBus().transport('accounts') });
    await other.seed(shop('2', 'b'));
    await other.close();
    expect((await ask(version)).directory?.nodes).toHaveLength(5);
  });
});

describe('a query that fails', () => {
  it('tells its cause to the log alone', async () => {
    await administrator.query('ALTER TABLE accounts.events RENAME TO lost_events');
    const failure = await ask().catch((error: unknown) => error);
    await administrator.query('ALTER TABLE accounts.lost_events RENAME TO events');
    expect(failure).toMatchObject({ name: 'QueryUnavailable', reason: 'failed' });
    const line = logged.findLast((text) => text.includes('A handler failed.'));
    expect(line).toContain('42P01');
  });
});

describe('a restart', () => {
  it('finds everything again and closes twice without complaint', async () => {
    await accounts.seed(demoAccounts);
    const before = await directory();
    await accounts.close();
    await accounts.close();
    accounts = await start();
    expect(await directory()).toEqual(before);
  });
});

describe('the app role', () => {
  it('cannot change the schema, nor what happened', async () => {
    const pool = new pg.Pool({ connectionString: database.appUrl, max: 1 });
    await expect(pool.query('DELETE FROM accounts.events')).rejects.toThrow(/permission denied/);
    await expect(pool.query('CREATE TABLE accounts.other (a int)')).rejects.toThrow(
      /permission denied/,
    );
    await pool.end();
  });
});
