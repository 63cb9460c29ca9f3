import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { InstallationWork } from './end-of-work.js';
import { growthLines, growthPicture } from './growth-report.js';
import { type InstallationUnderTest, startUnderTest } from './installation-under-test.js';
import { randomFrom } from './open-loop.js';
import { offer, type PaidLoad, pay } from './ladder.js';
import { orderOf } from './pairs.js';
import {
  type KnownPayment,
  paymentRead,
  read,
  type ReadLoad,
  referenceQuery,
} from './payment-reads.js';
import { type StoreFigures, storeFigures } from './store-figures.js';
import { type Filling, StoreFill } from './store-fill.js';

/*
 * `npm run bench -- --grow`: two sandboxes. The store of one is filled up to each of a list of sizes;
 * the other's stays at the first, and gets the same payments and reads in turn, so that whatever else
 * the machine does is in both.
 */

/** What is measured. */
export interface GrowWish {
  /** Payments in the store, ascending. */
  readonly payments: readonly number[];
  /** Payments a second; half as many queries are offered, and twice as many reads. */
  readonly rate: number;
  /** Of each run. */
  readonly seconds: number;
  readonly pairs: number;
  /** Both stores at the same time, so that whatever else the machine does hits both alike: for CPU alone. */
  readonly isTogether: boolean;
  /** Where the picture is written. */
  readonly picture: string | undefined;
}

/** Payments, reads and queries of one sandbox, one after the other. */
export interface GrowthRun {
  readonly paid: PaidLoad;
  readonly gets: ReadLoad;
  readonly queries: ReadLoad;
}

/** The sandbox that grows, and the one that stays. */
export type Store = 'grown' | 'small';

/** The same by both. */
export type GrowthPair = Readonly<Record<Store, GrowthRun>>;

/** What was measured with so many payments in the store. */
export interface GrowthRung {
  readonly filling: Filling;
  /** At its end, with those that were paid meanwhile. */
  readonly payments: number;
  readonly store: StoreFigures;
  /** While this rung was measured. */
  readonly autovacuums: number;
  readonly pairs: readonly GrowthPair[];
}

/** The disk is too small; the message is a sentence. */
export class DiskTooSmall extends Error {
  override readonly name = 'DiskTooSmall';
}

/** Tables and indexes of payments and reporting; 4,000 were measured. */
export const BYTES_PER_PAYMENT = 4_600;
/** PostgreSQL's log, sorting, and something for others on the disk. */
const SPARE_BYTES = 4 * 1_024 ** 3;
const GIBIBYTE = 1_024 ** 3;
const WARM_UP_READ_SECONDS = 5;
/** Reads reach where chance leads; with a seed, so that rungs are alike. */
const SEED = 20_261_123;

type Say = (line: string) => void;
type Load = Readonly<Record<'rate' | 'seconds', number>>;

const STORES = ['small', 'grown'] as const;

/** Measures all sizes; what there is to say is said as it comes. */
export async function grow(wish: GrowWish, warmUp: Load, say: Say): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const refusal = diskRefusal(Math.max(...wish.payments), bavail * bsize);
  if (refusal !== undefined) throw new DiskTooSmall(refusal);
  const started: GrowingSandbox[] = [];
  try {
    for (const store of STORES) {
      say(`${store} store: start, and ${warmUp.seconds} s of warm-up …`);
      started.push(await GrowingSandbox.start(wish, warmUp));
    }
    const [small, grown] = started;
    if (small === undefined || grown === undefined) return;
    await climb({ small, grown }, wish, say);
  } finally {
    await Promise.all(started.map((sandbox) => sandbox.stop()));
  }
}

/** Why so many payments do not go onto a disk with so much room; undefined if they do. */
export function diskRefusal(payments: number, freeBytes: number): string | undefined {
  const needed = payments * BYTES_PER_PAYMENT + SPARE_BYTES;
  if (needed <= freeBytes) return undefined;
  const fitting = Math.max(0, Math.floor((freeBytes - SPARE_BYTES) / BYTES_PER_PAYMENT));
  return (
    `${payments.toLocaleString('en-US')} payments need ${(needed / GIBIBYTE).toFixed(1)} GiB of disk in ${tmpdir()}, ` +
    `where ${(freeBytes / GIBIBYTE).toFixed(1)} GiB are free: give fewer with --payments (at most ` +
    `${fitting.toLocaleString('en-US')}), or another folder with TMPDIR.`
  );
}

