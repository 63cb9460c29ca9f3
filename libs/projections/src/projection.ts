import { type EventsOf, type EventTable, NewerWriter, upcast } from '@sluice/contracts';

/** An event as its owner recorded it, in whatever schema version that was. */
export interface ProjectedEvent {
  readonly streamId: string;
  /** Counts from 1 in each stream, without gaps. */
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  /** Parsed JSON. */
  readonly data: unknown;
  /** Parsed JSON; present at least for the types in `readsMetadataOf`. */
  readonly metadata?: unknown;
}

/** Any event of a table, its data in today's shape: what a projection folds. */
export type EventToFold<Table extends EventTable, Metadata = unknown> = {
  readonly [Type in keyof EventsOf<Table>]: Omit<ProjectedEvent, 'type' | 'data' | 'metadata'> & {
    readonly type: Type;
    readonly data: EventsOf<Table>[Type];
    readonly metadata?: Metadata;
  };
}[keyof EventsOf<Table>];

/** What a column holds: any text, 32 hex digits, or a whole number of 64 bits as decimal text. */
export type ColumnType = 'text' | 'hexId' | 'bigint';

/** One column of a projection's table. */
export interface Column {
  readonly type: ColumnType;
  readonly optional?: true;
}

/** One row, every value as text. */
export type Row<Name extends string = string> = Readonly<Record<Name, string | null>>;

/** An index beside the primary key's. */
export interface ProjectionIndex<Name extends string = string> {
  readonly columns: readonly Name[];
  /** Only rows for which this SQL condition holds; column names in it are the table's own. */
  readonly where?: string;
}

/**
 * A read model made of events: a table and a pure fold. Each event is about one row. Without clock,
 * effects or memory, so that a rebuild makes the same table again (R-REP-01 to R-REP-03).
 */
export interface Projection<
  Name extends string = string,
  Event extends ProjectedEvent = ProjectedEvent,
> {
  /** A plain SQL identifier; the tables are named after it. */
  readonly name: string;
  /** Grows when rows would look different; the new version is then built beside the old one. */
  readonly version: number;
  /**
   * The service that records its events: it publishes them, and is asked for what is missing by its
   * queries `<owner>.streamEvents` and `<owner>.streamHeads`.
   */
  readonly owner: string;
  /** Where its events are published. */
  readonly topic: string;
  readonly columns: Readonly<Record<Name | 'streamId', Column>>;
  /** The column that tells rows apart. */
  readonly key: Name;
  readonly indexes: readonly ProjectionIndex<Name | 'streamId'>[];
  /** The events of its topic as this release knows them; beyond them is a newer writer. */
  readonly events: EventTable;
  /** A rebuild fetches the metadata of no others. */
  readonly readsMetadataOf: readonly string[];
  /** The key of the one row that an event is about. */
  keyOf(event: Event): string;
  /** The row after the event. Throws for an event that makes no sense; its stream is then parked. */
  fold(row: Row<Name> | undefined, event: Event): Row<Name>;
}

/** The event with its data in today's shape. @throws NewerWriter */
export function todays<Event extends ProjectedEvent>({ events }: Projection, event: Event): Event {
  const data = upcast(events, event);
  return data === event.data ? event : { ...event, data };
}

/**
 * What is wrong with an event whose fold threw: name and message, because other fields of an error
 * may hold the data (D-46). @throws NewerWriter again, which is no fault of the event
 */
export function faultOf(error: unknown): string {
  if (error instanceof NewerWriter) throw error;
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
}

const HEX_ID = /^[0-9a-f]{32}$/;
const BIGINT = /^-?[0-9]{1,18}$/;
const NUL = '\0';

/**
 * Makes the check whether the table would refuse a row, so that a bad event is found by its fold
 * and not by a statement that holds others' rows too. Says which column is wrong, or undefined.
 */
export function storableCheck(projection: Projection): (row: Row) => string | undefined {
  const columns = Object.entries<Column>(projection.columns);
  return (row) => {
    for (const [name, { type, optional }] of columns) {
      const value = row[name] ?? null;
      if (value === null) {
        if (optional !== true) return `${name} has no value`;
      } else if (!isStorable(type, value)) {
        return `${name} is no ${type}`;
      }
    }
    return undefined;
  };
}

/** Whether a column of this type can hold the value. */
export function isStorable(type: ColumnType, value: string): boolean {
  switch (type) {
    case 'text':
      return !value.includes(NUL);
    case 'hexId':
      return HEX_ID.test(value);
    case 'bigint':
      return BIGINT.test(value);
  }
}
