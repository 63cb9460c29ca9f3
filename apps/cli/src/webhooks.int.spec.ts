import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsModule, type RunningAccounts } from '@sluice/accounts';
import { eventTopics } from '@sluice/contracts';
import { channelAccounts } from '@sluice/domain-accounts';
import { InProcessBus, type Queries } from '@sluice/messaging';
import { createLogger, ensureRolesAndSchema, FileKeyProvider } from '@sluice/service';
import { startTestDatabase } from '@sluice/testing';
import { type RunningWebhooks, WebhooksModule } from '@sluice/webhooks';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';
import { runSluice } from './run.js';
import { channelId, PAYMENT_ID, paymentApproved, view } from './told-payment-fixture.js';

const shop = channelAccounts({
  ...{ entityId: channelId, name: 'Shop', merchant: 'Books', compatibility: {} },
  ...{ accessTokens: [], legacyCredentials: [] },
});
const merchantId = shop.find(({ kind }) => kind === 'merchant')?.id ?? '';
const SECRET = 'f'.repeat(64);
/** Payments has one payment. */
const queries: Queries = {
  ask: <Answer>(service: string, query: string, parameters: object): Promise<Answer> =>
    query === 'payments.transaction'
      ? Promise.resolve({ transaction: { ...view, personal } } as Answer)
      : bus.queries.ask<Answer>(service, query, parameters),
};
let personal: Readonly<Record<string, string>> = {};

const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-webhooks-'));
const keyFile = join(folder, 'keys.json');
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(request.url === '/broken' ? 500 : 200).end('Thank you.');
});
const bus = new InProcessBus();
let environment: NodeJS.ProcessEnv = {};
let accounts: RunningAccounts;
let webhooks: RunningWebhooks;
let keys: FileKeyProvider;
let drop: () => Promise<void>;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const server = await startTestDatabase();
  drop = () => server.drop();
  const databases = await ensureRolesAndSchema(server.url, ['accounts', 'webhooks']);
  const logger = createLogger({ service: 'cli', level: 'silent' });
  const { appUrl: databaseUrl, ownerUrl: ownerDatabaseUrl } = databases.accounts;
  accounts = await AccountsModule.start({
    database: { databaseUrl, ownerDatabaseUrl, schema: 'accounts' },
    ...{ credentialKey: Buffer.alloc(32, 3), manualChargebacks: true },
    transport: bus.transport('accounts'),
    logger,
  });
  await accounts.seed(shop);
  keys = await FileKeyProvider.open(keyFile, { createIfAbsent: true });
  const { webhooks: own } = databases;
  webhooks = await WebhooksModule.start({
    settings: {
      ...{ databaseUrl: own.appUrl, ownerDatabaseUrl: own.ownerUrl, schema: own.schema },
      ...{ privateTargets: 'all', lookEveryMs: 10, mailSender: 'sluice@gateway.example' },
      mailRelay: { kind: 'folder', path: join(folder, 'mails') },
    },
    ...{ events: bus.events, queries, keyProvider: keys, logger },
    transport: bus.transport('webhooks'),
  });
  environment = {
    ACCOUNTS_DATABASE_URL: databaseUrl,
    WEBHOOKS_DATABASE_URL: own.appUrl,
    WEBHOOKS_KEY_FILE: keyFile,
  };
}, 60_000);
afterAll(async () => {
  await webhooks.close();
  await accounts.close();
  await bus.close();
  keys.close();
  await drop();
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true });
});

async function webhooksDatabase(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: environment['WEBHOOKS_DATABASE_URL'] });
  await client.connect();
  await client.query(text);
  await client.end();
}

const run = (...words: readonly string[]): Promise<Ran> =>
  sluice(['webhooks', ...words], { environment });
const urlOf = (path: string) =>
  `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${path}`;
const add = (path: string, ...words: readonly string[]): Promise<Ran> =>
  run('add', '--node', channelId, '--url', urlOf(path), ...words);

async function standingOf(id: string): Promise<string | undefined> {
  const all = (await sluice(['--json', 'webhooks', 'list'], { environment })).json() as {
    readonly id: string;
    readonly standing: string;
  }[];
  return all.find((each) => each.id === id)?.standing;
}

async function added(path: string): Promise<string> {
  const words = ['--json', 'webhooks', 'add', '--node', channelId, '--url', urlOf(path)];
  const ran = await sluice([...words, '--execute'], { environment });
  return (ran.json() as { subscriptionId: string }).subscriptionId;
}

