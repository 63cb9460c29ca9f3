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
import { readBook } from './acquirer-book.js';
import { agreementViolations } from './agreement-violations.js';
import { checkoutViolations } from './checkout-violations.js';
import { disagreements } from './compare.js';
import { readAllBack, readGatewaySide, recovered } from './gateway-side.js';
import type { ChainTransaction } from './ledger-fold.js';
import { type LoadMade, loadMade } from './load-made.js';
import { Merchant } from './merchant.js';
import { planOf, type KillTarget, type Life } from './plan.js';
import type { BookedEffect, RecordedTransaction, Violation } from './records.js';
import { routeViolations } from './route-violations.js';
import { readRegistrations, storedCardViolations } from './stored-cards.js';
import { TestBank } from './test-bank.js';
import { ACCOUNT, ENTITY_ID_STORING_ONCE, seedFile, withAcquirer } from './test-channel.js';
import { after, seconds } from './times.js';
import { tokenViolations } from './token-violations.js';
import { UnwillingAcquirer } from './unwilling-acquirer.js';

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
  /** Cards that an approved payment said were stored with it. */
  readonly storedCards: number;
  /** How much of the load there was, by kind. */
  readonly load: LoadMade;
  /** From spawning to the ready line, per start. */
  readonly readyAfterMs: readonly number[];
  /** From the last answer until nothing was open any more. */
  readonly recoveredAfterMs: number;
  readonly stoppedAfterMs: number;
  readonly durationMs: number;
  readonly kills: Readonly<Record<KillTarget, number>>;
}

/** Runs the plan of a seed against a sandbox of its own, and compares all sides. */
export async function runKillTest(options: KillTestOptions): Promise<KillTestResult> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'sluice-kill-test-'));
  const run = new KillTest(options, dataFolder);
  try {
    return await run.run();
  } finally {
    run.close();
    await endOrphans(join(dataFolder, 'data'));
    await deletePostgresData(join(dataFolder, 'data'));
    // A process that is ending may still write; why the run has failed must not be lost for that.
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

class KillTest {
  readonly #options: KillTestOptions;
  readonly #dataFolder: string;
  readonly #merchant = new Merchant(ACCOUNT, ENTITY_ID_STORING_ONCE);
  readonly #readyAfterMs: number[] = [];
  readonly #kills = { node: 0, nodeThenPostgres: 0, postgresThenNode: 0 };
  readonly #bank: TestBank;
  readonly #unwilling = new UnwillingAcquirer();
  #port: number | undefined;

  constructor(options: KillTestOptions, dataFolder: string) {
    this.#options = options;
    this.#dataFolder = dataFolder;
    this.#bank = new TestBank(join(dataFolder, 'data', 'sepa'));
  }

  async run(): Promise<KillTestResult> {
    const startedAt = performance.now();
    const { seed, kills, perSecond } = this.#options;
    await this.#unwilling.start();
    await writeFile(join(this.#dataFolder, 'seed.json'), seedFile(this.#unwilling.address));
    const lives = planOf(seededRandom(seed), { kills, perSecond });
    let previous: ReadonlySet<string> = new Set();
    let sandbox = await this.#start();
    this.#merchant.takeTokensFrom(`${sandbox.url}/simulator/wallets`);
    this.#bank.start();
    for (const [index, life] of lives.entries()) {
      this.#merchant.repeatKeyed(sandbox.url, previous);
      await this.#live(sandbox, life);
      if (life.target === undefined) break;
      this.#progress(index, life);
      previous = new Set(life.requests.map(({ reference }) => reference));
      sandbox = await this.#start();
    }
    await this.#unwilling.stay();
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
    this.#bank.stop();
    this.#unwilling.close();
    this.#merchant.close();
  }

  async #start(): Promise<SandboxProcess> {
    const sandbox = await startSandbox({
      dataFolder: join(this.#dataFolder, 'data'),
      arguments: ['--seed', join(this.#dataFolder, 'seed.json')],
      environment: withAcquirer(this.#unwilling.address),
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
        void this.#merchant.send(sandbox.url, planned);
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
    const bank = await this.#bank.settled(url);
    const { recorded, chains, violations } = await readGatewaySide(url);
    const readBack = await readAllBack(this.#merchant, sandbox.url, recorded);
    const registrations = await readRegistrations(this.#merchant, sandbox.url);
    const { endedAfterMs } = await sandbox.stop();
    const book = await readBook(join(this.#dataFolder, 'data', 'simulator', 'book.jsonl'));
    const evidence = { merchant: this.#merchant.records(), recorded, book, readBack, bank };
    return {
      seed: this.#options.seed,
      merchant: this.#merchant,
      recorded,
      chains,
      book,
      violations: [
        ...violations,
        ...disagreements(evidence),
        ...agreementViolations(evidence.merchant, recorded),
        ...routeViolations({ ...evidence, asked: this.#unwilling.asked }),
        ...tokenViolations(evidence.merchant, recorded),
        ...storedCardViolations(evidence.merchant, registrations),
        ...checkoutViolations(this.#merchant.checkouts(), recorded),
      ],
      storedCards: registrations.size,
      load: loadMade({ ...evidence, checkouts: this.#merchant.checkouts() }),
      readyAfterMs: this.#readyAfterMs,
      recoveredAfterMs: times.recoveredAfterMs,
      stoppedAfterMs: endedAfterMs,
      durationMs: performance.now() - times.startedAt,
      kills: this.#kills,
    };
  }
}
