import {
  type AlertDecision,
  alertDecision,
  type AlertedSubscription,
  alertMail,
  type AlertMatter,
  collects,
  digestDueAtMs,
  digestMail,
  FAILING_FOR_MS,
  isMailed,
  isOverAtOnce,
  type LastAlert,
  type ReceiverCondition,
  sends,
  type Subscription,
  type SubscriptionFailures,
  wellAgainMail,
} from '@sluice/domain-webhooks';
import { type Clock, inTransaction, type Logger } from '@sluice/service';
import type { Pool, PoolClient } from 'pg';
import type { Subscriptions } from '../subscriptions.js';
import { failedNotifications, receiverRecords } from './failures.js';
import { makeMail } from './mail-outbox.js';
import type { SealedAddresses } from './sealed-addresses.js';

/** The parts it is made of. */
export interface MailWatchParts {
  readonly pool: Pool;
  readonly subscriptions: Pick<Subscriptions, 'now'>;
  readonly addresses: Pick<SealedAddresses, 'open'>;
  /** Of the machine: people read mails. */
  readonly machine: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** How often it is looked who fails, by all processes together. */
export const WATCH_EVERY_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** A digest is of no more than this: whoever has sent none for longer has other troubles. */
const DIGEST_OF_MAX_MS = 7 * DAY_MS;

const MS_PER_SECOND = 1_000;
const IS_DUE = 'SELECT FROM mailing WHERE watched_at <= to_timestamp($1)';
const LOCK = `SELECT extract(epoch FROM digested_at)::float8 * 1000 AS "digestedAtMs"
  FROM mailing WHERE watched_at <= to_timestamp($1) FOR UPDATE SKIP LOCKED`;
const WATCHED = 'UPDATE mailing SET watched_at = to_timestamp($1)';
const DIGESTED = 'UPDATE mailing SET digested_at = to_timestamp($1)';
/** An attempt that lapsed says nothing of its receiver. */
const CONDITIONS = `SELECT wanted.id, last.matter, last.is_over AS "isOver",
    extract(epoch FROM last.alerted_at)::float8 * 1000 AS "alertedAtMs",
    (latest.outcome = 'acknowledged') IS TRUE AS "isAnswering",
    (latest.outcome <> 'acknowledged' AND earlier.outcome <> 'acknowledged'
      AND NOT EXISTS (SELECT FROM attempts WHERE subscription_id = wanted.id
        AND ended_at > to_timestamp($2) AND outcome = 'acknowledged')
      AND EXISTS (SELECT FROM deliveries
        WHERE subscription_id = wanted.id AND standing = 'waiting')) IS TRUE AS "isFailing",
    (SELECT count(*)::int FROM deliveries WHERE subscription_id = wanted.id
      AND standing = 'overdue' AND ended_at > coalesce(last.alerted_at, to_timestamp($3)))
      AS "givenUp"
  FROM unnest($1::text[]) AS wanted (id)
  LEFT JOIN alerts AS last ON last.subscription_id = wanted.id
  LEFT JOIN LATERAL (SELECT outcome FROM attempts
    WHERE subscription_id = wanted.id AND outcome <> 'lapsed'
    ORDER BY ended_at DESC LIMIT 1) AS latest ON true
  LEFT JOIN LATERAL (SELECT outcome FROM attempts
    WHERE subscription_id = wanted.id AND outcome <> 'lapsed' AND ended_at <= to_timestamp($2)
    ORDER BY ended_at DESC LIMIT 1) AS earlier ON true`;
const ALERTED = `INSERT INTO alerts (subscription_id, matter, alerted_at, is_over)
  VALUES ($1, $2, to_timestamp($3), $4) ON CONFLICT (subscription_id) DO UPDATE
  SET matter = excluded.matter, alerted_at = excluded.alerted_at, is_over = excluded.is_over`;
const OVER = 'UPDATE alerts SET is_over = true WHERE subscription_id = $1';

interface ConditionRow extends Pick<ReceiverCondition, 'isAnswering' | 'isFailing'> {
  readonly id: string;
  readonly matter: AlertMatter | null;
  readonly isOver: boolean | null;
  readonly alertedAtMs: number | null;
  readonly givenUp: number;
}

/** What is to be mailed about one subscription. */
interface Decided {
  readonly subscription: Subscription;
  readonly condition: ReceiverCondition;
  readonly decision: AlertDecision;
  readonly givenUp: number;
}

/**
 * Sees who fails, and makes the mails about it, each in the transaction that records that it was made. Everything it
 * goes by is in the tables: whichever process looks next finds the same.
 */
export class MailWatch {
  constructor(private readonly parts: MailWatchParts) {}

