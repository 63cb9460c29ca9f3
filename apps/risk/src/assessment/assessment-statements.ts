import type { AssessmentAfterwards, AssessmentAnswer, RiskDecision } from '@sluice/contracts';
import type {
  Assessment,
  Facts,
  History,
  Judgement,
  KeptFacts,
  WindowNeeded,
} from '@sluice/domain-risk';
import { escapeLiteral } from 'pg';

/** Takes the locks of payers, in order: whoever waits for one holds none that the other waits for. */
const LOCK = `SELECT count(pg_advisory_xact_lock(key))
  FROM (SELECT key FROM unnest($1::bigint[]) AS key ORDER BY key) AS in_order`;
const KNOWN = `SELECT assessment_id, decision, result_code, score, fired, afterwards
  FROM assessments WHERE assessment_id = ANY($1)`;
/** What is not known yet counts as approved. */
const COUNT = `SELECT asked.n, count(counted.key)::int AS count,
    coalesce(sum(counted.minor) FILTER (WHERE counted.currency = asked.currency), 0)::text AS minor
  FROM json_to_recordset($2::json)
    AS asked (n int, key bigint, since timestamptz, currency text, which text)
  LEFT JOIN payer_counts AS counted ON counted.key = asked.key AND counted.at > asked.since
    AND CASE asked.which WHEN 'all' THEN true WHEN 'passed' THEN counted.passed
      WHEN 'approved' THEN counted.passed AND coalesce(counted.outcome, 'approved') = 'approved'
      ELSE counted.outcome = 'declined' END
  GROUP BY asked.n`;
const PASTS = `SELECT key::text, payments, approved, declined, charged_back AS "chargedBack"
  FROM payer_histories WHERE key = ANY($3::bigint[])`;
/** A statement of its own: it sees what others have committed while the locks were waited for. */
const LOOK = `SELECT
  (SELECT coalesce(json_agg(known), '[]') FROM (${KNOWN}) AS known) AS known,
  (SELECT coalesce(json_agg(counts), '[]') FROM (${COUNT}) AS counts) AS counts,
  (SELECT coalesce(json_agg(pasts), '[]') FROM (${PASTS}) AS pasts) AS histories`;
const KEEP = `WITH counted AS (
  INSERT INTO payer_counts (key, at, minor, currency, passed, assessment_id)
  SELECT * FROM json_to_recordset($2::json)
    AS counted (key bigint, at timestamptz, minor bigint, currency text, passed boolean, id uuid)),
  seen AS (
  INSERT INTO payer_histories (key, first_at, payments)
  SELECT key, min(at), count(*)
  FROM json_to_recordset($3::json) AS seen (key bigint, at timestamptz)
  GROUP BY key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET payments = payer_histories.payments + excluded.payments)
  INSERT INTO assessments (assessment_id, entity_id, amount_minor, currency, decision,
    result_code, score, fired, personal, received_at, facts, review, assessed_at, release_at,
    afterwards, counted_keys, history_keys)
  SELECT id, entity, minor, currency, decision, code, score, fired, personal, received, facts,
    CASE WHEN decision = 'review' THEN 'open' END, now() + make_interval(secs => ahead),
    now() + make_interval(mins => release, secs => ahead), afterwards, counted, history
  FROM json_to_recordset($1::json)
    AS kept (id text, entity text, minor bigint, currency text, decision text, code text, score int,
      fired jsonb, personal jsonb, received timestamptz, facts jsonb, release int, ahead float8,
      afterwards jsonb, counted bigint[], history bigint[])`;

const MS_PER_SECOND = 1_000;

/** By the names under which a connection knows them. */
const STATEMENTS = {
  lock_payers: { types: 'bigint[]', text: LOCK },
  look_at_payers: { types: 'text[], json, bigint[]', text: LOOK },
  keep_assessments: { types: 'json, json, json', text: KEEP },
};

