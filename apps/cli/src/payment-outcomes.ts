import { SERVICE_OF_CELLS } from '@sluice/contracts';
import type { PastOutcome } from '@sluice/domain-risk';
import type { Pool } from 'pg';
import type { Session } from './session.js';

/** A payment's stream has its id. What a chargeback took and the issuer gave back again is no loss. */
const OUTCOMES = `SELECT stream_id AS id, max(version) AS version,
    bool_or(type = 'TransactionApproved') AS "isApproved",
    bool_or(type = 'TransactionDeclined') AS "isDeclined",
    coalesce(sum((data->'amount'->>'minor')::numeric
      * CASE type WHEN 'ChargebackReceived' THEN 1 ELSE -1 END)
      FILTER (WHERE type LIKE 'Chargeback%'), 0) > 0 AS "isChargedBack"
  FROM events WHERE stream_id = ANY($1)
    AND (type IN ('ChargebackReceived', 'ChargebackReversed')
      OR type IN ('TransactionApproved', 'TransactionDeclined')
        AND data->>'transactionId' = stream_id)
  GROUP BY stream_id`;

interface Row {
  readonly id: string;
  readonly version: number;
  readonly isApproved: boolean;
  readonly isDeclined: boolean;
  readonly isChargedBack: boolean;
}

/** What became of payments, as payments recorded it; of cells, all are asked. */
export class PaymentOutcomes {
  readonly #pools: readonly Pool[];

  constructor(session: Session) {
    const { cellOwnerUrls = [] } = session.settings;
    this.#pools =
      cellOwnerUrls.length > 0
        ? cellOwnerUrls.map((url) => session.databaseAt(url, SERVICE_OF_CELLS))
        : [session.database('payments')];
  }

  /** Those of which nothing is known are `none`. */
  async of(ids: readonly string[]): Promise<(id: string) => PastOutcome> {
    const asked = this.#pools.map((pool) => pool.query<Row>(OUTCOMES, [ids]));
    const found = new Map<string, Row>();
    for (const { rows } of await Promise.all(asked)) {
      for (const row of rows) {
        // A cell that lost the payment's shard may have an old copy, which is the shorter one.
        const known = found.get(row.id);
        if (known === undefined || known.version < row.version) found.set(row.id, row);
      }
    }
    return (id) => outcomeOf(found.get(id));
  }
}

function outcomeOf(row: Row | undefined): PastOutcome {
  if (row === undefined) return 'none';
  if (row.isChargedBack) return 'chargedBack';
  if (row.isApproved) return 'approved';
  return row.isDeclined ? 'declined' : 'none';
}
