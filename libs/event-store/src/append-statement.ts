import { heldMarkRows, isAsMarked, markChangeRows, wantedMarkRows } from './append-marks.js';
import {
  ALIVE,
  DUE_AT,
  isHere,
  keyRows,
  memberRows,
  nameOf,
  newHeadColumns,
  type NextParameter,
  outcomeLetters,
  parameterNumbers,
  placeRow,
  recordedRows,
  type Sections,
  type Statement,
  today,
  transactionRows,
} from './append-parts.js';

/**
 * Appends any number of members, each wholly or not at all, and says what became of each. Every
 * statement locks in the same order: heads, marks, idempotency keys, transactions, new heads; each
 * of them sorted. A member that cannot move its head claims nothing.
 */
export function appendStatement(schema: string, sections: Sections): Statement {
  const next = parameterNumbers();
  const parts = [
    members(schema, sections, next),
    ...(sections.idempotency ? [idempotency(schema, next)] : ['keyed AS (SELECT * FROM fit)']),
    ...(sections.transactions
      ? [transactions(schema)]
      : ['granted AS MATERIALIZED (SELECT * FROM keyed)']),
    moves(schema, sections),
    ...recordedRows(schema, sections, next),
    ...markChangeRows(schema, sections, next),
  ];
  return {
    name: nameOf('append', sections),
    text: `WITH ${parts.join(',\n')}\n${outcomes(sections)}`,
  };
}

/** The heads are locked in one order, so that two statements never wait for each other (D-07). */
function members(schema: string, sections: Sections, next: NextParameter): string {
  const streams = next('text');
  const rows = [
    memberRows(streams, sections, next),
    ...(sections.transactions ? [transactionRows(next)] : []),
    ...wantedMarkRows(sections, next),
    ...(sections.shards ? [placeRow(schema)] : []),
  ];
  const heldMarks = heldMarkRows(schema, sections, 'head').map((row) => `${row},`);
  return `${rows.join(',')},
  head AS MATERIALIZED (
    SELECT stream_id, version FROM ${schema}.streams WHERE stream_id = ANY (${streams})
    ORDER BY stream_id FOR UPDATE),${heldMarks.join('')}
  checked AS MATERIALIZED (
    SELECT m.*, h.stream_id IS NOT NULL AS existing,
           coalesce(h.version, 0) = m.expected AS current, ${ALIVE} AS alive,
           ${isHere(schema, sections)} AS here, ${isAsMarked(schema, sections)} AS as_marked
    FROM member m LEFT JOIN head h USING (stream_id)),
  fit AS (SELECT * FROM checked WHERE current AND alive AND here AND as_marked)`;
}

/**
 * A key is claimed under two days, yesterday's and today's: a claim made a moment before a day ends
 * and one made a moment after it conflict in the day they share, and one lookup finds yesterday's
 * rows (D-36: at least 24 hours).
 */
function idempotency(schema: string, next: NextParameter): string {
  const claim = (day: string, from: string): string => `
    INSERT INTO ${schema}.idempotency
      (day, key, command_id, stream_id, fingerprint, answer, transaction_id)
    SELECT ${day}, w.key, f.command_id, f.stream_id, w.fingerprint, w.answer, w.transaction_id
    FROM wanted_key w JOIN fit f USING (ordinal) ${from}
    ORDER BY w.key
    ON CONFLICT (day, key) DO UPDATE SET command_id = excluded.command_id
      WHERE idempotency.command_id = excluded.command_id
    RETURNING key`;
  return `${keyRows(next)},
  key_yesterday AS (${claim(`${today(schema)} - 1`, '')}),
  key_today AS (${claim(today(schema), 'JOIN key_yesterday USING (key)')}),
  keyed AS MATERIALIZED (
    SELECT f.* FROM fit f LEFT JOIN wanted_key w USING (ordinal)
    WHERE w.key IS NULL OR w.key IN (SELECT key FROM key_today))`;
}

function transactions(schema: string): string {
  return `
  indexed AS (
    INSERT INTO ${schema}.transactions (transaction_id, stream_id, command_id, begun_version, lookup_key)
    SELECT w.transaction_id, k.stream_id, k.command_id, k.expected + 1, w.lookup_key
    FROM wanted_transaction w JOIN keyed k USING (ordinal)
    ORDER BY w.transaction_id
    ON CONFLICT (transaction_id) DO UPDATE SET command_id = excluded.command_id
      WHERE transactions.command_id = excluded.command_id
    RETURNING transaction_id),
  granted AS MATERIALIZED (
    SELECT * FROM keyed WHERE ordinal NOT IN (
      SELECT w.ordinal FROM wanted_transaction w
      WHERE w.transaction_id NOT IN (SELECT transaction_id FROM indexed)))`;
}

/**
 * Only members with all their claims move their head, and every other row depends on a moved head.
 * A new head is a plain INSERT: if somebody else has just created the same stream, the whole
 * statement fails and is repeated, so that no claim is left behind.
 */
function moves(schema: string, sections: Sections): string {
  const updated = `
  updated AS (
    UPDATE ${schema}.streams s
    SET version = s.version + m.event_count,
        due_at = CASE WHEN m.due_in_s < 0 THEN s.due_at ELSE ${DUE_AT} END
    FROM granted m
    WHERE m.existing AND s.stream_id = m.stream_id AND s.version = m.expected
    RETURNING s.stream_id)`;
  const moved = (heads: string): string => `
  moved AS MATERIALIZED (
    SELECT m.ordinal, m.stream_id, m.expected, m.command_id
    FROM granted m JOIN ${heads} USING (stream_id))`;
  if (!sections.newStreams) return `${updated},${moved('updated')}`;
  const { columns, values } = newHeadColumns(sections);
  return `${updated},
  created AS (
    INSERT INTO ${schema}.streams (${columns})
    SELECT ${values}
    FROM granted m WHERE NOT m.existing ORDER BY m.stream_id
    RETURNING stream_id),
  head_moved AS (SELECT stream_id FROM updated UNION ALL SELECT stream_id FROM created),
  ${moved('head_moved')}`;
}

/**
 * The version is checked before the age: a command that was delivered twice must find its own
 * events in the stream, not be answered that it is too old (D-13). The shard comes before both: a
 * stream that has gone is decided about elsewhere.
 */
function outcomes(sections: Sections): string {
  const { appended, versionConflict, expired, elsewhere } = outcomeLetters;
  const { idempotencyTaken, transactionTaken, markedMeanwhile } = outcomeLetters;
  const keyTaken = `WHEN ordinal NOT IN (SELECT ordinal FROM keyed) THEN '${idempotencyTaken}'`;
  const taken = `WHEN ordinal NOT IN (SELECT ordinal FROM granted) THEN '${transactionTaken}'`;
  return `SELECT string_agg(CASE
      WHEN ordinal IN (SELECT ordinal FROM moved) THEN '${appended}'
      WHEN NOT here THEN '${elsewhere}'
      WHEN NOT current THEN '${versionConflict}'
      WHEN NOT alive THEN '${expired}'
      WHEN NOT as_marked THEN '${markedMeanwhile}'
      ${sections.idempotency ? keyTaken : ''}
      ${sections.transactions ? taken : ''}
      ELSE '${versionConflict}'
    END, '' ORDER BY ordinal)
  FROM checked`;
}
