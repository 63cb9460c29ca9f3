import { runningPostgres } from '@sluice/embedded-postgres';
import { RuleBook } from '@sluice/risk';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
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
import { request } from './payment-requests.js';
import { benchRules, VELOCITY_WINDOWS } from './risk-rules.js';
import { tableLines } from './text-table.js';

/*
 * `npm run bench -- --risk`: what a payment takes in a channel with rules, beside the same one in a channel
 * without, in the sandbox. Both are offered in turn.
 */

/** What is measured, and how often. */
export interface RiskWish {
  /** Payments a second. */
  readonly rates: readonly number[];
  /** Of each run. */
  readonly seconds: number;
  readonly rounds: number;
}

const KINDS = ['plain', 'ruled'] as const;
type Kind = (typeof KINDS)[number];

/** One run, and what it took. */
export interface RiskLoad {
  readonly load: LoadResult;
  /** CPU seconds by process, of everything that it caused. */
  readonly cpu: CpuUsage;
}

/** The same of both kinds. */
export type RiskRound = Readonly<Record<Kind, RiskLoad>>;

type Say = (line: string) => void;

/** A payment that is judged may take so much of one that is not. */
const COST_BAR = 1.2;
const CONNECTIONS_MAX = 64;
/** Risk and payments learn of rules within four seconds. */
const WARM_UP_SECONDS = 10;
/** So many shoppers, each with a card of his own: no window is longer than in life. */
const SHOPPERS = 5_000;
const DATABASE = 'sluice';
const TITLES: Readonly<Record<Kind, string>> = {
  plain: 'payment without rules',
  ruled: 'payment with rules',
};
const CHANNELS: Readonly<Record<Kind, (typeof benchChannels)[number]>> = {
  plain: benchChannels[0],
  ruled: benchChannels[1],
};

/** Measures all rates; what there is to say is said as it comes. */
export async function risk(
  wish: RiskWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: Say,
): Promise<void> {
  const { rules } = benchRules;
  say(
    `sandbox: start, ${warmUp.seconds} s of warm-up; ${rules.length} rules, ${VELOCITY_WINDOWS} of them windows of velocity …`,
  );
  const installation = await startUnderTest('sandbox', {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
  });
  try {
    await offer(installation, warmUp.rate, warmUp.seconds);
    const work = await InstallationWork.of(installation);
    const judged = await JudgedPayments.of(installation);
    await judged.setRules();
    const runs = new RiskRuns(installation, work, judged);
    for (const rate of wish.rates) {
      for (const kind of KINDS) await runs.warm(kind, rate);
      const rounds: RiskRound[] = [];
      for (let number = 0; number < wish.rounds; number += 1) {
        rounds.push(await runs.round(number, { rate, seconds: wish.seconds }));
      }
      for (const line of riskLines(rate, rounds)) say(line);
    }
    await judged.close();
    await work.close();
  } finally {
    await installation.stop();
  }
}

/** The rules of the one channel, and how many payments they were applied to. */
class JudgedPayments {
  private constructor(private readonly pool: pg.Pool) {}

