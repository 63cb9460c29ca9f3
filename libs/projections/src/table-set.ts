import { applyStatement, ARRAY_TYPES } from './apply-statement.js';
import type { Column, ColumnType, Projection } from './projection.js';

/**
 * `filling`: rows are copied from the event store; `following`: complete and fed, not read yet;
 * `live`: what queries read; `previous`: was live, still fed, so that a rollback loses nothing.
 */
export type TableSetState = 'filling' | 'following' | 'live' | 'previous';

/** One copy of a projection's tables. */
export interface TableSet {
  readonly id: number;
  readonly projection: string;
  readonly version: number;
  readonly state: TableSetState;
  /** Of the owner's event store, once known (D-23). */
  readonly incarnation: string | null;
  /** The last stream that was copied, while it is being filled. */
  readonly filledTo: string | null;
  readonly createdAt: Date;
}

/** The states of the table sets do not allow what was asked for; the message says why. */
export class TableSetRefused extends Error {
  override readonly name = 'TableSetRefused';
}

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text COLLATE "C"',
  // Half the size of its text, and compared at once.
  hexId: 'uuid',
  bigint: 'bigint',
};

/** As PostgreSQL's `format_type` has them. */
const TYPE_NAMES: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  hexId: 'uuid',
  bigint: 'bigint',
};

/** @throws TypeError for a name that would have to be quoted in a statement */
export function assertIdentifier(name: string): void {
  if (!IDENTIFIER.test(name)) throw new TypeError(`Not an SQL identifier: ${name}`);
}

/** The SQL name of a row's property. */
export function columnName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The statements of one table set; identifiers stand in texts that are made once. Those that run for
 * every batch are prepared, often while the tables are empty, so they look rows up one by one
 * (`OFFSET 0` keeps the planner from scanning the table instead).
 */
export interface TableSetStatements {
  readonly table: string;
  readonly streams: string;
  /** The row's properties in the order of the columns. */
  readonly properties: readonly string[];
  readonly createTables: readonly string[];
  /** Made after the fill, because building an index is much cheaper once all rows are there. */
  readonly createIndexes: readonly string[];
  readonly dropTables: readonly string[];
  readonly analyze: string;
  /** `$1`: stream ids. Stream id and version. */
  readonly selectVersions: string;
  /** The columns as text, each under its property's name, for a SELECT of one's own. */
  readonly selectedAs: string;
  /** `$1`: keys. All columns as text, in order. */
  readonly selectRows: string;
  /** Streams and rows moved together; see apply-statement.ts for the parameters. */
  readonly applyBatch: string;
  readonly copyRows: string;
  readonly copyStreams: string;
}

/** The names of a projection's columns, and how their values are passed. */
interface Columns {
  readonly properties: readonly string[];
  readonly names: readonly string[];
  readonly types: readonly ColumnType[];
  readonly key: string;
  readonly keyType: ColumnType;
  readonly streamType: ColumnType;
}

/** Makes the statements of a table set. */
export function tableSetStatements(
  projection: Projection,
  schema: string,
  id: number,
): TableSetStatements {
  for (const name of [schema, projection.name]) assertIdentifier(name);
  if (!Number.isSafeInteger(id)) throw new TypeError('A table set has a number.');
  const table = `${schema}.${projection.name}_${id}`;
  const streams = `${schema}.${projection.name}_${id}_streams`;
  const columns = columnsOf(projection);
  const { properties, names, key } = columns;
  const texts = names.map((name, index) => asText(columns.types[index] ?? 'text', name));
  return {
    table,
    streams,
    properties,
    createTables: creation(projection, columns, table, streams),
    createIndexes: indexes(projection, table, streams, key),
    dropTables: [`DROP TABLE IF EXISTS ${table}`, `DROP TABLE IF EXISTS ${streams}`],
    analyze: `ANALYZE ${table}, ${streams}`,
    selectVersions: versionsStatement(streams, columns.streamType),
    selectedAs: texts.map((text, index) => `${text} AS "${properties[index] ?? ''}"`).join(', '),
    selectRows: `SELECT ${texts.join(', ')} FROM unnest($1::${ARRAY_TYPES[columns.keyType]}) AS u (k)
      CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${key} = u.k OFFSET 0) r`,
    applyBatch: applyStatement({ schema, table, streams, columns }),
    copyRows: `COPY ${table} (${names.join(', ')}) FROM STDIN (FORMAT binary)`,
    copyStreams: `COPY ${streams} (stream_id, version) FROM STDIN (FORMAT binary)`,
  };
}

