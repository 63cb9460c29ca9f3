import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deletePostgresData } from '@sluice/embedded-postgres';
import {
  endOrphans,
  NotificationReceiver,
  sandboxDatabaseUrl,
  seededRandom,
  seedOf,
  startSandbox,
  startTraceCollector,
  type SandboxProcess,
} from '@sluice/testing';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  FOUND,
  payAuthenticated,
  placesOfSecrets,
  seedWithIssuers,
  typedCodes,
} from './authenticated-payments.js';
import {
  bankAccountsTotal,
  canaryBankAccounts,
  GATHER_MS,
  isInBankFiles,
  payThroughFiles,
  seedWithBank,
} from './bank-files.js';
import { type CanaryCard, canaryCards } from './canary-cards.js';
import {
  canaryRequests,
  giftCardPins,
  malformedCodes,
  slowPayment,
  waysTotal,
} from './canary-requests.js';
import { LeakScanner, sentenceOf, type Leak, type ScanResult } from './leak-scanner.js';
import { spellings, typed } from './number-spellings.js';
import {
  canaryAccountNumbers,
  ownAccountRequests,
  ownAccountsTotal,
  paidOwnAccountKinds,
} from './own-account-requests.js';
import { useAndRepeat } from './repeated-requests.js';
import { saveAndPay, savedCards } from './saved-checkouts.js';
import { sendAll, type CanaryAnswer } from './send.js';
import { spelledRequests, spelledTotal } from './spelled-requests.js';
import { tableTexts } from './table-texts.js';
import { hasCodeValue } from './text-words.js';
import { NOTIFICATION_SECRET, seedWithReceiver } from './told-notifications.js';
import { payWithWallets, walletCards } from './wallet-payments.js';

const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** Every way six times. */
const CARDS = waysTotal * 6;
const SLOW_CARDS = 20;
const RUN_WITHIN_MS = 150_000;
const KILLED_AFTER_MS = 400;

const account = {
  entityId: '8ac7a4c8700000000000000000000002',
  accessToken: 'card-canary-access-token-0123456789abcdef',
};
const random = seededRandom(SEED);
const WALLET_CARDS_FROM = CARDS + SLOW_CARDS + spelledTotal;
const SAVED_CARDS_FROM = WALLET_CARDS_FROM + walletCards;
/** Before the process is killed, and after that. */
const cards = canaryCards(random, SAVED_CARDS_FROM + 2 * savedCards);
const savedAt = (time: number): readonly CanaryCard[] =>
  cards.slice(SAVED_CARDS_FROM + time * savedCards, SAVED_CARDS_FROM + (time + 1) * savedCards);
/**
 * Planted on purpose, one for each way to spell a number: finding them shows that the scan reads
 * what the sandbox has written, and would have seen a number that is spelled so.
 */
const controls = canaryCards(random.fork('control'), spellings.length);
const controlNumbers = controls.map(({ number }) => number);
const bankAccounts = canaryBankAccounts(random.fork('bank'), bankAccountsTotal);
/** What is paid with and sent a second time in the same request. */
const ownNumbers = canaryAccountNumbers(random.fork('own'), ownAccountsTotal);
const ownBanks = canaryBankAccounts(random.fork('own bank'), ownAccountsTotal);
const scanner = new LeakScanner({
  cards: [...cards, ...controls],
  longSecrets: [
    ...[...malformedCodes, ...giftCardPins, ...ownNumbers, ...typedCodes],
    ...[...bankAccounts, ...ownBanks].map(({ digits }) => digits),
  ],
});

/** Everything that the run left behind. */
interface Traces {
  answers: CanaryAnswer[];
  output: string;
  afterKill: ScanResult;
  atEnd: ScanResult;
  tables: Leak[];
  /** Of the tokens of wallets: where one stands that should stand nowhere. */
  tokens: string[];
  /** Of whoever was debited by a file: names and mandates where they should not stand. */
  names: string[];
  /** Where what shoppers, their browsers and issuers say of them stands. */
  authenticated: readonly string[];
  /** What a collector was sent: every request was traced. */
  spans: readonly string[];
  /** Whether the secret of notifications stands in a table, answer, span or output. */
  isSecretTold: boolean;
}

