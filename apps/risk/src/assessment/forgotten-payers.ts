import type { TransactionId } from '@sluice/identifiers';
import type { Pool } from 'pg';

/**
 * What is kept of who paid: what rules saw, sealed; marks; the hashes under which he is counted; and this payment's
 * part of what he has done. What was decided stays, and so does what his other payments did. Rows of histories
 * are locked in the order in which assessments and outcomes lock theirs, and read as they are then.
 */
const FORGET = `WITH known AS (
    SELECT assessment_id, received_at, counted_keys, history_keys, charged_back,
      coalesce(outcome, '') AS outcome
    FROM assessments WHERE assessment_id = $1 FOR UPDATE),
  uncounted AS (
    DELETE FROM payer_counts AS counted USING known
    WHERE counted.key = ANY(known.counted_keys) AND counted.at = known.received_at
      AND counted.assessment_id = known.assessment_id::uuid),
  locked AS MATERIALIZED (
    SELECT past.key, past.payments FROM payer_histories AS past
    WHERE past.key IN (SELECT unnest(history_keys) FROM known) ORDER BY past.key FOR UPDATE OF past),
  emptied AS (
    DELETE FROM payer_histories AS past USING locked
    WHERE past.key = locked.key AND locked.payments <= 1),
  lessened AS (
    UPDATE payer_histories AS past SET payments = past.payments - 1,
      approved = past.approved - (known.outcome = 'approved')::int,
      declined = past.declined - (known.outcome = 'declined')::int,
      charged_back = past.charged_back - known.charged_back::int
    FROM locked, known WHERE past.key = locked.key AND locked.payments > 1),
  unanswered AS (DELETE FROM scorer_answers WHERE assessment_id = $1)
  UPDATE assessments AS kept SET personal = NULL, counted_keys = NULL, history_keys = NULL,
    facts = jsonb_set(kept.facts - '{emailDomain,behindIp}'::text[], '{payer}', '{}')
  FROM known WHERE kept.assessment_id = known.assessment_id`;

/** Payers as risk counts them, for the command line: as the owner of the tables. */
export class ForgottenPayers {
  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  /** Forgets who paid. Windows and histories no longer count the payment; twice is no error. */
  async forget(paymentId: TransactionId): Promise<void> {
    await this.pool.query(FORGET, [paymentId]);
  }
}
