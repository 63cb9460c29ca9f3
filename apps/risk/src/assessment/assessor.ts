import type { AssessmentAnswer, AssessQuery, RiskDecision } from '@sluice/contracts';
import {
  assess,
  type Assessment,
  type Facts,
  factsOf,
  type KeptFacts,
  keptFacts,
  keysOf,
  type PlacedRules,
  releaseAfterMinutes,
  type WindowCount,
  type WindowNeeded,
  windowsNeeded,
} from '@sluice/domain-risk';
import type { EnvelopeSealer } from '@sluice/service';
import type { Pool, PoolClient } from 'pg';
import type { PayerHashes } from './payer-hashes.js';
import type { RiskMetrics } from '../risk-metrics.js';
import type { RuleBook } from './rule-book.js';

/** So many share a transaction: one commit, and one look at what was counted. */
const GATHERED_MAX = 64;
/** A second one is under way while the first commits. */
const TRANSACTIONS_MAX = 2;
/** More would not be answered within a query's time, so they are told at once (D-34). */
const WAITING_MAX = 2_000;

const LOCK = `SELECT pg_advisory_xact_lock(key)
  FROM (SELECT key FROM unnest($1::bigint[]) AS key ORDER BY key) AS in_order`;
const KNOWN = `SELECT assessment_id, decision, result_code, score, fired
  FROM assessments WHERE assessment_id = ANY($1)`;
const COUNT = `SELECT asked.n::int AS n, count(counted.key)::int AS count,
    coalesce(sum(counted.minor) FILTER (WHERE counted.currency = asked.currency), 0)::text AS minor
  FROM unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::boolean[])
    WITH ORDINALITY AS asked (key, since, currency, passed, n)
  LEFT JOIN payer_counts AS counted ON counted.key = asked.key AND counted.at > asked.since
    AND (counted.passed OR NOT asked.passed)
  GROUP BY asked.n`;
/** A statement of its own: it sees what others have committed while the locks were waited for. */
const LOOK = `SELECT
  (SELECT coalesce(json_agg(known), '[]') FROM (${KNOWN}) AS known) AS known,
  (SELECT coalesce(json_agg(counts), '[]') FROM (${COUNT}) AS counts) AS counts`;
const KEEP = `WITH counted AS (
  INSERT INTO payer_counts (key, at, minor, currency, passed)
  SELECT * FROM unnest($13::bigint[], $14::timestamptz[], $15::bigint[], $16::text[], $17::boolean[]))
  INSERT INTO assessments (assessment_id, entity_id, amount_minor, currency, decision,
    result_code, score, fired, personal, received_at, facts, review, release_at)
  SELECT id, entity, minor, currency, decision, code, score, fired, personal, received, facts,
    CASE WHEN decision = 'review' THEN 'open' END, now() + make_interval(mins => release)
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::int[],
    $8::jsonb[], $9::jsonb[], $10::timestamptz[], $11::jsonb[], $12::int[])
    AS kept (id, entity, minor, currency, decision, code, score, fired, personal, received, facts,
      release)`;

/** The parts it is made of. */
export interface AssessorParts {
  readonly pool: Pick<Pool, 'connect'>;
  readonly rules: Pick<RuleBook, 'of'>;
  readonly hashes: Pick<PayerHashes, 'of' | 'mark'>;
  readonly sealer: Pick<EnvelopeSealer, 'seal'>;
  readonly metrics: RiskMetrics;
}

interface Asked {
  readonly query: AssessQuery;
  readonly facts: Facts;
  readonly nodes: readonly PlacedRules[];
  readonly windows: readonly WindowNeeded[];
  /** Under which it counts, hashed, by what they are the hashes of. */
  readonly hashes: ReadonlyMap<string, bigint>;
  readonly answer: (answer: AssessmentAnswer) => void;
  readonly fail: (error: unknown) => void;
}

interface KnownRow {
  readonly assessment_id: string;
  readonly decision: RiskDecision;
  readonly result_code: string | null;
  readonly score: number;
  readonly fired: AssessmentAnswer['fired'];
}