describe(`after ${cards.length} canary cards (TEST_SEED=${SEED} repeats them)`, () => {
  let folder: string;
  let told: NotificationReceiver;
  let traces: Traces;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-card-canary-'));
    await mkdir(join(folder, 'tmp'));
    told = await NotificationReceiver.start(NOTIFICATION_SECRET);
    await writeFile(
      join(folder, 'tmp', 'seed.json'),
      seedWithReceiver(seedWithIssuers(seedWithBank(seedOf('Card canary', account))), told),
    );
    traces = await leaveTraces(folder, told);
  }, RUN_WITHIN_MS);
  afterAll(async () => {
    await told.close();
    await endOrphans(join(folder, 'data'));
    await deletePostgresData(join(folder, 'data'));
    await rm(folder, { recursive: true, force: true });
  });

  it('the ways were really taken: approved, declined, refused and unanswered ones', () => {
    const codes = traces.answers.map(({ body }) => /"code":"([0-9.]{11})"/.exec(body)?.[1]);
    for (const code of ['000.100.110', '800.100.152', '200.300.404', '100.100.303']) {
      expect(codes).toContain(code);
    }
    expect(traces.answers.length).toBeGreaterThanOrEqual(CARDS);
    for (const way of [
      ...paidOwnAccountKinds,
      ...['as IBAN', 'as account number', 'as stored IBAN', 'out of a wallet'],
      ...['as account at a provider', 'as stored account at a provider'],
      ...['as gift card', 'as stored gift card', 'as token', 'as stored token'],
      'as token with a code',
    ]) {
      const bodies = traces.answers.filter(({ kind }) => kind === way).map(({ body }) => body);
      expect(bodies.join('\n')).toContain('"code":"000.100.110"');
    }
  });

  it('wallets were paid with: approved, declined, refused, and refused a second time', () => {
    for (const wallet of ['applePay', 'googlePay', 'samsungPay', 'clickToPay']) {
      const codes = traces.answers
        .filter(({ kind }) => kind.startsWith(`in the token of ${wallet}`))
        .map(({ body }) => /"code":"([0-9.]{11})"/.exec(body)?.[1]);
      expect(codes).toEqual(expect.arrayContaining(['000.100.110', '800.100.152', '800.110.100']));
    }
    expect(JSON.stringify(traces.answers)).toContain('100.550.701');
  });

  it('forms were saved: and left, paid, declined and saved anew', () => {
    const codes = (end: string): readonly (string | undefined)[] =>
      traces.answers
        .filter(({ kind }) => kind === `that is saved, and ${end}`)
        .map(({ body }) => /"code":"([0-9.]{11})"/.exec(body)?.[1]);
    const [made, saved, paid] = ['000.200.100', '000.200.101', '000.100.110'];
    const twice = (one: readonly (string | undefined)[]) => [...one, ...one];
    expect(codes('left')).toEqual(twice([made, saved]));
    expect(codes('paid')).toEqual(twice([made, saved, paid]));
    expect(codes('replaced')).toEqual(twice([made, saved, saved, paid]));
    expect(codes('paid otherwise')).toEqual(twice([made, saved, paid]));
    expect(codes('declined')).toEqual(twice([made, saved, '800.100.152']));
    expect(codes('paid twice')).toEqual(twice([made, saved, paid, paid]));
  });

  it('no token of a wallet stands in any table, answer, span or output', () => {
    expect(traces.tokens).toEqual([]);
  });

  it('accounts were debited and credited by files for a bank, and one debit came back', () => {
    const codes = (way: string): readonly string[] =>
      traces.answers
        .filter(({ kind }) => kind === `by files for a bank, ${way}`)
        .map(({ body }) => /"code":"([0-9.]{11})"/.exec(body)?.[1] ?? body);
    const ways = ['debited', 'captured', 'the capture', 'the refund', 'credited', 'stored'];
    for (const way of [...ways, 'by registration']) {
      expect([way, ...codes(way)]).toEqual([way, '000.100.112']);
    }
    expect(codes('declined, in another currency')).toEqual(['800.100.173']);
    expect(codes('charged back')).toHaveLength(1);
    const inFiles = ofBank(traces.atEnd.leaks).filter(({ place }) => place.includes('outgoing'));
    const debited = bankAccounts.slice(0, -1).map(({ digits }) => digits);
    expect(new Set(inFiles.map(({ value }) => value))).toEqual(new Set(debited));
  });

  it('files of a bank have its accounts, and nothing else of anybody', () => {
    const accounts = bankAccounts.map(({ digits }) => digits);
    const others = ofBank(traces.atEnd.leaks).filter(({ value }) => !accounts.includes(value));
    expect(summary(others)).toEqual([]);
  });

  it('shoppers were authenticated: asked and not, and nobody paid twice with one proof', () => {
    const codes = (way: string): readonly string[] =>
      traces.answers
        .filter(({ kind }) => kind === way)
        .map(({ body }) => /"code":"([0-9.]{11})"/.exec(body)?.[1] ?? body);
    expect(codes('asked by its issuer').at(-1)).toBe('000.100.110');
    expect(codes('paid with its proof')).toEqual(Array(3).fill('000.100.110'));
    expect(codes('paid with its proof again')).toEqual(Array(3).fill('800.100.158'));
  });

  it('no cryptogram, no code for an issuer and nothing of a browser stands anywhere in clear', () => {
    const others = traces.authenticated.filter((place) => !place.endsWith(FOUND));
    expect(others).toEqual([]);
    // What is no secret is found: in tables, and in PostgreSQL's files.
    expect(traces.authenticated).toEqual(
      expect.arrayContaining([`tables: ${FOUND}`, expect.stringContaining('pg_wal')]),
    );
  });

  it('whom a file debits is named in no table, span or output', () => {
    expect(traces.names).toEqual([]);
  });

  it('the scan finds what was planted in the database', () => {
    const found = (leaks: readonly Leak[]): readonly string[] => {
      const values = new Set(leaks.map(({ value }) => value));
      return controlNumbers.filter((number) => values.has(number));
    };
    expect(found(traces.tables)).toEqual(controlNumbers);
    expect(found(traces.atEnd.leaks)).toEqual(controlNumbers);
    expect(traces.atEnd.bytes).toBeGreaterThan(10_000_000);
  });

  it('no number, account or code stands in any other file, write-ahead log included', () => {
    const leaks = traces.atEnd.leaks.filter((leak) => !ofBank([leak]).includes(leak));
    expect(summary(leaks)).toEqual([]);
  });

  it('none stood in any file when the process was killed', () => {
    expect(summary(traces.afterKill.leaks)).toEqual([]);
  });

  it('none stands in any table', () => {
    expect(summary(traces.tables)).toEqual([]);
  });

  it('none stands in what the sandbox printed', () => {
    expect(traces.output).toContain('Sluice is ready on');
    // The number of a process may be a code that was drawn.
    const output = traces.output.replaceAll(/of process [0-9]+/g, 'of a process');
    expect(summary(scanner.scanLog(output, 'output'))).toEqual([]);
  });

  it('none stands in any span', () => {
    const told = traces.spans.join('\n');
    for (const name of ['POST /v1/payments', 'submit simulator', 'process payments.payment.v1']) {
      expect(told).toContain(name);
    }
    expect(summary(scanner.scanBytes(Buffer.from(told), 'spans'))).toEqual([]);
  });

  it('none stands in any answer', () => {
    const leaks = traces.answers.flatMap(({ kind, head, body }) =>
      scanner.scanBytes(Buffer.from(`${head}\n${body}`), `answer to a card ${kind}`),
    );
    expect(summary(leaks)).toEqual([]);
  });

  it('none stands in any notification, and their secret is where it is sealed', () => {
    for (const type of ['PAYMENT', 'REGISTRATION']) {
      expect(told.texts.some((text) => text.startsWith(`{"type":"${type}"`))).toBe(true);
    }
    const leaks = told.texts.flatMap((text) => scanner.scanBytes(Buffer.from(text), 'told'));
    expect(summary(leaks)).toEqual([]);
    expect(traces.isSecretTold).toBe(false);
  });

  it('no four-digit code is a value in any answer or notification', () => {
    const codes = cards
      .filter(({ securityCode }) => securityCode.length === 4)
      .map(({ securityCode }) => securityCode);
    const all = [...traces.answers.map(({ body }) => body), ...told.texts];
    const bodies = all.map((body) => JSON.parse(body) as unknown);
    expect(codes.filter((code) => bodies.some((body) => hasCodeValue(body, code)))).toEqual([]);
  });
});

