import type { AssessmentAfterwards, AssessmentAnswer, RiskDecision } from '@sluice/contracts';
import type {
  Assessment,
  Facts,
  History,
  Judgement,
  KeptFacts,
  WindowNeeded,
} from '@sluice/domain-risk';

/**
 * Settings of each connection that assesses. A generic plan, because planning these statements took more than
 * half of what they cost; index access always, because that plan may be made while the tables are still empty.
 */
export const SESSION = `SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off; SET jit = off`;
/** Takes the locks of payers, in order: whoever waits for one holds none that the other waits for. */
export const LOCK = `SELECT pg_advisory_xact_lock(key)
  FROM (SELECT key FROM unnest($1::bigint[]) AS key ORDER BY key) AS in_order`;
const KNOWN = `SELECT assessment_id, decision, result_code, score, fired, afterwards
  FROM assessments WHERE assessment_id = ANY($1)`;
/** What is not known yet counts as approved. */
const COUNT = `SELECT asked.n::int AS n, count(counted.key)::int AS count,
    coalesce(sum(counted.minor) FILTER (WHERE counted.currency = asked.currency), 0)::text AS minor
  FROM unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::text[])
    WITH ORDINALITY AS asked (key, since, currency, which, n)
  LEFT JOIN payer_counts AS counted ON counted.key = asked.key AND counted.at > asked.since
    AND CASE asked.which WHEN 'all' THEN true WHEN 'passed' THEN counted.passed
      WHEN 'approved' THEN counted.passed AND coalesce(counted.outcome, 'approved') = 'approved'
      ELSE counted.outcome = 'declined' END
  GROUP BY asked.n`;
const PASTS = `SELECT key::text, payments, approved, declined, charged_back AS "chargedBack"
  FROM payer_histories WHERE key = ANY($6::bigint[])`;
/** A statement of its own: it sees what others have committed while the locks were waited for. */
const LOOK = `SELECT
  (SELECT coalesce(json_agg(known), '[]') FROM (${KNOWN}) AS known) AS known,
  (SELECT coalesce(json_agg(counts), '[]') FROM (${COUNT}) AS counts) AS counts,
  (SELECT coalesce(json_agg(pasts), '[]') FROM (${PASTS}) AS pasts) AS histories`;
const KEEP = `WITH counted AS (
  INSERT INTO payer_counts (key, at, minor, currency, passed, assessment_id)
  SELECT * FROM unnest($16::bigint[], $17::timestamptz[], $18::bigint[], $19::text[], $20::boolean[],
    $21::uuid[])),
  seen AS (
  INSERT INTO payer_histories (key, first_at, payments)
  SELECT key, min(at), count(*) FROM unnest($22::bigint[], $23::timestamptz[]) AS seen (key, at)
  GROUP BY key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET payments = payer_histories.payments + excluded.payments)
  INSERT INTO assessments (assessment_id, entity_id, amount_minor, currency, decision,
    result_code, score, fired, personal, received_at, facts, review, release_at, afterwards,
    counted_keys, history_keys)
  SELECT id, entity, minor, currency, decision, code, score, fired, personal, received, facts,
    CASE WHEN decision = 'review' THEN 'open' END, now() + make_interval(mins => release), afterwards,
    counted::bigint[], history::bigint[]
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::int[],
    $8::jsonb[], $9::jsonb[], $10::timestamptz[], $11::jsonb[], $12::int[], $13::jsonb[],
    $14::text[], $15::text[])
    AS kept (id, entity, minor, currency, decision, code, score, fired, personal, received, facts,
      release, afterwards, counted, history)`;

interface KnownRow {
  readonly assessment_id: string;
  readonly decision: RiskDecision;
  readonly result_code: string | null;
  readonly score: number;
  readonly fired: AssessmentAnswer['fired'];
  readonly afterwards: readonly AssessmentAfterwards[] | null;
}

/** What one look finds. */
export interface LookedUp {
  readonly known: readonly KnownRow[];
  readonly counts: readonly {
    readonly n: number;
    readonly count: number;
    readonly minor: string;
  }[];
  readonly histories: readonly (History & { readonly key: string })[];
}

