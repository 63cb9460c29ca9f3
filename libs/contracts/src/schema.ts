declare const VALUE: unique symbol;

/**
 * The part of JSON Schema (2020-12) that describes events, and for the compiler the described type.
 */
export interface Schema<Value = unknown> {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  /** Never set; only the compiler reads it. */
  readonly [VALUE]?: Value;
}

/** What a schema describes. */
export type ValueOf<Described extends Schema> =
  Described extends Schema<infer Value> ? Value : never;

/** The fields of an object. */
export type Fields = Readonly<Record<string, Schema>>;

type Flat<Value> = { readonly [Name in keyof Value]: Value[Name] };
type Values<Of extends Fields> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** Any text. */
export const text: Schema<string> = { type: 'string' };
/** A whole number. */
export const integer: Schema<number> = { type: 'integer' };
/** True or false. */
export const flag: Schema<boolean> = { type: 'boolean' };
/** Texts by name. */
export const texts: Schema<Readonly<Record<string, string>>> = {
  type: 'object',
  additionalProperties: text,
};

/** Text that matches a pattern; `Value` is a narrower type for it. */
export function formed<Value extends string = string>(
  pattern: string,
  description?: string,
): Schema<Value> {
  return { type: 'string', pattern, ...(description !== undefined && { description }) };
}

/** One of some words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  description?: string,
): Schema<Word> {
  return { type: 'string', enum: words, ...(description !== undefined && { description }) };
}

/** An object with these fields and no others. */
export function closed<Required extends Fields>(required: Required): Schema<Values<Required>>;
export function closed<Required extends Fields, Optional extends Fields>(
  required: Required,
  optional: Optional,
): Schema<Flat<Values<Required> & Partial<Values<Optional>>>>;
export function closed(required: Fields, optional: Fields = {}): Schema {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

/** Any number of the same, in order. */
export function listOf<Item>(items: Schema<Item>, description?: string): Schema<readonly Item[]> {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}

/** Values of one kind by name. */
export function byName<Value>(
  values: Schema<Value>,
  description?: string,
): Schema<Readonly<Record<string, Value>>> {
  return {
    type: 'object',
    additionalProperties: values,
    ...(description !== undefined && { description }),
  };
}

/** One of several objects, discriminated by a field that all of them have. */
export function eitherOf(schemas: readonly Schema[]): Schema {
  return { type: 'object', oneOf: schemas };
}

/** The same with a sentence about it. */
export function described<Value>(schema: Schema<Value>, description: string): Schema<Value> {
  return { ...schema, description };
}
