import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Account,
  type Counts,
  countsBetween,
  middleOf,
  partBetween,
  type PartFigures,
  type PartProfile,
  withoutRest,
} from './account-figures.js';
import type { ProbeCounts } from './account-probe.js';
import { sharesOf } from './attribution.js';
import { pidsOfParts } from './cpu-usage.js';
import { COUNTED_AFTER_MS, DatabaseCounts, prepareStatements } from './database-counts.js';
import { InstallationWork } from './end-of-work.js';
import { writeProfile } from './flame-picture.js';
import {
  type InstallationUnderTest,
  type Profile,
  startUnderTest,
} from './installation-under-test.js';
import { offer } from './ladder.js';
import type { LoadResult } from './open-loop.js';
import { Probes } from './probes.js';
import { type ProcessUsage, usageOf } from './process-usage.js';

/** Payments that nobody measures. */
export interface WarmUp {
  readonly rate: number;
  readonly seconds: number;
}

/** What is started. */
export interface AccountedOptions {
  readonly profile: Profile;
  /** Where another build lies. */
  readonly root?: string;
  /** False: CPU and latency alone, which takes ten seconds less for each run. */
  readonly hasCounts?: boolean;
  /** Of payments, in a cluster. */
  readonly cells?: number | undefined;
}

/** What belongs to the probe, beside what the process sends. */
const TURNS = 'event loop turns';
const MICROSECONDS = 1_000;
/** How often it is looked at an installation at rest. */
export const LOOKS_AT_REST = 3;

interface Look {
  readonly usage: ReadonlyMap<string, ReadonlyMap<number, ProcessUsage>>;
  readonly sent: ReadonlyMap<string, ProbeCounts>;
}

interface AccountedParts {
  readonly scratch: string;
  readonly probes: Probes;
  readonly installation: InstallationUnderTest;
  readonly work: InstallationWork;
  /** Absent where only CPU and latency are wanted. */
  readonly database: DatabaseCounts | undefined;
}

/** An installation of which everything is counted. */
export class Accounted {
  private constructor(private readonly parts: AccountedParts) {}

