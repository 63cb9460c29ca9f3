/**
 * The parts of the append that only some members need. They cost nothing when left out: appending
 * an outcome touches two tables instead of seven.
 */
export interface Sections {
  /** Some member begins a stream. */
  readonly newStreams: boolean;
  readonly idempotency: boolean;
  readonly transactions: boolean;
  readonly personalKeys: boolean;
  /** The events are published. */
  readonly outbox: boolean;
  /** Streams belong to chain shards, of which the store carries some (page 0047). */
  readonly shards: boolean;
  /** Some member depends on that nothing is marked under a subject. */
  readonly unmarked: boolean;
  /** Some member holds, leaves or withdraws a mark. */
  readonly marks: boolean;
  /** Some member clears the marks of a subject. */
  readonly cleared: boolean;
  /** Some member says whose its stream is. */
  readonly tenants: boolean;
}

/** A prepared statement; its name says which sections it has. */
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
  elsewhere: 'm',
  markedMeanwhile: 'n',
} as const;

/** Relays share the outbox by slot (D-21). A power of two. */
export const OUTBOX_SLOTS = 16;

/** The day of an idempotency key: a day of operation, whatever the clocks show (see the schema). */
export function today(schema: string): string {
  return `(SELECT today FROM ${schema}.idempotency_day WHERE only_row)`;
}

/** Returns `$1`, `$2`, … in the order in which the parts are written and the arrays are passed. */
export type NextParameter = (type: string) => string;

export function parameterNumbers(): NextParameter {
  let count = 0;
  return (type) => {
    count += 1;
    return `$${count}::${type}[]`;
  };
}

/** A distinct name for each set of sections; PostgreSQL truncates names after 63 bytes. */
export function nameOf(kind: string, sections: Sections): string {
  return `${kind} ${Object.values(sections).map(Number).join('')}`;
}

/** One row per member; `ordinal` counts from 1. */
export function memberRows(streams: string, { tenants }: Sections, next: NextParameter): string {
  const rest = `${next('int4')}, ${next('int4')}, ${next('uuid')}, ${next('float8')}, ${next('float8')}`;
  return `
  member AS MATERIALIZED (
    SELECT * FROM unnest(${streams}, ${rest}${tenants ? `, ${next('text')}` : ''})
      WITH ORDINALITY AS m (stream_id, expected, event_count, command_id,
                            life_ends_s, due_in_s${tenants ? ', tenant' : ''}, ordinal))`;
}

/** The head of a new stream, of row `m`: what is inserted, and into which columns. */
export function newHeadColumns({ tenants }: Sections): {
  readonly columns: string;
  readonly values: string;
} {
  const dueAt = `CASE WHEN m.due_in_s >= 0 THEN ${DUE_AT} END`;
  return {
    columns: `stream_id, version, due_at${tenants ? ', tenant' : ''}`,
    values: `m.stream_id, m.event_count, ${dueAt}${tenants ? ", nullif(m.tenant, '')" : ''}`,
  };
}

/** Whether the command of row `m` may still be performed, by the database's clock (D-03). */
export const ALIVE = '(clock_timestamp() <= to_timestamp(m.life_ends_s)) IS NOT FALSE';

/** The shards of the store, read once a statement, for `isHere`. */
export function placeRow(schema: string): string {
  return `
  place AS MATERIALIZED (SELECT carried, closing FROM ${schema}.carried_shards WHERE only_row)`;
}

/**
 * Whether the store takes the events of row `m`: it carries the shard of its stream, and nothing
 * begins in a shard that is about to leave. Needs no lock, because whoever takes a shard away locks
 * the heads as a whole for a moment, and a statement looks only after it has passed that lock.
 */
export function isHere(schema: string, { shards, transactions }: Sections): string {
  if (!shards) return 'true';
  const isIn = (column: string): string =>
    `${schema}.shard_of(m.stream_id) <@ (SELECT ${column} FROM place)`;
  if (!transactions) return isIn('carried');
  const begins = 'm.ordinal IN (SELECT ordinal FROM wanted_transaction)';
  return `(${isIn('carried')} AND NOT (${isIn('closing')} AND ${begins}))`;
}

/** The due time that the member of row `m` asks for; below zero it asks for no change. */
export const DUE_AT = 'now() + make_interval(secs => m.due_in_s)';

/** One row per idempotency key; a member has one at most. */
export function keyRows(next: NextParameter): string {
  return `
  wanted_key AS MATERIALIZED (
    SELECT * FROM unnest(${next('int4')}, ${next('text')}, ${next('text')}, ${next('json')},
                         ${next('text')})
      AS w (ordinal, key, fingerprint, answer, transaction_id))`;
}

/** One row per transaction that is to belong to its member's stream. */
export function transactionRows(next: NextParameter): string {
  return `
  wanted_transaction AS MATERIALIZED (
    SELECT * FROM unnest(${next('int4')}, ${next('text')}, ${next('int8')})
      AS w (ordinal, transaction_id, lookup_key))`;
}

/**
 * The end of every append: what is recorded for the members in `moved`, a CTE with the columns
 * ordinal, stream_id, expected and command_id.
 */
export function recordedRows(schema: string, sections: Sections, next: NextParameter): string[] {
  return [
    eventRows(schema, sections.outbox, next),
    ...(sections.personalKeys ? [personalKeyRows(schema, next)] : []),
    ...(sections.outbox ? [outboxRows(schema)] : []),
  ];
}

/** In order, so that positions within a stream grow with the version. */
function eventRows(schema: string, returning: boolean, next: NextParameter): string {
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
    ORDER BY m.ordinal, e.number${returning ? ' RETURNING stream_id, version' : ''})`;
}

/**
 * Inserts nothing if the data was erased in the meantime: then nobody can open the new block
 * either.
 */
function personalKeyRows(schema: string, next: NextParameter): string {
  return `
  personal_key AS (
    INSERT INTO ${schema}.personal_keys (stream_id, wrapped)
    SELECT m.stream_id, k.wrapped
    FROM unnest(${next('int4')}, ${next('bytea')}) AS k (ordinal, wrapped)
    JOIN moved m USING (ordinal)
    ON CONFLICT (stream_id) DO NOTHING)`;
}

/** A pointer for each event: the relay reads the event itself, so nothing is written twice. */
function outboxRows(schema: string): string {
  return `
  to_publish AS (
    INSERT INTO ${schema}.outbox (slot, stream_id, version)
    SELECT hashtextextended(r.stream_id, 0) & ${OUTBOX_SLOTS - 1}, r.stream_id, r.version
    FROM recorded r ORDER BY r.stream_id, r.version)`;
}
