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

const TRAVEL_ARRAY = /(?:^|\.)(?:passengers|legs)$/;
const INDEX_DIGITS_MAX = String(INDEX_MAX).length;
const ZERO = 48;
const NINE = 57;

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
  return indexedPattern(name, open);
}

function indexedPattern(name: string, firstOpen: number): KeyPattern | undefined {
  let parts = depthOf(name);
  let pattern = '';
  let from = 0;
  for (let open = firstOpen; open !== -1; open = name.indexOf('[', from)) {
    parts += 1;
    if (parts > NESTING_MAX) return undefined;
    const array = name.slice(from, open);
    const close = name.indexOf(']', open);
    const index = indexBetween(name, open + 1, close);
    if (index === undefined) return undefined;
    if (index > TRAVEL_INDEX_MAX && TRAVEL_ARRAY.test(array)) return undefined;
    pattern += `${array}[n]`;
    from = close + 1;
  }
  return { pattern: pattern + name.slice(from) };
}

/**
 * An index as only one text writes it: no sign, no leading zero, no exponent, no other base; up to
 * the highest there is.
 */
export function indexBetween(name: string, start: number, end: number): number | undefined {
  if (end <= start || end - start > INDEX_DIGITS_MAX) return undefined;
  if (end - start > 1 && name.charCodeAt(start) === ZERO) return undefined;
  let index = 0;
  for (let at = start; at < end; at += 1) {
    const unit = name.charCodeAt(at);
    if (unit < ZERO || unit > NINE) return undefined;
    index = index * 10 + unit - ZERO;
  }
  return index > INDEX_MAX ? undefined : index;
}

/** Parts between dots. */
function depthOf(name: string): number {
  let depth = 1;
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) depth += 1;
  return depth;
}
