import {
  type AssessmentAfterwards,
  EVENTS_OF_EACH_MAX,
  type EventsOfStreamsAnswer,
  type EventsOfStreamsQuery,
  type FiredRule,
  paymentEvents,
  type PublishedEvent,
  STREAM_EVENTS_MAX,
  type StreamEventsAnswer,
  type StreamEventsQuery,
  type StreamHeadsAnswer,
  type StreamHeadsQuery,
  STREAMS_MAX,
  upcast,
} from '@sluice/contracts';
import { type PaymentOutcome, paymentOutcome, type PaymentStep } from '@sluice/domain-risk';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { inTransaction, type Logger, noSetClocks, type SetClocks } from '@sluice/service';
import type { Pool, PoolClient } from 'pg';

/** Events that one answer covers: a few milliseconds for payments. */
const HEADS_PER_ANSWER = 500;
/** So many answers in one look, then others have their turn; a backlog goes on two seconds later. */
const ANSWERS_PER_LOOK = 50;
/** So many queries are asked at once where streams are read one by one: payments has other work, too. */
const READ_AT_ONCE = 8;
/** So many that could not be read are tried again beside those that have changed. */
const TRIED_AGAIN = 100;
/** Only one process reads at a time; the others find it locked. Any number that nothing else has. */
const READER_LOCK = 7_102_003;

const LOCK = 'SELECT pg_try_advisory_xact_lock($1) AS "isOurs"';
const READ_SO_FAR = 'SELECT incarnation, cursor FROM outcomes_read WHERE id = 1';
const NOTE = `INSERT INTO outcomes_read (id, incarnation, cursor) VALUES (1, $1, $2)
  ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, cursor = excluded.cursor`;
const UNREAD = `SELECT assessment_id AS id FROM outcomes_unread
  WHERE tried_at < now() - interval '1 minute' ORDER BY tried_at LIMIT $1`;
const NOTE_UNREAD = `INSERT INTO outcomes_unread (assessment_id) SELECT unnest($1::text[])
  ON CONFLICT (assessment_id) DO UPDATE SET tried_at = now()
  RETURNING assessment_id AS id, xmax = 0 AS "isNew"`;
const NOTE_READ = 'DELETE FROM outcomes_unread WHERE assessment_id = ANY($1)';
const ASSESSED = `SELECT assessment_id AS id, entity_id AS "entityId", afterwards, fired
  FROM assessments WHERE assessment_id = ANY($1)`;
/**
 * Each change once, however often it is heard: what a history gets is the difference to what was known. The time
 * of a review begins with the approval, however long the shopper or the acquirer took. Rows of
 * histories are locked in the order in which assessments lock theirs. Counts are told only what makes a
 * difference to them: they take a payment of which they know nothing for approved, as most are, and to tell four
 * or five of them of each payment cost as much as to count it. A payment has passed until it is known that rules
 * rejected it once the issuer was asked.
 */