  static async of({ dataFolder }: InstallationUnderTest): Promise<JudgedPayments> {
    const url = new URL((await runningPostgres(dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const options = '-c search_path=risk';
    return new JudgedPayments(new pg.Pool({ connectionString: url.href, max: 1, options }));
  }

  async setRules(): Promise<void> {
    type NodeId = Parameters<RuleBook['change']>[0];
    const { entityId } = CHANNELS.ruled;
    await new RuleBook(this.pool).change(entityId as NodeId, benchRules, 'bench');
  }

  async count(): Promise<number> {
    const text = 'SELECT count(*)::int FROM assessments';
    return (await this.pool.query<{ count: number }>(text)).rows[0]?.count ?? 0;
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

/** Offers each kind, and waits until nothing is left to be done for it. */
class RiskRuns {
  constructor(
    private readonly installation: InstallationUnderTest,
    private readonly work: InstallationWork,
    private readonly judged: JudgedPayments,
  ) {}

  /** Both kinds once, each round beginning with another one. */
  async round(
    number: number,
    offered: { readonly rate: number; readonly seconds: number },
  ): Promise<RiskRound> {
    const round: Partial<Record<Kind, RiskLoad>> = {};
    for (let at = 0; at < KINDS.length; at += 1) {
      const kind = KINDS[(number + at) % KINDS.length] ?? 'plain';
      const before = await this.judged.count();
      const run = await this.#offered(kind, offered);
      const count = (await this.judged.count()) - before;
      const expected = kind === 'ruled' ? run.load.answered : 0;
      if (count !== expected) {
        throw new Error(`rules were applied to ${count} payments, and not to ${expected}`);
      }
      round[kind] = run;
    }
    return round as RiskRound;
  }

  /** Until the rules are known, the first ones are not judged. */
  async warm(kind: Kind, rate: number): Promise<void> {
    await this.#offered(kind, { rate, seconds: WARM_UP_SECONDS });
  }

  async #offered(
    kind: Kind,
    { rate, seconds }: { readonly rate: number; readonly seconds: number },
  ): Promise<RiskLoad> {
    const { installation, work } = this;
    const before = cpuUsage(installation);
    const load = await offerLoad({
      ...{ host: '127.0.0.1', port: installation.port, ratePerSecond: rate, seconds },
      ...{ connectionsMax: CONNECTIONS_MAX, seed: rate, prepare: preparing(kind) },
    });
    await work.ended();
    return { load, cpu: usedBetween(before, cpuUsage(installation)) };
  }
}

/** Payments of both kinds say the same of their shoppers. */
function preparing(kind: Kind): (index: number) => PreparedRequest {
  const channel = CHANNELS[kind];
  return (index) => {
    const shopper = index % SHOPPERS;
    const form = new URLSearchParams({
      ...{ entityId: channel.entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
      merchantTransactionId: `bench-${randomBytes(8).toString('hex')}`,
      ...{ paymentBrand: 'VISA', 'card.number': cardNumber(shopper), 'card.cvv': '123' },
      ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
      ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
      'customer.email': `jane${shopper}@shop.example`,
      'customer.ip': `192.0.${shopper >> 8}.${shopper & 255}`,
      'customer.merchantCustomerId': `customer-${shopper}`,
      ...{ 'billing.country': 'DE', 'shipping.country': 'DE' },
    });
    return request('/v1/payments', channel, form.toString());
  };
}

const CARD_PREFIX = '4200000001';
const NUMBER_DIGITS = 16;

/** A number of its own for each shopper, with its check digit (ISO/IEC 7812). */
export function cardNumber(shopper: number): string {
  const digits = `${CARD_PREFIX}${String(shopper).padStart(NUMBER_DIGITS - 1 - CARD_PREFIX.length, '0')}`;
  const sum = [...digits].reduceRight((total, digit, at) => {
    const isDoubled = (digits.length - at) % 2 === 1;
    const value = Number(digit) * (isDoubled ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The table of one rate, and whether it is met. */
export function riskLines(rate: number, rounds: readonly RiskRound[]): readonly string[] {
  const failed = rounds
    .flatMap((round) => Object.values(round))
    .find(({ load }) => load.errors > 0);
  const more = spreadOf(rounds.map(({ plain, ruled }) => cpuUs(ruled) / cpuUs(plain)));
  return [
    `\n## ${rate} payments/s, medians of ${rounds.length} rounds`,
    ...(failed === undefined
      ? []
      : [`Payments failed, so do not quote this: ${failed.load.firstError ?? ''}`]),
    ...tableLines(
      ['payment', 'CPU, µs', 'p50, ms', 'p99, ms'],
      KINDS.map((kind) => cellsOf(kind, rounds)),
    ),
    '',
    `CPU of a payment with rules, to one without: ${more.median.toFixed(2)} ` +
      `(${more.low.toFixed(2)} to ${more.high.toFixed(2)}), wanted at most ${COST_BAR}: ` +
      (more.median <= COST_BAR ? 'met' : 'MISSED'),
  ];
}

function cpuUs({ load, cpu }: RiskLoad): number {
  return (totalOf(cpu) * 1e6) / load.answered;
}

function cellsOf(kind: Kind, rounds: readonly RiskRound[]): readonly string[] {
  const median = (of: (run: RiskLoad) => number): number =>
    spreadOf(rounds.map((round) => of(round[kind]))).median;
  return [
    TITLES[kind],
    median(cpuUs).toFixed(0),
    median(({ load }) => load.p50Ms).toFixed(2),
    median(({ load }) => load.p99Ms).toFixed(2),
  ];
}
