import { deletePostgresData } from '@sluice/embedded-postgres';
import {
  type ClusterProcess,
  endOrphans,
  sandboxDatabaseUrl,
  type SeededRandom,
  seededRandom,
  startCluster,
} from '@sluice/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBook } from './acquirer-book.js';
import { agreementViolations } from './agreement-violations.js';
import { isApproval } from './approvals.js';
import { checkoutViolations } from './checkout-violations.js';
import { CLUSTER_TARGETS, type ClusterTarget, killTarget, targetOrder } from './cluster-targets.js';
import { disagreements } from './compare.js';
import { readAllBack, readGatewaySide, recovered } from './gateway-side.js';
import { Merchant } from './merchant.js';
import { recordedOrLate, redriveDeadLetters } from './operator.js';
import { type LoadMade, loadMade } from './load-made.js';
import { type Life, type PlannedRequest, planOf } from './plan.js';
import { projected, projectionDisagreements, readProjection } from './projection-side.js';
import type { Attempt, Violation } from './records.js';
import { routeViolations } from './route-violations.js';
import { type MovesMade, ShardMoves } from './shard-moves.js';
import { readRegistrations, storedCardViolations } from './stored-cards.js';
import { TestBank } from './test-bank.js';
import { ACCOUNT, ENTITY_ID_STORING_ONCE, seedFile, withAcquirer } from './test-channel.js';
import { after, seconds } from './times.js';
import { tokenViolations } from './token-violations.js';
import { readStore, readTopic, topicDisagreements } from './topic-side.js';
import { UnwillingAcquirer } from './unwilling-acquirer.js';
import { violationStories } from './violation-stories.js';

/** What to run. */
export interface ClusterKillOptions {
  readonly seed: string;
  /** Of each target. */
  readonly killsOfEach: number;
  readonly perSecond: number;
  /** With two cells ranges of shards move between them all the time; absent: one cell. */
  readonly cells?: number;
  /** One line per kill, for whoever waits. */
  readonly onProgress: (line: string) => void;
}

/** How long one kill was felt. */
export interface ClusterRecovery {
  readonly target: ClusterTarget;
  /** From the kill until a new payment was approved. */
  readonly paysAfterMs: number;
  /** From the kill until that payment was found by query. */
  readonly findsAfterMs: number;
}

/** What came of it. */
export interface ClusterKillResult {
  readonly seed: string;
  readonly recoveries: readonly ClusterRecovery[];
  readonly violations: readonly Violation[];
  /** What happened to the subjects of the first ones, a line each. */
  readonly stories: readonly string[];
  readonly transactions: number;
  readonly approved: number;
  readonly bookings: number;
  readonly events: number;
  readonly published: number;
  /** Answers, and attempts that had none. */
  readonly answered: number;
  readonly lost: number;
  /** Shoppers who decided at the provider. */
  readonly shoppers: number;
  /** How much of it there was, by kind. */
  readonly load: LoadMade;
  /** Commands that came too late to be performed, recorded as that by the operator's command. */
  readonly redriven: number;
  /** Moves of shards that were finished, and those that were interrupted and went on or were undone. */
  readonly moves: MovesMade;
  /** From the last answer until nothing was open, published or unprojected any more. */
  readonly recoveredAfterMs: number;
  readonly projectedAfterMs: number;
  readonly readyAfterMs: number;
  readonly stoppedAfterMs: number;
  readonly durationMs: number;
}

/** Kills come quickly: each is over when payments flow and are found again. */
const LIFE_MS = { min: 700, max: 1_800 };
/** Load goes on over the whole time that most processes need to come back. */
const AFTER_KILL_MS = 2_000;
const PROBE_INTERVAL_MS = 100;
/** A process that does not come back within a minute has not recovered. */
const RECOVERED_WITHIN_MS = 60_000;
/**
 * What is published late or never is found by comparing the stores: every 30 s, and only what is
 * older than that (page 0032); and the comparison takes its time.
 */
const FOUND_WITHIN_MS = 75_000;
const REQUEST_LINE = /^edge\s+(?:GET|POST) /;
const LOG_LINES_SHOWN = 100;

