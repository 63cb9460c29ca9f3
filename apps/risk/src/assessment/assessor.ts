import type { AssessmentAnswer, AssessQuery } from '@sluice/contracts';
import {
  assessPayment,
  countsByName,
  type Facts,
  factsOf,
  historiesNeeded,
  type History,
  type Judgement,
  keptFacts,
  keysOf,
  type PlacedRules,
  releaseAfterMinutes,
  scorerOf,
  scorerQuestion,
  type WindowCount,
  type WindowNeeded,
  windowsNeeded,
  withScorer,
} from '@sluice/domain-risk';
import { type EnvelopeSealer, noSetClocks, type SetClocks } from '@sluice/service';
import type { Pool, PoolClient } from 'pg';
import {
  answerOf,
  answerOfRow,
  beginningOf,
  type CountedPayment,
  endingOf,
  type Kept,
  lookedUpIn,
  SESSION,
} from './assessment-statements.js';
import type { AddressFiles } from './address-files.js';
import type { PayerHashes } from './payer-hashes.js';
import type { RiskMetrics } from '../risk-metrics.js';
import type { RuleBook } from './rule-book.js';
import type { ScorerCalls } from './scorer-calls.js';

/** So many share a transaction: one commit, and one look at what was counted. */
const GATHERED_MAX = 64;
/**
 * One at a time: whatever comes meanwhile shares the next one. With two, each had half as many, and a commit costs
 * as much as all that is in it.
 */
const TRANSACTIONS_MAX = 1;
/** More would not be answered within a query's time, so they are told at once (D-34). */
const WAITING_MAX = 2_000;

/** The parts it is made of. */
export interface AssessorParts {
  readonly pool: Pick<Pool, 'connect'>;
  readonly rules: Pick<RuleBook, 'of'>;
  readonly hashes: Pick<PayerHashes, 'of' | 'mark'>;
  readonly sealer: Pick<EnvelopeSealer, 'seal'>;
  readonly addresses: Pick<AddressFiles, 'lookUp'>;
  readonly scorers: Pick<ScorerCalls, 'ask'>;
  readonly metrics: RiskMetrics;
  /** Whose reviews are dated by clocks of their own; absent: nobody's. */
  readonly setClocks?: SetClocks;
}

interface Asked {
  readonly query: AssessQuery;
  readonly facts: Facts;
  readonly nodes: readonly PlacedRules[];
  readonly windows: readonly WindowNeeded[];
  /** Under which it counts, hashed, by what they are the hashes of. */
  readonly hashes: ReadonlyMap<string, bigint>;
  /** Of those whose past some rule looks at, the same. */
  readonly histories: ReadonlyMap<string, bigint>;
  readonly answer: (answer: AssessmentAnswer) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Applies rules, and counts what they count: exactly, whoever else does the same at the same moment. The locks
 * of all payers of a transaction are taken in order, then what was counted is read, decided by and added to,
 * and only the commit gives the locks back. A process that ends in between has counted nothing.
 */
export class Assessor {
  readonly #waiting: Asked[] = [];
  readonly #prepared = new WeakSet<PoolClient>();
  #underWay = 0;

  constructor(private readonly parts: AssessorParts) {}

  /** The same answer for the same id, and nothing counted twice. */
  async assess(query: AssessQuery): Promise<AssessmentAnswer> {
    if (this.#waiting.length >= WAITING_MAX) {
      throw new Error('Too many payments wait for their assessment.');
    }
    const { rules, hashes, addresses } = this.parts;
    const facts = factsOf(query, addresses.lookUp);
    const nodes = await this.#scored(query, facts, rules.of(query.nodes));
    const windows = windowsNeeded(nodes, facts);
    const hashed = (keys: readonly string[]) => new Map(keys.map((key) => [key, hashes.of(key)]));
    const counted = hashed(keysOf(nodes, facts));
    const histories = hashed(historiesNeeded(nodes, facts));
    return new Promise((answer, fail) => {
      const asked = { query, facts, nodes, windows, hashes: counted, histories };
      this.#waiting.push({ ...asked, answer, fail });
      this.#go();
    });
  }

