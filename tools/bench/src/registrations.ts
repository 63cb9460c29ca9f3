import { type CpuUsage, cpuUsage, totalOf, usedBetween } from './cpu-usage.js';
import { InstallationWork } from './end-of-work.js';
import {
  benchChannels,
  type InstallationUnderTest,
  startUnderTest,
} from './installation-under-test.js';
import { offer } from './ladder.js';
import { type LoadResult, offerLoad, type PreparedRequest } from './open-loop.js';
import { spreadOf } from './pairs.js';
import {
  paymentRequest,
  registrationForm,
  registrationRequest,
  storedPaymentRequest,
} from './payment-requests.js';
import { tableLines } from './text-table.js';

/*
 * `npm run bench -- --registrations`: what a payment by registration takes beside one by card, and
 * what a read of a registration takes, in the sandbox. All three are offered in turn.
 */

/** What is measured, and how often. */
export interface RegistrationsWish {
  /** Requests a second. */
  readonly rates: readonly number[];
  /** Of each run. */
  readonly seconds: number;
  readonly rounds: number;
  /** Stored before anything is measured, and used in turn. */
  readonly registrations: number;
}

const KINDS = ['card', 'registration', 'read'] as const;
/** What is offered. */
export type Kind = (typeof KINDS)[number] | 'create';

/** One run, and what it took. */
export interface RegistrationLoad {
  readonly load: LoadResult;
  /** CPU seconds by process, of everything that it caused. */
  readonly cpu: CpuUsage;
}

/** The same of all kinds. */
export type RegistrationRound = Readonly<Record<(typeof KINDS)[number], RegistrationLoad>>;

/** A card that was stored. */
export interface Stored {
  readonly id: string;
  readonly channel: (typeof benchChannels)[number];
}

type Say = (line: string) => void;

/** A payment by registration may take so much of one by card. */
const COST_BAR = 1.15;
const READ_P99_BAR_MS = 10;
const CONNECTIONS_MAX = 64;
const STORING_AT_ONCE = 16;
const WARM_UP_SECONDS = 5;
const OK = 200;
const APPROVED = '"000.100.110"';
/** As tables call them. */
export const TITLES: Readonly<Record<Kind, string>> = {
  create: 'POST /v1/registrations',
  card: 'payment by card',
  registration: 'payment by registration',
  read: 'GET /v1/registrations/{id}',
};

/** Measures all rates; what there is to say is said as it comes. */
export async function registrations(
  wish: RegistrationsWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: Say,
): Promise<void> {
  say(`sandbox: start, ${warmUp.seconds} s of warm-up, ${wish.registrations} registrations …`);
  const installation = await startUnderTest('sandbox', {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
  });
  try {
    await offer(installation, warmUp.rate, warmUp.seconds);
    const stored = await store(installation, wish.registrations);
    const work = await InstallationWork.of(installation);
    const run = new Runs(installation, work, stored);
    for (const rate of wish.rates) {
      for (const kind of KINDS) await run.of(kind, { rate, seconds: WARM_UP_SECONDS });
      const rounds: RegistrationRound[] = [];
      for (let number = 0; number < wish.rounds; number += 1) {
        rounds.push(await run.round(number, { rate, seconds: wish.seconds }));
      }
      for (const line of registrationLines(rate, rounds)) say(line);
    }
    await work.close();
  } finally {
    await installation.stop();
  }
}