describe('webhooks add', () => {
  it('only says what would be, without --execute', async () => {
    const { exitCode, output } = await add('hook');
    expect([exitCode, output]).toEqual([
      0,
      `There would be a subscription: ${urlOf('hook')}, told of PAYMENT, REGISTRATION, SCHEDULE, RISK at ${channelId} (Shop) and below.\n` +
        'Nothing was done. Add --execute to do it.\n',
    ]);
    expect((await run('list')).output).toContain('Nobody is told of anything');
  });

  it('makes a secret, shows it once, and has the receiver called', async () => {
    const { exitCode, output, errors } = await add('hook', '--execute');
    expect([exitCode, errors]).toEqual([0, expect.stringContaining('is called now')]);
    const [, id = ''] = /^Subscription ([0-9a-f]{32})\.$/m.exec(output) ?? [];
    expect(output).toMatch(/^[0-9a-f]{64}$/m);
    expect(output).toContain('Its receiver has answered 200: it is active.');
    expect(await standingOf(id)).toBe('active');
    const [, secret = ''] = /^([0-9a-f]{64})$/m.exec(output) ?? [];
    for (const words of [['list'], ['show', id], ['health']]) {
      expect((await run(...words)).output).not.toContain(secret);
    }
    expect((await run('remove', id, '--execute')).exitCode).toBe(0);
  });

  it('says what is wrong with a receiver, which is told nothing then', async () => {
    const file = join(folder, 'secret');
    writeFileSync(file, `${SECRET}\n`);
    const { output } = await add('broken', '--secret-file', file, '--execute');
    expect(output).not.toContain(SECRET);
    expect(output).toContain('Its receiver has answered 500, which is no 2xx.');
    const [, id = ''] = /^Subscription ([0-9a-f]{32})\.$/m.exec(output) ?? [];
    expect(output).toContain(`sluice webhooks test ${id}`);
    expect(await standingOf(id)).toBe('untested');
    const paused = await run('pause', id, '--execute');
    expect([paused.exitCode, paused.errors]).toEqual([
      4,
      'That cannot be: its receiver has not answered a test: "webhooks test" makes one. Nothing was done.\n',
    ]);
    const test = await run('test', id);
    expect([test.exitCode, test.output]).toEqual([1, expect.stringContaining('no 2xx')]);
    const health = await run('health');
    expect(health.exitCode).toBe(3);
    await run('remove', id, '--execute');
  });

  it.each([
    ['an unknown node', ['--node', '9'.repeat(32), '--url', 'https://a.example'], 1, 'no node'],
    [
      'another scheme',
      ['--node', merchantId, '--url', 'ftp://a.example'],
      2,
      'no address of the web',
    ],
    ['a user', ['--node', merchantId, '--url', 'https://a@b.example'], 2, 'names a user'],
    ['a fragment', ['--node', merchantId, '--url', 'https://a.example/#b'], 2, 'behind a #'],
    [
      'an endless address',
      ['--node', merchantId, '--url', `https://a.example/${'b'.repeat(2_048)}`],
      ...[2, 'more than 2048 characters'],
    ],
    [
      'no type',
      ['--node', merchantId, '--url', 'https://a.example', '--types', 'payments'],
      ...[2, '"payments" is none'],
    ],
    [
      'no secret',
      ['--node', merchantId, '--url', 'https://a.example', '--secret-file', keyFile],
      ...[2, 'has no secret'],
    ],
  ] as const)('refuses %s', async (_, words, exitCode, sentence) => {
    const ran = await run('add', ...words, '--execute');
    expect([ran.exitCode, ran.errors]).toEqual([exitCode, expect.stringContaining(sentence)]);
  });

  it('needs the keys of webhooks', async () => {
    const { WEBHOOKS_KEY_FILE: _, ...others } = environment;
    const words = ['webhooks', 'add', '--node', channelId, '--url', urlOf('hook'), '--execute'];
    const ran = await sluice(words, { environment: others });
    expect([ran.exitCode, ran.errors]).toEqual([2, expect.stringContaining('WEBHOOKS_KEY_FILE')]);
  });
});

