import { heldMarkRows, isAsMarked, markChangeRows, wantedMarkRows } from './append-marks.js';
import {
  ALIVE,
  DUE_AT,
  isHere,
  keyRows,
  memberRows,
  nameOf,
  newHeadColumns,
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
 * Appends a single member, at 60 % of the cost of the statement for many (measured): its rows are
 * plain inserts, so any conflict rolls everything back. Only a used idempotency key is not an
 * error, because merchants repeat requests as they please and the server logs every error. The
 * statement returns that the member is appended, or returns nothing, or fails; in the last two
 * cases the statement for many finds out why. Its parameters, and the order in which it locks, are
 * the same.
 */
export function aloneStatement(schema: string, sections: Sections): Statement {
  const next = parameterNumbers();
  const { newStreams, idempotency, transactions } = sections;
  // Which rows move the head: with a key, only the member that has claimed it.
  const mover = idempotency ? 'keyed' : 'alive';
  const rows = [
    memberRows(next('text'), sections, next),
    ...(transactions ? [transactionRows(next)] : []),
    ...wantedMarkRows(sections, next),
    ...(sections.shards ? [placeRow(schema)] : []),
  ];
  const keys = idempotency ? [keyRows(next), claimedKey(schema, 'alive')] : [];
  const index = (claimant: string): string[] => (transactions ? [indexed(schema, claimant)] : []);
  const here = `${isHere(schema, sections)} AND ${isAsMarked(schema, sections)}`;
  const marks = heldMarkRows(schema, sections, newStreams ? undefined : 'held');
  const parts = [
    ...rows,
    ...(newStreams
      ? [
          ...marks,
          alive('member', here),
          ...keys,
          ...index(mover),
          newHead(schema, mover, sections),
        ]
      : [heldHead(schema), ...marks, alive('held', here), ...keys, existingHead(schema, mover)]),
    ...(newStreams ? [] : index('moved')),
    ...recordedRows(schema, sections, next),
    ...markChangeRows(schema, sections, next),
  ];
  return {
    name: nameOf('append alone', sections),
    text: `WITH ${parts.join(',\n')}\nSELECT '${outcomeLetters.appended}' FROM moved`,
  };
}

/** Claims the key under two days, like the statement for many. */
function claimedKey(schema: string, claimant: string): string {
  const claim = (day: string, from: string): string => `
    INSERT INTO ${schema}.idempotency
      (day, key, command_id, stream_id, fingerprint, answer, transaction_id)
    SELECT ${day}, w.key, c.command_id, c.stream_id, w.fingerprint, w.answer, w.transaction_id
    FROM ${from}
    ON CONFLICT (day, key) DO NOTHING
    RETURNING key`;
  return `
  key_yesterday AS (${claim(`${today(schema)} - 1`, `${claimant} c, wanted_key w`)}),
  key_today AS (${claim(today(schema), `${claimant} c, wanted_key w JOIN key_yesterday USING (key)`)}),
  keyed AS MATERIALIZED (SELECT c.* FROM ${claimant} c, key_today)`;
}

function indexed(schema: string, claimant: string): string {
  return `
  indexed AS (
    INSERT INTO ${schema}.transactions (transaction_id, stream_id, command_id, begun_version, lookup_key)
    SELECT w.transaction_id, c.stream_id, c.command_id, c.expected + 1, w.lookup_key
    FROM ${claimant} c, wanted_transaction w ORDER BY w.transaction_id
    RETURNING transaction_id)`;
}

/**
 * The head is locked before the key is claimed, as in every statement, and moved only once it is
 * claimed.
 */
function heldHead(schema: string): string {
  return `
  held AS MATERIALIZED (
    SELECT m.* FROM member m JOIN ${schema}.streams s USING (stream_id)
    WHERE s.version = m.expected FOR UPDATE OF s)`;
}

/** Asked once the head is locked, because the wait for the lock counts (D-03). */
function alive(from: 'member' | 'held', here: string): string {
  return `alive AS MATERIALIZED (SELECT * FROM ${from} m WHERE ${ALIVE} AND ${here})`;
}

function existingHead(schema: string, mover: string): string {
  return `
  moved AS (
    UPDATE ${schema}.streams s
    SET version = s.version + m.event_count,
        due_at = CASE WHEN m.due_in_s < 0 THEN s.due_at ELSE ${DUE_AT} END
    FROM ${mover} m
    WHERE s.stream_id = m.stream_id AND s.version = m.expected
    RETURNING m.ordinal, m.stream_id, m.expected, m.command_id)`;
}

function newHead(schema: string, mover: string, sections: Sections): string {
  const { columns, values } = newHeadColumns(sections);
  // Counting the claims makes PostgreSQL execute them first.
  const after = sections.transactions ? ', (SELECT count(*) FROM indexed) AS t' : '';
  return `
  moved AS (
    INSERT INTO ${schema}.streams (${columns})
    SELECT ${values}
    FROM ${mover} m${after}
    RETURNING 1 AS ordinal, stream_id, 0 AS expected,
              (SELECT command_id FROM alive) AS command_id)`;
}