/** What is known so far is told with each size: the next may take an hour. */
async function climb(
  { small, grown }: Readonly<Record<Store, GrowingSandbox>>,
  wish: GrowWish,
  say: Say,
): Promise<void> {
  await small.fill.upTo(wish.payments[0] ?? 0, say);
  await small.warmUpReads();
  const rungs: GrowthRung[] = [];
  for (const payments of wish.payments) {
    say(`Filling up to ${payments.toLocaleString('en-US')} payments …`);
    const filling = await grown.fill.upTo(payments, say);
    const { seconds, vacuumSeconds } = filling;
    say(`  in ${seconds.toFixed(0)} s, and ${vacuumSeconds.toFixed(0)} s of vacuum`);
    await grown.warmUpReads();
    const before = await storeFigures(grown.installation);
    const pairs: GrowthPair[] = [];
    for (let number = 0; number < wish.pairs; number += 1) {
      const pair: Partial<Record<Store, GrowthRun>> = {};
      const run = async (store: Store): Promise<void> => {
        pair[store] = await (store === 'grown' ? grown : small).run();
      };
      if (wish.isTogether) await Promise.all(STORES.map(run));
      else for (const store of orderOf<Store>(number, STORES)) await run(store);
      pairs.push(pair as GrowthPair);
    }
    const store = await storeFigures(grown.installation);
    const autovacuums = store.autovacuums - before.autovacuums;
    rungs.push({ filling, store, pairs, autovacuums, payments: await grown.fill.count() });
    for (const line of growthLines(rungs)) say(line);
    if (wish.picture !== undefined) await drawn(wish.picture, rungs);
  }
}

async function drawn(picture: string, rungs: readonly GrowthRung[]): Promise<void> {
  await mkdir(dirname(picture), { recursive: true });
  await writeFile(picture, growthPicture(rungs));
}

/** A sandbox that can be filled, paid and read. */
class GrowingSandbox {
  readonly #random = randomFrom(SEED);

  private constructor(
    readonly installation: InstallationUnderTest,
    private readonly work: InstallationWork,
    readonly fill: StoreFill,
    private readonly wish: GrowWish,
  ) {}

  static async start(wish: GrowWish, { rate, seconds }: Load): Promise<GrowingSandbox> {
    const installation = await startUnderTest('sandbox', {
      arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
    });
    try {
      await offer(installation, rate, seconds);
      const work = await InstallationWork.of(installation);
      await work.ended().catch(async (error: unknown) => {
        await work.close();
        throw error;
      });
      const fill = await StoreFill.of(installation, Math.max(...wish.payments));
      return new GrowingSandbox(installation, work, fill, wish);
    } catch (error) {
      await installation.stop();
      throw error;
    }
  }

  async run(): Promise<GrowthRun> {
    const { installation, work, wish } = this;
    const paid = await pay({ installation, work }, wish.rate, wish.seconds);
    const gets = await this.#gets(wish.seconds);
    return { paid, gets, queries: await this.#queries(wish.seconds) };
  }

  async warmUpReads(): Promise<void> {
    await this.#gets(WARM_UP_READ_SECONDS);
    await this.#queries(WARM_UP_READ_SECONDS);
  }

  async stop(): Promise<void> {
    await this.fill.close();
    await this.work.close();
    await this.installation.stop();
  }

  #gets(seconds: number): Promise<ReadLoad> {
    const load = { rate: this.wish.rate * 2, seconds };
    return read(this.installation, load, () => paymentRead(this.#drawn(false)));
  }

  #queries(seconds: number): Promise<ReadLoad> {
    const load = { rate: Math.ceil(this.wish.rate / 2), seconds };
    return read(this.installation, load, () => referenceQuery(this.#drawn(true)));
  }

  #drawn(hasMerchantId: boolean): KnownPayment {
    return this.fill.drawn([this.#random(), this.#random()], hasMerchantId);
  }
}