/** What one look finds. */
interface LookedUp {
  readonly known: readonly KnownRow[];
  readonly counts: readonly {
    readonly n: number;
    readonly count: number;
    readonly minor: string;
  }[];
}

/** A payment that counts from now on. */
interface Counted {
  readonly key: bigint;
  readonly atMs: number;
  readonly minor: bigint;
  readonly currency: string;
  readonly passed: boolean;
}

/**
 * Applies rules, and counts what they count: exactly, whoever else does the same at the same moment. The locks
 * of all payers of a transaction are taken in order, then what was counted is read, decided by and added to,
 * and only the commit gives the locks back. A process that ends in between has counted nothing.
 */
export class Assessor {
  readonly #waiting: Asked[] = [];
  #underWay = 0;

  constructor(private readonly parts: AssessorParts) {}

  /** The same answer for the same id, and nothing counted twice. */
  async assess(query: AssessQuery): Promise<AssessmentAnswer> {
    if (this.#waiting.length >= WAITING_MAX) {
      throw new Error('Too many payments wait for their assessment.');
    }
    const { rules, hashes } = this.parts;
    const facts = factsOf(query);
    const nodes = rules.of(query.nodes);
    const windows = windowsNeeded(nodes, facts);
    const keys = new Map(keysOf(nodes, facts).map((key) => [key, hashes.of(key)]));
    return new Promise((answer, fail) => {
      this.#waiting.push({ query, facts, nodes, windows, hashes: keys, answer, fail });
      this.#go();
    });
  }