async function leaveTraces(folder: string, told: NotificationReceiver): Promise<Traces> {
  const requests = [
    ...canaryRequests(account, cards.slice(0, CARDS)),
    ...spelledRequests(account, cards.slice(CARDS + SLOW_CARDS, WALLET_CARDS_FROM)),
    ...ownAccountRequests(account, ownNumbers, ownBanks),
  ];
  const half = Math.floor(requests.length / 2);
  const collector = await startTraceCollector();
  const first = await start(folder, collector.url);
  const answers = await sendAll(first.url, requests.slice(0, half));
  answers.push(...(await saveAndPay({ url: first.url, account }, savedAt(0))));
  const slow = sendAll(
    first.url,
    cards.slice(CARDS, CARDS + SLOW_CARDS).map((card) => slowPayment(account, card)),
    SLOW_CARDS,
  );
  await new Promise((resolve) => setTimeout(resolve, KILLED_AFTER_MS));
  await first.kill();
  await slow;
  const afterKill = await scanner.scanFolder(folder);
  const second = await start(folder, collector.url);
  answers.push(...(await sendAll(second.url, requests.slice(half))));
  answers.push(...(await useAndRepeat(second.url, account, cards)));
  answers.push(...(await saveAndPay({ url: second.url, account }, savedAt(1))));
  const shop = { url: second.url, walletsUrl: `${second.url}/simulator/wallets`, account };
  const wallets = await payWithWallets(shop, cards.slice(WALLET_CARDS_FROM, SAVED_CARDS_FROM));
  answers.push(...wallets.answers);
  const bank = { url: second.url, dataFolder: join(folder, 'data'), account };
  answers.push(...(await payThroughFiles(bank, bankAccounts)));
  const authenticated = await payAuthenticated(second.url, account);
  answers.push(...authenticated.answers);
  await told.hasHeard(idOf(authenticated.answers.at(-1)), 2);
  const { leaks: tables, texts } = await readTables(folder);
  await second.stop();
  await collector.close();
  const output = first.output() + second.output();
  const atEnd = await scanner.scanFolder(folder);
  const spans = collector.bodies.join('\n');
  const written = { output, spans, tables: texts.join('\n') };
  const places = await placesOfSecrets(folder, authenticated, written);
  const kept = [...collector.bodies, output, ...texts].join('\n');
  const said = [...answers.map(({ body }) => body), kept].join('\n');
  const tokens = wallets.pieces.filter((piece) => said.includes(piece));
  const names = bankAccounts
    .flatMap(({ holder, mandate }) => [holder, mandate])
    .filter((name) => kept.includes(name));
  const isSecretTold = said.toLowerCase().includes(NOTIFICATION_SECRET);
  const found = {
    isSecretTold,
    tables,
    tokens,
    names,
    authenticated: places,
    spans: collector.bodies,
  };
  return { answers, output, afterKill, atEnd, ...found };
}