/** Stores cards over HTTP, as merchants do. */
export async function store(
  { port }: InstallationUnderTest,
  count: number,
): Promise<readonly Stored[]> {
  const stored: Stored[] = [];
  let begun = 0;
  const storing = Array.from({ length: STORING_AT_ONCE }, async () => {
    while (begun < count) {
      const channel = benchChannels[begun % benchChannels.length] ?? benchChannels[0];
      begun += 1;
      const response = await fetch(`http://127.0.0.1:${port}/v1/registrations`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${channel.accessToken}` },
        body: registrationForm(channel.entityId),
      });
      const { id, result } = (await response.json()) as { id: string; result: { code: string } };
      if (response.status !== OK) throw new Error(`a card was not stored: ${result.code}`);
      stored.push({ id, channel });
    }
  });
  await Promise.all(storing);
  return stored;
}

/** Offers each kind, and waits until nothing is left to be done for it. */
export class Runs {
  readonly #prepare: Readonly<Record<Kind, (index: number) => PreparedRequest>>;

  constructor(
    private readonly installation: InstallationUnderTest,
    private readonly work: InstallationWork,
    stored: readonly Stored[],
  ) {
    const one = (index: number): Stored => {
      const found = stored[index % stored.length];
      if (found === undefined) throw new Error('nothing is stored');
      return found;
    };
    this.#prepare = {
      card: paymentRequest,
      create: registrationRequest,
      registration: (index) => storedPaymentRequest(one(index), index),
      read: (index) => registrationRead(one(index)),
    };
  }

  /** All kinds once, each round beginning with another one. */
  async round(
    number: number,
    offered: { readonly rate: number; readonly seconds: number },
  ): Promise<RegistrationRound> {
    const round: Partial<Record<Kind, RegistrationLoad>> = {};
    for (let at = 0; at < KINDS.length; at += 1) {
      const kind = KINDS[(number + at) % KINDS.length] ?? 'card';
      round[kind] = await this.of(kind, offered);
    }
    return round as RegistrationRound;
  }

  async of(
    kind: Kind,
    { rate, seconds }: { readonly rate: number; readonly seconds: number },
  ): Promise<RegistrationLoad> {
    const { installation, work } = this;
    const before = cpuUsage(installation);
    const load = await offerLoad({
      ...{ host: '127.0.0.1', port: installation.port, ratePerSecond: rate, seconds },
      ...{ connectionsMax: CONNECTIONS_MAX, seed: rate, prepare: this.#prepare[kind] },
    });
    await work.ended();
    return { load, cpu: usedBetween(before, cpuUsage(installation)) };
  }
}

function registrationRead({ id, channel }: Stored): PreparedRequest {
  const { entityId, accessToken } = channel;
  const path = `/v1/registrations/${id}?entityId=${entityId}`;
  const head = `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${accessToken}`;
  return {
    bytes: Buffer.from(`${head}\r\n\r\n`),
    expected: (status, body) => status === OK && body.includes(APPROVED) && body.includes(id),
  };
}

/** The table of one rate, and what is met. */
export function registrationLines(
  rate: number,
  rounds: readonly RegistrationRound[],
): readonly string[] {
  const failed = rounds
    .flatMap((round) => Object.values(round))
    .find(({ load }) => load.errors > 0);
  const cost = spreadOf(rounds.map(({ card, registration }) => cpuUs(registration) / cpuUs(card)));
  const readP99Ms = spreadOf(rounds.map(({ read }) => read.load.p99Ms)).median;
  return [
    `\n## ${rate} requests/s, medians of ${rounds.length} rounds`,
    ...(failed === undefined
      ? []
      : [`Requests failed, so do not quote this: ${failed.load.firstError ?? ''}`]),
    ...tableLines(
      ['request', 'CPU, µs', 'p50, ms', 'p99, ms'],
      KINDS.map((kind) => cellsOf(kind, rounds)),
    ),
    '',
    `A payment by registration takes ${cost.median.toFixed(2)} of one by card ` +
      `(${cost.low.toFixed(2)} to ${cost.high.toFixed(2)}), wanted at most ${COST_BAR}: ` +
      verdict(cost.median <= COST_BAR),
    `p99 of a read: ${readP99Ms.toFixed(1)} ms, wanted at most ${READ_P99_BAR_MS}: ` +
      verdict(readP99Ms <= READ_P99_BAR_MS),
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}

function cpuUs({ load, cpu }: RegistrationLoad): number {
  return (totalOf(cpu) * 1e6) / load.answered;
}

function cellsOf(
  kind: (typeof KINDS)[number],
  rounds: readonly RegistrationRound[],
): readonly string[] {
  const median = (of: (run: RegistrationLoad) => number): number =>
    spreadOf(rounds.map((round) => of(round[kind]))).median;
  return [
    TITLES[kind],
    median(cpuUs).toFixed(0),
    median(({ load }) => load.p50Ms).toFixed(2),
    median(({ load }) => load.p99Ms).toFixed(2),
  ];
}