describe('an address for mails', () => {
  it('is kept sealed, shown to whoever has the keys, changed, and taken away', async () => {
    const added = await add('hook', '--email', 'Ops@Shop.example', '--execute');
    expect(added.errors).toContain('failures are mailed to Ops@shop.example');
    const [, id = ''] = /^Subscription ([0-9a-f]{32})\.$/m.exec(added.output) ?? [];
    expect((await run('show', id)).output).toContain(
      `Failures are mailed to Ops@shop.example, by ${pathToFileURL(join(folder, 'mails')).href}.`,
    );
    const { WEBHOOKS_KEY_FILE: _, ...others } = environment;
    const shown = await sluice(['webhooks', 'show', id], { environment: others });
    expect(shown.output).toContain('Failures are mailed to an address that is kept sealed, by ');
    expect((await run('list')).output).toMatch(/ yes {2,}http/);
    const same = await run('change', id, '--email', 'Ops@SHOP.example', '--execute');
    expect(same.output).toContain('mails failures to Ops@shop.example already.');
    const planned = await run('change', id, '--email', 'books@shop.example');
    expect(planned.output).toContain('Nothing was done.');
    await run('change', id, '--email', 'books@shop.example', '--execute');
    expect((await run('show', id)).output).toContain('mailed to books@shop.example');
    await run('change', id, '--no-email', '--execute');
    expect((await run('show', id)).output).not.toContain('mailed');
    await run('remove', id, '--execute');
  });

  it.each([
    ['two', 'ops@shop.example,eve@evil.example'],
    ['another header', 'ops@shop.example\r\nBcc: eve@evil.example'],
    ['a name', 'Ops <ops@shop.example>'],
    ['nothing', ''],
  ])('is not %s', async (_, text) => {
    const ran = await add('hook', '--email', text, '--execute');
    expect([ran.exitCode, ran.errors]).toEqual([2, expect.stringContaining('--email is one')]);
  });

  it('is refused where no mails are sent', async () => {
    await webhooksDatabase('UPDATE webhooks.mailing SET goes_to = NULL');
    const ran = await add('hook', '--email', 'ops@shop.example', '--execute');
    expect([ran.exitCode, ran.errors]).toEqual([
      ...[4, expect.stringContaining('This installation sends no mails')],
    ]);
    expect((await run('list')).output).toContain('Nobody is told of anything');
    const change = await run('change', '5eed', '--execute');
    expect([change.exitCode, change.errors]).toEqual([2, expect.stringContaining('--no-email')]);
  });
});

