import { type CatalogueEntry, meaningOf } from './catalogue.js';

/** Parameters nested by wire name, e.g. for an answer's JSON: texts in objects without prototype, and lists of such objects. */
export interface EchoedFields {
  [field: string]: string | EchoedFields | EchoedFields[];
}

/** A parameter with its place. */
interface Placed {
  readonly entry: CatalogueEntry;
  readonly name: string;
  readonly path: readonly string[];
  readonly value: string;
}

/**
 * The fields an answer returns of what was sent, nested by wire name: `standingInstruction.mode`
 * becomes `standingInstruction: {mode}`, `customParameters[a]` becomes `customParameters: {a}`, and
 * `cart.items[0].name` the name of the first of a list, in which indexes that were left out have no
 * place. Only rows that the catalogue echoes come out; no object here has a prototype, so a custom parameter
 * named `__proto__` is a field like any other (S-INP-04). The order is that of the catalogue, then
 * of the names, whatever the order of the records, so that a repeated request gets the same answer
 * byte for byte (D-36).
 */
export function echo(
  ...records: readonly Readonly<Record<string, string>>[]
): Readonly<EchoedFields> {
  return nested(isEchoed, records, asAnswered);
}

/** Amounts have two decimals there; anything else is as it was sent. */
function asAnswered({ row }: CatalogueEntry, value: string): string {
  return row.format.answered?.write(value) ?? value;
}

const asSent = (_: CatalogueEntry, value: string): string => value;

/**
 * The parameters of a catalogue's rows that are chosen, nested and ordered as `echo` has them, each
 * value as it was sent or as it is written for whoever gets it.
 */
export function nested(
  isChosen: (entry: CatalogueEntry) => boolean,
  records: readonly Readonly<Record<string, string>>[],
  write: (entry: CatalogueEntry, value: string) => string = asSent,
): Readonly<EchoedFields> {
  const placed = records
    .flatMap((record) => Object.entries(record))
    .flatMap(([name, value]) => placedParameter(name, value, isChosen) ?? [])
    .sort(
      (left, right) => left.entry.order - right.entry.order || (left.name < right.name ? -1 : 1),
    );
  const fields = emptyFields();
  for (const { entry, name, path, value } of placed) {
    objectAt(fields, path.slice(0, -1))[path.at(-1) ?? name] = write(entry, value);
  }
  closeGaps(fields);
  return fields;
}

/** Whether answers return a row under its own name. */
export function isEchoed({ row }: CatalogueEntry): boolean {
  return row.echo && (row.sensitivity === 'none' || row.sensitivity === 'personal');
}

function placedParameter(
  name: string,
  value: string,
  isChosen: (entry: CatalogueEntry) => boolean,
): Placed | undefined {
  const meaning = meaningOf(name);
  if (meaning.kind !== 'row' || !isChosen(meaning.entry)) return undefined;
  return { entry: meaning.entry, name, path: pathOf(name, meaning.mapName), value };
}

/**
 * The fields that lead to a parameter; the name in brackets is one, whatever dots it has. What the
 * interface writes in brackets itself is a name as well.
 */
function pathOf(name: string, mapName: string | undefined): readonly string[] {
  if (mapName !== undefined) return [...name.slice(0, name.indexOf('[')).split('.'), mapName];
  const open = name.endsWith(']') ? name.lastIndexOf('[') : -1;
  if (open === -1) return name.split('.');
  return [...name.slice(0, open).split('.'), name.slice(open + 1, -1)];
}

/**
 * The fields of an answer that lead to what a key of the catalogue stands for: a name that varies is
 * `*`, and a list keeps its `[n]`.
 */
export function answerPathOf(key: string): readonly string[] {
  const map = /^(.*)\[(?:name|key|brand)\]$/.exec(key)?.[1];
  return map === undefined ? pathOf(key, undefined) : [...map.split('.'), '*'];
}

function objectAt(fields: EchoedFields, path: readonly string[]): EchoedFields {
  let at = fields;
  for (const part of path) at = part.endsWith(']') ? elementAt(at, part) : memberAt(at, part);
  return at;
}

function memberAt(fields: EchoedFields, name: string): EchoedFields {
  const member = fields[name];
  if (typeof member === 'object' && !Array.isArray(member)) return member;
  return (fields[name] = emptyFields());
}

/** `items[17]`: the parser has let only canonical indexes below its limit through. */
function elementAt(fields: EchoedFields, part: string): EchoedFields {
  const open = part.indexOf('[');
  const name = part.slice(0, open);
  const index = Number.parseInt(part.slice(open + 1, -1), 10);
  const list = fields[name];
  const elements = Array.isArray(list) ? list : (fields[name] = []);
  return (elements[index] ??= emptyFields());
}

function closeGaps(fields: EchoedFields): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') continue;
    const elements = Array.isArray(value) ? (fields[name] = value.flat(0)) : [value];
    for (const element of elements) closeGaps(element);
  }
}

function emptyFields(): EchoedFields {
  return Object.create(null) as EchoedFields;
}
