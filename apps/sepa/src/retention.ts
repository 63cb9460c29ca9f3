import type { BankAccountVault } from '@sluice/contracts';
import type { Clock } from '@sluice/service';
import type { Pool } from 'pg';

const DAY_MS = 24 * 60 * 60 * 1_000;
/**
 * A debit that nobody has allowed is returned for 13 months; a month more for the bank's own days.
 * As long can a payment be refunded, for which its account is needed.
 */
export const KEPT_DAYS = 425;
/** What came to nothing needs no account; whoever was placing it is done within minutes. */
export const KEPT_OF_NOTHING_DAYS = 1;
const ACCOUNTS_PER_LOOK_MAX = 200;

/** The parts it is made of. */
export interface RetentionParts {
  readonly pool: Pool;
  readonly vault: Pick<BankAccountVault, 'forgetBankAccount'>;
  readonly machine: Pick<Clock, 'now'>;
}

const GIVE_UP = `UPDATE orders SET state = 'failed' WHERE state = 'placing' AND placed_at < $1`;
/** By the last order of an account: a refund is made with the account of its payment. */
const CLOSE = `
  UPDATE orders SET closed_at = $3 WHERE account IN (
    SELECT account FROM orders WHERE closed_at IS NULL GROUP BY account
    HAVING (max(placed_at) < $1 AND NOT bool_or(state IN ('placing', 'waiting')))
        OR (max(placed_at) < $2
            AND bool_and(state IN ('failed', 'cancelled', 'declined', 'done')))
    LIMIT $4)`;
/** A refund may have been placed while its account was being closed. */
const CLOSED = `
  SELECT account FROM orders LEFT JOIN files ON file = message_id
  WHERE closed_at IS NOT NULL AND forgotten_at IS NULL GROUP BY account
  HAVING NOT bool_or(state IN ('placing', 'waiting') OR (file IS NOT NULL AND written_at IS NULL))
  LIMIT $1`;
const FORGOTTEN = 'UPDATE orders SET forgotten_at = $2, closed_at = $2 WHERE account = $1';

/**
 * Has the vault forget accounts for which there is no use any more. An account is closed first, so
 * that no refund counts on it, and is forgotten by whoever finds it closed.
 */
export class Retention {
  constructor(private readonly parts: RetentionParts) {}

  async forget(): Promise<void> {
    const { pool, vault, machine } = this.parts;
    const nowMs = machine.now();
    const [longAgo, aDayAgo] = [KEPT_DAYS, KEPT_OF_NOTHING_DAYS].map(
      (days) => new Date(nowMs - days * DAY_MS),
    );
    const now = new Date(nowMs);
    await pool.query(GIVE_UP, [aDayAgo]);
    await pool.query(CLOSE, [longAgo, aDayAgo, now, ACCOUNTS_PER_LOOK_MAX]);
    const { rows } = await pool.query<{ account: string }>(CLOSED, [ACCOUNTS_PER_LOOK_MAX]);
    for (const { account } of rows) {
      await vault.forgetBankAccount(account);
      await pool.query(FORGOTTEN, [account, now]);
    }
  }
}
