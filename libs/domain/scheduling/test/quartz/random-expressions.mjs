// Expressions drawn by number: the same on every machine, so that only Quartz's answers to them are kept.

/** How many are drawn at once: the answers to a block have one digest. */
export const BLOCK_EXPRESSIONS = 1000;
/** Blocks of all answers. */
export const BLOCKS = 100;
/** Next dates of each expression. */
export const DATES = 50;
/** The expressions of the first block that are shown with their first dates. */
export const SHOWN_EXPRESSIONS = 500;
/** Dates that are shown of each. */
export const SHOWN_DATES = 20;

/**
 * @typedef {object} DrawnExpression
 * @property {string} expression as Sluice takes it
 * @property {string} forQuartz the same with `?` for the `*` that leaves the day to the other field
 * @property {number} startSeconds the dates are those after it, seconds since the epoch
 *
 * @typedef {object} Drawing
 * @property {(low: number, high: number) => number} integer both included
 * @property {(weights: Record<string, number>) => string} kind
 *
 * @typedef {{ low: number, high: number, names?: string[], rangesOnlyForward?: boolean }} Values
 */

const START_FIRST = Date.UTC(1970, 0, 1) / 1000;
const START_LAST = Date.UTC(2098, 11, 31) / 1000;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
/** Above it Quartz 2.3.2 looks for the nearest working day in the month after a shorter one. */
const NEAREST_WORKING_DAY_MAX = 28;

/** The expressions of a block, 0 to BLOCKS - 1. @returns {DrawnExpression[]} */
export function expressionsOfBlock(/** @type {number} */ block) {
  return Array.from({ length: BLOCK_EXPRESSIONS }, (_, index) =>
    drawnExpression(drawing(block * BLOCK_EXPRESSIONS + index)),
  );
}

/** A small generator (mulberry32), begun by the number of the expression. @returns {Drawing} */
function drawing(/** @type {number} */ number) {
  let state = Math.imul(number + 1, 0x9e3779b1) | 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  /** @type {Drawing['integer']} */
  const integer = (low, high) => low + Math.floor(fraction() * (high - low + 1));
  /** @type {Drawing['kind']} */
  const kind = (weights) => {
    const entries = Object.entries(weights);
    let left = integer(
      1,
      entries.reduce((sum, [, weight]) => sum + weight, 0),
    );
    for (const [name, weight] of entries) {
      left -= weight;
      if (left <= 0) return name;
    }
    throw new Error('The weights have no sum.');
  };
  return { integer, kind };
}

/** @returns {DrawnExpression} */
function drawnExpression(/** @type {Drawing} */ draw) {
  const startSeconds = draw.integer(START_FIRST, START_LAST);
  const clock = [
    field(draw, { low: 0, high: 59 }),
    field(draw, { low: 0, high: 59 }),
    field(draw, { low: 0, high: 23 }),
  ].join(' ');
  const month =
    draw.kind({ every: 3, some: 2 }) === 'every'
      ? '*'
      : field(draw, { low: 1, high: 12, names: MONTHS });
  const year = yearField(draw, new Date(startSeconds * 1000).getUTCFullYear());
  const isOfMonth = draw.kind({ month: 1, week: 1 }) === 'month';
  const day = isOfMonth ? dayOfMonth(draw) : dayOfWeek(draw);
  const other = draw.kind({ question: 3, star: 1 }) === 'star' ? '*' : '?';
  const written = (/** @type {string} */ open) =>
    `${clock} ${isOfMonth ? day : open} ${month} ${isOfMonth ? open : day}${year}`;
  return { expression: written(other), forQuartz: written('?'), startSeconds };
}

/** A field without special letters. @returns {string} */
function field(/** @type {Drawing} */ draw, /** @type {Values} */ values) {
  switch (draw.kind({ one: 4, every: 1, list: 2, other: 3 })) {
    case 'one':
      return value(draw, values);
    case 'every':
      return '*';
    case 'list':
      return Array.from({ length: draw.integer(2, 4) }, () => item(draw, values)).join(',');
    default:
      return item(draw, values);
  }
}

/** A number, a range, a step. @returns {string} */
function item(/** @type {Drawing} */ draw, /** @type {Values} */ values) {
  const { low, high } = values;
  const number = () => draw.integer(low, high);
  const step = () =>
    draw.integer(1, draw.kind({ short: 3, long: 1 }) === 'short' ? 6 : Math.max(high - low, 1));
  const range = (/** @type {() => number | string} */ end) => {
    const ends = [end(), end()];
    if (values.rangesOnlyForward) ends.sort();
    return ends.join('-');
  };
  switch (draw.kind({ one: 3, range: 3, named: 1, from: 2, every: 1, rangeStep: 2 })) {
    case 'one':
      return value(draw, values);
    case 'range':
      return range(number);
    case 'named':
      return values.names ? range(() => named(draw, values.names ?? [])) : range(number);
    case 'from':
      return `${String(number())}/${String(step())}`;
    case 'every':
      return `*/${String(step())}`;
    default:
      return `${range(number)}/${String(step())}`;
  }
}

/** @returns {string} */
function value(/** @type {Drawing} */ draw, /** @type {Values} */ { low, high, names }) {
  const isNamed = names !== undefined && draw.kind({ number: 2, name: 1 }) === 'name';
  return isNamed ? named(draw, names) : String(draw.integer(low, high));
}

/** @returns {string} */
function named(/** @type {Drawing} */ draw, /** @type {string[]} */ names) {
  return String(names[draw.integer(0, names.length - 1)]);
}

/** @returns {string} */
function dayOfMonth(/** @type {Drawing} */ draw) {
  switch (draw.kind({ plain: 6, last: 1, before: 2, working: 3, lastWorking: 1, late: 1 })) {
    case 'last':
      return 'L';
    case 'before':
      return `L-${String(draw.integer(0, 30))}`;
    case 'working':
      return `${String(draw.integer(1, NEAREST_WORKING_DAY_MAX))}W`;
    case 'lastWorking':
      return 'LW';
    case 'late':
      return String(draw.integer(28, 31));
    default:
      return field(draw, { low: 1, high: 31 });
  }
}

/** @returns {string} */
function dayOfWeek(/** @type {Drawing} */ draw) {
  const weekday = () => value(draw, { low: 1, high: 7, names: WEEKDAYS });
  switch (draw.kind({ plain: 5, saturday: 1, last: 2, nth: 3 })) {
    case 'saturday':
      return 'L';
    case 'last':
      return `${weekday()}L`;
    case 'nth':
      return `${weekday()}#${String(draw.integer(1, 5))}`;
    default:
      return field(draw, { low: 1, high: 7, names: WEEKDAYS });
  }
}

/** With the space before it; empty where it is left out. @returns {string} */
function yearField(/** @type {Drawing} */ draw, /** @type {number} */ startYear) {
  const years = {
    low: draw.kind({ early: 1, near: 3 }) === 'near' ? startYear : 1970,
    high: 2099,
    rangesOnlyForward: true,
  };
  const kind = draw.kind({ absent: 6, every: 2, some: 2 });
  if (kind === 'absent') return '';
  return kind === 'every' ? ' *' : ` ${field(draw, years)}`;
}
