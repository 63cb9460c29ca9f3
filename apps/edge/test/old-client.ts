/** An answer as it was recorded once. */
export interface RecordedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Fields whose value is another one in each run; their form stays. */
const VOLATILE: ReadonlySet<string> = new Set([
  'id',
  'referencedId',
  'ndc',
  'shortId',
  'descriptor',
]);

/** For people to read, in words that may get better. */
const FREE_TEXT = 'message';

/**
 * What a client that was written for the recorded body would miss in today's: fields may be added,
 * but none removed, renamed or of another type (Interface 9), and what does not change by itself
 * has its value. Empty when such a client works.
 */
export function missedByOldClient(recorded: unknown, today: unknown, at = 'body'): string[] {
  if (kindOf(recorded) !== kindOf(today)) return [`${at} is ${kindOf(today)}`];
  if (Array.isArray(recorded) && Array.isArray(today)) {
    if (recorded.length !== today.length) return [`${at} has ${today.length} elements`];
    return recorded.flatMap((each, index) =>
      missedByOldClient(each, today[index], `${at}[${index}]`),
    );
  }
  if (typeof recorded === 'object' && recorded !== null) {
    return Object.entries(recorded).flatMap(([name, value]) =>
      missedByOldClient(value, fieldOf(today, name), `${at}.${name}`),
    );
  }
  const name = at.slice(at.lastIndexOf('.') + 1);
  if (name === FREE_TEXT) return [];
  const isEqual = VOLATILE.has(name) ? formOf(recorded) === formOf(today) : recorded === today;
  return isEqual ? [] : [`${at} is ${JSON.stringify(today)}`];
}

/** Every field of a body by its path, `result.code`; those in lists too. */
export function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsOf(inner).map((path) => [name, ...path]),
  ]);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return Object.hasOwn(value as object, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Digits of ids and of short ids are one like the other. */
function formOf(value: unknown): string {
  return String(value).replace(/[0-9a-f]/g, '0');
}