/** A question to the counts, and whose. */
export interface AskedWindow {
  readonly window: WindowNeeded;
  readonly hash: string;
}

/** The look at everything that a transaction needs. */
export function lookingAt(
  ids: readonly string[],
  asked: readonly AskedWindow[],
  pasts: readonly bigint[],
) {
  return {
    ...{ name: 'look at payers', text: LOOK },
    values: [
      ids,
      asked.map(({ hash }) => hash),
      asked.map(({ window }) => new Date(window.sinceMs)),
      asked.map(({ window }) => window.currency ?? null),
      asked.map(({ window }) => window.counts),
      pasts.map(String),
    ],
  };
}

/** A payment that counts from now on. */
export interface CountedPayment {
  readonly id: string;
  readonly key: bigint;
  readonly atMs: number;
  readonly minor: bigint;
  readonly currency: string;
  readonly passed: boolean;
}

/** An assessment to keep. */
export interface Kept {
  readonly id: string;
  readonly entityId: string;
  readonly amount: Facts['amount'];
  readonly assessment: Judgement;
  readonly sealed: object | null;
  readonly receivedAtMs: number;
  readonly facts: KeptFacts;
  readonly releaseMinutes: number | null;
  readonly countedKeys: readonly bigint[];
  readonly historyKeys: readonly bigint[];
}

/** One statement for all that a transaction has decided. */
export function keepingOf(kept: readonly Kept[], counted: readonly CountedPayment[]) {
  const seen = kept.flatMap(({ historyKeys, receivedAtMs }) =>
    historyKeys.map((key) => ({ key, receivedAtMs })),
  );
  return {
    ...{ name: 'keep assessments', text: KEEP },
    values: [
      kept.map(({ id }) => id),
      kept.map(({ entityId }) => entityId),
      kept.map(({ amount }) => String(amount.minor)),
      kept.map(({ amount }) => amount.currency),
      kept.map(({ assessment }) => assessment.decision),
      kept.map(({ assessment }) => assessment.resultCode ?? null),
      kept.map(({ assessment }) => assessment.score),
      kept.map(({ assessment }) => JSON.stringify(assessment.fired.map(firedOf))),
      kept.map(({ sealed }) => sealed && JSON.stringify(sealed)),
      kept.map(({ receivedAtMs }) => new Date(receivedAtMs)),
      kept.map(({ facts }) => JSON.stringify(facts)),
      kept.map(({ releaseMinutes }) => releaseMinutes),
      kept.map(({ assessment: { afterwards } }) => afterwards && JSON.stringify(afterwards)),
      // An array of arrays of several lengths is none to the database.
      kept.map(({ countedKeys }) => arrayText(countedKeys)),
      kept.map(({ historyKeys }) => arrayText(historyKeys)),
      counted.map(({ key }) => String(key)),
      counted.map(({ atMs }) => new Date(atMs)),
      counted.map(({ minor }) => String(minor)),
      counted.map(({ currency }) => currency),
      counted.map(({ passed }) => passed),
      counted.map(({ id }) => id),
      seen.map(({ key }) => String(key)),
      seen.map(({ receivedAtMs }) => new Date(receivedAtMs)),
    ],
  };
}

function arrayText(keys: readonly bigint[]): string | null {
  return keys.length === 0 ? null : `{${keys.join(',')}}`;
}

/** Without what is personal. */
function firedOf({ nodeId, id, name, inputs }: Assessment['fired'][number]): object {
  return { nodeId, id, name, inputs: inputs.plain };
}

/** The answer that was given before. */
export function answerOfRow(row: KnownRow): AssessmentAnswer {
  const { decision, result_code: resultCode, score, fired, afterwards } = row;
  return {
    ...{ decision, score, fired: fired.map(({ id, name }) => ({ id, name })) },
    ...(resultCode !== null && { resultCode }),
    ...(afterwards !== null && { afterwards }),
  };
}

/** The answer to a new question. */
export function answerOf({ decision, resultCode, score, fired, afterwards }: Judgement) {
  return {
    ...{ decision, score, fired: fired.map(({ id, name }) => ({ id, name })) },
    ...(resultCode !== undefined && { resultCode }),
    ...(afterwards !== undefined && { afterwards }),
  } satisfies AssessmentAnswer;
}
