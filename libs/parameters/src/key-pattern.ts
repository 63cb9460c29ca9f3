import { INDEX_MAX, NESTING_MAX, TRAVEL_INDEX_MAX } from './limits.js';

/** A name with its varying parts named: `cart.items[17].name` is `cart.items[n].name`. */
export interface KeyPattern {
  readonly pattern: string;
  /** The name in brackets of a map, `customParameters[name]`. */
  readonly mapName?: string;
}

/** Maps of the interface by the word before the bracket, and how their row is called. */
const MAPS: ReadonlyMap<string, string> = new Map([
  ['customParameters', 'customParameters[name]'],
  ['overridePaymentType', 'overridePaymentType[brand]'],
  ['risk.parameters', 'risk.parameters[name]'],
  ['merchant.data', 'merchant.data[key]'],
]);

/** An index as only one text writes it: no sign, no leading zero, no exponent, no other base. */
const INDEX = /^(?:0|[1-9][0-9]{0,2})$/;
const TRAVEL_ARRAY = /(?:^|\.)(?:passengers|legs)$/;

/**
 * The pattern of a name with brackets, or undefined when no row can be meant: brackets that do not
 * close, an index that is not canonical or too high, too much nesting (S-INP-02).
 */
export function keyPattern(name: string): KeyPattern | undefined {
  const open = name.indexOf('[');
  if (open === -1) return depthOf(name) > NESTING_MAX ? undefined : { pattern: name };
  const map = MAPS.get(name.slice(0, open));
  if (map !== undefined) {
    const inside = name.slice(open + 1, -1);
    const isClosed = name.endsWith(']') && !/[[\]]/.test(inside);
    return isClosed ? { pattern: map, mapName: inside } : undefined;
  }
  return indexedPattern(name);
}

function indexedPattern(name: string): KeyPattern | undefined {
  const [head = '', ...tails] = name.split('[');
  if (depthOf(name) + tails.length > NESTING_MAX) return undefined;
  let pattern = head;
  let array = head;
  for (const tail of tails) {
    const close = tail.indexOf(']');
    const index = tail.slice(0, close);
    const rest = tail.slice(close + 1);
    const last = TRAVEL_ARRAY.test(array) ? TRAVEL_INDEX_MAX : INDEX_MAX;
    if (close === -1 || !INDEX.test(index) || Number.parseInt(index, 10) > last) return undefined;
    pattern += `[n]${rest}`;
    array = rest;
  }
  return { pattern };
}

/** Parts between dots. */
function depthOf(name: string): number {
  let depth = 1;
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) depth += 1;
  return depth;
}
