import { catalogue, type CatalogueEntry } from './catalogue.js';
import { type EchoedFields, nested } from './echo.js';
import type { Parameter } from './parameter.js';

/** Picks what is taken out of kept parameters; undefined when nothing of it was sent. */
export type TakeParameters = (
  ...records: readonly Readonly<Record<string, string>>[]
) => Readonly<EchoedFields> | undefined;

const ALL_BELOW = '.*';

/**
 * What somebody behind us takes of a request, by keys of the catalogue: `descriptor`, `billing.*`,
 * `cart.items[n].name`. Nothing else is given out; account data and secrets never are, because they
 * are not kept. @throws TypeError for a key under which nothing is kept: it would never come
 */
export function parametersTaken(keys: readonly string[]): TakeParameters {
  const taken = new Set<string>();
  for (const key of keys) {
    const found = keptKeys.filter((each) => isMeant(key, each));
    if (found.length === 0) throw new TypeError(`No parameter is kept under "${key}".`);
    for (const each of found) taken.add(each);
  }
  const isTaken = ({ key }: CatalogueEntry): boolean => taken.has(key);
  return (...records) => {
    if (taken.size === 0) return undefined;
    const fields = nested(isTaken, records);
    return Object.keys(fields).length === 0 ? undefined : fields;
  };
}

const keptKeys: readonly string[] = Object.entries(catalogue as Readonly<Record<string, Parameter>>)
  .filter(([, { kept, sensitivity }]) => kept && ['none', 'personal'].includes(sensitivity))
  .map(([key]) => key);

function isMeant(pattern: string, key: string): boolean {
  return pattern.endsWith(ALL_BELOW) ? key.startsWith(pattern.slice(0, -1)) : key === pattern;
}
