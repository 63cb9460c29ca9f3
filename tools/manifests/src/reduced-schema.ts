import { isRecord, type JsonSchema } from './json-schema.js';

/** What is left out: it says nothing about which fields there are, or refers to what is left out. */
const DROPPED = ['description', 'example', 'externalDocs', 'title', 'x-kubernetes-validations'];
/** A part that nobody uses is kept when it is not longer than this as JSON. */
const UNUSED_CHARACTERS_MAX = 150;
/** A part that goes deeper is not small, and may refer to itself without an end. */
const UNUSED_LEVELS_MAX = 4;

const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true } as const;

/** Finds what `$ref` names. */
export type Resolve = (reference: string) => JsonSchema;

/**
 * A schema as far as some objects need it: every field at the levels that they use is known, and so
 * a misspelt one is refused; larger parts that none of them uses are let through unchecked.
 */
export function reducedSchema(
  schema: JsonSchema,
  uses: readonly unknown[],
  resolve: Resolve = unknownReference,
): JsonSchema {
  const plain = withoutReference(schema, resolve);
  const { properties, items, additionalProperties, ...rest } = plain;
  const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !DROPPED.includes(key)));
  const next = (part: JsonSchema, values: readonly unknown[]) =>
    reducedSchema(part, values, resolve);
  return {
    ...kept,
    ...(properties === undefined
      ? {}
      : { properties: reducedProperties(properties, uses, resolve) }),
    ...(items === undefined ? {} : { items: next(items, uses.flatMap(listed)) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: next(additionalProperties, uses.flatMap(fieldsOf)) }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties }),
  };
}

function reducedProperties(
  properties: Readonly<Record<string, JsonSchema>>,
  uses: readonly unknown[],
  resolve: Resolve,
): Readonly<Record<string, JsonSchema>> {
  const entries = Object.entries(properties).map(([name, part]): [string, JsonSchema] => {
    const values = uses.filter(isRecord).flatMap((use) => (name in use ? [use[name]] : []));
    if (values.length > 0) return [name, reducedSchema(part, values, resolve)];
    return [name, unusedPart(part, resolve)];
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** As it is when it is small; else only its type. */
function unusedPart(part: JsonSchema, resolve: Resolve): JsonSchema {
  const { type = 'object' } = withoutReference(part, resolve);
  if (!hasManyLevels(part, resolve, UNUSED_LEVELS_MAX)) {
    const whole = reducedSchema(part, [], resolve);
    if (JSON.stringify(whole).length <= UNUSED_CHARACTERS_MAX) return whole;
  }
  if (type === 'array') return { type, items: { type: 'object', ...PRESERVE } };
  return { type, ...PRESERVE };
}

/** Whether a part goes deeper than a reader would look; such a one is not small. */
function hasManyLevels(part: JsonSchema, resolve: Resolve, levels: number): boolean {
  if (levels === 0) return true;
  const plain = withoutReference(part, resolve);
  const inner = [
    ...Object.values(plain.properties ?? {}),
    ...(plain.items === undefined ? [] : [plain.items]),
    ...(typeof plain.additionalProperties === 'object' ? [plain.additionalProperties] : []),
  ];
  return inner.some((one) => hasManyLevels(one, resolve, levels - 1));
}

/** Kubernetes writes a reference with a description as `allOf` of one. */
function withoutReference(schema: JsonSchema, resolve: Resolve): JsonSchema {
  const { allOf, ...rest } = schema;
  const [only] = allOf ?? [];
  if (allOf?.length === 1 && only?.$ref !== undefined) {
    return { ...withoutReference(resolve(only.$ref), resolve), ...rest };
  }
  return schema.$ref === undefined ? schema : withoutReference(resolve(schema.$ref), resolve);
}

function unknownReference(reference: string): never {
  throw new Error(`There is nothing to find ${reference} in.`);
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function fieldsOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}
