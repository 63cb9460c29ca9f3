import type { NextParameter, Sections } from './append-parts.js';

/** Whether the mark of row `k` still says something. */
const SAYS_SOMETHING = '(k.until IS NULL OR k.until > now())';

/** The rows of what members depend on; with no row, a member depends on no mark. */
export function wantedMarkRows(sections: Sections, next: NextParameter): readonly string[] {
  const unmarked = (): string => `
  wanted_unmarked AS MATERIALIZED (
    SELECT * FROM unnest(${next('int4')}, ${next('text')}) AS w (ordinal, subject))`;
  const held = (): string => `
  wanted_mark AS MATERIALIZED (
    SELECT * FROM unnest(${next('int4')}, ${next('text')}, ${next('text')}, ${next('int4')})
      AS w (ordinal, subject, transaction_id, version))`;
  return [...(sections.unmarked ? [unmarked()] : []), ...(sections.marks ? [held()] : [])];
}

/**
 * Locks the marks that members depend on, in one order, and after the heads (`locked`), so that two
 * statements never wait for each other. Of several members that depend on one mark the first has it.
 */
export function heldMarkRows(
  schema: string,
  { marks }: Sections,
  locked: string | undefined,
): readonly string[] {
  if (!marks) return [];
  const after = locked === undefined ? '' : `AND (SELECT count(*) FROM ${locked}) >= 0`;
  return [
    `
  locked_mark AS MATERIALIZED (
    SELECT k.subject, k.transaction_id, k.version FROM ${schema}.marks k
    WHERE (k.subject, k.transaction_id) IN (SELECT subject, transaction_id FROM wanted_mark) ${after}
    ORDER BY k.subject, k.transaction_id FOR UPDATE),
  held_mark AS MATERIALIZED (
    SELECT DISTINCT ON (subject, transaction_id) ordinal, subject, transaction_id
    FROM wanted_mark JOIN locked_mark USING (subject, transaction_id, version)
    ORDER BY subject, transaction_id, ordinal)`,
  ];
}

/** Whether the marks say what row `m` was decided by. */
export function isAsMarked(schema: string, sections: Sections): string {
  const unmarked = `NOT EXISTS (
    SELECT FROM wanted_unmarked w JOIN ${schema}.marks k USING (subject)
    WHERE w.ordinal = m.ordinal AND ${SAYS_SOMETHING})`;
  const held = `(m.ordinal NOT IN (SELECT ordinal FROM wanted_mark)
     OR m.ordinal IN (SELECT ordinal FROM held_mark))`;
  const conditions = [...(sections.unmarked ? [unmarked] : []), ...(sections.marks ? [held] : [])];
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** What members in `moved` do to marks. */
export function markChangeRows(
  schema: string,
  sections: Sections,
  next: NextParameter,
): readonly string[] {
  return [
    ...(sections.marks ? changedMarks(schema, next) : []),
    ...(sections.cleared ? [clearedMarks(schema, next)] : []),
  ];
}

function changedMarks(schema: string, next: NextParameter): readonly string[] {
  return [
    `
  mark_moved AS (
    UPDATE ${schema}.marks k SET version = k.version + 1
    FROM held_mark h JOIN moved m USING (ordinal)
    WHERE k.subject = h.subject AND k.transaction_id = h.transaction_id)`,
    `
  mark_left AS (
    INSERT INTO ${schema}.marks AS k (subject, transaction_id, stream_id, data, until, lasting)
    SELECT l.subject, l.transaction_id, m.stream_id, l.data, to_timestamp(l.until_s), l.lasting <> 0
    FROM unnest(${next('int4')}, ${next('text')}, ${next('text')}, ${next('json')},
                ${next('float8')}, ${next('int2')})
      AS l (ordinal, subject, transaction_id, data, until_s, lasting)
    JOIN moved m USING (ordinal)
    ORDER BY l.subject, l.transaction_id
    ON CONFLICT (subject, transaction_id) DO UPDATE
      SET data = excluded.data, until = excluded.until, lasting = excluded.lasting)`,
    `
  mark_withdrawn AS (
    DELETE FROM ${schema}.marks k
    USING unnest(${next('int4')}, ${next('text')}, ${next('text')})
            AS w (ordinal, subject, transaction_id)
      JOIN moved m USING (ordinal)
    WHERE k.subject = w.subject AND k.transaction_id = w.transaction_id)`,
  ];
}

function clearedMarks(schema: string, next: NextParameter): string {
  return `
  marks_cleared AS (
    DELETE FROM ${schema}.marks k
    USING unnest(${next('int4')}, ${next('text')}) AS w (ordinal, subject)
      JOIN moved m USING (ordinal)
    WHERE k.subject = w.subject AND NOT k.lasting)`;
}
