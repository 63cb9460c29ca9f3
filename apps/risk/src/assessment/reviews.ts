import type { ReviewDecidedAnswer, ReviewDecidedQuery } from '@sluice/contracts';
import { newTransactionIdInChainOf, type TransactionId } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { type Logger, noSetClocks, type SetClocks } from '@sluice/service';
import type { Pool } from 'pg';

/** A payment that waits for somebody to look at it, or did. */
export interface Review {
  readonly assessmentId: TransactionId;
  readonly entityId: string;
  readonly assessedAt: Date;
  /** What is paid, which is not always what rules have judged. */
  readonly amountMinor: string;
  readonly currency: string;
  readonly score: number;
  readonly resultCode: string | null;
  /** The rules that spoke, with what they saw; personal data apart. */
  readonly fired: readonly { readonly id: string; readonly name: string }[];
  /** Whether its acquirer has approved it; until then nobody can know when it is released by itself. */
  readonly isApproved: boolean;
  /** When it is released by itself, once it is approved: the time begins then. Null: never. */
  readonly releaseAt: Date | null;
}

/** One, and how it stands. */
export interface FoundReview extends Review {
  readonly state: 'open' | ReviewDecision;
  /** Who decided; null while nobody has. */
  readonly decidedBy: string | null;
}

/** What may be decided. */
export type ReviewDecision = ReviewDecidedQuery['decision'];

/** What somebody decides. */
export interface Decided {
  readonly decision: ReviewDecision;
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** Who releases what nobody has looked at in time. */
export const TIME = 'time';

const COLUMNS = `assessment_id AS "assessmentId", entity_id AS "entityId",
  assessed_at AS "assessedAt", coalesce(facts ->> 'paidMinor', amount_minor::text) AS "amountMinor",
  currency, score,
  result_code AS "resultCode", fired,
  coalesce(outcome = 'approved', false) AS "isApproved", release_at AS "releaseAt"`;
const OPEN = `SELECT ${COLUMNS}
  FROM assessments WHERE review = 'open' ORDER BY assessed_at LIMIT $1`;
const FIND = `SELECT ${COLUMNS}, review AS state, decided_by AS "decidedBy"
  FROM assessments WHERE assessment_id = $1 AND review IS NOT NULL`;
const DECIDE = `UPDATE assessments
  SET review = $2, decided_at = now(), decided_by = $3, reversal_id = $4
  WHERE assessment_id = $1 AND review = 'open'`;
/** Before its approval nobody could have looked at a payment, and its time has not begun. */
const RELEASE_DUE = `UPDATE assessments SET review = 'released', decided_at = now(), decided_by = $1
  WHERE review = 'open' AND outcome = 'approved' AND ($3::text IS NULL OR entity_id = $3)
    AND release_at <= now()
      + make_interval(secs => coalesce(($2::jsonb ->> entity_id)::float8 / 1000, 0))`;
const NEXT_RELEASE_OF = `SELECT extract(epoch FROM min(release_at))::float8 * 1000 AS "dueAtMs"
  FROM assessments WHERE review = 'open' AND outcome = 'approved' AND entity_id = $1`;
const UNTOLD = `SELECT assessment_id AS id, review AS decision, decided_by AS actor,
    reversal_id AS "reversalId"
  FROM assessments WHERE decided_at IS NOT NULL AND told_at IS NULL
  ORDER BY coalesce(tell_tried_at, decided_at), assessment_id LIMIT $1`;
const TRIED = 'UPDATE assessments SET tell_tried_at = now() WHERE assessment_id = $1';
const TOLD = 'UPDATE assessments SET told_at = now() WHERE assessment_id = $1';

/** So many payments are told of in one look. */
const TOLD_AT_ONCE = 100;

/** A decision that payments has not recorded yet. */
interface Untold {
  readonly id: TransactionId;
  readonly decision: ReviewDecision;
  readonly actor: string;
  readonly reversalId: TransactionId | null;
}

/** Payments that a rule has put under review, and what became of them. */
export class Reviews {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    /** By whose clocks time is over. */
    private readonly setClocks: SetClocks = noSetClocks,
  ) {}

  /** Those that nobody has decided about, the oldest first. */
  async open(countMax: number): Promise<readonly Review[]> {
    return (await this.pool.query<Review>(OPEN, [countMax])).rows;
  }

  /** The review of a payment, open or not; undefined if no rule has put it under review. */
  async find(id: TransactionId): Promise<FoundReview | undefined> {
    return (await this.pool.query<FoundReview>(FIND, [id])).rows[0];
  }

  /**
   * Decides about one. A rejected one is reversed, under an id that is written down here.
   * @returns false if it was decided before, or is not under review
   */
  async decide(id: TransactionId, { decision, actor, nowMs }: Decided): Promise<boolean> {
    const reversalId = decision === 'rejected' ? newTransactionIdInChainOf(id, nowMs) : null;
    const { rowCount } = await this.pool.query(DECIDE, [id, decision, actor, reversalId]);
    return rowCount === 1;
  }

  /** Releases those whose time is over, of one entity alone where one is named; how many those were. */
  async releaseDue(entityId?: string): Promise<number> {
    const ahead =
      entityId === undefined
        ? this.setClocks.all()
        : new Map([[entityId, this.setClocks.aheadMs(entityId)]]);
    const values = [TIME, JSON.stringify(Object.fromEntries(ahead)), entityId ?? null];
    return (await this.pool.query(RELEASE_DUE, values)).rowCount ?? 0;
  }

  /** When the time of one is over next, by the clock of its entity; null: never. */
  async nextReleaseMs(entityId: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ readonly dueAtMs: number | null }>(NEXT_RELEASE_OF, [
      entityId,
    ]);
    return rows[0]?.dueAtMs ?? null;
  }

  /**
   * Tells payments what was decided, until it has been recorded there. Those that have waited longest since they
   * were decided, or tried, are the next: however many cannot be recorded yet, the others have their turn.
   */
  async tell(queries: Queries, logger: Logger): Promise<void> {
    const { rows } = await this.pool.query<Untold>(UNTOLD, [TOLD_AT_ONCE]);
    for (const { id, ...decided } of rows) {
      try {
        await this.#tellOne(queries, logger, { id, ...decided });
      } catch (error) {
        if (!(error instanceof QueryUnavailable)) throw error;
        await this.pool.query(TRIED, [id]);
        if (error.reason !== 'failed') throw error;
        // One that payments cannot deal with must not hold up the others.
        logger.warn(
          { err: error, paymentId: id },
          'Payments was not told of a review; tried again.',
        );
      }
    }
  }

  async #tellOne(
    queries: Queries,
    logger: Logger,
    { id: transactionId, decision, actor, reversalId }: Untold,
  ): Promise<void> {
    const answer = await queries.ask<ReviewDecidedAnswer>('payments', 'payments.reviewDecided', {
      ...{ transactionId, decision, actor },
      ...(reversalId !== null && { reversalId }),
    } satisfies ReviewDecidedQuery);
    if (answer.kind === 'again') {
      await this.pool.query(TRIED, [transactionId]);
      return;
    }
    await this.pool.query(TOLD, [transactionId]);
    logger.info({ paymentId: transactionId, decision, actor }, 'A review has ended.');
  }
}
