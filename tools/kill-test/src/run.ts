import { deletePostgresData } from '@sluice/embedded-postgres';
import {
  endOrphans,
  killPostmaster,
  postmasterOf,
  sandboxDatabaseUrl,
  seededRandom,
  startSandbox,
  type SandboxProcess,
} from '@sluice/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { readBook } from './acquirer-book.js';
import { disagreements } from './compare.js';
import type { ChainTransaction } from './ledger-fold.js';
import { Merchant } from './merchant.js';
import { planOf, type KillTarget, type Life } from './plan.js';
import type { BookedEffect, ReadBack, RecordedTransaction, Violation } from './records.js';
import { verifyLedger } from './verify-ledger.js';

/** One channel of its own, seeded; nothing of the demo channel is used. */
const ACCOUNT = {
  entityId: '8ac7a4c8700000000000000000000001',
  accessToken: 'kill-test-access-token-0123456789abcdef',
};
/**
 * What waits for minutes in life waits here for tenths of seconds (D-28). The longest faults book
 * later than `MAX_IN_FLIGHT`, so that approvals after the end happen too (D-27); the lease is the
 * sum that D-25 asks for.
 */
const SHORT_WAITS: Readonly<Record<string, string>> = {
  SLUICE_CONNECTOR_TIMEOUT_MS: '1000',
  SLUICE_SEND_WINDOW_MS: '1000',
  SLUICE_MAX_IN_FLIGHT_MS: '1500',
  SLUICE_SWEEPER_LEASE_MS: '3500',
  SLUICE_INQUIRE_AFTER_MS: '200,400,600,800,1000,1500,2000,3000,5000,8000,12000,20000,40000',
  SLUICE_RESOLVE_BY_MS: '2500',
  SLUICE_LATE_INQUIRY_MS: '2000',
  SLUICE_SWEEP_INTERVAL_MS: '100',
  SLUICE_SIMULATOR_PENDING_MS: '1000',
};
const RECOVERY_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 100;
const READERS = 16;
const PAYMENTS_SCHEMA = 'payments';

/** What to run. */
export interface KillTestOptions {
  readonly seed: string;
  readonly kills: number;
  readonly perSecond: number;
  /** One line per kill, for whoever waits. */
  readonly onProgress: (line: string) => void;
}

/** What came of it. */
export interface KillTestResult {
  readonly seed: string;
  readonly merchant: Merchant;
  readonly recorded: readonly RecordedTransaction[];
  readonly chains: readonly ChainTransaction[];
  readonly book: readonly BookedEffect[];
  readonly violations: readonly Violation[];
  /** From spawning to the ready line, per start. */
  readonly readyAfterMs: readonly number[];
  /** From the last answer until nothing was open any more. */
  readonly recoveredAfterMs: number;
  readonly stoppedAfterMs: number;
  readonly durationMs: number;
  readonly kills: Readonly<Record<KillTarget, number>>;
}

/** Runs the plan of a seed against a sandbox of its own, and compares the three sides. */
export async function runKillTest(options: KillTestOptions): Promise<KillTestResult> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'sluice-kill-test-'));
  const run = new KillTest(options, dataFolder);
  try {
    return await run.run();
  } finally {
    run.close();
    await endOrphans(join(dataFolder, 'data'));
    await deletePostgresData(join(dataFolder, 'data'));
    await rm(dataFolder, { recursive: true, force: true });
  }
}

class KillTest {
  readonly #options: KillTestOptions;
  readonly #dataFolder: string;
  readonly #merchant = new Merchant(ACCOUNT);
  readonly #readyAfterMs: number[] = [];
  readonly #kills = { node: 0, nodeThenPostgres: 0, postgresThenNode: 0 };
  #port: number | undefined;

  constructor(options: KillTestOptions, dataFolder: string) {
    this.#options = options;
    this.#dataFolder = dataFolder;
  }

