/**
 * The parts of the append that only some members need. Left out, they cost nothing: the fewest
 * statement names are prepared, and an outcome's append touches three tables instead of eight.
 */
export interface Sections {
  /** Some member begins a stream. */
  readonly newStreams: boolean;
  readonly transactions: boolean;
  readonly idempotency: boolean;
  readonly personalKeys: boolean;
  readonly outbox: boolean;
}

/** A prepared statement: its name says which sections it has. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** What became of a member, one letter each, in the order of the members. */
export const outcomeLetters = {
  appended: 'a',
  versionConflict: 'v',
  expired: 'e',
  idempotencyTaken: 'k',
  transactionTaken: 't',
} as const;

/** Lock order, for every statement alike: heads, idempotency keys, transactions, new heads. */
export function appendStatement(schema: string, sections: Sections): Statement {
  const next = parameterNumbers();
  const parts = [
    members(schema, next),
    ...(sections.idempotency ? [idempotency(schema, next)] : ['keyed AS (SELECT * FROM fit)']),
    ...(sections.transactions
      ? [transactions(schema, next)]
      : ['granted AS MATERIALIZED (SELECT * FROM keyed)']),
    moves(schema, sections.newStreams),
    events(schema, next),
    ...(sections.personalKeys ? [personalKeys(schema, next)] : []),
    ...(sections.outbox ? [outbox(schema, next)] : []),
  ];
  return { name: nameOf(sections), text: `WITH ${parts.join(',\n')}\n${outcomes(sections)}` };
}

function nameOf(sections: Sections): string {
  const present = Object.entries(sections).filter(([, wanted]) => wanted);
  return ['append', ...present.map(([section]) => section)].join(' ');
}

/** Hands out `$1`, `$2`, … in the order in which the parts are written, and the values are given. */
type NextParameter = (type: string) => string;

function parameterNumbers(): NextParameter {
  let count = 0;
  return (type) => {
    count += 1;
    return `$${count}::${type}[]`;
  };
}

/** The heads are locked in one order, so that two statements never wait for each other (D-07). */
function members(schema: string, next: NextParameter): string {
  const streams = next('text');
  return `
  member AS MATERIALIZED (
    SELECT * FROM unnest(${streams}, ${next('int4')}, ${next('int4')}, ${next('uuid')},
                         ${next('float8')}, ${next('float8')})
      WITH ORDINALITY AS m (stream_id, expected, event_count, command_id,
                            life_ends_s, due_in_s, ordinal)),
  head AS MATERIALIZED (
    SELECT stream_id, version FROM ${schema}.streams WHERE stream_id = ANY (${streams})
    ORDER BY stream_id FOR UPDATE),
  checked AS MATERIALIZED (
    SELECT m.*, h.stream_id IS NOT NULL AS existing,
           coalesce(h.version, 0) = m.expected AS current,
           (clock_timestamp() <= to_timestamp(m.life_ends_s)) IS NOT FALSE AS alive
    FROM member m LEFT JOIN head h USING (stream_id)),
  fit AS (SELECT * FROM checked WHERE current AND alive)`;
}

/**
 * A key is claimed under two days, yesterday's and today's: a claim made a moment before midnight
 * and one made a moment after meet in the day they share, and yesterday's rows are found with one
 * look (D-36: at least 24 hours).
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
  return `
  wanted_key AS MATERIALIZED (
    SELECT * FROM unnest(${next('int4')}, ${next('text')}, ${next('text')}, ${next('json')},
                         ${next('text')})
      AS w (ordinal, key, fingerprint, answer, transaction_id)),
  key_yesterday AS (${claim(`${TODAY} - 1`, '')}),
  key_today AS (${claim(TODAY, 'JOIN key_yesterday USING (key)')}),
  keyed AS MATERIALIZED (
    SELECT f.* FROM fit f LEFT JOIN wanted_key w USING (ordinal)
    WHERE w.key IS NULL OR w.key IN (SELECT key FROM key_today))`;
}

function transactions(schema: string, next: NextParameter): string {
  return `
  wanted_transaction AS MATERIALIZED (
    SELECT * FROM unnest(${next('int4')}, ${next('text')}) AS w (ordinal, transaction_id)),
  indexed AS (
    INSERT INTO ${schema}.transactions (transaction_id, stream_id, command_id)
    SELECT w.transaction_id, k.stream_id, k.command_id
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
 * Only members with all their claims move their head, and every other row hangs on a moved head.
 * A new head is a plain INSERT: when somebody else has just made the same stream, the statement
 * fails as a whole and is repeated, so that no claim stays behind.
 */