/** Prepares a statement for `EXECUTE`. */
const PREPARED = Object.entries(STATEMENTS)
  .map(([name, { types, text }]) => `PREPARE ${name} (${types}) AS ${text}`)
  .join(';\n');

/**
 * What each connection that assesses is told first. A generic plan, because planning these statements took more
 * than half of what they cost; index access always, because that plan may be made while the tables are still
 * empty. They are prepared by name, so that a transaction is two messages, each of several statements, and not
 * five: on either side, a message costs as much as a small statement.
 */
export const SESSION = `SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off; SET jit = off;
  ${PREPARED}`;

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

/** What a transaction begins with. */
export interface Beginning {
  /** Of everybody whom it looks at or counts. */
  readonly locks: Iterable<bigint>;
  /** Of what is to be assessed. */
  readonly ids: readonly string[];
  readonly asked: readonly AskedWindow[];
  readonly pasts: Iterable<bigint>;
}

/** The message that begins a transaction, takes its locks, and then looks at everything that it needs. */
export function beginningOf({ locks, ids, asked, pasts }: Beginning): string {
  const questions = asked.map(({ hash, window }, n) => ({
    ...{ n, key: hash, since: new Date(window.sinceMs) },
    ...{ currency: window.currency, which: window.counts },
  }));
  return [
    'BEGIN',
    execute('lock_payers', arrayText(locks)),
    execute('look_at_payers', arrayText(ids), JSON.stringify(questions), arrayText(pasts)),
  ].join('; ');
}

/** What it has found: the answer to the last statement of that message. */
export function lookedUpIn(answers: readonly { readonly rows: readonly unknown[] }[]): LookedUp {
  const row = answers.at(-1)?.rows[0];
  if (row === undefined) throw new Error('The database has not said what it knows.');
  return row as LookedUp;
}

function execute(name: keyof typeof STATEMENTS, ...values: readonly string[]): string {
  return `EXECUTE ${name} (${values.map((value) => escapeLiteral(value)).join(', ')})`;
}

/** Of numbers and ids, which need no quotes. */
function arrayText(values: Iterable<bigint | string>): string {
  return `{${[...values].join(',')}}`;
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
  /** Of the clock of its entity, by which it is dated. */
  readonly aheadMs: number;
  readonly countedKeys: readonly bigint[];
  readonly historyKeys: readonly bigint[];
}

/** The message that keeps all that a transaction has decided, and ends it. */
export function endingOf(kept: readonly Kept[], counted: readonly CountedPayment[]): string {
  if (kept.length === 0) return 'COMMIT';
  const seen = kept.flatMap(({ historyKeys, receivedAtMs }) =>
    historyKeys.map((key) => ({ key: String(key), at: new Date(receivedAtMs) })),
  );
  const counts = counted.map(({ key, atMs, minor, currency, passed, id }) => ({
    ...{ key: String(key), at: new Date(atMs), minor: String(minor), currency, passed, id },
  }));
  const values = [kept.map(rowOf), counts, seen].map((rows) => JSON.stringify(rows));
  return `${execute('keep_assessments', ...values)}; COMMIT`;
}

/** What is absent is null there. */
function rowOf({ assessment, amount, facts, ...kept }: Kept): object {
  const { decision, resultCode, score, fired, afterwards } = assessment;
  return {
    ...{ id: kept.id, entity: kept.entityId, minor: String(amount.minor) },
    ...{ currency: amount.currency, decision, code: resultCode, score, fired: fired.map(firedOf) },
    ...{ personal: kept.sealed, received: new Date(kept.receivedAtMs), facts },
    ...{ release: kept.releaseMinutes, ahead: kept.aheadMs / MS_PER_SECOND, afterwards },
    ...{ counted: keysOf(kept.countedKeys), history: keysOf(kept.historyKeys) },
  };
}

function keysOf(keys: readonly bigint[]): readonly string[] | null {
  return keys.length === 0 ? null : keys.map(String);
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
