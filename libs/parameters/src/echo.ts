import { meaningOf } from './catalogue.js';

/** Part of an answer's JSON: texts in objects without prototype. */
export interface EchoedFields {
  [field: string]: string | EchoedFields;
}

/**
 * The fields an answer returns of what was sent, nested by wire name: `standingInstruction.mode`
 * becomes `standingInstruction: {mode}`, `customParameters[a]` becomes `customParameters: {a}`. Only
 * rows that the catalogue echoes come out; no object here has a prototype, so a custom parameter
 * named `__proto__` is a field like any other (S-INP-04).
 */
export function echo(
  ...records: readonly Readonly<Record<string, string>>[]
): Readonly<EchoedFields> {
  const fields = emptyFields();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const meaning = meaningOf(name);
      if (meaning.kind !== 'row') continue;
      const { row } = meaning.entry;
      const isShown = row.sensitivity === 'none' || row.sensitivity === 'personal';
      if (!row.echo || !isShown) continue;
      const path = pathOf(name, meaning.mapName);
      const last = path.pop() ?? name;
      objectAt(fields, path)[last] = value;
    }
  }
  return fields;
}

/** The fields that lead to a parameter; the name in brackets is one, whatever dots it has. */
function pathOf(name: string, mapName: string | undefined): string[] {
  if (mapName === undefined) return name.split('.');
  return [...name.slice(0, name.indexOf('[')).split('.'), mapName];
}

function objectAt(fields: EchoedFields, path: readonly string[]): EchoedFields {
  let at = fields;
  for (const part of path) {
    const next = at[part];
    at = typeof next === 'object' ? next : (at[part] = emptyFields());
  }
  return at;
}

function emptyFields(): EchoedFields {
  return Object.create(null) as EchoedFields;
}
