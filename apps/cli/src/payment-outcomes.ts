import { SERVICE_OF_CELLS } from '@sluice/contracts';
import {
  outcomeFields,
  type PaymentOutcome,
  paymentOutcome,
  type PaymentStep,
} from '@sluice/domain-risk';
import type { Pool } from 'pg';
import type { Session } from './session.js';

/** The events that say something of it; all others change nothing. */
const TOLD = Object.keys(outcomeFields);
const READ = [...new Set(['transactionId', ...Object.values(outcomeFields).flat()])]
  .map((field) => `'${field}', data->'${field}'`)
  .join(', ');
/**
 * A payment's stream has its id. Of each event what its outcome is made of: the whole would be ten times as much,
 * and is nobody's business here.
 */
const OUTCOMES = `SELECT stream_id AS id, max(version) AS version,
    json_agg(json_build_object('type', type, 'data', json_build_object(${READ})) ORDER BY version)
      FILTER (WHERE type = ANY($2)) AS steps
  FROM events WHERE stream_id = ANY($1) GROUP BY stream_id`;

interface Row {
  readonly id: string;
  readonly version: number;
  readonly steps: readonly PaymentStep[] | null;
}

/** What became of payments, as payments recorded it, found as risk finds it; of cells, all are asked. */
export class PaymentOutcomes {
  readonly #pools: readonly Pool[];

  constructor(session: Session) {
    const { cellOwnerUrls = [] } = session.settings;
    this.#pools =
      cellOwnerUrls.length > 0
        ? cellOwnerUrls.map((url) => session.databaseAt(url, SERVICE_OF_CELLS))
        : [session.database('payments')];
  }

  /** Of which nothing is known, nobody has said anything yet. */
  async of(ids: readonly string[]): Promise<(id: string) => PaymentOutcome> {
    const asked = this.#pools.map((pool) => pool.query<Row>(OUTCOMES, [ids, TOLD]));
    const found = new Map<string, Row>();
    for (const { rows } of await Promise.all(asked)) {
      for (const row of rows) {
        // A cell that lost the payment's shard may have an old copy, which is the shorter one.
        const known = found.get(row.id);
        if (known === undefined || known.version < row.version) found.set(row.id, row);
      }
    }
    return (id) => paymentOutcome(id, found.get(id)?.steps ?? []);
  }
}
