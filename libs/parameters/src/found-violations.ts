import { PARAMETER_ERRORS_MAX } from './limits.js';
import type { ParameterError } from './parameter-error.js';

/** A violation's place in the list. */
export interface Placed {
  /** That of its row in the catalogue; names that are no row stand behind all rows. */
  readonly order: number;
  readonly name: string;
}

/**
 * The violations of a form: as many as are listed, and how many there are in all. The list does not
 * depend on the order in which they are found, and finding ever more costs no more memory.
 */
export class FoundViolations<Violation extends Placed> {
  readonly #first: Violation[] = [];
  #count = 0;

  /** Of those that are listed, in their order. */
  get first(): readonly Violation[] {
    return this.#first;
  }

  /** How many are left out. */
  get more(): number {
    return this.#count - this.#first.length;
  }

  add(violation: Violation): void {
    this.#count += 1;
    const last = this.#first.at(-1);
    const isFull = this.#first.length === PARAMETER_ERRORS_MAX;
    if (isFull && last !== undefined && inOrder(last, violation) <= 0) return;
    this.#first.splice(this.#placeOf(violation), 0, violation);
    if (isFull) this.#first.pop();
  }

  #placeOf(violation: Violation): number {
    let from = 0;
    let to = this.#first.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const other = this.#first[middle];
      if (other !== undefined && inOrder(other, violation) <= 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Said in the place of errors that are not listed (D-37); undefined where all are. */
export function errorOfMore(more: number): ParameterError | undefined {
  if (more === 0) return undefined;
  return { name: 'body', message: `has ${more} more ${more === 1 ? 'error' : 'errors'}` };
}

function inOrder(left: Placed, right: Placed): number {
  return left.order - right.order || byIndex(left.name, right.name);
}

const ZERO = 48;
const NINE = 57;

/**
 * Compares names as people count: `cart.items[2]` before `cart.items[10]`. By UTF-16 unit, but for
 * digits, of which the longer row of them is the greater number. `Intl.Collator` takes ten times as
 * long, and there may be tens of thousands of names.
 */
export function byIndex(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let at = 0;
  while (at < shorter && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === left.length && at === right.length) return 0;
  const difference = units(left, at) - units(right, at);
  let start = at;
  while (isDigit(left.charCodeAt(start - 1))) start -= 1;
  const lengths = digitsFrom(left, start) - digitsFrom(right, start);
  const areNumbers = isDigit(left.charCodeAt(start)) && isDigit(right.charCodeAt(start));
  return areNumbers && lengths !== 0 ? lengths : difference;
}

/** The unit there; before any other where the text has ended. */
function units(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : -1;
}

function digitsFrom(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end - start;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}
