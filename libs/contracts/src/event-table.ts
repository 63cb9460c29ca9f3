import type { Schema, ValueOf } from './schema.js';

/** The data of an event of one schema version. */
export type StoredData = Readonly<Record<string, unknown>>;

/** Converts the data of an event to the next schema version. */
export type Upcaster = (data: StoredData) => StoredData;

/** An event of a stream. */
export interface EventDeclaration<Data = unknown> {
  /** The schema version in which this release writes it. */
  readonly version: number;
  /** What happened, in a sentence. */
  readonly description: string;
  readonly data: Schema<Data>;
  /**
   * The steps from version 1 to 2, 2 to 3, and so on. A step stays for ever, because streams do. A
   * new optional field needs none; a changed meaning needs a new event instead (D-18).
   */
  readonly upcasters?: readonly Upcaster[];
}

/** Every event of a stream, by name. */
export type EventTable = Readonly<Record<string, EventDeclaration>>;

/** The data of a table's events by name, as they are stored and published. */
export type EventsOf<Table extends EventTable> = {
  readonly [Name in keyof Table & string]: ValueOf<Table[Name]['data']>;
};

/**
 * The event was written by a later release; nothing is wrong with it, so it waits for that release
 * (D-18).
 */
export class NewerWriter extends Error {
  override readonly name = 'NewerWriter';

  constructor(type: string, schemaVersion: number) {
    super(`A newer release wrote ${type} in schema version ${String(schemaVersion)} (D-18).`);
  }
}

/** Declares the events of a stream. @throws Error for a version that no upcaster leads to */
export function eventTable<const Table extends EventTable>(table: Table): Table {
  for (const [name, { version, upcasters = [] }] of Object.entries<EventDeclaration>(table)) {
    if (upcasters.length === version - 1) continue;
    const steps = `${String(version - 1)} upcasters, and has ${String(upcasters.length)}`;
    throw new Error(`${name} in schema version ${String(version)} needs ${steps}.`);
  }
  return table;
}

/** An event as it was written, in any schema version. */
export interface WrittenEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
}

/**
 * The data of an event in its current shape.
 * @throws NewerWriter for a type or a schema version that this release does not know
 */
export function upcast(table: EventTable, { type, schemaVersion, data }: WrittenEvent): unknown {
  const declaration = Object.hasOwn(table, type) ? table[type] : undefined;
  const version = declaration?.version ?? 0;
  if (schemaVersion > version || schemaVersion < 1) throw new NewerWriter(type, schemaVersion);
  // Nearly all events have the current version, and a rebuild reads millions.
  if (schemaVersion === version) return data;
  const steps = declaration?.upcasters?.slice(schemaVersion - 1) ?? [];
  return steps.reduce((shape, step) => step(shape), data as StoredData);
}

/** The schema of one event's data, in its current version. */
export interface EventSchema {
  readonly type: string;
  readonly schemaVersion: number;
  readonly description: string;
  readonly data: Schema;
}

/** The schemas of a table's events, sorted by name: data for the generated reference. */
export function eventSchemas(table: EventTable): readonly EventSchema[] {
  return Object.entries(table)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([type, { version, description, data }]) => ({
      ...{ type, schemaVersion: version, description, data },
    }));
}
