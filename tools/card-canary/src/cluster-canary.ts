import { runningPostgres } from '@sluice/embedded-postgres';
import { createKafka } from '@sluice/messaging';
import { type ClusterProcess, seededRandom, seedOf } from '@sluice/testing';
import { Client } from 'pg';
import {
  bankAccountsTotal,
  type CanaryBankAccount,
  canaryBankAccounts,
  GATHER_MS,
  isInBankFiles,
  payThroughFiles,
  seedWithBank,
} from './bank-files.js';
import { type CanaryCard, canaryCards } from './canary-cards.js';
import { canaryRequests, giftCardPins, malformedCodes, waysTotal } from './canary-requests.js';
import { type Leak, LeakScanner, sentenceOf } from './leak-scanner.js';
import { spellings, typed } from './number-spellings.js';
import {
  canaryAccountNumbers,
  ownAccountRequests,
  ownAccountsTotal,
} from './own-account-requests.js';
import { type CanaryAnswer, sendAll } from './send.js';
import { tableTexts } from './table-texts.js';
import { type Kafka, topicRecords } from './topic-texts.js';
import { payWithWallets, walletCards } from './wallet-payments.js';

const ACCOUNT = {
  entityId: '8ac7a4c8700000000000000000000003',
  accessToken: 'cluster-canary-access-token-0123456789abcdef',
};
/** Every server has it. */
const CONTROL_DATABASE = 'postgres';
const CONTROL_TOPIC = 'canary-control';
const LEAKS_SHOWN_MAX = 40;

/** Where a number stands, and how often it was looked for. */
export interface ClusterFindings {
  /** Where something stands that should stand nowhere; each a line to read. */
  readonly leaks: readonly string[];
  /** Names, mandates and tokens of wallets where they should not stand. */
  readonly texts: readonly string[];
  /** The planted numbers that were found, by where they were planted and looked for. */
  readonly controls: Readonly<Record<'table' | 'tableOnDisk' | 'topic' | 'topicOnDisk', number>>;
  /** The bank accounts that the files for the bank name. */
  readonly inBankFiles: ReadonlySet<string>;
  /** What was searched: each topic and each table that holds something. */
  readonly topics: readonly string[];
  readonly tables: readonly string[];
  /** On the disk. */
  readonly bytes: number;
}

/**
 * Pays in a cluster with every instrument, each time with numbers that exist only to be found again,
 * and then looks for them in everything that the cluster writes: topics and their segments, databases
 * with their write-ahead log, files for a bank, logs.
 */
export class ClusterCanary {
  /** For the cluster, beside the seed file: files for a bank are made often. */
  readonly arguments: readonly string[] = ['--sepa-gather', String(GATHER_MS)];
  /** What the cluster is seeded with: a channel whose payments by bank account go to a bank. */
  readonly seedFile = seedWithBank(seedOf('Cluster canary', ACCOUNT));
  /** How many numbers are planted, in a table and in a topic each. */
  readonly controlsTotal = spellings.length;
  readonly #cards: readonly CanaryCard[];
  readonly #walletCards: readonly CanaryCard[];
  readonly #tableControls: readonly CanaryCard[];
  readonly #topicControls: readonly CanaryCard[];
  readonly #accounts: readonly CanaryBankAccount[];
  /** What is paid with and sent a second time in the same request. */
  readonly #ownNumbers: readonly string[];
  readonly #ownBanks: readonly CanaryBankAccount[];
  readonly #scanner: LeakScanner;
  #answers: readonly CanaryAnswer[] = [];
  #tokens: readonly string[] = [];

