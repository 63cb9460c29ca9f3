import { LogicEngine } from 'json-logic-engine';

/**
 * What an expression may use: comparisons, arithmetic, texts and choices. Nothing repeats, so it takes as many
 * steps as it has parts; with so few parts that is far below a millisecond.
 */
export const operators = [
  ...(['var', '==', '===', '!=', '!==', '<', '<=', '>', '>='] as const),
  ...(['and', 'or', '!', '!!', 'if', 'in', 'missing'] as const),
  ...(['+', '-', '*', '/', '%', 'min', 'max', 'cat', 'substr'] as const),
] as const;

/** More parts than any rule needs that a person understands. */
export const EXPRESSION_PARTS_MAX = 100;
/** The same of parts within parts. */
export const EXPRESSION_DEPTH_MAX = 10;

/** Each is built once. */
const built = new WeakMap<object, (facts: object) => unknown>();

const engine = new LogicEngine(
  Object.fromEntries(
    Object.entries(new LogicEngine().methods as Record<string, object>).filter(([name]) =>
      (operators as readonly string[]).includes(name),
    ),
  ),
);

/** What is wrong with an expression, in a sentence; undefined if it can be evaluated. */
export function expressionFault(expression: unknown): string | undefined {
  if (!isObject(expression))
    return 'must be an object such as {">": [{"var": "amountMinor"}, 100000]}';
  const parts = partsOf(expression, 0);
  if (parts > EXPRESSION_PARTS_MAX) {
    return `must have at most ${EXPRESSION_PARTS_MAX} parts, ${EXPRESSION_DEPTH_MAX} deep`;
  }
  const unknown = operatorsIn(expression).find((name) => !isOperator(name));
  if (unknown !== undefined) {
    return `has no operator ${JSON.stringify(unknown)}; there are ${operators.join(' ')}`;
  }
  try {
    engine.build(expression);
    return undefined;
  } catch {
    return 'is no expression of JSON Logic';
  }
}

/** Whether an expression without faults holds; one that fails on these facts does not. */
export function expressionHolds(expression: unknown, facts: object): boolean {
  if (!isObject(expression)) return false;
  let evaluate = built.get(expression);
  if (evaluate === undefined) {
    evaluate = engine.build(expression) as (facts: object) => unknown;
    built.set(expression, evaluate);
  }
  try {
    return Boolean(evaluate(facts));
  } catch {
    return false;
  }
}

function isOperator(name: string): boolean {
  return (operators as readonly string[]).includes(name);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function partsOf(value: unknown, depth: number): number {
  if (depth > EXPRESSION_DEPTH_MAX) return Infinity;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + partsOf(each, depth + 1), 1);
}

function operatorsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(operatorsIn);
  if (!isObject(value)) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(operatorsIn)];
}
