import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterCanary, type ClusterFindings, paidOwnAccountKinds } from '@sluice/card-canary';
import { eventTopics, serviceNames, serviceRow } from '@sluice/contracts';
import { deletePostgresData } from '@sluice/embedded-postgres';
import { isAlive } from '@sluice/local-installation';
import {
  type ClusterProcess,
  endOrphans,
  instrumentLives,
  launched,
  liveThrough,
  postmasterOf,
  startCluster,
} from '@sluice/testing';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const CLUSTER = launched('tools/cluster/dist/main.js');
const START_MS = 300_000;
/** A consumer whose broker is gone as well waits twice eight seconds for it, on a busy machine longer. */
const GONE_WITHIN_MS = 40_000;
const POLL_INTERVAL_MS = 50;
/** Payments by every instrument, files for a bank and back, and then some seconds of reading. */
const SEARCHED_WITHIN_MS = 150_000;
/** The demo channel, as the greeting prints it. */
const DEMO = {
  entityId: '8a8294174b7ecb28014b9699220015ca',
  accessToken: 'sluice-demo-access-token-for-sandboxes-only',
};
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
const SERVICES = serviceNames.map((name) => serviceRow(name).localName ?? name);

let folder: string;
let dataFolder: string;
let cluster: ClusterProcess;
let canary: ClusterCanary;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-cluster-'));
  dataFolder = join(folder, 'data');
  canary = new ClusterCanary(SEED, dataFolder);
  const seedFile = join(folder, 'seed.json');
  await writeFile(seedFile, canary.seedFile);
  cluster = await startCluster({
    dataFolder,
    arguments: [
      ...['--instances', 'vault=2', '--seed', seedFile, ...canary.arguments],
      // Whatever a process says is searched for card data.
      ...['--log-level', 'debug'],
    ],
  });
}, START_MS);