function columnsOf(projection: Projection): Columns {
  const properties = Object.keys(projection.columns);
  const typeOf = (property: string): ColumnType => projection.columns[property]?.type ?? 'text';
  return {
    properties,
    names: properties.map(columnName),
    types: properties.map(typeOf),
    key: columnName(projection.key),
    keyType: typeOf(projection.key),
    streamType: typeOf('streamId'),
  };
}

/**
 * The columns as in `selectedAs`, for a table that another version of the projection made: a
 * nullable column that is missing is null. Undefined if the shape does not fit, because a column is
 * missing that every row has or by which rows are found.
 */
export function selectionOf(
  projection: Projection,
  present: ReadonlyMap<string, string>,
): string | undefined {
  const looked = new Set<string>([
    projection.key,
    ...projection.indexes.flatMap(({ columns }) => columns),
  ]);
  const selected: string[] = [];
  for (const [property, { type, optional }] of Object.entries<Column>(projection.columns)) {
    const name = columnName(property);
    const found = present.get(name);
    if (found === TYPE_NAMES[type]) selected.push(`${asText(type, name)} AS "${property}"`);
    else if (found === undefined && optional === true && !looked.has(property)) {
      selected.push(`NULL::text AS "${property}"`);
    } else return undefined;
  }
  return selected.join(', ');
}

/** An expression that gives a column as the text that a row has. */
export function asText(type: ColumnType, expression: string): string {
  return type === 'hexId' ? `replace(${expression}::text, '-', '')` : `${expression}::text`;
}

function creation(
  projection: Projection,
  { properties, names, types, streamType }: Columns,
  table: string,
  streams: string,
): readonly string[] {
  const optional = (index: number): boolean =>
    projection.columns[properties[index] ?? '']?.optional === true;
  const definitions = names.map(
    (name, index) =>
      `${name} ${SQL_TYPES[types[index] ?? 'text']}${optional(index) ? '' : ' NOT NULL'}`,
  );
  return [
    `CREATE TABLE ${table} (${definitions.join(', ')})`,
    `CREATE TABLE ${streams} (stream_id ${SQL_TYPES[streamType]} NOT NULL, version int NOT NULL)`,
    `COMMENT ON TABLE ${table} IS 'Made of events; may be rebuilt at any time'`,
    `COMMENT ON TABLE ${streams} IS 'Up to which event of each stream the rows are'`,
  ];
}

function indexes(
  { indexes: others, columns }: Projection,
  table: string,
  streams: string,
  key: string,
): readonly string[] {
  const indexed = new Set([key, ...others.flatMap((index) => index.columns.map(columnName))]);
  const unread = Object.keys(columns)
    .map(columnName)
    .filter((name) => !indexed.has(name));
  return [
    `ALTER TABLE ${table} ADD PRIMARY KEY (${key})`,
    ...others.map(
      ({ columns: of, where }) =>
        `CREATE INDEX ON ${table} (${of.map(columnName).join(', ')})` +
        (where === undefined ? '' : ` WHERE ${where}`),
    ),
    `ALTER TABLE ${streams} ADD PRIMARY KEY (stream_id)`,
    // No plan depends on columns that are only shown, and sampling wide columns is half the cost of
    // ANALYZE.
    ...unread.map((name) => `ALTER TABLE ${table} ALTER COLUMN ${name} SET STATISTICS 0`),
  ];
}

/**
 * An array whose length the planner cannot see. It takes an unseen one for ten elements, so with the one
 * or two of a query a prepared plan would always look dearer than a new one, and planning takes longer
 * than the rest.
 */
function unseen(array: string): string {
  return `(SELECT ${array})`;
}

function versionsStatement(streams: string, type: ColumnType): string {
  return `SELECT ${asText(type, 's.stream_id')}, s.version
    FROM unnest(${unseen(`$1::${ARRAY_TYPES[type]}`)}) AS u (stream_id)
    CROSS JOIN LATERAL (SELECT * FROM ${streams} WHERE stream_id = u.stream_id OFFSET 0) s`;
}
