import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CertificateFiles,
  type ServiceProcess,
  settableDatabaseClock,
  startServiceProcess,
  startTestAuthority,
  type TestAuthority,
  testKafka,
} from '@sluice/testing';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAIL_LAPSES_AFTER_MS } from '../src/mails/mail-outbox.js';
import { LocalMailServer, Mailing, OPS, SENDER } from './mails-fixture.js';
import { WebhooksProcess, WebhooksWorld } from './webhooks-fixture.js';

/** Webhooks as a process that mails by a server with TLS and a login, and is killed while it does. */
const kafka = testKafka();
const START_MS = 120_000;
const READY = 'Webhooks hears what happens, and tells receivers.';
const NOWHERE = 'http://127.0.0.1:1';
const LOGIN = { user: 'sluice', password: 'pass:word' };

let world: WebhooksWorld;
let operator: WebhooksProcess;
let mailing: Mailing;
let authority: TestAuthority;
let files: CertificateFiles;
let server: LocalMailServer;
let clock: Awaited<ReturnType<typeof settableDatabaseClock>>;
let running: ServiceProcess[] = [];

beforeAll(async () => {
  world = await WebhooksWorld.make();
  clock = await settableDatabaseClock(world.administrator);
  operator = await WebhooksProcess.start(world);
  authority = await startTestAuthority();
  files = await authority.certificateOf('smtp');
  server = await LocalMailServer.start({
    ...{ cert: await readFile(files.certificateFile), key: await readFile(files.keyFile) },
    authOptional: false,
    onAuth: ({ username, password }, _session, answer) => {
      const isRight = username === LOGIN.user && password === LOGIN.password;
      if (isRight) answer(null, { user: username });
      else answer(new Error('no'));
    },
  });
  const nobody = { send: () => Promise.reject(new Error('the operator sends nothing')) };
  mailing = new Mailing(world, operator, nobody);
}, START_MS);
afterEach(async () => {
  await Promise.all(running.map((process) => process.kill()));
  running = [];
}, START_MS);
afterAll(async () => {
  await operator.close();
  await server.close();
  await authority.remove();
  await world.close();
}, START_MS);

async function started(credentials: string, ready = true): Promise<ServiceProcess> {
  const { appUrl, schema } = world.database;
  const credentialsFile = join(files.authorityFile, '..', 'mail-credentials');
  await writeFile(credentialsFile, credentials);
  const process = startServiceProcess({
    entry: 'apps/webhooks/dist/main.js',
    environment: {
      ...{ WEBHOOKS_DATABASE_URL: appUrl, WEBHOOKS_SCHEMA: schema },
      WEBHOOKS_KEY_FILE: world.keyFile,
      ...{ PAYMENTS_URLS: NOWHERE, ACCOUNTS_URLS: NOWHERE, REGISTRATIONS_URLS: NOWHERE },
      ...{ SCHEDULING_URLS: NOWHERE, CHECKOUTS_URLS: NOWHERE },
      ...{ KAFKA_BROKERS: kafka.brokers.join(','), KAFKA_TOPIC_PREFIX: kafka.topicPrefix },
      WEBHOOKS_MAIL_RELAY: `smtp://127.0.0.1:${server.port}`,
      ...{ WEBHOOKS_MAIL_SENDER: SENDER, WEBHOOKS_MAIL_CREDENTIALS_FILE: credentialsFile },
      NODE_EXTRA_CA_CERTS: files.authorityFile,
    },
  });
  running.push(process);
  if (ready) await process.logged(READY);
  return process;
}

describe('webhooks, killed when a server has taken a mail and not said so', () => {
  it(
    'sends it again with the same Message-ID, and says once that it was sent',
    async () => {
      const id = await mailing.subscribe('https://shop.example/hook');
      await operator.subscriptions.decide(id, 'receiver', (metadata) => ({
        ...{ type: 'DisableSubscription', reason: 'gone', metadata },
      }));
      server.hangsAfterData = true;
      const first = server.next();
      const process = await started(`${LOGIN.user}:${LOGIN.password}\n`);
      await first;
      await process.kill();
      server.hangsAfterData = false;
      await clock.setAhead(MAIL_LAPSES_AFTER_MS);
      const again = server.next();
      const next = await started(`${LOGIN.user}:${LOGIN.password}`);
      await again;
      expect((await next.stop()).code).toBe(0);
      const [one, two, ...more] = server.taken();
      expect(more).toEqual([]);
      expect(two?.messageId).toBe(one?.messageId);
      expect(two).toMatchObject({ to: [OPS], from: SENDER });
      const { rows } = await world.administrator.query<object>(
        'SELECT tries, sent_at IS NOT NULL AS "isSent", due_at FROM webhooks.mails',
      );
      expect(rows).toEqual([{ tries: 2, isSent: true, due_at: null }]);
      const said = `${process.output}${next.output}`;
      for (const secret of [OPS, LOGIN.password]) expect(said).not.toContain(secret);
    },
    START_MS,
  );
});

describe('webhooks with credentials that are none', () => {
  it('does not start, and says which setting is wrong', async () => {
    const process = await started('sluice', false);
    expect((await process.ended).code).not.toBe(0);
    expect(process.output).toContain('WEBHOOKS_MAIL_CREDENTIALS');
    expect(process.output).toContain('must be user:password');
  });
});
