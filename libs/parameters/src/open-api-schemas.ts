import { SAVES } from './saved-form.js';
import { catalogue, requirementOf } from './catalogue.js';
import type { Format } from './format.js';
import { INSTALLMENTS } from './installments.js';
import { type Kind, kinds, paymentTypesOf } from './kinds.js';
import { BODY_BYTES_MAX, MAP_NAMES_MAX, PARAMETERS_MAX } from './limits.js';
import type { JsonObject } from './json-object.js';
import { notYet } from './not-yet.js';
import type { Parameter, Requirement } from './parameter.js';
import { exampleOf } from './parameter-examples.js';
import { NAMED_REGISTRATIONS, NAMED_REGISTRATIONS_MAX } from './named-registrations.js';
import { tolerated, toleratedFormats } from './tolerated.js';
import { AUTHORIZING_REFERENCES } from './unserved.js';

/** An index as the parser takes it, up to `INDEX_MAX` and `TRAVEL_INDEX_MAX`. */
const INDEX = String.raw`\[(?:0|[1-9][0-9]{0,2})\]`;
const TRAVEL_INDEX = String.raw`\[(?:[1-8]?[0-9]|9[0-8])\]`;
const PLACEHOLDER = /\[(?:n|name|key|brand)\]/g;
/** What stands before the first bracket of a row with indexes of its own kind. */
const TRAVEL = 'airline.';

/** The strict reading: what only a compatibility switch lets in is documented beside the switch. */
const described = Object.entries(catalogue as Readonly<Record<string, Parameter>>).filter(
  ([, row]) => row.onlyWith === undefined,
);

/**
 * The form body of requests of these kinds as a JSON Schema: dotted names as they are, maps as
 * pattern properties, conditions in `x-required-when`, and what others want of it in
 * `x-expected-when`. A name is required if all kinds demand it.
 */
export function formSchema(description: string, ...of: readonly Kind[]): JsonObject {
  const rows = described.filter(([, row]) => of.some((kind) => row.kinds.includes(kind)));
  const schema = rowsSchema(description, rows, of);
  const others = described.filter(
    ([, row]) =>
      row.onlyThere !== true &&
      !of.some((kind) => row.kinds.includes(kind) || row.refusedIn?.[kind] !== undefined),
  );
  const required = rows.filter(([, row]) =>
    of.every((kind) => requirementOf(row, kind)?.demanded === true),
  );
  return {
    ...schema,
    patternProperties: { ...schema.patternProperties, ...ignored(others, of) },
    description: `${description} At most ${PARAMETERS_MAX} parameters and ${BODY_BYTES_MAX} bytes.`,
    required: required.map(([key]) => key),
    additionalProperties: false,
  };
}

/** Refers to one schema, or to any of several. */
export function schemaOf(...names: readonly string[]): JsonObject {
  const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [only] = references;
  return references.length === 1 && only !== undefined
    ? only
    : { title: names.join(' or '), anyOf: references };
}

/** The same form, which may also state this `paymentType`. */
export function alsoOfType(type: string, form: JsonObject): JsonObject {
  const properties = form['properties'] as Readonly<Record<string, JsonObject>>;
  const { paymentType } = properties;
  const types = [...(paymentType?.['enum'] as readonly string[]), type];
  return { ...form, properties: { ...properties, paymentType: { ...paymentType, enum: types } } };
}

/** The same form of a shopper, which may also say which amount it has shown. */
export function alsoShownAmount(form: JsonObject): JsonObject {
  const properties = form['properties'] as Readonly<Record<string, JsonObject>>;
  const description = 'As the form has shown it: another one than the checkout charges is refused.';
  const shown = { type: 'string', description };
  return { ...form, properties: { ...properties, amount: shown, currency: shown } };
}

/** A shopper's form may only be saved, where what it completes pays (page 0068). */
export function alsoOnlySaved(form: JsonObject): JsonObject {
  const properties = form['properties'] as Readonly<Record<string, JsonObject>>;
  const description =
    'The form is saved and not paid with, until the same address is asked without any field. Not with ' +
    'tokens of wallets, nor where the checkout only stores.';
  const saves = { type: 'string', enum: ['true'], description };
  return { ...form, properties: { ...properties, [SAVES]: saves } };
}

/** The rows that no request of these kinds takes: they belong to requests that are not served yet. */
export function restSchema(description: string, ...served: readonly Kind[]): JsonObject {
  const rows = described.filter(([, row]) => !served.some((kind) => row.kinds.includes(kind)));
  const of = kinds.filter((kind) => !served.includes(kind));
  return rowsSchema(description, rows, of);
}

function rowsSchema(
  description: string,
  rows: readonly (readonly [string, Parameter])[],
  of: readonly Kind[],
): JsonObject & { readonly patternProperties: JsonObject } {
  const isName = ([key]: readonly [string, Parameter]): boolean => key.search(PLACEHOLDER) === -1;
  const properties = rows.filter(isName);
  const patterns = rows.filter((entry) => !isName(entry));
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(properties.map(([key, row]) => [key, propertyOf(key, row, of)])),
    patternProperties: Object.fromEntries(
      patterns.map(([key, row]) => [patternOf(key, row), propertyOf(key, row, of)]),
    ),
  };
}

/** Readers of YAML, which JSON is as well, take no key of 1,024 characters or more. */
const KEY_CHARACTERS_MAX = 1_000;

