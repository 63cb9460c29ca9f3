import { InstallationWork } from './end-of-work.js';
import { type InstallationUnderTest, startUnderTest } from './installation-under-test.js';
import { offer } from './ladder.js';
import { orderOf, spreadOf } from './pairs.js';
import {
  type Kind,
  type RegistrationLoad,
  Runs,
  type Stored,
  store,
  TITLES,
} from './registrations.js';
import { RegistrationsFill } from './registrations-fill.js';
import { tableLines } from './text-table.js';
import { totalOf } from './cpu-usage.js';

/*
 * `npm run bench -- --registrations --stored 1000000`: two sandboxes. One has a thousand registrations,
 * the other as many as are wished; both get the same in turn, so that whatever else the machine does is
 * in both.
 */

/** What is measured, and how often. */
export interface RegistrationsGrowthWish {
  /** Requests a second. */
  readonly rates: readonly number[];
  /** Of each run. */
  readonly seconds: number;
  readonly pairs: number;
  /** Registrations of the full one. */
  readonly stored: number;
}

const GROWTH_KINDS = ['create', 'read', 'registration'] as const;
type GrowthKind = (typeof GROWTH_KINDS)[number];

/** One kind by both. */
export interface GrowthPair {
  readonly few: RegistrationLoad;
  readonly many: RegistrationLoad;
}

/** A run with many may take so much of one with few. */
const RATIO_MAX = 1.1;
const READ_P99_BAR_MS = 10;
/** What the other sandbox has. */
const FEW = 1_000;
/** Of the full one so many are real, made over HTTP: enough that they do not stay in a cache. */
const REAL = 4_000;
/** So many of them are copied. */
const TEMPLATES = 100;
/** Real ones and copies follow each other so often. */
const STRETCHES = 10;
const WARM_UP_SECONDS = 5;

type Say = (line: string) => void;
type Load = Readonly<Record<'rate' | 'seconds', number>>;

/** Fills, and measures all rates; what there is to say is said as it comes. */
export async function registrationsGrowth(
  wish: RegistrationsGrowthWish,
  warmUp: Load,
  say: Say,
): Promise<void> {
  const started: StoredSandbox[] = [];
  try {
    for (const count of [FEW, wish.stored]) {
      say(`sandbox: start, ${warmUp.seconds} s of warm-up, ${count} registrations …`);
      started.push(await StoredSandbox.start(count, warmUp, say));
    }
    const [few, many] = started;
    if (few === undefined || many === undefined) return;
    for (const rate of wish.rates) {
      for (const kind of GROWTH_KINDS) {
        const pairs: GrowthPair[] = [];
        for (const { run } of started) await run.of(kind, { rate, seconds: WARM_UP_SECONDS });
        for (let number = 0; number < wish.pairs; number += 1) {
          const pair: Partial<Record<keyof GrowthPair, RegistrationLoad>> = {};
          for (const side of orderOf<keyof GrowthPair>(number, ['few', 'many'])) {
            const { run } = side === 'few' ? few : many;
            pair[side] = await run.of(kind, { rate, seconds: wish.seconds });
          }
          pairs.push(pair as GrowthPair);
        }
        for (const line of growthLines({ kind, rate, stored: wish.stored }, pairs)) say(line);
      }
    }
  } finally {
    await Promise.all(started.map((sandbox) => sandbox.stop()));
  }
}

/** A sandbox with its registrations. */
class StoredSandbox {
  private constructor(
    private readonly installation: InstallationUnderTest,
    private readonly work: InstallationWork,
    readonly run: Runs,
  ) {}

  static async start(count: number, { rate, seconds }: Load, say: Say): Promise<StoredSandbox> {
    const installation = await startUnderTest('sandbox', {
      arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
    });
    try {
      await offer(installation, rate, seconds);
      const work = await InstallationWork.of(installation);
      const real = await filled(installation, { work, count }, say).catch(
        async (error: unknown) => {
          await work.close();
          throw error;
        },
      );
      return new StoredSandbox(installation, work, new Runs(installation, work, real));
    } catch (error) {
      await installation.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.work.close();
    await this.installation.stop();
  }
}

/** Real ones and copies by turns, until there are so many. */
async function filled(
  installation: InstallationUnderTest,
  { work, count }: { readonly work: InstallationWork; readonly count: number },
  say: Say,
): Promise<readonly Stored[]> {
  const real = Math.min(count, REAL);
  const stored: Stored[] = [];
  // Something must be there that can be copied.
  stored.push(...(await store(installation, TEMPLATES)));
  await work.ended();
  const fill = await RegistrationsFill.of(installation);
  try {
    for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
      const fromMs = Date.now();
      stored.push(...(await store(installation, (real - TEMPLATES) / STRETCHES)));
      const toMs = Date.now();
      await work.ended();
      await fill.add(Math.floor((count - real) / STRETCHES), { fromMs, toMs });
    }
    await fill.settle();
    say(`  ${(await fill.count()).toLocaleString('en-US')} are kept`);
  } finally {
    await fill.close();
  }
  return stored;
}

/** The table of one kind at one rate, and what is met. */
export function growthLines(
  { kind, rate, stored }: { kind: GrowthKind & Kind; rate: number; stored: number },
  pairs: readonly GrowthPair[],
): readonly string[] {
  const failed = pairs.flatMap(({ few, many }) => [few, many]).find(({ load }) => load.errors > 0);
  const cpu = spreadOf(pairs.map(({ few, many }) => cpuUs(many) / cpuUs(few)));
  const p50 = spreadOf(pairs.map(({ few, many }) => many.load.p50Ms / few.load.p50Ms));
  const p99 = spreadOf(pairs.map(({ many }) => many.load.p99Ms)).median;
  const isMet = cpu.median <= RATIO_MAX;
  const ofRead =
    kind === 'read'
      ? [
          `p99 of a read: ${p99.toFixed(1)} ms, wanted at most ${READ_P99_BAR_MS}: ${verdict(p99 <= READ_P99_BAR_MS)}`,
        ]
      : [];
  return [
    `\n## ${TITLES[kind]}, ${rate}/s, medians of ${pairs.length} pairs`,
    ...(failed === undefined
      ? []
      : [`Requests failed, so do not quote this: ${failed.load.firstError ?? ''}`]),
    ...tableLines(
      ['registrations', 'CPU, µs', 'p50, ms', 'p99, ms'],
      (['few', 'many'] as const).map((side) => {
        const loads = pairs.map((pair) => pair[side]);
        return [
          (side === 'few' ? FEW : stored).toLocaleString('en-US'),
          spreadOf(loads.map(cpuUs)).median.toFixed(0),
          spreadOf(loads.map(({ load }) => load.p50Ms)).median.toFixed(2),
          spreadOf(loads.map(({ load }) => load.p99Ms)).median.toFixed(2),
        ];
      }),
    ),
    '',
    `CPU ${cpu.median.toFixed(2)} (${cpu.low.toFixed(2)} to ${cpu.high.toFixed(2)}) of that with few, p50 ` +
      `${p50.median.toFixed(2)} (${p50.low.toFixed(2)} to ${p50.high.toFixed(2)}), wanted at most ${RATIO_MAX}: ${verdict(isMet)}`,
    ...ofRead,
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}

function cpuUs({ load, cpu }: RegistrationLoad): number {
  return (totalOf(cpu) * 1e6) / load.answered;
}
