import { setTimeout as elapsed } from 'node:timers/promises';
import type { Mode } from '@sluice/contracts';
import type { ScorerAnswer, ScorerQuestion } from '@sluice/domain-risk';
import type { Pool } from 'pg';
import { SCORED_WITHIN_MS, type Scorers } from './scorers.js';

type Said = ScorerAnswer | 'away';

/** Whoever is first asks; what an assessment was made of is in it, so nobody asks after it. */
const CLAIM = `WITH mine AS (
    INSERT INTO scorer_answers (assessment_id)
    SELECT $1 WHERE NOT EXISTS (SELECT FROM assessments WHERE assessment_id = $1)
    ON CONFLICT (assessment_id) DO NOTHING RETURNING assessment_id)
  SELECT EXISTS (SELECT FROM mine) AS "isMine",
    EXISTS (SELECT FROM assessments WHERE assessment_id = $1) AS "isAssessed"`;
const KEEP = 'UPDATE scorer_answers SET answer = $2 WHERE assessment_id = $1';
const FIND = 'SELECT answer FROM scorer_answers WHERE assessment_id = $1';
/** Payments ask again within seconds, and by then an assessment has the answer. */
const FORGET = `DELETE FROM scorer_answers WHERE assessment_id = ANY(ARRAY(
  SELECT assessment_id FROM scorer_answers WHERE asked_at < now() - interval '1 hour' LIMIT $1))`;
/** As many as an instance asks between two looks, and more. */
const FORGOTTEN_AT_ONCE = 20_000;
const LOOK_AGAIN_MS = 100;

/** The parts they are made of. */
export interface ScorerCallsParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly scorers: Pick<Scorers, 'ask'>;
}

/**
 * One call of a scorer for each assessment, whichever process is asked about it and however often: a scorer may
 * count what it is asked, and take money for it.
 */
export class ScorerCalls {
  /** Under way here, by assessment. */
  readonly #underWay = new Map<string, Promise<Said>>();

  constructor(private readonly parts: ScorerCallsParts) {}

  /** What was said, or is said now. Where an assessment is known already, nothing: its own answer is given. */
  ask(name: string, question: ScorerQuestion, mode: Mode): Promise<Said> {
    const { id } = question;
    const known = this.#underWay.get(id);
    if (known !== undefined) return known;
    const asked = this.#ask(name, question, mode).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, asked);
    return asked;
  }

  /** Deletes answers that nobody will ask for. @returns whether those are all there were */
  async forgetOld(): Promise<boolean> {
    const { rowCount } = await this.parts.pool.query(FORGET, [FORGOTTEN_AT_ONCE]);
    return rowCount !== FORGOTTEN_AT_ONCE;
  }

  async #ask(name: string, question: ScorerQuestion, mode: Mode): Promise<Said> {
    const { pool, scorers } = this.parts;
    const { id } = question;
    const { rows } = await pool.query<{ isMine: boolean; isAssessed: boolean }>(CLAIM, [id]);
    if (rows[0]?.isAssessed === true) return 'away';
    if (rows[0]?.isMine !== true) return this.#heard(id);
    const said = await scorers.ask(name, question, mode);
    await pool.query(KEEP, [id, JSON.stringify(said)]);
    return said;
  }

  /** Another process has asked. One that ended before the answer leaves none: the scorer counts as away. */
  async #heard(id: string): Promise<Said> {
    const endsAtMs = performance.now() + SCORED_WITHIN_MS;
    do {
      const { rows } = await this.parts.pool.query<{ answer: Said | null }>(FIND, [id]);
      const answer = rows[0]?.answer ?? undefined;
      if (answer !== undefined) return answer;
      await elapsed(LOOK_AGAIN_MS);
    } while (performance.now() < endsAtMs);
    return 'away';
  }
}
