/** What a selector of an expression names. */
export interface Selector {
  readonly metric: string;
  /** Those it is narrowed by. */
  readonly labels: readonly string[];
}

const COMMENTS = /#.{0,300}/g;
const STRINGS = /"[^"]{0,500}"/g;
const GROUPINGS = /\b(?:by|without|on|ignoring|group_left|group_right) ?\(([^()]{0,200})\)/g;
const DURATIONS = /\[[^[\]]{0,50}\]/g;
/** A name that begins no number and no unit, with what is in braces behind it. */
const SELECTORS = /(?<![\w:.])([a-zA-Z_:][\w:]{0,100})(?:\{([^{}]{0,500})\})?/g;
const WORDS = new Set(['and', 'or', 'unless', 'offset', 'bool']);

/**
 * The metrics in an expression. promtool says whether it is right; this says what it is about, and
 * knows no more of the language than our own expressions use.
 */
export function selectorsIn(expression: string): readonly Selector[] {
  const text = [COMMENTS, STRINGS, GROUPINGS, DURATIONS].reduce(
    (rest, pattern) => rest.replaceAll(pattern, ' '),
    expression,
  );
  return [...text.matchAll(SELECTORS)].flatMap(({ 0: whole, 1: metric = '', 2: inside, index }) => {
    const isFunction = text
      .slice(index + whole.length)
      .trimStart()
      .startsWith('(');
    if (WORDS.has(metric) || (isFunction && inside === undefined)) return [];
    return [{ metric, labels: labelsOf(inside ?? '') }];
  });
}

/** The labels that an expression groups by. */
export function groupingsIn(expression: string): readonly string[] {
  return [...expression.matchAll(GROUPINGS)].flatMap(({ 1: labels = '' }) => namesIn(labels));
}

/** Strings have been taken out, so that every comma parts two matchers. */
function labelsOf(inside: string): readonly string[] {
  return namesIn(inside).map((matcher) => matcher.split(/[\s=!~]/, 1).join(''));
}

function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
