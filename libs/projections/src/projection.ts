import { type EventsOf, type EventTable, NewerWriter, upcast } from '@sluice/contracts';

/** An event as its owner recorded it, in any schema version. */
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

/** Any event of a table, with its data in the current shape, as a projection folds it. */
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
 * A read model made of events: a table and a pure fold. Each event is about one row. The fold has
 * no clock, effects or memory, so that a rebuild makes the same table again (R-REP-01 to R-REP-03).
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
   * The service that records its events. It publishes them, and answers for missing ones with its
   * queries `<owner>.streamEvents` and `<owner>.streamHeads`.
   */
  readonly owner: string;
  /** Where its events are published. */
  readonly topic: string;
  readonly columns: Readonly<Record<Name | 'streamId', Column>>;
  /** The column that identifies a row. */
  readonly key: Name;
  readonly indexes: readonly ProjectionIndex<Name | 'streamId'>[];
  /** The events of its topic that this release knows; any other is from a newer writer. */
  readonly events: EventTable;
  /** A rebuild fetches the metadata of these events only. */
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
 * What is wrong with an event whose fold threw: only the error's name and message, because other
 * fields may hold the data (D-46). Rethrows NewerWriter, which is not the event's fault.
 */
export function faultOf(error: unknown): string {
  if (error instanceof NewerWriter) throw error;
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
}

const HEX_ID = /^[0-9a-f]{32}$/;
const BIGINT = /^-?[0-9]{1,18}$/;
const NUL = '\0';

/**
 * Makes a check for rows that the table would refuse, so that a bad event is found when it is
 * folded, and not by a statement with rows of other events. It returns the faulty column, or
 * undefined.
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
