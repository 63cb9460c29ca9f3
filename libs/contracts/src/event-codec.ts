import { type Amount, type AmountText, fromMessage, toMessage } from '@sluice/money';
import { type EventsOf, type EventTable, upcast, type WrittenEvent } from './event-table.js';
import { closed, formed, type Schema } from './schema.js';

/** An amount in an event. */
export const amount: Schema<AmountText> = closed({
  minor: formed('^-?[0-9]{1,40}$', 'Minor units.'),
  currency: formed('^[A-Z]{3}$'),
});

type WithAmounts<Value> = Value extends AmountText
  ? Amount
  : Value extends string | number | boolean
    ? Value
    : { readonly [Field in keyof Value]: WithAmounts<Value[Field]> };

/** The events of a table as rules work with them: amounts are amounts. */
export type DomainEvents<Table extends EventTable, Metadata> = {
  readonly [Name in keyof EventsOf<Table>]: {
    readonly type: Name;
    readonly data: WithAmounts<EventsOf<Table>[Name]>;
    readonly metadata: Metadata;
  };
};

/** Any event of a table. */
export type DomainEvent<Table extends EventTable, Metadata = unknown> = DomainEvents<
  Table,
  Metadata
>[keyof EventsOf<Table>];

/** An event as the event store keeps it: JSON texts, amounts as `{minor: text, currency}`. */
export interface EncodedEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: string;
  readonly metadata: string;
}

/** An event as the event store gives it back, its JSON parsed. */
export interface StoredEvent extends WrittenEvent {
  readonly metadata: unknown;
}

/** Converts a table's events for the store and back. */
export interface EventCodec<Event> {
  /** What is stored of an event, in the schema version that is written today. */
  readonly encode: (event: Event) => EncodedEvent;
  /** The event in today's shape, whichever version was stored. @throws NewerWriter */
  readonly decode: (stored: StoredEvent) => Event;
}

type Data = Record<string, unknown>;

/**
 * Makes the codec of a table. @throws Error for an amount that is not a field of the event itself
 */
export function eventCodec<Table extends EventTable, Metadata = unknown>(
  table: Table,
): EventCodec<DomainEvent<Table, Metadata>> {
  const amountFields = new Map(
    Object.entries(table).map(([type, { data }]) => [type, amountFieldsOf(type, data)]),
  );
  return {
    encode: ({ type, data, metadata }) => {
      const stored: Data = { ...(data as object) };
      for (const field of amountFields.get(type) ?? []) {
        const value = stored[field] as Amount | undefined;
        if (value !== undefined) stored[field] = toMessage(value);
      }
      return {
        type,
        schemaVersion: table[type]?.version ?? 0,
        data: JSON.stringify(stored),
        metadata: JSON.stringify(metadata),
      };
    },
    decode: (stored) => {
      const { type, metadata } = stored;
      const data: Data = { ...(upcast(table, stored) as object) };
      for (const field of amountFields.get(type) ?? []) {
        const value = data[field] as AmountText | undefined;
        if (value !== undefined) data[field] = fromMessage(value);
      }
      // The one place where a stored shape becomes a type: `upcast` checked name and version.
      return { type, data, metadata } as unknown as DomainEvent<Table, Metadata>;
    },
  };
}

function amountFieldsOf(type: string, { properties = {} }: Schema): readonly string[] {
  return Object.entries(properties).flatMap(([field, schema]) => {
    if (isAmount(schema)) return [field];
    if (!hasAmount(schema)) return [];
    throw new Error(`${type}.${field}: an amount is a field of the event itself.`);
  });
}

const isAmount = ({ properties }: Schema): boolean => properties === amount.properties;

function hasAmount(schema: Schema): boolean {
  const { properties = {}, additionalProperties: rest, oneOf = [], items } = schema;
  const others = typeof rest === 'object' ? [rest] : [];
  const fields = [...Object.values(properties), ...others, ...oneOf, ...(items ? [items] : [])];
  return fields.some((field) => isAmount(field) || hasAmount(field));
}