  /** Starts it on an empty folder. */
  static async start(options: AccountedOptions): Promise<Accounted> {
    const { profile, root, hasCounts = true, cells } = options;
    const scratch = await mkdtemp(join(tmpdir(), 'sluice-account-'));
    const dataDirectory = join(scratch, 'data');
    await mkdir(dataDirectory);
    const probes = await Probes.listen(scratch);
    let installation: InstallationUnderTest | undefined;
    try {
      if (hasCounts) await prepareStatements(dataDirectory);
      installation = await startUnderTest(profile, {
        ...{ dataDirectory, root },
        arguments: [
          ...['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
          ...(cells === undefined ? [] : ['--cells', String(cells)]),
        ],
        nodeOptions: probes.nodeOptions,
      });
      const work = await InstallationWork.of(installation);
      const database = hasCounts ? await DatabaseCounts.of(installation) : undefined;
      return new Accounted({ scratch, probes, installation, work, database });
    } catch (error) {
      await installation?.stop();
      probes.close();
      await rm(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  /** Until then the compilers take a good part of the cores. */
  async warmUp({ rate, seconds }: WarmUp): Promise<void> {
    await this.#offered(rate, seconds);
    await this.#counted();
  }

  /** Whether PostgreSQL counts statements. */
  get hasStatements(): boolean {
    return this.parts.database?.hasStatements ?? false;
  }

  /**
   * For each second in which nothing is asked of it: of each process the middle of three looks. When it
   * has been at rest for a while, V8 collects what it can, once, in up to 300 ms of CPU.
   */
  async rest(seconds: number): Promise<Account> {
    const looks: Account[] = [];
    while (looks.length < LOOKS_AT_REST) looks.push(await this.#lookAtRest(seconds));
    return middleOf(looks);
  }

  /** For each payment at a rate. What is done at rest anyway is taken off what PostgreSQL counts. */
  async pay(rate: number, seconds: number, atRest?: Account): Promise<Account> {
    const [before, countsBefore] = [await this.#look(), await this.parts.database?.read()];
    const load = await this.#offered(rate, seconds);
    const after = await this.#look();
    await this.#counted();
    const countsAfter = await this.parts.database?.read();
    const units = load.answered;
    const all = countsBetween(countsBefore ?? new Map(), countsAfter ?? new Map(), units);
    const waited = COUNTED_AFTER_MS / 1_000 / units;
    const counted = withoutRest(all, atRest?.counts ?? new Map(), waited);
    return this.#account({ rate, load, before, after, units, counted });
  }

  /** Repeats a run under the profiler, for shares alone. */
  async profiled(
    rate: number,
    seconds: number,
    folder?: string,
  ): Promise<ReadonlyMap<string, PartProfile>> {
    await this.parts.probes.start();
    const units =
      rate === 0
        ? await pause(seconds * 1_000, seconds)
        : (await this.#offered(rate, seconds)).answered;
    const [names, profiles] = [this.#names(), await this.parts.probes.stop()];
    const parts = new Map<string, PartProfile>();
    for (const [pid, profile] of profiles) {
      const name = names.get(pid) ?? String(pid);
      const each = (us: number): number => us / MICROSECONDS / units;
      const { collection, compilation } = profile.helpers;
      const helpers = { collection: each(collection), compilation: each(compilation) };
      parts.set(name, { shares: sharesOf(profile), helpers });
      if (folder === undefined) continue;
      const { profile: kind } = this.parts.installation;
      const path = join(folder, `${kind}-${rate}-${name}`);
      await writeProfile(path, titleOf(kind, name, rate), profile.profile);
    }
    return parts;
  }

  async stop(): Promise<void> {
    await this.parts.database?.close();
    await this.parts.work.close();
    await this.parts.installation.stop();
    this.parts.probes.close();
    await rm(this.parts.scratch, { recursive: true, force: true });
  }

  async #lookAtRest(seconds: number): Promise<Account> {
    const [before, countsBefore] = [await this.#look(), await this.parts.database?.read()];
    await pause(seconds * 1_000);
    const [after, countsAfter] = [await this.#look(), await this.parts.database?.read()];
    const counted = countsBetween(countsBefore ?? new Map(), countsAfter ?? new Map(), seconds);
    return this.#account({ rate: 0, before, after, units: seconds, counted });
  }

  async #offered(rate: number, seconds: number): Promise<LoadResult> {
    const load = await offer(this.parts.installation, rate, seconds);
    await this.parts.work.ended();
    return load;
  }

  /** Until every connection of PostgreSQL has told what it has counted. */
  async #counted(): Promise<void> {
    if (this.parts.database !== undefined) await pause(COUNTED_AFTER_MS);
  }

  #names(): ReadonlyMap<number, string> {
    return new Map(
      [...pidsOfParts(this.parts.installation)].flatMap(([name, pids]) =>
        pids.map((pid): [number, string] => [pid, name]),
      ),
    );
  }

  async #look(): Promise<Look> {
    const sent = await this.parts.probes.counts();
    const parts = pidsOfParts(this.parts.installation);
    const names = this.#names();
    return {
      usage: new Map([...parts].map(([name, pids]) => [name, usageOf(pids)])),
      sent: new Map([...sent].map(([pid, counts]) => [names.get(pid) ?? String(pid), counts])),
    };
  }

  #account(run: {
    readonly rate: number;
    readonly load?: LoadResult;
    readonly before: Look;
    readonly after: Look;
    readonly units: number;
    readonly counted: Counts;
  }): Account {
    const { rate, load, before, after, units, counted } = run;
    const parts = [...after.usage].map(([name, usage]): PartFigures => {
      const between = { before: before.usage.get(name) ?? usage, after: usage };
      const turns = sentBetween(run, name).get(TURNS);
      const part = partBetween(name, between, units);
      return turns === undefined ? part : { ...part, turns };
    });
    const sent = [...after.sent.keys()].flatMap((name) =>
      [...sentBetween(run, name)]
        .filter(([what]) => what !== TURNS)
        .map(([what, figure]): [string, number] => [
          after.sent.size === 1 ? what : `${what} by ${name}`,
          figure,
        ]),
    );
    const counts = new Map([...counted, ...sent.sort(([one], [other]) => (one < other ? -1 : 1))]);
    return { rate, ...(load && { load }), parts, counts, profiles: new Map() };
  }
}

function titleOf(profile: Profile, name: string, rate: number): string {
  const part = profile === 'sandbox' ? profile : `${profile}, ${name}`;
  return `${part}, ${rate === 0 ? 'at rest' : `${rate} payments/s`}`;
}

function sentBetween(
  { before, after, units }: { readonly before: Look; readonly after: Look; readonly units: number },
  name: string,
): Counts {
  const of = (look: Look): Counts => new Map(Object.entries(look.sent.get(name) ?? {}));
  return countsBetween(of(before), of(after), units);
}
