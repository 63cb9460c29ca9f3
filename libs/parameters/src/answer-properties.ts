import type { JsonObject } from './json-object.js';

/** Fields of an answer, by name. */
export type Properties = Readonly<Record<string, JsonObject>>;

/** A text in an answer. */
export const text = (description: string, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  description,
  ...more,
});

/** An object in an answer. */
export const object = (
  description: string,
  properties: Properties,
  more: JsonObject = {},
): JsonObject => ({
  type: 'object',
  description,
  ...more,
  properties,
});

/** A country, ISO 3166-1. */
export const country: JsonObject = { pattern: '^[A-Z]{2}$' };