function moves(schema: string, newStreams: boolean): string {
  const updated = `
  updated AS (
    UPDATE ${schema}.streams s
    SET version = s.version + g.event_count,
        due_at = CASE WHEN g.due_in_s < 0 THEN s.due_at ELSE ${DUE_AT} END
    FROM granted g
    WHERE g.existing AND s.stream_id = g.stream_id AND s.version = g.expected
    RETURNING s.stream_id)`;
  if (!newStreams) return `${updated},\n  moved AS MATERIALIZED (${movedFrom('updated')})`;
  return `${updated},
  created AS (
    INSERT INTO ${schema}.streams (stream_id, version, due_at)
    SELECT g.stream_id, g.event_count, CASE WHEN g.due_in_s >= 0 THEN ${DUE_AT} END
    FROM granted g WHERE NOT g.existing ORDER BY g.stream_id
    RETURNING stream_id),
  head_moved AS (SELECT stream_id FROM updated UNION ALL SELECT stream_id FROM created),
  moved AS MATERIALIZED (${movedFrom('head_moved')})`;
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
const DUE_AT = 'now() + make_interval(secs => g.due_in_s)';

function movedFrom(source: string): string {
  return `SELECT g.ordinal, g.stream_id, g.expected, g.command_id
    FROM granted g JOIN ${source} USING (stream_id)`;
}

function events(schema: string, next: NextParameter): string {
  return `
  recorded AS (
    INSERT INTO ${schema}.events
      (stream_id, version, event_id, command_id, type, schema_version, data, metadata)
    SELECT m.stream_id, m.expected + e.number, e.event_id, m.command_id,
           e.type, e.schema_version, e.data, e.metadata
    FROM unnest(${next('int4')}, ${next('int4')}, ${next('uuid')}, ${next('text')},
                ${next('int2')}, ${next('json')}, ${next('json')})
      AS e (ordinal, number, event_id, type, schema_version, data, metadata)
    JOIN moved m USING (ordinal)
    ORDER BY m.ordinal, e.number)`;
}

function personalKeys(schema: string, next: NextParameter): string {
  return `
  personal_key AS (
    INSERT INTO ${schema}.personal_keys (stream_id, wrapped)
    SELECT m.stream_id, k.wrapped
    FROM unnest(${next('int4')}, ${next('bytea')}) AS k (ordinal, wrapped)
    JOIN moved m USING (ordinal))`;
}

function outbox(schema: string, next: NextParameter): string {
  return `
  to_publish AS (
    INSERT INTO ${schema}.outbox (slot, stream_id, topic, key, headers, payload)
    SELECT hashtextextended(m.stream_id, 0) & ${OUTBOX_SLOTS - 1}, m.stream_id,
           o.topic, o.key, o.headers, o.payload
    FROM unnest(${next('int4')}, ${next('int4')}, ${next('text')}, ${next('text')},
                ${next('json')}, ${next('json')})
      AS o (ordinal, number, topic, key, headers, payload)
    JOIN moved m USING (ordinal)
    ORDER BY m.ordinal, o.number)`;
}

/** Relays share the outbox by slot (D-21). A power of two. */
export const OUTBOX_SLOTS = 16;

/**
 * The version comes before the age: a command that was delivered twice must find itself in the
 * stream, not be told that it is too old (D-13).
 */
function outcomes(sections: Sections): string {
  const { appended, versionConflict, expired, idempotencyTaken, transactionTaken } = outcomeLetters;
  return `SELECT string_agg(CASE
    WHEN ordinal IN (SELECT ordinal FROM moved) THEN '${appended}'
    WHEN NOT current THEN '${versionConflict}'
    WHEN NOT alive THEN '${expired}'
    ${
      sections.idempotency
        ? `WHEN ordinal NOT IN (SELECT ordinal FROM keyed) THEN '${idempotencyTaken}'`
        : ''
    }
    ${
      sections.transactions
        ? `WHEN ordinal NOT IN (SELECT ordinal FROM granted) THEN '${transactionTaken}'`
        : ''
    }
    ELSE '${versionConflict}' END, '' ORDER BY ordinal) AS outcomes
  FROM checked`;
}