  async run(): Promise<KillTestResult> {
    const startedAt = performance.now();
    const { seed, kills, perSecond } = this.#options;
    await writeFile(join(this.#dataFolder, 'seed.json'), seedFile());
    const lives = planOf(seededRandom(seed), { kills, perSecond });
    let previous: ReadonlySet<string> = new Set();
    let sandbox = await this.#start();
    for (const [index, life] of lives.entries()) {
      this.#merchant.repeatKeyed(sandbox.url, previous);
      await this.#live(sandbox, life);
      if (life.target === undefined) break;
      this.#progress(index, life);
      previous = new Set(life.requests.map(({ reference }) => reference));
      sandbox = await this.#start();
    }
    await this.#merchant.settle();
    const url = await sandboxDatabaseUrl(join(this.#dataFolder, 'data'));
    const recoveredAfterMs = await recovered(url);
    // What could not be repeated while recovery was busy has its last chance now.
    if (this.#merchant.repeatKeyed(sandbox.url, new Set()) > 0) {
      await this.#merchant.settle();
      await recovered(url);
    }
    return await this.#compare(sandbox, url, { startedAt, recoveredAfterMs });
  }

  close(): void {
    this.#merchant.close();
  }

  async #start(): Promise<SandboxProcess> {
    const sandbox = await startSandbox({
      dataFolder: join(this.#dataFolder, 'data'),
      arguments: ['--seed', join(this.#dataFolder, 'seed.json')],
      environment: SHORT_WAITS,
      ...(this.#port === undefined ? {} : { port: this.#port }),
    });
    this.#port ??= Number(new URL(sandbox.url).port);
    this.#readyAfterMs.push(sandbox.readyAfterMs);
    return sandbox;
  }

  /** Sends the life's requests at their times and kills at its time; ends after both. */
  async #live(sandbox: SandboxProcess, life: Life): Promise<void> {
    const killed = after(life.killAtMs, () =>
      life.target === undefined
        ? Promise.resolve()
        : this.#kill(sandbox, life.target, life.pauseMs),
    );
    const sent = life.requests.map((planned) =>
      after(planned.atMs, () => {
        this.#merchant.send(sandbox.url, planned);
        return Promise.resolve();
      }),
    );
    await Promise.all([killed, ...sent]);
  }

  async #kill(sandbox: SandboxProcess, target: KillTarget, pauseMs: number): Promise<void> {
    this.#kills[target] += 1;
    const postmaster = await postmasterOf(join(this.#dataFolder, 'data'));
    const killPostgres = (): Promise<void> =>
      postmaster === undefined ? Promise.resolve() : killPostmaster(postmaster);
    switch (target) {
      case 'node':
        await sandbox.kill();
        return;
      case 'nodeThenPostgres':
        await sandbox.kill();
        await killPostgres();
        return;
      case 'postgresThenNode':
        await killPostgres();
        await after(pauseMs, () => sandbox.kill());
    }
  }

  #progress(index: number, life: Life): void {
    const attempts = this.#merchant.records().flatMap((request) => request.attempts);
    const answered = attempts.filter(({ kind }) => kind === 'answered').length;
    const lost = attempts.filter(({ kind }) => kind === 'indefinite').length;
    const ready = seconds(this.#readyAfterMs.at(-1) ?? 0);
    const number = String(index + 1).padStart(String(this.#options.kills).length);
    this.#options.onProgress(
      `kill ${number}/${this.#options.kills}  ready in ${ready}, ${life.target ?? 'nothing'} killed after ` +
        `${seconds(life.killAtMs)}; so far ${answered} answers, ${lost} lost in flight`,
    );
  }

  async #compare(
    sandbox: SandboxProcess,
    url: string,
    times: { startedAt: number; recoveredAfterMs: number },
  ): Promise<KillTestResult> {
    const recorded: RecordedTransaction[] = [];
    const chains: ChainTransaction[] = [];
    const ledger = await withClient(url, (client) =>
      verifyLedger(client, {
        schema: PAYMENTS_SCHEMA,
        onChain: (streamId, transactions) => {
          for (const transaction of transactions) {
            chains.push(transaction);
            recorded.push(recordedOf(streamId, transaction));
          }
        },
      }),
    );
    const readBack = await this.#readAll(sandbox.url, recorded);
    const { endedAfterMs } = await sandbox.stop();
    const book = await readBook(join(this.#dataFolder, 'data', 'simulator', 'book.jsonl'));
    const evidence = { merchant: this.#merchant.records(), recorded, book, readBack };
    return {
      seed: this.#options.seed,
      merchant: this.#merchant,
      recorded,
      chains,
      book,
      violations: [
        ...ledger.violations.map((sentence) => ({ rule: 'ledger', subject: 'ledger', sentence })),
        ...chains.filter(({ late }) => late === 'approved').map(lateLeft),
        ...disagreements(evidence),
      ],
      readyAfterMs: this.#readyAfterMs,
      recoveredAfterMs: times.recoveredAfterMs,
      stoppedAfterMs: endedAfterMs,
      durationMs: performance.now() - times.startedAt,
      kills: this.#kills,
    };
  }

  async #readAll(url: string, recorded: readonly RecordedTransaction[]): Promise<ReadBack[]> {
    const answeredIds = this.#merchant
      .records()
      .flatMap(({ attempts }) => attempts)
      .flatMap((attempt) =>
        attempt.kind === 'answered' && attempt.id !== undefined ? [attempt.id] : [],
      );
    const ids = [...new Set([...answeredIds, ...recorded.map(({ id }) => id)])];
    const readBack: ReadBack[] = [];
    const read = async (): Promise<void> => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        readBack.push({ id, ...(await this.#merchant.read(url, id)) });
      }
    };
    await Promise.all(Array.from({ length: READERS }, read));
    return readBack;
  }
}

function lateLeft({ id }: ChainTransaction): Violation {
  return { rule: 'left open', subject: id, sentence: 'its late approval is not undone' };
}

function recordedOf(streamId: string, transaction: ChainTransaction): RecordedTransaction {
  const { id, operation, outcome, currency, reference, resultCode, acquirerReference } =
    transaction;
  return {
    id,
    streamId,
    operation,
    outcome,
    amountMinor: transaction.minor,
    ...(currency === undefined ? {} : { currency }),
    ...(reference === undefined ? {} : { reference }),
    ...(resultCode === undefined ? {} : { resultCode }),
    ...(acquirerReference === undefined ? {} : { acquirerReference }),
  };
}

/** Waits until the sweeper has nothing to look at; throws when that takes too long. */
async function recovered(url: string): Promise<number> {
  const startedAt = performance.now();
  return withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ open: number }>(
        'SELECT count(*)::int AS open FROM payments.streams WHERE due_at IS NOT NULL',
      );
      const open = rows[0]?.open ?? 0;
      const tookMs = performance.now() - startedAt;
      if (open === 0) return tookMs;
      if (tookMs > RECOVERY_WITHIN_MS) {
        throw new Error(`${open} payments still wait for recovery after ${seconds(tookMs)}`);
      }
      await after(POLL_INTERVAL_MS, () => Promise.resolve());
    }
  });
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function after<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      work().then(resolve, reject);
    }, ms);
  });
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function seedFile(): string {
  return JSON.stringify({
    channels: [
      {
        entityId: ACCOUNT.entityId,
        name: 'Kill test',
        merchant: 'Kill test',
        accessTokens: [ACCOUNT.accessToken],
        legacyCredentials: [],
      },
    ],
  });
}
