import { runningPostgres } from '@sluice/embedded-postgres';
import { RuleBook } from '@sluice/risk';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ComparedPayments, type Kind } from './compared-payments.js';
import { InstallationWork } from './end-of-work.js';
import {
  benchChannels,
  type InstallationUnderTest,
  startUnderTest,
} from './installation-under-test.js';
import { offer } from './ladder.js';
import type { PreparedRequest } from './open-loop.js';
import { request } from './payment-requests.js';
import { benchRules, VELOCITY_WINDOWS } from './risk-rules.js';

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

type Say = (line: string) => void;

/** A payment that is judged may take so much of one that is not. */
export const COST_BAR = 1.2;
/** What the table calls them. */
export const TITLES = { plain: 'payment without rules', other: 'payment with rules' } as const;
/** So many shoppers, each with a card of his own: no window is longer than in life. */
const SHOPPERS = 5_000;
const DATABASE = 'sluice';
const CHANNELS: Readonly<Record<Kind, (typeof benchChannels)[number]>> = {
  plain: benchChannels[0],
  other: benchChannels[1],
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
    const payments = new ComparedPayments(installation, work, {
      ...{ titles: TITLES, preparing, count: () => judged.count(), bar: COST_BAR },
    });
    for (const rate of wish.rates) {
      const lines = await payments.lines({ rate, seconds: wish.seconds }, wish.rounds);
      for (const line of lines) say(line);
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
    const { entityId } = CHANNELS.other;
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
