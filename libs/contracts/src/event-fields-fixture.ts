import { eventSchemas, type EventTable } from './event-table.js';
import type { Schema } from './schema.js';

/** The names of all fields of a table's events, at any depth, once each and sorted. */
export function eventFields(table: EventTable): readonly string[] {
  return [...new Set(eventSchemas(table).flatMap(({ data }) => fieldsOf(data)))].sort();
}

function fieldsOf(schema: Schema): string[] {
  const { properties = {}, oneOf = [], items, additionalProperties: rest } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [name, ...fieldsOf(field)]),
    ...oneOf.flatMap(fieldsOf),
    ...(items ? fieldsOf(items) : []),
    ...(typeof rest === 'object' ? fieldsOf(rest) : []),
  ];
}