  /** Looks, unless somebody has less than `WATCH_EVERY_MS` ago. */
  async look(): Promise<void> {
    const { pool, machine } = this.parts;
    const isDue = [(machine.now() - WATCH_EVERY_MS) / MS_PER_SECOND];
    const { rowCount } = await pool.query({ name: 'mails due', text: IS_DUE, values: isDue });
    if (rowCount === 0) return;
    const mailed = [...(await this.parts.subscriptions.now()).values()].filter(isMailed);
    await inTransaction(pool, async (client) => {
      const nowMs = machine.now();
      const { rows } = await client.query<{ digestedAtMs: number }>(LOCK, isDue);
      const [mailing] = rows;
      if (mailing === undefined) return;
      const byId = new Map(mailed.map((subscription) => [subscription.id, subscription]));
      if (byId.size > 0) await this.#alert(client, byId, nowMs);
      const { digestedAtMs } = mailing;
      if (digestDueAtMs(nowMs) > digestedAtMs) {
        const sinceMs = Math.max(digestedAtMs, nowMs - DIGEST_OF_MAX_MS);
        if (byId.size > 0) await this.#digest(client, byId, { sinceMs, untilMs: nowMs });
        await client.query(DIGESTED, [nowMs / MS_PER_SECOND]);
      }
      await client.query(WATCHED, [nowMs / MS_PER_SECOND]);
    });
  }

  async #alert(
    client: PoolClient,
    byId: ReadonlyMap<string, Subscription>,
    nowMs: number,
  ): Promise<void> {
    const { rows } = await client.query<ConditionRow>(CONDITIONS, [
      [...byId.keys()],
      (nowMs - FAILING_FOR_MS) / MS_PER_SECOND,
      (nowMs - DAY_MS) / MS_PER_SECOND,
    ]);
    const decided = rows.flatMap((row) => decidedOf(row, byId.get(row.id), nowMs));
    const ids = decided.map(({ subscription }) => subscription.id);
    const records = await receiverRecords(client, ids, nowMs - DAY_MS);
    for (const { subscription, condition, decision, givenUp } of decided) {
      const { id: subscriptionId, alertEmails: address } = subscription;
      const record = records.get(subscriptionId);
      if (record === undefined) continue;
      const alerted: AlertedSubscription = { subscription, record, givenUp };
      if (decision.kind === 'wellAgain') {
        await client.query(OVER, [subscriptionId]);
        const text = wellAgainMail(alerted);
        await makeMail(client, { kind: 'wellAgain', subscriptionId, address, ...text }, nowMs);
        continue;
      }
      const { matter } = decision;
      const isOver = isOverAtOnce(matter, condition);
      await client.query(ALERTED, [subscriptionId, matter, nowMs / MS_PER_SECOND, isOver]);
      const text = alertMail(matter, alerted);
      await makeMail(client, { kind: 'alert', subscriptionId, address, ...text }, nowMs);
    }
  }

  async #digest(
    client: PoolClient,
    byId: ReadonlyMap<string, Subscription>,
    period: { readonly sinceMs: number; readonly untilMs: number },
  ): Promise<void> {
    const { sinceMs, untilMs } = period;
    const failures = await failedNotifications(client, [...byId.keys()], sinceMs);
    const records = await receiverRecords(client, [...failures.keys()], sinceMs);
    const byAddress = new Map<string, SubscriptionFailures[]>();
    for (const [id, { failed, failedCount }] of failures) {
      const subscription = byId.get(id);
      const record = records.get(id);
      if (subscription === undefined || record === undefined) continue;
      const address = await this.#addressOf(subscription);
      if (address === undefined) continue;
      const others = byAddress.get(address) ?? [];
      byAddress.set(address, [...others, { subscription, record, failed, failedCount }]);
    }
    for (const all of byAddress.values()) {
      const text = digestMail(all, { sinceMs, untilMs });
      const [first] = all;
      const { id: subscriptionId, alertEmails: address } =
        byId.get(first?.subscription.id ?? '') ?? {};
      if (text === undefined || subscriptionId === undefined || address === undefined) continue;
      await makeMail(client, { kind: 'digest', subscriptionId, address, ...text }, untilMs);
    }
  }

  /** Undefined for one that does not open: the others get their mails. */
  async #addressOf({ id, alertEmails }: Subscription): Promise<string | undefined> {
    const { addresses, logger } = this.parts;
    try {
      return await addresses.open(id, alertEmails);
    } catch (error) {
      logger.error({ err: error, subscriptionId: id }, 'An address for mails cannot be opened.');
      return undefined;
    }
  }
}

function decidedOf(
  row: ConditionRow,
  subscription: Subscription | undefined,
  nowMs: number,
): readonly Decided[] {
  if (subscription === undefined) return [];
  const { standing, disabledBecause } = subscription;
  const { isAnswering, isFailing, givenUp } = row;
  const condition: ReceiverCondition = {
    isGone: standing === 'disabled' && disabledBecause === 'gone',
    hasGivenUp: givenUp > 0,
    // Who was paused is not called, and was paused by somebody who knows.
    isFailing: isFailing && sends(subscription),
    ...{ isOn: collects(subscription), isAnswering },
  };
  const decision = alertDecision(lastOf(row), condition, nowMs);
  return decision === undefined ? [] : [{ subscription, condition, decision, givenUp }];
}

function lastOf({ matter, isOver, alertedAtMs }: ConditionRow): LastAlert | undefined {
  if (matter === null || isOver === null || alertedAtMs === null) return undefined;
  return { matter, isOver, alertedAtMs };
}