  /** With what the scorer of the nearest node says, before any lock is taken. */
  async #scored(
    query: AssessQuery,
    facts: Facts,
    nodes: readonly PlacedRules[],
  ): Promise<readonly PlacedRules[]> {
    const use = scorerOf(nodes);
    if (use === undefined) return nodes;
    const question = scorerQuestion(query, facts, use);
    return withScorer(nodes, await this.parts.scorers.ask(use.name, question, query.mode));
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
      if (!this.#prepared.has(client)) await client.query(SESSION);
      this.#prepared.add(client);
      const answers = await this.#inTransaction(client, gathered);
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
    // The same payment that is asked about twice waits for itself.
    const locks = new Set([
      ...gathered.flatMap((asked) => [...asked.hashes.values(), ...asked.histories.values()]),
      ...gathered.map(({ query }) => hashes.of(query.assessmentId)),
    ]);
    const { known, counts, histories } = await this.#look(client, locks, gathered);
    const kept: Kept[] = [];
    const counted: CountedPayment[] = [];
    const answers = new Map(known);
    for (const asked of gathered) {
      const { query, nodes, facts } = asked;
      if (answers.has(query.assessmentId)) continue;
      const seen = {
        counts: countsByName(this.#countsOf(asked, counts, counted)),
        histories: historiesOf(asked, histories),
      };
      const judged = assessPayment(nodes, facts, seen);
      const passed = judged.decision !== 'reject';
      const { minor, currency } = facts.amount;
      const { assessmentId: id } = query;
      for (const key of asked.hashes.values()) {
        counted.push({ id, key, atMs: facts.atMs, minor, currency, passed });
      }
      for (const key of asked.histories.values()) histories.set(key, oneMore(histories.get(key)));
      answers.set(id, answerOf(judged));
      kept.push(await this.#toKeep(asked, judged));
    }
    await client.query(endingOf(kept, counted));
    return answers;
  }

  /** What is known of them already, and what all of their rules ask: by the place of the question. */
  async #look(
    client: PoolClient,
    locks: ReadonlySet<bigint>,
    gathered: readonly Asked[],
  ): Promise<{
    readonly known: ReadonlyMap<string, AssessmentAnswer>;
    readonly counts: ReadonlyMap<WindowNeeded, WindowCount>;
    /** By hash. */
    readonly histories: Map<bigint, History>;
  }> {
    const ids = gathered.map(({ query }) => query.assessmentId);
    const asked = gathered.flatMap(({ windows, hashes }) =>
      windows.map((window) => ({ window, hash: String(hashes.get(window.key)) })),
    );
    const pasts = new Set(gathered.flatMap((each) => [...each.histories.values()]));
    // The answers to several statements, which the types of the client do not know.
    const answers: unknown = await client.query(beginningOf({ locks, ids, asked, pasts }));
    const { known, counts, histories } = lookedUpIn(answers as readonly { rows: unknown[] }[]);
    return {
      known: new Map(known.map((row) => [row.assessment_id, answerOfRow(row)])),
      counts: new Map(
        counts.flatMap(({ n, count, minor }) => {
          const window = asked[n]?.window;
          return window === undefined ? [] : [[window, { count, minor: BigInt(minor) }] as const];
        }),
      ),
      histories: new Map(histories.map(({ key, ...history }) => [BigInt(key), history])),
    };
  }

  /** With what was decided in the same transaction before. */
  #countsOf(
    { windows, hashes }: Asked,
    counts: ReadonlyMap<WindowNeeded, WindowCount>,
    counted: readonly CountedPayment[],
  ): ReadonlyMap<string, WindowCount> {
    return new Map(
      windows.map((window) => {
        const { name, key, sinceMs, currency, counts: which } = window;
        const hash = hashes.get(key);
        const before = counts.get(window) ?? { count: 0, minor: 0n };
        const now = counted.filter(
          (each) => each.key === hash && each.atMs > sinceMs && isCountedAtOnce(which, each),
        );
        const minor = now
          .filter((each) => each.currency === currency)
          .reduce((sum, each) => sum + each.minor, before.minor);
        return [name, { count: before.count + now.length, minor }];
      }),
    );
  }

  async #toKeep(asked: Asked, assessment: Judgement): Promise<Kept> {
    const { query, facts, nodes } = asked;
    const { sealer, metrics, hashes, setClocks = noSetClocks } = this.parts;
    const personal = assessment.fired.filter(
      ({ inputs }) => Object.keys(inputs.personal).length > 0,
    );
    const text = JSON.stringify(personal.map(({ id, inputs }) => ({ id, ...inputs.personal })));
    const sealed = personal.length === 0 ? null : await sealer.seal(query.assessmentId, text);
    metrics.assessed(assessment.decision);
    return {
      ...{ id: query.assessmentId, entityId: query.entityId, amount: facts.amount, assessment },
      ...{ sealed, releaseMinutes: releaseAfterMinutes(nodes) ?? null },
      aheadMs: setClocks.aheadMs(query.entityId),
      ...{ receivedAtMs: facts.atMs, facts: keptFacts(facts, query.nodes, hashes.mark) },
      ...{ countedKeys: [...asked.hashes.values()], historyKeys: [...asked.histories.values()] },
    };
  }
}

/** What payers have had, with what was decided in the same transaction before. */
function historiesOf(
  { histories: asked }: Asked,
  found: ReadonlyMap<bigint, History>,
): ReadonlyMap<string, History> {
  return new Map(
    [...asked].flatMap(([key, hash]) => {
      const history = found.get(hash);
      return history === undefined ? [] : [[key, history] as const];
    }),
  );
}

function oneMore(history: History | undefined): History {
  const { payments, ...others } = history ?? { payments: 0, ...NOTHING_KNOWN };
  return { ...others, payments: payments + 1 };
}

const NOTHING_KNOWN = { approved: 0, declined: 0, chargedBack: 0 };

/** What becomes of a payment nobody knows at once: it counts as approved until it is declined. */
function isCountedAtOnce(which: WindowNeeded['counts'], { passed }: CountedPayment): boolean {
  switch (which) {
    case 'all':
      return true;
    case 'passed':
    case 'approved':
      return passed;
    case 'declined':
      return false;
  }
}