const TAKE = `WITH told AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::boolean[], $4::boolean[], $5::text[], $6::int[],
      $7::jsonb[], $8::boolean[], $9::boolean[], $10::float8[])
      AS told (id, outcome, charged_back, under_review, code, score, fired, given_back, rejected, ahead)),
  before AS (
    SELECT told.*, known.outcome AS old_outcome, known.charged_back AS old_charged_back,
      known.rejected AS old_rejected, known.decision,
      known.counted_keys, known.history_keys, known.received_at
    FROM told JOIN assessments AS known ON known.assessment_id = told.id
    ORDER BY told.id FOR UPDATE OF known),
  kept AS (
    UPDATE assessments AS known SET outcome = before.outcome, charged_back = before.charged_back,
      rejected = before.rejected,
      review = CASE WHEN under_review AND review IS NULL THEN 'open'
        WHEN (before.outcome IN ('declined', 'ended') OR given_back) AND review = 'open' THEN NULL
        ELSE review END,
      release_at = CASE WHEN under_review AND old_outcome IS DISTINCT FROM 'approved'
        THEN release_at + (now() + make_interval(secs => ahead) - assessed_at) ELSE release_at END,
      result_code = CASE WHEN under_review AND review IS NULL THEN before.code ELSE result_code END,
      score = CASE WHEN under_review AND review IS NULL THEN before.score ELSE known.score END,
      fired = CASE WHEN under_review AND review IS NULL THEN known.fired || before.fired
        ELSE known.fired END
    FROM before WHERE known.assessment_id = before.id
      AND ((before.outcome, before.charged_back, before.rejected)
          IS DISTINCT FROM (old_outcome, old_charged_back, old_rejected)
        OR under_review AND review IS NULL
        OR (before.outcome IN ('declined', 'ended') OR given_back) AND review = 'open')),
  counted AS (
    UPDATE payer_counts AS counted SET outcome = nullif(before.outcome, 'approved'),
      passed = before.decision <> 'reject' AND NOT before.rejected
    FROM before WHERE (coalesce(before.outcome, 'approved') <> coalesce(old_outcome, 'approved')
        OR before.rejected <> old_rejected)
      AND counted.key = ANY(before.counted_keys) AND counted.at = before.received_at
      AND counted.assessment_id = before.id::uuid),
  changed AS (
    SELECT key, sum((outcome = 'approved')::int - (old_outcome = 'approved')::int)::int AS approved,
      sum((outcome = 'declined')::int - (old_outcome = 'declined')::int)::int AS declined,
      sum(charged_back::int - old_charged_back::int)::int AS charged_back
    FROM (SELECT unnest(history_keys) AS key, coalesce(outcome, '') AS outcome,
        coalesce(old_outcome, '') AS old_outcome, charged_back, old_charged_back FROM before) AS each
    GROUP BY key),
  locked AS (
    SELECT past.key FROM payer_histories AS past JOIN changed USING (key) ORDER BY key FOR UPDATE OF past)
  UPDATE payer_histories AS past SET approved = past.approved + changed.approved,
    declined = past.declined + changed.declined,
    charged_back = past.charged_back + changed.charged_back
  FROM changed JOIN locked USING (key) WHERE past.key = changed.key`;

const MS_PER_SECOND = 1_000;

interface AssessedRow {
  readonly id: string;
  readonly entityId: string;
  readonly afterwards: readonly AssessmentAfterwards[] | null;
  readonly fired: readonly FiredRule[];
}

/** What was found out of a payment. */
interface Found extends PaymentOutcome {
  readonly row: AssessedRow;
}

/** Nobody can say what became of it. */
interface Unread {
  readonly row: AssessedRow;
  readonly error: unknown;
}

/**
 * What became of the payments that rules have judged, read in the events that payments recorded: from the place
 * up to which they were read the last time, so nothing is lost, and what is read twice changes nothing. One whose
 * events cannot be read, because a newer release wrote them, say, is noted and tried again, and holds up no other.
 */
export class Outcomes {
  #areWanted = false;

  constructor(
    private readonly pool: Pick<Pool, 'connect' | 'query'>,
    private readonly logger: Pick<Logger, 'warn'>,
    /** By whose clocks the time of reviews begins. */
    private readonly setClocks: SetClocks = noSetClocks,
  ) {}

