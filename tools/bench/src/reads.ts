import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Shares, sharesOf } from './attribution.js';
import { InstallationWork } from './end-of-work.js';
import { type EchoServer, startEcho } from './floors.js';
import { writeProfile } from './flame-picture.js';
import { type InstallationUnderTest, startUnderTest } from './installation-under-test.js';
import { offer } from './ladder.js';
import type { PreparedRequest } from './open-loop.js';
import { orderOf } from './pairs.js';
import {
  databaseOf,
  type KnownPayment,
  knownPayments,
  paymentRead,
  read,
  type ReadLoad,
  referenceQuery,
} from './payment-reads.js';
import { Probes } from './probes.js';
import { cpuSecondsOf } from './process-usage.js';
import { readsLines } from './reads-report.js';

/*
 * `npm run bench -- --reads`: what reads take in the sandbox, against a bare server that reads one
 * row of the same database.
 */

/** What is measured, and how often. */
export interface ReadsWish {
  /** Reads a second. */
  readonly rates: readonly number[];
  /** Of each run. */
  readonly seconds: number;
  readonly pairs: number;
  /** Where the CPU profiles and flame pictures of reads are written. */
  readonly profileDirectory: string | undefined;
}

/** What is read: by the bare server, by id, by the merchant's own id. */
export type ReadKind = 'floor' | 'get' | 'query';

/** What a profiled run says of reads of each kind but the floor's. */
export type ReadShares = ReadonlyMap<ReadKind, Shares>;

/** The same reads of all kinds. */
export type ReadRound = Readonly<Record<ReadKind, ReadLoad>>;

type Say = (line: string) => void;

const KINDS = ['floor', 'get', 'query'] as const;
const WARM_UP_SECONDS = 10;

/** Measures all rates; what there is to say is said as it comes. */
export async function reads(
  wish: ReadsWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: Say,
): Promise<void> {
  say(`sandbox: start, and ${warmUp.seconds} s of payments to read …`);
  const scratch = await mkdtemp(join(tmpdir(), 'sluice-reads-'));
  const probes = await Probes.listen(scratch);
  let installation: InstallationUnderTest | undefined;
  let readers: Readers | undefined;
  try {
    installation = await startUnderTest('sandbox', {
      arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
      nodeOptions: probes.nodeOptions,
    });
    await offer(installation, warmUp.rate, warmUp.seconds);
    const work = await InstallationWork.of(installation);
    await work.ended().finally(() => work.close());
    readers = await Readers.of(installation);
    for (const line of await linesOf({ readers, probes }, wish, say)) say(line);
  } finally {
    readers?.close();
    await installation?.stop();
    probes.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The profiler comes last: what it makes V8 forget would cost the runs behind it. */
async function linesOf(
  { readers, probes }: { readonly readers: Readers; readonly probes: Probes },
  { rates, seconds, pairs, profileDirectory }: ReadsWish,
  say: Say,
): Promise<readonly string[]> {
  const measured: (readonly [rate: number, rounds: readonly ReadRound[]])[] = [];
  for (const rate of rates) {
    say(`${rate}/s: ${WARM_UP_SECONDS} s of warm-up for each kind, and ${pairs} rounds …`);
    for (const kind of KINDS) await readers.read(kind, rate, WARM_UP_SECONDS);
    const rounds: ReadRound[] = [];
    for (let number = 0; number < pairs; number += 1) {
      rounds.push(await readers.round(number, rate, seconds));
    }
    measured.push([rate, rounds]);
  }
  const lines: string[] = [];
  for (const [rate, rounds] of measured) {
    say(`${rate}/s: the same under the profiler …`);
    const shares = new Map<ReadKind, Shares>();
    for (const kind of ['get', 'query'] as const) {
      await probes.start();
      await readers.read(kind, rate, seconds);
      const [profile] = (await probes.stop()).values();
      if (profile === undefined) continue;
      shares.set(kind, sharesOf(profile));
      if (profileDirectory === undefined) continue;
      const title = `sandbox, ${rate} reads/s: ${kind}`;
      await writeProfile(join(profileDirectory, `reads-${rate}-${kind}`), title, profile.profile);
    }
    lines.push(...readsLines(rate, rounds, shares));
  }
  return lines;
}

/** Reads the same payments in three ways. */
class Readers {
  private constructor(
    private readonly installation: InstallationUnderTest,
    private readonly payments: readonly KnownPayment[],
    private readonly echo: EchoServer,
  ) {}

  static async of(installation: InstallationUnderTest): Promise<Readers> {
    const payments = await knownPayments(installation);
    return new Readers(installation, payments, await startEcho(await databaseOf(installation)));
  }

  /** One run of each kind, in an order that turns round by round. */
  async round(number: number, rate: number, seconds: number): Promise<ReadRound> {
    const round: Partial<Record<ReadKind, ReadLoad>> = {};
    const [first, last] = orderOf<ReadKind>(number, ['floor', 'query']);
    for (const kind of [first, 'get', last] as const) {
      round[kind] = await this.read(kind, rate, seconds);
    }
    return round as ReadRound;
  }

  async read(kind: ReadKind, rate: number, seconds: number): Promise<ReadLoad> {
    const { installation, payments, echo } = this;
    const nth = (index: number): KnownPayment => {
      const payment = payments[index % payments.length];
      if (payment === undefined) throw new Error('There are no payments to read.');
      return payment;
    };
    if (kind !== 'floor') {
      const prepare = kind === 'get' ? paymentRead : referenceQuery;
      return read(installation, { rate, seconds }, (index) => prepare(nth(index)));
    }
    const before = cpuSecondsOf(echo.pid);
    const target = { ...installation, port: echo.port };
    const { load, cpu } = await read(target, { rate, seconds }, (index) => bareRead(nth(index)));
    const postgres = cpu.get('postgres') ?? 0;
    return {
      load,
      cpu: new Map([
        ['node', cpuSecondsOf(echo.pid) - before],
        ['postgres', postgres],
      ]),
    };
  }

  close(): void {
    this.echo.stop();
  }
}

function bareRead({ id }: KnownPayment): PreparedRequest {
  return {
    bytes: Buffer.from(`GET /read/${id} HTTP/1.1\r\nHost: bench\r\n\r\n`),
    expected: (status, body) => status === 200 && body.includes(id),
  };
}