function idOf(answer: CanaryAnswer | undefined): string {
  return (JSON.parse(answer?.body ?? '{}') as { readonly id?: string }).id ?? '';
}

/** Plants the control numbers in a table of its own, and reads all tables as text. */
async function readTables(folder: string): Promise<{ leaks: Leak[]; texts: string[] }> {
  const url = await sandboxDatabaseUrl(join(folder, 'data'));
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      'CREATE TABLE public.canary_control AS SELECT unnest($1::text[])::jsonb AS number',
      [controlNumbers.map((number, index) => JSON.stringify(typed(number, index)))],
    );
    await client.query('CHECKPOINT');
    const leaks: Leak[] = [];
    const texts: string[] = [];
    for await (const { table, text } of tableTexts(client)) {
      texts.push(text);
      leaks.push(...scanner.scanBytes(Buffer.from(text), table));
    }
    return { leaks, texts };
  } finally {
    await client.end();
  }
}

function start(folder: string, collectorUrl: string): Promise<SandboxProcess> {
  return startSandbox({
    dataFolder: join(folder, 'data'),
    arguments: ['--seed', join(folder, 'tmp', 'seed.json'), '--sepa-gather', `${GATHER_MS}`],
    // What a program leaves in the temporary folder is looked at too.
    environment: {
      TMPDIR: join(folder, 'tmp'),
      OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
}

/** In the files for a bank and of it, where its accounts belong. */
function ofBank(leaks: readonly Leak[]): readonly Leak[] {
  return leaks.filter((leak) => isInBankFiles(leak, 'data'));
}

/** Leaks other than the planted one, short enough to be read. */
function summary(leaks: readonly Leak[]): string[] {
  return leaks
    .filter(({ value }) => !controlNumbers.includes(value))
    .map(sentenceOf)
    .slice(0, 40);
}