  /** @param seed repeats a run */
  constructor(
    seed: string,
    private readonly dataFolder: string,
  ) {
    const random = seededRandom(seed);
    const cards = canaryCards(random, waysTotal + walletCards);
    const controls = canaryCards(random.fork('control'), 2 * this.controlsTotal);
    this.#cards = cards.slice(0, waysTotal);
    this.#walletCards = cards.slice(waysTotal);
    this.#tableControls = controls.slice(0, this.controlsTotal);
    this.#topicControls = controls.slice(this.controlsTotal);
    this.#accounts = canaryBankAccounts(random.fork('bank'), bankAccountsTotal);
    this.#ownNumbers = canaryAccountNumbers(random.fork('own'), ownAccountsTotal);
    this.#ownBanks = canaryBankAccounts(random.fork('own bank'), ownAccountsTotal);
    const digits = [...this.#accounts, ...this.#ownBanks].map((account) => account.digits);
    this.#scanner = new LeakScanner({
      cards: [...cards, ...controls],
      longSecrets: [...malformedCodes, ...giftCardPins, ...this.#ownNumbers, ...digits],
    });
  }

  /** The answers to payments by every instrument, each with the way that it took. */
  async pay(cluster: ClusterProcess): Promise<readonly CanaryAnswer[]> {
    const [simulator] = await cluster.members('simulator');
    const shop = {
      ...{ url: cluster.url, walletsUrl: `${simulator?.url ?? ''}/wallets` },
      ...{ account: ACCOUNT, dataFolder: this.dataFolder },
    };
    const first = await sendAll(cluster.url, [
      ...canaryRequests(ACCOUNT, this.#cards),
      ...ownAccountRequests(ACCOUNT, this.#ownNumbers, this.#ownBanks),
    ]);
    const wallets = await payWithWallets(shop, this.#walletCards);
    const bank = await payThroughFiles(shop, this.#accounts);
    this.#tokens = wallets.pieces;
    this.#answers = [...first, ...wallets.answers, ...bank];
    return this.#answers;
  }

  /** Looks for all that was paid with, wherever the cluster writes. */
  async search(cluster: ClusterProcess): Promise<ClusterFindings> {
    const { brokers } = await cluster.describe();
    const kafka = createKafka({ brokers: brokers.split(','), clientId: 'card-canary' });
    await plantInTopic(kafka, this.#topicControls);
    const tables = await this.#readTables();
    const topics = await topicRecords(kafka);
    const onDisk = await this.#scanner.scanFolder(this.dataFolder);
    await Promise.all([removeTopic(kafka), this.#removeTable()]);
    const output = cluster.output();
    const answers = this.#answers.map(({ head, body }) => `${head}\n${body}`).join('\n');
    const inTables = tables.flatMap(({ place, bytes }) => this.#scanner.scanBytes(bytes, place));
    const inTopics = topics.flatMap(({ topic, bytes }) =>
      this.#scanner.scanBytes(bytes, `topic ${topic}`),
    );
    const all = [
      ...[...inTables, ...inTopics, ...onDisk.leaks],
      ...this.#scanner.scanBytes(Buffer.from(output), 'output'),
      ...this.#scanner.scanBytes(Buffer.from(answers), 'answers'),
    ];
    const kept = [...tables, ...topics].map(({ bytes }) => bytes.toString('utf8')).concat(output);
    return {
      leaks: this.#unexpected(all).map(sentenceOf).slice(0, LEAKS_SHOWN_MAX),
      texts: this.#textsIn(kept.join('\n'), answers),
      controls: {
        table: foundOf(this.#tableControls, inTables),
        tableOnDisk: foundOf(this.#tableControls, onDisk.leaks),
        topic: foundOf(this.#topicControls, inTopics),
        topicOnDisk: foundOf(this.#topicControls, onDisk.leaks),
      },
      inBankFiles: new Set(
        onDisk.leaks.filter((leak) => isInBankFiles(leak, '')).map(({ value }) => value),
      ),
      topics: topics.map(({ topic }) => topic),
      tables: tables.filter(({ bytes }) => bytes.length > 0).map(({ place }) => place),
      bytes: onDisk.bytes,
    };
  }

  /** The accounts that a bank was told of, whose files have to name them. */
  get toldToBank(): ReadonlySet<string> {
    return new Set(this.#accounts.slice(0, -1).map(({ digits }) => digits));
  }

  #unexpected(leaks: readonly Leak[]): readonly Leak[] {
    const planted = [...this.#tableControls, ...this.#topicControls].map(({ number }) => number);
    const accounts = this.#accounts.map(({ digits }) => digits);
    return leaks.filter(
      (leak) =>
        !planted.includes(leak.value) &&
        !(accounts.includes(leak.value) && isInBankFiles(leak, '')),
    );
  }

  #textsIn(kept: string, answers: string): readonly string[] {
    const names = this.#accounts.flatMap(({ holder, mandate }) => [holder, mandate]);
    return [
      ...names.filter((name) => kept.includes(name)),
      ...this.#tokens.filter((token) => kept.includes(token) || answers.includes(token)),
    ];
  }

  /** Plants the controls in a table of its own, and reads all tables of all databases as text. */
  async #readTables(): Promise<readonly { readonly place: string; readonly bytes: Buffer }[]> {
    const server = await this.#server();
    const read: { place: string; bytes: Buffer }[] = [];
    for (const database of await databasesOf(server)) {
      await withClient(server, database, async (client) => {
        if (database === CONTROL_DATABASE) await plantInTable(client, this.#tableControls);
        for await (const { table, text } of tableTexts(client)) {
          read.push({ place: `${database}.${table}`, bytes: Buffer.from(text) });
        }
        await client.query('CHECKPOINT');
      });
    }
    return read;
  }

  async #removeTable(): Promise<void> {
    const drop = 'DROP TABLE public.canary_control';
    await withClient(await this.#server(), CONTROL_DATABASE, (client) => client.query(drop));
  }

  /** The way of its superuser. */
  async #server(): Promise<string> {
    const server = await runningPostgres(this.dataFolder);
    if (server === undefined) throw new Error(`no PostgreSQL runs on ${this.dataFolder}`);
    return server;
  }
}

function foundOf(controls: readonly CanaryCard[], leaks: readonly Leak[]): number {
  const values = new Set(leaks.map(({ value }) => value));
  return controls.filter(({ number }) => values.has(number)).length;
}

async function databasesOf(server: string): Promise<readonly string[]> {
  const text = 'SELECT datname AS name FROM pg_database WHERE datallowconn AND NOT datistemplate';
  const { rows } = await withClient(server, CONTROL_DATABASE, (client) =>
    client.query<{ name: string }>(text),
  );
  return rows.map(({ name }) => name);
}

async function withClient<Result>(
  server: string,
  database: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const url = new URL(server);
  url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function plantInTable(client: Client, controls: readonly CanaryCard[]): Promise<void> {
  await client.query(
    'CREATE TABLE public.canary_control AS SELECT unnest($1::text[])::jsonb AS number',
    [controls.map(({ number }, index) => JSON.stringify(typed(number, index)))],
  );
}

/** As keys, in headers and as values, in turn. */
async function plantInTopic(kafka: Kafka, controls: readonly CanaryCard[]): Promise<void> {
  const admin = kafka.admin();
  const producer = kafka.producer();
  await Promise.all([admin.connect(), producer.connect()]);
  await admin.createTopics({
    topics: [{ topic: CONTROL_TOPIC, numPartitions: 1, replicationFactor: 1 }],
    waitForLeaders: true,
  });
  const messages = controls.map(({ number }, index) => {
    const text = typed(number, index);
    const places = [
      { key: text, value: 'a key' },
      { value: 'a header', headers: { card: text } },
      { value: JSON.stringify({ card: text }) },
    ];
    return places[index % places.length] ?? { value: text };
  });
  await producer.send({ topic: CONTROL_TOPIC, messages });
  await Promise.all([admin.disconnect(), producer.disconnect()]);
}

async function removeTopic(kafka: Kafka): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [CONTROL_TOPIC] });
  await admin.disconnect();
}