/** Names that are taken and neither looked at nor kept: of other requests, and of older clients. */
function ignored(rows: readonly (readonly [string, Parameter])[], of: readonly Kind[]): JsonObject {
  const isCheckout = of.includes('checkout');
  const isRefused = (key: string): boolean => key === INSTALLMENTS && of.some(isAtOnce);
  const ofRows = rows
    .filter(([key]) => !isRefused(key))
    .map(([key, row]) => patternOf(key, row).slice(1, -1));
  const ofClients = tolerated
    .filter((name) => !toleratedFormats.has(name) && !(isCheckout && name === NAMED_REGISTRATIONS))
    .map((name) => sourceOf(name, undefined));
  const schema = {
    type: 'string',
    description:
      'Taken, and ignored by this request: parameters that others use, and names that clients ' +
      'of the interface family send.',
  };
  const keys = keysOfAny([...ofClients, ...ofRows]);
  const checked = [...toleratedFormats].map(([name, format]) => [
    keyOfAny(sourceOf(name, undefined)),
    { ...format.schema, description: 'Of older clients: the reference says what it stands for.' },
  ]);
  const offered = isCheckout ? [[keyOfAny(sourceOf(NAMED_REGISTRATIONS, undefined)), OFFERED]] : [];
  const refused = rows
    .filter(([key]) => isRefused(key))
    .map(([key]) => [keyOfAny(sourceOf(key, undefined)), AT_ONCE]);
  const all = [...keys.map((key) => [key, schema]), ...checked, ...refused, ...offered] as const;
  return Object.fromEntries(all) as JsonObject;
}

/** What asks for money of an earlier payment, or for what it is to be asked from; others ignore the name. */
function isAtOnce(kind: Kind): boolean {
  return AUTHORIZING_REFERENCES.includes(kind) || kind === 'registration';
}

const AT_ONCE: JsonObject = {
  type: 'string',
  description:
    'Only a new payment is made in installments: this is refused with 600.200.500, unless it is 0 or 1.',
};

const OFFERED: JsonObject = {
  type: 'string',
  description:
    `The stored accounts that the form offers, in this order, ${NAMED_REGISTRATIONS_MAX} at the most. ` +
    'A change names all of them anew.',
};

/** Patterns that together take what any of the sources takes; none is too long a key. */
function keysOfAny(sources: readonly string[]): readonly string[] {
  const keys: string[] = [];
  let joined: string | undefined;
  for (const source of sources) {
    const longer = joined === undefined ? source : `${joined}|${source}`;
    // As it is written: a document in JSON has each backslash twice.
    const isTooLong = JSON.stringify(keyOfAny(longer)).length > KEY_CHARACTERS_MAX;
    if (isTooLong && joined !== undefined) keys.push(keyOfAny(joined));
    joined = isTooLong ? source : longer;
  }
  return joined === undefined ? keys : [...keys, keyOfAny(joined)];
}

function keyOfAny(sources: string): string {
  return `^(?:${sources})$`;
}

/** The names that a key with brackets stands for. */
function patternOf(key: string, { nameFormat }: Parameter): string {
  return `^${sourceOf(key, nameFormat)}$`;
}

function sourceOf(key: string, nameFormat: Format | undefined): string {
  return key
    .replace(/[.[\]]/g, String.raw`\$&`)
    .replace(/\\\[(n|name|key|brand)\\\]/g, (_, placeholder) => {
      if (placeholder !== 'n') return mapNamePattern(nameFormat);
      return key.startsWith(TRAVEL) ? TRAVEL_INDEX : INDEX;
    });
}

/** A map's name in its brackets, in the form that its row asks for. */
function mapNamePattern(format: Format | undefined): string {
  const pattern = format?.schema.pattern?.replace(/^\^|\$$/g, '') ?? String.raw`[^\[\]]+`;
  return String.raw`\[${pattern}\]`;
}

function propertyOf(key: string, row: Parameter, of: readonly Kind[]): JsonObject {
  const types = key === 'paymentType' ? paymentTypesOf(of) : [];
  const conditions = textsOf(row, of, (requirement) => requirement.isAdvice !== true);
  const advice = textsOf(row, of, (requirement) => requirement.isAdvice === true);
  const using = of.filter((kind) => row.kinds.includes(kind));
  return {
    ...row.format.schema,
    description: [
      ...[row.description, notYet(key)].filter((each) => each !== undefined),
      `Format: ${row.format.text}.${limitOfMap(row)}`,
    ].join(' '),
    ...(types.length > 0 && { enum: types }),
    examples: [types[0] ?? exampleOf(row)],
    ...(conditions !== '' && { 'x-required-when': conditions }),
    ...(advice !== '' && { 'x-expected-when': advice }),
    ...(using.length < of.length && { 'x-used-by': using }),
    ...((row.sensitivity === 'accountData' || row.sensitivity === 'secret') && { writeOnly: true }),
    ...(row.deprecated !== undefined && { deprecated: true }),
  };
}

/** What these kinds say of when it must come, or of when somebody wants it. */
function textsOf(
  row: Parameter,
  of: readonly Kind[],
  isMeant: (requirement: Requirement) => boolean,
): string {
  const texts = of.flatMap((kind) => {
    const requirement = requirementOf(row, kind);
    return requirement?.text !== undefined && isMeant(requirement) ? requirement.text : [];
  });
  return [...new Set(texts)].join('; ');
}

/** A map is flat in a form, so only words can say it. */
function limitOfMap({ nameFormat }: Parameter): string {
  return nameFormat === undefined
    ? ''
    : ` A request has at most ${MAP_NAMES_MAX} names in brackets, of all maps together.`;
}
