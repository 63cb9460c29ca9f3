import {
  ALIVE,
  DUE_AT,
  keyRows,
  memberRows,
  nameOf,
  outcomeLetters,
  parameterNumbers,
  recordedRows,
  type Sections,
  type Statement,
  TODAY,
  transactionRows,
} from './append-parts.js';

/**
 * Appends one member that is alone, at 60 % of the cost of the statement for many (measured): all
 * rows are plain inserts, so any conflict rolls everything back. It says that the member is
 * appended, or fails, or says nothing; then the other statement finds out why. Its parameters, and
 * the order in which it locks, are the same.
 */
export function aloneStatement(schema: string, sections: Sections): Statement {
  const next = parameterNumbers();
  const claimant = sections.newStreams ? 'alive' : 'moved';
  const head = sections.newStreams ? newHead(schema, sections) : existingHead(schema);
  const rows = memberRows(next('text'), next);
  const claims = [
    ...(sections.idempotency ? [`${keyRows(next)},${keys(schema, claimant)}`] : []),
    ...(sections.transactions ? [`${transactionRows(next)},${index(schema, claimant)}`] : []),
  ];
  const parts = [
    rows,
    `alive AS MATERIALIZED (SELECT * FROM member m WHERE ${ALIVE})`,
    ...(sections.newStreams ? [...claims, head] : [head, ...claims]),
    ...recordedRows(schema, sections, next),
  ];
  return {
    name: nameOf('append alone', sections),
    text: `WITH ${parts.join(',\n')}\nSELECT '${outcomeLetters.appended}' FROM moved`,
  };
}

function keys(schema: string, claimant: string): string {
  return `
  keyed AS (
    INSERT INTO ${schema}.idempotency
      (day, key, command_id, stream_id, fingerprint, answer, transaction_id)
    SELECT d.day, w.key, c.command_id, c.stream_id, w.fingerprint, w.answer, w.transaction_id
    FROM ${claimant} c, wanted_key w, (VALUES (${TODAY} - 1), (${TODAY})) AS d (day)
    RETURNING key)`;
}

function index(schema: string, claimant: string): string {
  return `
  indexed AS (
    INSERT INTO ${schema}.transactions (transaction_id, stream_id, command_id)
    SELECT w.transaction_id, c.stream_id, c.command_id
    FROM ${claimant} c, wanted_transaction w ORDER BY w.transaction_id
    RETURNING transaction_id)`;
}

function existingHead(schema: string): string {
  return `
  moved AS (
    UPDATE ${schema}.streams s
    SET version = s.version + m.event_count,
        due_at = CASE WHEN m.due_in_s < 0 THEN s.due_at ELSE ${DUE_AT} END
    FROM alive m
    WHERE s.stream_id = m.stream_id AND s.version = m.expected
    RETURNING m.ordinal, m.stream_id, m.expected, m.command_id)`;
}

function newHead(schema: string, { idempotency, transactions }: Sections): string {
  // Counting what was claimed is what makes the claims come first.
  const after = [
    ...(idempotency ? ['(SELECT count(*) FROM keyed) AS k'] : []),
    ...(transactions ? ['(SELECT count(*) FROM indexed) AS t'] : []),
  ];
  return `
  moved AS (
    INSERT INTO ${schema}.streams (stream_id, version, due_at)
    SELECT m.stream_id, m.event_count, CASE WHEN m.due_in_s >= 0 THEN ${DUE_AT} END
    FROM ${['alive m', ...after].join(', ')}
    RETURNING 1 AS ordinal, stream_id, 0 AS expected,
              (SELECT command_id FROM alive) AS command_id)`;
}
