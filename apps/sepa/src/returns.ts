import type { BankReturnAnswer, BankReturnQuery } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import { currency, toMessage } from '@sluice/money';
import { type Clock, inTransaction, type Logger } from '@sluice/service';
import type { Pool } from 'pg';
import type { SepaMetrics } from './sepa-metrics.js';

/** Payments answers some hundred a second; the rest waits for the next look. */
const RETURNS_PER_LOOK_MAX = 500;
const TRANSACTION_ID_CHARACTERS = 32;
const EURO = currency('EUR');

/** The parts it is made of. */
export interface ReturnsParts {
  readonly pool: Pool;
  readonly queries: Queries;
  readonly machine: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly metrics: SepaMetrics;
}

interface ReturnRow {
  readonly reference: string;
  readonly minor: string;
  readonly result_code: string;
  readonly chargeback_id: string;
}

const UNREPORTED = `
  SELECT reference, minor, result_code, chargeback_id FROM orders
  WHERE chargeback_id IS NOT NULL AND reported_at IS NULL ORDER BY reference LIMIT $1`;
const REPORTED = 'UPDATE orders SET reported_at = $2 WHERE reference = $1';
const CASE = 'INSERT INTO cases (kind, reference, opened_at) VALUES ($1, $2, $3)';

/** Tells payments what the bank has taken back, until payments has recorded it. */
export class Returns {
  constructor(private readonly parts: ReturnsParts) {}

  /** Reports what is not reported yet. @throws QueryUnavailable while payments does not answer */
  async report(): Promise<void> {
    const { pool } = this.parts;
    const { rows } = await pool.query<ReturnRow>(UNREPORTED, [RETURNS_PER_LOOK_MAX]);
    for (const row of rows) await this.#reportOne(row);
  }

  async #reportOne(row: ReturnRow): Promise<void> {
    const { reference, minor, result_code: resultCode, chargeback_id: id } = row;
    const query: BankReturnQuery = {
      transactionId: id as TransactionId,
      referencedId: reference.slice(0, TRANSACTION_ID_CHARACTERS) as TransactionId,
      amount: toMessage({ minor: BigInt(minor), currency: EURO }),
      resultCode,
    };
    const { queries, pool, machine, logger, metrics } = this.parts;
    const answer = await queries.ask<BankReturnAnswer>('payments', 'payments.bankReturn', query);
    if (answer.kind === 'again') return;
    const now = new Date(machine.now());
    await inTransaction(pool, async (client) => {
      await client.query(REPORTED, [reference, now]);
      if (answer.kind !== 'recorded') {
        await client.query(CASE, ['chargebackRefused', reference, now]);
      }
    });
    if (answer.kind === 'recorded') return;
    metrics.entries('chargebackRefused');
    const code = answer.kind === 'refused' ? answer.resultCode : undefined;
    logger.warn({ reference, code }, 'A payment that the bank took back cannot be charged back.');
  }
}