describe('listen', () => {
  it('shows what comes, sends it on with its answer, and leaves nothing behind', async () => {
    const ending = new AbortController();
    const lines: string[] = [];
    let told: (() => void) | undefined;
    const environmentOfRun = { SLUICE_DATA: '/nowhere', ...environment };
    const words = ['listen', '--forward', urlOf('broken'), '--types', 'PAYMENT'];
    const ended = runSluice(words, {
      environment: environmentOfRun,
      standardOutput: {
        write: (line) => {
          lines.push(line);
          ending.abort();
        },
      },
      standardError: {
        write: (line) => {
          if (line.includes('are shown as they come')) told?.();
        },
      },
      now: () => Date.UTC(2031, 4, 4, 12),
      signal: ending.signal,
    });
    await new Promise<void>((resolve) => {
      told = resolve;
    });
    await bus.events.publish(eventTopics.payments, [paymentApproved()]);
    expect(await ended).toBe(0);
    const line = `12:00:00.000 PAYMENT DB 92.00 EUR 000.100.110 ${PAYMENT_ID} -> 500\n`;
    expect(lines.join('')).toBe(line);
    expect((await run('list')).output).toContain('Nobody is told of anything');
  });

  it('removes what an earlier one has left behind that was killed', async () => {
    const gone = createServer();
    gone.listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const url = (path: string) => `http://127.0.0.1:${port}${path}`;
    for (const path of ['/sluice-listen', '/hook']) {
      await run('add', '--node', channelId, '--url', url(path), '--execute');
    }
    const ending = new AbortController();
    const ended = runSluice(['listen'], {
      environment: { SLUICE_DATA: '/nowhere', ...environment },
      standardOutput: { write: () => undefined },
      standardError: {
        write: (line) => {
          if (line.includes('are shown as they come')) ending.abort();
        },
      },
      now: () => Date.UTC(2031, 4, 4, 12),
      signal: ending.signal,
    });
    expect(await ended).toBe(0);
    const all = (await run('list')).output;
    expect(all).toContain(url('/hook'));
    expect(all).not.toContain('sluice-listen');
    const [, id = ''] = /^([0-9a-f]{32})/m.exec(all) ?? [];
    await run('remove', id, '--execute');
  });

  it.each([
    ['another scheme', ['--forward', 'localhost:3000'], '--forward is an address'],
    ['what nobody is told of', ['--types', 'SCHEDULES'], '"SCHEDULES" is none'],
  ])('refuses %s', async (_, words, sentence) => {
    const ran = await sluice(['listen', ...words], { environment });
    expect([ran.exitCode, ran.errors]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe('an address that stood in a request', () => {
  it('is listed with its calls, shown, and called once more', async () => {
    expect((await run('calls')).output).toContain('No address of a request was to be called.');
    personal = { notificationUrl: urlOf('hook') };
    const called = once(receiver, 'request');
    await bus.events.publish(eventTopics.payments, [paymentApproved({ hasNotificationUrl: true })]);
    await called;
    const words = ['--json', 'webhooks', 'calls', '--transaction', PAYMENT_ID];
    const listed = async () =>
      (await sluice(words, { environment })).json() as readonly {
        readonly id: string;
        readonly type: string;
        readonly standing: string;
      }[];
    let calls = await listed();
    while (calls[0]?.standing === 'waiting') calls = await listed();
    expect(calls).toMatchObject([{ type: 'PAYMENT_CALL', standing: 'acknowledged' }]);
    const id = calls[0]?.id ?? '';
    expect((await run('show', id)).output).toContain('acknowledged 200');
    const again = once(receiver, 'request');
    const resent = await run('resend', id, '--execute');
    expect(resent.output).toBe('1 of 1 are sent again within seconds.\n');
    await again;
    expect((await run('calls', '--standing', 'overdue')).output).toContain('nothing such');
  });
});

describe('trigger', () => {
  it('does nothing where no sandbox or cluster runs on this machine', async () => {
    const ran = await sluice('trigger payment.approved', { environment });
    expect([ran.exitCode, ran.errors]).toEqual([
      ...[2, expect.stringContaining('a sandbox or cluster on this machine')],
    ]);
  });
});

describe('a subscription', () => {
  it('is found by how its id begins, paused, resumed, given another secret, and removed', async () => {
    const id = await added('hook');
    const short = id.slice(0, 8);
    expect((await run('pause', short)).output).toContain('Nothing was done.');
    await run('pause', short, '--execute');
    expect(await standingOf(id)).toBe('paused');
    await run('resume', short, '--execute');
    expect(await standingOf(id)).toBe('active');
    const rotated = await run('rotate', short, '--execute');
    expect(rotated.output).toMatch(/The one before is tried for a day\.\n.*:\n[0-9a-f]{64}\n$/);
    const again = await run('rotate', short, '--execute');
    expect([again.exitCode, again.errors]).toEqual([4, expect.stringContaining('--at-once')]);
    expect((await run('rotate', short, '--at-once', '--execute')).exitCode).toBe(0);
    await run('remove', short, '--execute');
    expect(await standingOf(id)).toBeUndefined();
    const gone = await run('show', id);
    expect([gone.exitCode, gone.errors]).toEqual([1, expect.stringContaining('There is no')]);
  });

  it('is shown by what it was told of one transaction, or as it stands', async () => {
    const id = await added('hook');
    const shown = async (...words: string[]) => (await run('show', id, ...words)).output;
    expect(await shown()).toContain('It was told of nothing yet.');
    expect(await shown('--standing', 'waiting')).toContain('There is nothing such.');
    expect(await shown('--transaction', PAYMENT_ID)).toContain('There is nothing such.');
    const wrong = await run('show', id, '--transaction', 'x');
    expect([wrong.exitCode, wrong.errors]).toEqual([2, expect.stringContaining('no id of a')]);
    await run('remove', id, '--execute');
  });

  it.each([
    ['a word', ['show', 'shop'], 2, 'no subscription'],
    [
      'a notification that is not there',
      ['show', '0'.repeat(8) + '-0000-7000-8000-000000000000'],
      1,
      'or no more',
    ],
    ['nothing to resend', ['resend'], 2, '--failed'],
    ['no notification', ['resend', 'x'], 2, 'no id of a notification'],
  ])('is not %s', async (_, words, exitCode, sentence) => {
    const ran = await run(...words);
    expect([ran.exitCode, ran.errors]).toEqual([exitCode, expect.stringContaining(sentence)]);
  });
});