/** Kills each part of a cluster of its own, several times, under load; then compares all sides. */
export async function runClusterKillTest(options: ClusterKillOptions): Promise<ClusterKillResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cluster-kill-'));
  const run = new ClusterKillTest(options, folder);
  try {
    return await run.run();
  } catch (error) {
    options.onProgress(run.logTail());
    throw error;
  } finally {
    await run.close();
    await endOrphans(join(folder, 'data'));
    await deletePostgresData(join(folder, 'data'));
    // A process that is ending may still write; why the run has failed must not be lost for that.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

class ClusterKillTest {
  readonly #merchant = new Merchant(ACCOUNT, ENTITY_ID_STORING_ONCE);
  readonly #random: SeededRandom;
  readonly #dataFolder: string;
  readonly #recoveries: ClusterRecovery[] = [];
  readonly #moves: ShardMoves;
  readonly #bank: TestBank;
  readonly #unwilling = new UnwillingAcquirer();
  #cluster: ClusterProcess | undefined;
  #probes = 0;

  constructor(
    private readonly options: ClusterKillOptions,
    private readonly folder: string,
  ) {
    this.#random = seededRandom(options.seed);
    this.#dataFolder = join(folder, 'data');
    this.#bank = new TestBank(join(this.#dataFolder, 'sepa'));
    this.#moves = new ShardMoves({
      dataFolder: this.#dataFolder,
      cells: options.cells ?? 1,
      random: this.#random.fork('moves'),
    });
  }

  async run(): Promise<ClusterKillResult> {
    const startedAt = performance.now();
    const { killsOfEach, perSecond } = this.options;
    const targets = targetOrder(this.#random, killsOfEach);
    await this.#unwilling.start();
    const cluster = await this.#start();
    this.#merchant.takeTokensFrom(await walletsOf(cluster));
    assertAllKilled((await cluster.describe()).processes.map(({ service }) => service));
    this.#moves.start();
    this.#bank.start();
    const { cells = 1 } = this.options;
    const load = { perSecond, lifeMs: LIFE_MS, afterKillMs: AFTER_KILL_MS, cells };
    const lives = planOf(this.#random, { kills: targets.length, ...load });
    let previous: ReadonlySet<string> = new Set();
    for (const [index, life] of lives.entries()) {
      this.#merchant.repeatKeyed(cluster.url, previous);
      await this.#live(cluster, life, targets[index]);
      this.#progress(index, targets.length);
      previous = new Set(life.requests.map(({ reference }) => reference));
    }
    await this.#moves.end();
    await this.#unwilling.stay();
    return await this.#compare(cluster, startedAt);
  }

  /** The end of what the cluster has printed: no line twice, and none of requests. */
  logTail(): string {
    const lines = (this.#cluster?.output() ?? '').split('\n');
    // An outage makes some of them a hundred times.
    return [...new Set(lines)]
      .filter((line) => !REQUEST_LINE.test(line))
      .slice(-LOG_LINES_SHOWN)
      .join('\n');
  }

  async close(): Promise<void> {
    this.#merchant.close();
    this.#moves.kill();
    this.#bank.stop();
    this.#unwilling.close();
    // Whatever went wrong: nothing of it may stay behind.
    await this.#cluster?.stop().catch(() => undefined);
  }

  async #start(): Promise<ClusterProcess> {
    await writeFile(join(this.folder, 'seed.json'), seedFile(this.#unwilling.address));
    this.#cluster = await startCluster({
      dataFolder: this.#dataFolder,
      arguments: [
        ...['--seed', join(this.folder, 'seed.json')],
        ...['--cells', String(this.options.cells ?? 1)],
      ],
      environment: withAcquirer(this.#unwilling.address),
    });
    return this.#cluster;
  }

  /** Sends the life's requests at their times and kills at its time; ends when all is back. */
  async #live(
    cluster: ClusterProcess,
    life: Life,
    target: ClusterTarget | undefined,
  ): Promise<void> {
    const sent = life.requests.map((planned) =>
      after(planned.atMs, () => {
        void this.#merchant.send(cluster.url, planned);
        return Promise.resolve();
      }),
    );
    const killed =
      target === undefined
        ? Promise.resolve()
        : after(life.killAtMs, () => this.#kill(cluster, target));
    await Promise.all([killed, ...sent]);
  }

  async #kill(cluster: ClusterProcess, target: ClusterTarget): Promise<void> {
    const killedAt = performance.now();
    await killTarget(cluster, this.#dataFolder, target, this.#random.fork(`kill-${this.#probes}`));
    const id = await this.#untilPaid(cluster.url, { target, killedAt });
    const paidAt = performance.now();
    const paysAfterMs = paidAt - killedAt;
    while (!(await this.#merchant.finds(cluster.url, id))) {
      assertInTime(paidAt, `${target}: the payment ${id} is not found by query`, FOUND_WITHIN_MS);
      await after(PROBE_INTERVAL_MS, () => Promise.resolve());
    }
    const findsAfterMs = performance.now() - killedAt;
    this.#recoveries.push({ target, paysAfterMs, findsAfterMs });
  }

  /** Payments without faults, one after the other, until one of them is approved. */
  async #untilPaid(
    url: string,
    { target, killedAt }: { readonly target: ClusterTarget; readonly killedAt: number },
  ): Promise<string> {
    let paid: string | undefined;
    const take = (attempt: Attempt): void => {
      if (attempt.kind === 'answered' && isApproval(attempt.code)) paid ??= attempt.id;
    };
    while (paid === undefined) {
      assertInTime(killedAt, 'payments do not flow');
      void this.#merchant.send(url, this.#probe(target))?.then(take);
      await after(PROBE_INTERVAL_MS, () => Promise.resolve());
    }
    return paid;
  }

  /** The databases of all cells, the first one's before the others. */
  async #databases(): Promise<readonly string[]> {
    const first = await sandboxDatabaseUrl(this.#dataFolder);
    const others = Array.from({ length: (this.options.cells ?? 1) - 1 }, (_, index) =>
      Object.assign(new URL(first), { pathname: `/sluice_cell_${index + 2}` }),
    );
    return [first, ...others.map(({ href }) => href)];
  }

  #probe(target: ClusterTarget): PlannedRequest {
    this.#probes += 1;
    return {
      // No card needs what makes files for a bank.
      ...(target === 'sepa' && { instrument: 'directDebit' }),
      reference: `probe-${this.options.seed}-${this.#probes}`,
      operation: 'DB',
      atMs: 0,
      amountMinor: 1_000 + this.#probes,
      isFinal: false,
      isRepeatedLater: false,
    };
  }

  #progress(index: number, kills: number): void {
    const recovery = this.#recoveries[index];
    if (recovery === undefined) return;
    const { target, paysAfterMs, findsAfterMs } = recovery;
    const number = String(index + 1).padStart(String(kills).length);
    const found =
      findsAfterMs - paysAfterMs > PROBE_INTERVAL_MS ? seconds(findsAfterMs) : 'at once';
    this.options.onProgress(
      `kill ${number}/${kills}  ${target.padEnd(9)} pays again after ${seconds(paysAfterMs)}, ` +
        `found by query ${found}`,
    );
  }

  async #compare(cluster: ClusterProcess, startedAt: number): Promise<ClusterKillResult> {
    const merchant = this.#merchant;
    await merchant.settle();
    const urls = await this.#databases();
    const recoveredAfterMs = await recovered(...urls);
    const redriven = await redriveDeadLetters(this.#dataFolder);
    if (redriven > 0) {
      await recordedOrLate(merchant.pendingIds(), ...urls);
      await recovered(...urls);
    }
    // What could not be repeated while recovery was busy has its last chance now.
    if (merchant.repeatKeyed(cluster.url, new Set()) > 0) {
      await merchant.settle();
      await recovered(...urls);
    }
    const bank = await this.#bank.settled(urls[0] ?? '');
    const projectedAfterMs = await projected(...urls);
    const { recorded, violations } = await readGatewaySide(...urls);
    const readBack = await readAllBack(merchant, cluster.url, recorded);
    const registrations = await readRegistrations(merchant, cluster.url);
    const rows = await readProjection(urls[0] ?? '');
    const store = await readStore(...urls);
    const topic = await readTopic((await cluster.describe()).brokers);
    const { endedAfterMs } = await cluster.stop();
    if (process.env['TEST_CLUSTER_LOG'] !== undefined) this.options.onProgress(this.logTail());
    const book = await readBook(join(this.#dataFolder, 'simulator', 'book.jsonl'));
    const records = merchant.records();
    const attempts = records.flatMap((request) => request.attempts);
    const disagreeing = [
      ...violations,
      ...disagreements({ merchant: records, recorded, book, readBack, bank }),
      ...agreementViolations(records, recorded),
      ...routeViolations({ merchant: records, recorded, asked: this.#unwilling.asked }),
      ...tokenViolations(records, recorded),
      ...storedCardViolations(records, registrations),
      ...checkoutViolations(merchant.checkouts(), recorded),
      ...projectionDisagreements(recorded, rows),
      ...topicDisagreements(store, topic),
    ];
    return {
      seed: this.options.seed,
      recoveries: this.#recoveries,
      violations: disagreeing,
      stories: violationStories(disagreeing, records, store),
      transactions: recorded.length,
      approved: recorded.filter(({ outcome }) => outcome === 'approved').length,
      ...{ bookings: book.length, events: store.length, published: topic.length },
      answered: attempts.filter(({ kind }) => kind === 'answered').length,
      lost: attempts.filter(({ kind }) => kind === 'indefinite').length,
      ...{ shoppers: merchant.shoppers, redriven, moves: this.#moves.made },
      load: loadMade(
        { merchant: records, recorded, bank, checkouts: merchant.checkouts() },
        this.#moves.ranges,
      ),
      ...{ recoveredAfterMs, projectedAfterMs },
      readyAfterMs: cluster.readyAfterMs,
      stoppedAfterMs: endedAfterMs,
      durationMs: performance.now() - startedAt,
    };
  }
}

/** Where the simulator makes the tokens of wallets; a simulator that was killed is there again. */
async function walletsOf(cluster: ClusterProcess): Promise<string> {
  const [simulator] = await cluster.members('simulator');
  if (simulator?.url === undefined) throw new Error('the cluster has no simulator');
  return `${simulator.url}/wallets`;
}

/** A process that is no victim would be tried by nobody. */
function assertAllKilled(services: readonly string[]): void {
  const targets: readonly string[] = CLUSTER_TARGETS;
  const spared = services.filter((name) => name !== 'kafka' && !targets.includes(name));
  if (spared.length > 0) throw new Error(`nobody kills ${spared.join(', ')}`);
}

function assertInTime(sinceMs: number, what: string, withinMs = RECOVERED_WITHIN_MS): void {
  if (performance.now() - sinceMs > withinMs) {
    throw new Error(`${what} within ${seconds(withinMs)}`);
  }
}