  #go(): void {
    while (this.#underWay < TRANSACTIONS_MAX && this.#waiting.length > 0) {
      const gathered = this.#waiting.splice(0, GATHERED_MAX);
      this.#underWay += 1;
      void this.#together(gathered)
        .then(
          (answers) => {
            for (const { query, answer, fail } of gathered) {
              const found = answers.get(query.assessmentId);
              if (found === undefined) fail(new Error('An assessment has no answer.'));
              else answer(found);
            }
          },
          (error: unknown) => {
            for (const { fail } of gathered) fail(error);
          },
        )
        .finally(() => {
          this.#underWay -= 1;
          this.#go();
        });
    }
  }

  async #together(gathered: readonly Asked[]): Promise<ReadonlyMap<string, AssessmentAnswer>> {
    const client = await this.parts.pool.connect();
    try {
      await client.query('BEGIN');
      const answers = await this.#inTransaction(client, gathered);
      await client.query('COMMIT');
      client.release();
      return answers;
    } catch (error) {
      // Its transaction ends with it.
      client.release(true);
      throw error;
    }
  }

  async #inTransaction(
    client: PoolClient,
    gathered: readonly Asked[],
  ): Promise<ReadonlyMap<string, AssessmentAnswer>> {
    const { hashes } = this.parts;
    const ids = gathered.map(({ query }) => query.assessmentId);
    // The same payment that is asked about twice waits for itself.
    const locks = new Set([
      ...gathered.flatMap((asked) => [...asked.hashes.values()]),
      ...ids.map((id) => hashes.of(id)),
    ]);
    await client.query({ name: 'lock payers', text: LOCK, values: [[...locks].map(String)] });
    const { known, counts } = await this.#look(client, ids, gathered);
    const kept: Kept[] = [];
    const counted: Counted[] = [];
    const answers = new Map(known);
    for (const asked of gathered) {
      const { query, nodes, facts } = asked;
      if (answers.has(query.assessmentId)) continue;
      const assessment = assess(nodes, facts, this.#countsOf(asked, counts, counted));
      const passed = assessment.decision !== 'reject';
      const { minor, currency } = facts.amount;
      for (const key of asked.hashes.values()) {
        counted.push({ key, atMs: facts.atMs, minor, currency, passed });
      }
      answers.set(query.assessmentId, answerOf(assessment));
      kept.push(await this.#toKeep(asked, assessment));
    }
    if (kept.length > 0) await client.query(keepingOf(kept, counted));
    return answers;
  }

  /** What is known of them already, and what all of their rules ask: by the place of the question. */
  async #look(
    client: PoolClient,
    ids: readonly string[],
    gathered: readonly Asked[],
  ): Promise<{
    readonly known: ReadonlyMap<string, AssessmentAnswer>;
    readonly counts: ReadonlyMap<WindowNeeded, WindowCount>;
  }> {
    const asked = gathered.flatMap(({ windows, hashes }) =>
      windows.map((window) => ({ window, hash: String(hashes.get(window.key)) })),
    );
    const { rows } = await client.query<LookedUp>({
      ...{ name: 'look at payers', text: LOOK },
      values: [
        ids,
        asked.map(({ hash }) => hash),
        asked.map(({ window }) => new Date(window.sinceMs)),
        asked.map(({ window }) => window.currency ?? null),
        asked.map(({ window }) => window.counts === 'passed'),
      ],
    });
    const { known = [], counts = [] } = rows[0] ?? {};
    return {
      known: new Map(known.map((row) => [row.assessment_id, answerOfRow(row)])),
      counts: new Map(
        counts.flatMap(({ n, count, minor }) => {
          const window = asked[n - 1]?.window;
          return window === undefined ? [] : [[window, { count, minor: BigInt(minor) }] as const];
        }),
      ),
    };
  }

  /** With what was decided in the same transaction before. */
  #countsOf(
    { windows, hashes }: Asked,
    counts: ReadonlyMap<WindowNeeded, WindowCount>,
    counted: readonly Counted[],
  ): ReadonlyMap<string, WindowCount> {
    return new Map(
      windows.map((window) => {
        const { name, key, sinceMs, currency, counts: which } = window;
        const hash = hashes.get(key);
        const before = counts.get(window) ?? { count: 0, minor: 0n };
        const now = counted.filter(
          (each) => each.key === hash && each.atMs > sinceMs && (which === 'all' || each.passed),
        );
        const minor = now
          .filter((each) => each.currency === currency)
          .reduce((sum, each) => sum + each.minor, before.minor);
        return [name, { count: before.count + now.length, minor }];
      }),
    );
  }

  async #toKeep({ query, facts, nodes }: Asked, assessment: Assessment): Promise<Kept> {
    const { sealer, metrics, hashes } = this.parts;
    const personal = assessment.fired.filter(
      ({ inputs }) => Object.keys(inputs.personal).length > 0,
    );
    const text = JSON.stringify(personal.map(({ id, inputs }) => ({ id, ...inputs.personal })));
    const sealed = personal.length === 0 ? null : await sealer.seal(query.assessmentId, text);
    metrics.assessed(assessment.decision);
    return {
      ...{ id: query.assessmentId, entityId: query.entityId, amount: facts.amount, assessment },
      ...{ sealed, releaseMinutes: releaseAfterMinutes(nodes) ?? null },
      ...{ receivedAtMs: facts.atMs, facts: keptFacts(facts, query.nodes, hashes.mark) },
    };
  }
}

interface Kept {
  readonly id: string;
  readonly entityId: string;
  readonly amount: Facts['amount'];
  readonly assessment: Assessment;
  readonly sealed: object | null;
  readonly receivedAtMs: number;
  readonly facts: KeptFacts;
  readonly releaseMinutes: number | null;
}

function answerOfRow({
  decision,
  result_code: resultCode,
  score,
  fired,
}: KnownRow): AssessmentAnswer {
  return {
    ...{ decision, score, fired: fired.map(({ id, name }) => ({ id, name })) },
    ...(resultCode !== null && { resultCode }),
  };
}

function answerOf({ decision, resultCode, score, fired }: Assessment): AssessmentAnswer {
  return {
    ...{ decision, score, fired: fired.map(({ id, name }) => ({ id, name })) },
    ...(resultCode !== undefined && { resultCode }),
  };
}

function keepingOf(kept: readonly Kept[], counted: readonly Counted[]) {
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
      counted.map(({ key }) => String(key)),
      counted.map(({ atMs }) => new Date(atMs)),
      counted.map(({ minor }) => String(minor)),
      counted.map(({ currency }) => currency),
      counted.map(({ passed }) => passed),
    ],
  };
}

/** Without what is personal. */
function firedOf({ nodeId, id, name, inputs }: Assessment['fired'][number]): object {
  return { nodeId, id, name, inputs: inputs.plain };
}
