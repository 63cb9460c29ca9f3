import { type CatalogueEntry, catalogueEntries } from './catalogue.js';
import { formatsOfSwitches } from './compatibility.js';
import { answerPathOf, isEchoed } from './echo.js';
import type { JsonObject } from './json-object.js';
import { answeringKinds } from './kinds.js';
import { MAP_NAMES_MAX } from './limits.js';

/** A row of the catalogue with what is left of its path, seen from an object of the answer. */
interface Placed {
  readonly path: readonly string[];
  readonly entry: CatalogueEntry;
}

/** How a path of the catalogue writes a name that varies, and an index. */
const ANY_NAME = '*';
const INDEX = '[n]';

/** The fields of the answer that return what was sent, as JSON Schemas by name. */
export function echoedProperties(
  isOfAnswer: (entry: CatalogueEntry) => boolean = isAnswered,
): Readonly<Record<string, JsonObject>> {
  const placed = catalogueEntries
    .filter((entry) => isEchoed(entry) && isOfAnswer(entry))
    .map((entry) => ({ path: answerPathOf(entry.key), entry }));
  return propertiesOf(placed);
}

/** Whether a request that is served and answered with a transaction takes the row. */
export function isAnswered({ row }: CatalogueEntry): boolean {
  return answeringKinds.some((kind) => row.kinds.includes(kind));
}

function propertiesOf(placed: readonly Placed[]): Record<string, JsonObject> {
  const names = [...new Set(placed.map(({ path }) => path[0] ?? ''))];
  return Object.fromEntries(
    names.map((name) => {
      const below = placed
        .filter(({ path }) => path[0] === name)
        .map(({ path, entry }) => ({ path: path.slice(1), entry }));
      return [name.replace(INDEX, ''), schemaOf(name, below)];
    }),
  );
}

function schemaOf(name: string, below: readonly Placed[]): JsonObject {
  const [first] = below;
  if (first === undefined) return {};
  if (first.path.length === 0) return leafSchema(first.entry);
  if (first.path[0] === ANY_NAME) return mapSchema(first.entry);
  const object = { type: 'object', properties: propertiesOf(below) };
  if (!name.endsWith(INDEX)) return object;
  return {
    type: 'array',
    description: 'As sent, without indexes that were left out.',
    items: object,
  };
}

function mapSchema({ row }: CatalogueEntry): JsonObject {
  return {
    type: 'object',
    description: `As sent. ${row.description}`,
    maxProperties: MAP_NAMES_MAX,
    additionalProperties: { type: 'string' },
  };
}

/**
 * A value as it was sent, or as answers write it. A card number in free text comes back as asterisks,
 * so of such a row only the length is sure (D-43).
 */
function leafSchema({ key, row }: CatalogueEntry): JsonObject {
  // What a switch has let in is returned like all else.
  const { schema, answered } = formatsOfSwitches.get(key) ?? row.format;
  const how = answered === undefined ? 'As sent.' : 'As sent, with two decimals.';
  const description = `${how} ${row.description}`;
  if (row.cardNumbers !== 'masked') return { ...(answered?.schema ?? schema), description };
  const { type, minLength, maxLength } = schema;
  const lengths = {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
  return { type, ...lengths, description };
}