  /** Whether anything was ever assessed: an installation without rules does not read what nobody asks for. */
  async areWanted(): Promise<boolean> {
    if (this.#areWanted) return true;
    const { rowCount } = await this.pool.query('SELECT FROM assessments LIMIT 1');
    this.#areWanted = rowCount !== 0;
    return this.#areWanted;
  }

  /** Takes what was recorded since the last time. */
  async take(queries: Queries): Promise<void> {
    for (let answers = 0; answers < ANSWERS_PER_LOOK; answers += 1) {
      if (!(await inTransaction(this.pool, (client) => this.#takeSome(client, queries)))) return;
    }
  }

  /** @returns whether there is more */
  async #takeSome(client: PoolClient, queries: Queries): Promise<boolean> {
    const { rows } = await client.query<{ isOurs: boolean }>(LOCK, [READER_LOCK]);
    if (rows[0]?.isOurs !== true) return false;
    const heads = await this.#heads(client, queries);
    const unread = await client.query<{ id: string }>(UNREAD, [TRIED_AGAIN]);
    const ids = [
      ...heads.heads.map(({ streamId }) => streamId),
      ...unread.rows.map(({ id }) => id),
    ];
    const assessed = await client.query<AssessedRow>(ASSESSED, [[...new Set(ids)]]);
    await this.#note(client, await lookedUp(queries, assessed.rows));
    await client.query(NOTE, [heads.incarnation, heads.next]);
    return heads.more;
  }

  async #note(client: PoolClient, looked: readonly (Found | Unread)[]): Promise<void> {
    const unread = looked.filter(isUnread);
    const found = looked.filter((each): each is Found => !isUnread(each));
    if (found.length > 0) {
      await client.query(takingOf(found, this.setClocks));
      await client.query(NOTE_READ, [found.map(({ row }) => row.id)]);
    }
    if (unread.length === 0) return;
    const errors = new Map(unread.map(({ row, error }) => [row.id, error]));
    const noted = await client.query<{ id: string; isNew: boolean }>(NOTE_UNREAD, [
      [...errors.keys()],
    ]);
    for (const { id } of noted.rows.filter(({ isNew }) => isNew)) {
      const fields = { err: errors.get(id), paymentId: id };
      this.logger.warn(fields, 'The events of a payment cannot be read; tried again and again.');
    }
  }

  async #heads(client: PoolClient, queries: Queries): Promise<StreamHeadsAnswer> {
    const { rows } = await client.query<{ incarnation: string; cursor: string }>(READ_SO_FAR);
    const [read] = rows;
    const heads = await headsAfter(queries, read?.cursor);
    if (read === undefined || read.incarnation === heads.incarnation) return heads;
    const { incarnation } = heads;
    this.logger.warn({ incarnation }, 'Payments has another store: its outcomes are read anew.');
    return headsAfter(queries, undefined);
  }
}

function headsAfter(
  queries: Queries,
  after: string | undefined,
  limit = HEADS_PER_ANSWER,
): Promise<StreamHeadsAnswer> {
  return queries.ask<StreamHeadsAnswer>('payments', 'payments.streamHeads', {
    ...(after !== undefined && { after }),
    ...{ limit, olderThanMs: 0 },
  } satisfies StreamHeadsQuery);
}

/** All steps of a payment, of which the first may be known. */
async function stepsOf(
  queries: Queries,
  streamId: string,
  first: readonly PublishedEvent[] = [],
): Promise<readonly PaymentStep[]> {
  const steps = first.map(stepOf);
  for (;;) {
    const query: StreamEventsQuery = { streamId, afterVersion: steps.length };
    const { events } = await queries.ask<StreamEventsAnswer>(
      'payments',
      'payments.streamEvents',
      query,
    );
    steps.push(...events.map(stepOf));
    if (events.length < STREAM_EVENTS_MAX) return steps;
  }
}

function stepOf({ type, schemaVersion, data }: PublishedEvent): PaymentStep {
  const event = upcast(paymentEvents, { type, schemaVersion, data: data.event });
  return { type, data: event } as PaymentStep;
}

/**
 * What became of each, or why nobody can say.
 * @throws QueryUnavailable where it is payments that does not answer, and not one payment that cannot be read
 */
async function lookedUp(
  queries: Queries,
  rows: readonly AssessedRow[],
): Promise<readonly (Found | Unread)[]> {
  const looked: (Found | Unread)[] = [];
  for (let at = 0; at < rows.length; at += STREAMS_MAX) {
    const some = rows.slice(at, at + STREAMS_MAX);
    const found = (await lookUpTogether(queries, some)) ?? (await lookUpEach(queries, some));
    const isUnanswered = found.some((each) => isUnread(each) && isUnavailable(each.error));
    // Where its database is away, payments fails here as well: then nothing is said of any payment.
    if (isUnanswered) await headsAfter(queries, undefined, 1);
    looked.push(...found);
  }
  return looked;
}

/**
 * By one query. Undefined where it has no answer: one of the payments may be to blame, or a release of payments
 * before this query, and who asks for each alone finds out.
 */
async function lookUpTogether(
  queries: Queries,
  rows: readonly AssessedRow[],
): Promise<readonly (Found | Unread)[] | undefined> {
  const query: EventsOfStreamsQuery = { streamIds: rows.map(({ id }) => id) };
  let answer: EventsOfStreamsAnswer;
  try {
    answer = await queries.ask<EventsOfStreamsAnswer>(
      ...(['payments', 'payments.eventsOfStreams', query] as const),
    );
  } catch (error) {
    if (isUnavailable(error)) return undefined;
    throw error;
  }
  const looked: (Found | Unread)[] = [];
  for (const [at, row] of rows.entries()) {
    const events = answer.streams[at] ?? [];
    const isAll = events.length < EVENTS_OF_EACH_MAX;
    looked.push(
      await lookUp(row, async () =>
        isAll ? events.map(stepOf) : stepsOf(queries, row.id, events),
      ),
    );
  }
  return looked;
}

async function lookUpEach(
  queries: Queries,
  rows: readonly AssessedRow[],
): Promise<readonly (Found | Unread)[]> {
  const looked: (Found | Unread)[] = [];
  for (let at = 0; at < rows.length; at += READ_AT_ONCE) {
    const some = rows.slice(at, at + READ_AT_ONCE);
    looked.push(
      ...(await Promise.all(some.map((row) => lookUp(row, () => stepsOf(queries, row.id))))),
    );
  }
  return looked;
}

function isUnread(looked: Found | Unread): looked is Unread {
  return 'error' in looked;
}

async function lookUp(
  row: AssessedRow,
  steps: () => Promise<readonly PaymentStep[]>,
): Promise<Found | Unread> {
  try {
    return { row, ...paymentOutcome(row.id, await steps()) };
  } catch (error) {
    if (isUnavailable(error) && !OF_ONE_PAYMENT.includes(error.reason)) throw error;
    return { row, error };
  }
}

/** What payments answers where it cannot deal with one, or not in time; all else is said of the service. */
const OF_ONE_PAYMENT: readonly QueryUnavailable['reason'][] = ['failed', 'deadline'];

function isUnavailable(error: unknown): error is QueryUnavailable {
  return error instanceof QueryUnavailable;
}

function takingOf(found: readonly Found[], setClocks: SetClocks) {
  return {
    ...{ name: 'take outcomes', text: TAKE },
    values: [
      found.map(({ row: { id } }) => id),
      found.map(({ outcome }) => (outcome === 'open' ? null : outcome)),
      found.map(({ chargedBack }) => chargedBack),
      found.map(({ isUnderReview }) => isUnderReview),
      found.map(({ assessment }) => assessment?.resultCode ?? null),
      found.map(({ assessment }) => assessment?.score ?? 0),
      found.map((each) => JSON.stringify(addedRules(each))),
      found.map(({ isGivenBack }) => isGivenBack),
      found.map(({ assessment }) => assessment?.decision === 'reject'),
      found.map(({ row: { entityId } }) => setClocks.aheadMs(entityId) / MS_PER_SECOND),
    ],
  };
}

/** The rules that spoke after the authorization, with their names; those before are kept already. */
function addedRules({ assessment, row }: Found): readonly FiredRule[] {
  const { fired = [], score } = assessment ?? {};
  const before = new Set(row.fired.map(({ id }) => id));
  const known = row.afterwards?.find(
    (each) => each.score === score && each.fired.map(({ id }) => id).join() === fired.join(),
  );
  return (known?.fired ?? []).filter(({ id }) => !before.has(id));
}
