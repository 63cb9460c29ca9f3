import type { Clock, Logger } from '@sluice/service';
import type { Pool } from 'pg';
import type { CaseKind } from './schema.js';
import type { SepaMetrics } from './sepa-metrics.js';

/** The parts it is made of. */
export interface StrandedRefundsParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly machine: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly metrics: SepaMetrics;
}

const WITHHELD: CaseKind = 'refundWithheld';
/** In one statement, so that none is withheld of which nobody is told. */
const WITHHOLD = `
  WITH withheld AS (
    UPDATE orders SET state = 'cancelled' FROM orders AS debit
    WHERE orders.operation = 'refund' AND orders.state = 'waiting'
      AND debit.reference = orders.original
      AND debit.state IN ('rejected', 'returned', 'cancelled', 'failed')
    RETURNING orders.reference)
  INSERT INTO cases (kind, reference, opened_at)
  SELECT $1, reference, $2 FROM withheld RETURNING reference`;

/**
 * Refunds that wait for a debit which will be in no file any more. Whoever reads that a debit has come
 * back withholds its refunds at once; these were placed when it was too late for that, or before there
 * was such a rule, and would wait for ever, and have the vault keep their account as long.
 */
export class StrandedRefunds {
  constructor(private readonly parts: StrandedRefundsParts) {}

  /** Withholds those that there are; each is a case for a person. */
  async withhold(): Promise<void> {
    const { pool, machine, logger, metrics } = this.parts;
    const values = [WITHHELD, new Date(machine.now())];
    const { rows } = await pool.query<{ readonly reference: string }>(WITHHOLD, values);
    for (const { reference } of rows) {
      metrics.entries(WITHHELD);
      logger.warn(
        { case: WITHHELD, reference },
        'A refund waited for a debit that is collected no more, and is withheld.',
      );
    }
  }
}