afterAll(async () => {
  await cluster.stop().catch(() => undefined);
  await endOrphans(dataFolder);
  await deletePostgresData(dataFolder);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

interface Answer {
  readonly id: string;
  readonly result: { readonly code: string };
  readonly payments?: readonly Pick<Answer, 'id' | 'result'>[];
}

/** The commands of the greeting, by the shell, as somebody copies them. */
function greetingCommands(): string[] {
  const text = cluster.output();
  return text
    .slice(text.indexOf('Sluice is ready'))
    .split('\n\n')
    .filter((part) => part.startsWith('curl '));
}

function run(command: string): Answer {
  const { stdout } = spawnSync('sh', ['-c', command.replace('curl ', 'curl -s ')], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as Answer;
}

async function until<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  for (;;) {
    const result = await attempt();
    if (result) return result;
    await pause(POLL_INTERVAL_MS);
  }
}

function query(path: string): Answer {
  const [pay = ''] = greetingCommands();
  const access = /-H '[^']+'/.exec(pay)?.[0] ?? '';
  const entity = /entityId=([0-9a-f]{32})/.exec(pay)?.[1] ?? '';
  const separator = path.includes('?') ? '&' : '?';
  return run(`curl ${access} '${cluster.url}${path}${separator}entityId=${entity}'`);
}

describe('a cluster', () => {
  it('takes the payment that its greeting shows, gives some back, and finds it by query', async () => {
    const [pay = '', giveBack = ''] = greetingCommands();
    const paid = run(`${pay} -d merchantTransactionId=order-4711`);
    expect(paid.result.code).toBe('000.100.110');
    expect(run(giveBack.replace('/ID', `/${paid.id}`)).result.code).toBe('000.100.110');
    expect(query(`/v1/payments/${paid.id}`).id).toBe(paid.id);
    const { payments } = query('/v1/query?merchantTransactionId=order-4711');
    expect(payments).toMatchObject([{ id: paid.id }]);
  }, 60_000);

  it('finds by query what was just paid, 40 times of 40, and nothing older than that (D-65)', async () => {
    const [pay = ''] = greetingCommands();
    const created: unknown[] = [];
    const found: unknown[] = [];
    for (let n = 0; n < 40; n += 1) {
      const { id, result } = run(`${pay} -d merchantTransactionId=just-paid-${n}`);
      created.push([{ id, result }]);
      const { payments } = query(`/v1/query?merchantTransactionId=just-paid-${n}`);
      found.push(payments?.map((payment) => ({ id: payment.id, result: payment.result })));
    }
    expect(found).toEqual(created);
  }, 60_000);

  it("finds it from the store's own index while the relay publishes nothing", async () => {
    const [relay] = await cluster.members('relay');
    process.kill(relay!.pid, 'SIGSTOP');
    try {
      const [pay = ''] = greetingCommands();
      const { id, result } = run(`${pay} -d merchantTransactionId=not-published`);
      expect(result.code).toBe('000.100.110');
      const { payments } = query('/v1/query?merchantTransactionId=not-published');
      expect(payments).toMatchObject([{ id, result }]);
    } finally {
      process.kill(relay!.pid, 'SIGCONT');
    }
  }, 60_000);

  it.each(instrumentLives)(
    'takes every way to pay over Kafka: %s',
    async (_, row, expected) => {
      const [simulator] = await cluster.members('simulator');
      const walletsUrl = `${simulator?.url}/wallets`;
      expect(await liveThrough(row, { ...DEMO, url: cluster.url, walletsUrl })).toEqual(expected);
    },
    60_000,
  );

  describe(`after it was paid in with every instrument (TEST_SEED=${SEED} repeats the numbers)`, () => {
    let answers: Awaited<ReturnType<ClusterCanary['pay']>>;
    let findings: ClusterFindings;

    beforeAll(async () => {
      answers = await canary.pay(cluster);
      findings = await canary.search(cluster);
    }, SEARCHED_WITHIN_MS);

    it.each([
      ...['approved', 'stored with the payment', 'as IBAN', 'as account number', 'as stored IBAN'],
      ...['as gift card', 'as stored gift card', 'as token', 'as stored token'],
      ...['as account at a provider', 'as stored account at a provider'],
      ...['out of a wallet', 'out of a wallet, stored'],
      ...['in the token of applePay, paid', 'in the token of googlePay, paid'],
      ...['in the token of samsungPay, paid', 'in the token of clickToPay, paid'],
      ...paidOwnAccountKinds,
    ])('that was approved: %s', (way) => {
      const bodies = answers.filter(({ kind }) => kind === way).map(({ body }) => body);
      expect(bodies.join('\n')).toContain('"code":"000.100.110"');
    });

    it('no number, account, PIN, code or cryptogram stands in a topic, a table, a file, a log or an answer', () => {
      expect(findings.leaks).toEqual([]);
    });

    it('no token of a wallet, and nobody whom a bank debits, stands there', () => {
      expect(findings.texts).toEqual([]);
    });

    it('what was planted is found, in topics and tables and on the disk, so the rest would be', () => {
      const { controlsTotal: all } = canary;
      expect(findings.controls).toEqual({
        ...{ table: all, tableOnDisk: all, topic: all, topicOnDisk: all },
      });
      expect(findings.inBankFiles).toEqual(canary.toldToBank);
    });

    it('all of it was searched: topics, tables, the log of each process', () => {
      expect(findings.topics).toEqual(
        expect.arrayContaining([...Object.values(eventTopics), 'payments.commands.v1']),
      );
      const tables = ['payments.events', 'vault.', 'registrations.', 'reporting.', 'sepa.'];
      for (const table of tables) {
        expect(findings.tables.filter((each) => each.includes(table))).not.toEqual([]);
      }
      const lines = cluster.output().split('\n');
      const silent = SERVICES.filter((name) => !lines.some((line) => line.startsWith(name)));
      expect(silent).toEqual([]);
    });
  });

  it('shows requests as the sandbox does, after the name of who answered', async () => {
    const line = /^edge\s+POST \/v1\/payments 200 000\.100\.110 \d+ ms$/m;
    await until(() => line.test(cluster.output()));
    expect(cluster.output()).not.toContain('\u001B');
  });

  it('tells of itself to its owner alone', async () => {
    const { mode } = statSync(join(dataFolder, 'installation.json'));
    if (process.platform !== 'win32') expect(mode & 0o077).toBe(0);
    const { processes, environment, brokers } = await cluster.describe();
    const services = new Set(processes.map(({ service }) => service));
    expect([...services].sort()).toEqual([...SERVICES, 'kafka'].sort());
    expect(processes.filter(({ service }) => service === 'vault')).toHaveLength(2);
    expect(environment['KAFKA_BROKERS']).toBe(brokers);
    expect(environment['REPORTING_DATABASE_URL']).toMatch(/^postgres:\/\/sluice_reporting_app:/);
  });

  it('names no secret on any command line', async () => {
    if (process.platform !== 'linux') return;
    const { processes, environment } = await cluster.describe();
    const secrets = Object.values(environment)
      .filter((value) => value.startsWith('postgres://'))
      .map((value) => new URL(value).password);
    for (const { pid } of processes) {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      for (const secret of secrets) expect(words).not.toContain(secret);
    }
  });

  it('starts a service again that was killed', async () => {
    const [simulator] = await cluster.members('simulator');
    process.kill(simulator!.pid, 'SIGKILL');
    const successor = await until(async () => {
      const [member] = await cluster.members('simulator');
      return member !== undefined && member.pid !== simulator!.pid && member;
    });
    expect(successor).toMatchObject({ url: simulator!.url });
    await until(() => cluster.output().includes('is back'));
    expect(cluster.output()).toMatch(/^simulator\s+has ended \(SIGKILL\) and is started again$/m);
    const [pay = ''] = greetingCommands();
    expect(run(pay).result.code).toBe('000.100.110');
  }, 60_000);

  it('refuses a second one on its folder, in a sentence', () => {
    const words = [...CLUSTER, '--data', dataFolder, '--port', '0'];
    const second = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(/^The data folder .* is in use by Sluice, process number \d+/);
  }, 60_000);

  it(
    'stops on Ctrl-C with nothing left behind, and starts again with what was paid',
    async () => {
      const { processes } = await cluster.describe();
      const { code } = await cluster.stop();
      expect(code).toBe(0);
      expect(processes.filter(isAlive)).toEqual([]);
      expect(await postmasterOf(dataFolder)).toBeUndefined();
      expect(existsSync(join(dataFolder, 'installation.json'))).toBe(false);
      cluster = await startCluster({ dataFolder });
      expect(cluster.output()).not.toContain('unclean');
      const { payments } = query('/v1/query?merchantTransactionId=order-4711');
      expect(payments).toHaveLength(1);
    },
    START_MS,
  );

  it('leaves nothing behind when it is killed', async () => {
    const { processes } = await cluster.describe();
    await cluster.kill();
    const giveUpAt = performance.now() + GONE_WITHIN_MS;
    const left = (): number => processes.filter(isAlive).length;
    while (left() > 0 || (await postmasterOf(dataFolder)) !== undefined) {
      if (performance.now() > giveUpAt) break;
      await pause(POLL_INTERVAL_MS);
    }
    expect(processes.filter(isAlive).map(({ name }) => name)).toEqual([]);
    expect(await postmasterOf(dataFolder)).toBeUndefined();
    expect(readdirSync(dataFolder)).toContain('kafka');
  }, 90_000);
});

describe('a cluster that cannot start', () => {
  it.each([
    [['--instances', 'simulator=2'], {}, '--instances (SLUICE_INSTANCES) must be like payments=3'],
    [['--kafka', 'nowhere'], {}, '--kafka (KAFKA_BROKERS) must be host:port'],
  ])('says why: %j', (words, environment, sentence) => {
    const { status, stderr } = spawnSync(process.execPath, [...CLUSTER, ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...environment },
    });
    expect(status).toBe(2);
    expect(stderr).toContain(sentence);
  });

  it('without its file of card details says so before anything is started', () => {
    const data = join(folder, 'no-bins');
    const words = [
      ...CLUSTER,
      '--data',
      data,
      '--port',
      '0',
      '--bin-file',
      join(folder, 'none.json'),
    ];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(stderr).toBe('--bin-file (EDGE_BIN_FILE) names a file that cannot be read (ENOENT).\n');
    expect(status).toBe(2);
    expect(existsSync(data)).toBe(false);
  }, 60_000);

  it('without a Java says what to install', () => {
    const words = [...CLUSTER, '--data', join(folder, 'no-java'), '--port', '0'];
    const { status, stderr } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], JAVA_HOME: '/nowhere' },
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/Java .*KAFKA_BROKERS/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }, 60_000);
});
