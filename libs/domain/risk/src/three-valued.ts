import { LogicEngine } from 'json-logic-engine';

/** Undefined: it depends on something that nobody knows of this payment. */
type Truth = boolean | undefined;
type Evaluate = (facts: object) => Truth;
type Facts = Readonly<Record<string, unknown>>;

/**
 * What an expression may use: comparisons, arithmetic, texts and choices. Nothing repeats, so it takes as many
 * steps as it has parts; with so few parts that is far below a millisecond.
 */
export const operators = [
  ...(['var', '==', '===', '!=', '!==', '<', '<=', '>', '>='] as const),
  ...(['and', 'or', '!', '!!', 'if', 'in', 'missing'] as const),
  ...(['+', '-', '*', '/', '%', 'min', 'max', 'cat', 'substr'] as const),
] as const;

/** What `var` becomes where the value counts: names of ours, which no expression may have. */
const FACT = 'known fact';
const PARAMETER = 'known parameter';
/** Thrown where an expression reads what is not there; made once, because most payments lack something. */
const ABSENT = new Error('A fact is absent.');

const engine = new LogicEngine({
  ...Object.fromEntries(
    Object.entries(new LogicEngine().methods as Record<string, object>).filter(([name]) =>
      (operators as readonly string[]).includes(name),
    ),
  ),
  [FACT]: reading((name, facts) => facts[name]),
  [PARAMETER]: reading((name, { parameters }) => (parameters as Facts)[name]),
});

/** Each is built once. */
const built = new WeakMap<object, Evaluate>();

/** Whether an expression can be evaluated. */
export function isBuildable(expression: object): boolean {
  try {
    evaluatorOf(expression);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether an expression without faults holds; one that fails on these facts does not, nor one that depends on
 * a fact that is not there. JSON Logic takes nothing for 0, so "less than 5" would hold for whatever was not
 * sent, and two countries that nobody knows would be equal. Here an absent fact makes whatever is computed of
 * it unknown, also what denies it; `and` and `or` know their answer where their other parts suffice. `!!` and
 * `missing` ask whether a fact is there, and `var` with a second value says what counts in its place.
 */
export function expressionHolds(expression: unknown, facts: object): boolean {
  if (!isObject(expression)) return false;
  return evaluatorOf(expression)(facts) === true;
}

function evaluatorOf(expression: object): Evaluate {
  let evaluate = built.get(expression);
  if (evaluate === undefined) {
    evaluate = truthOf(expression);
    built.set(expression, evaluate);
  }
  return evaluate;
}

function truthOf(expression: unknown): Evaluate {
  const [[operator, given] = [], ...more] = isObject(expression) ? Object.entries(expression) : [];
  if (more.length > 0) return computed(expression);
  const parts: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (operator === 'and' || operator === 'or') return joined(parts.map(truthOf), operator === 'or');
  if (operator === '!' && parts.length === 1) {
    const denied = truthOf(parts[0]);
    return (facts) => {
      const truth = denied(facts);
      return truth === undefined ? undefined : !truth;
    };
  }
  return computed(expression);
}

/** What `or` (true) and `and` (false) know as soon as one part says so. */
function joined(parts: readonly Evaluate[], decisive: boolean): Evaluate {
  return (facts) => {
    let truth: Truth = !decisive;
    for (const part of parts) {
      const found = part(facts);
      if (found === decisive) return decisive;
      if (found === undefined) truth = undefined;
    }
    return truth;
  };
}

function computed(expression: unknown): Evaluate {
  const evaluate = engine.build(readingKnown(expression)) as (facts: object) => unknown;
  return (facts) => {
    try {
      const value = evaluate(facts);
      // JSON Logic's own truth: an empty list, as `missing` answers, is none.
      return Array.isArray(value) ? value.length > 0 : Boolean(value);
    } catch {
      return undefined;
    }
  };
}

/** The same expression, in which `var` fails where nothing is there; `!!` asks just that. */
function readingKnown(expression: unknown): unknown {
  if (Array.isArray(expression)) return expression.map(readingKnown);
  if (!isObject(expression)) return expression;
  const entries = Object.entries(expression).map(([operator, given]): [string, unknown] => {
    const parts: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (operator === 'missing') return [operator, given];
    if (operator === 'var') {
      return parts.length > 1
        ? [operator, [parts[0], ...parts.slice(1).map(readingKnown)]]
        : readingOf(String(parts[0]));
    }
    const asksWhether = operator === '!!' && parts.length === 1 && isVariable(parts[0]);
    return [operator, asksWhether ? parts : readingKnown(given)];
  });
  return Object.fromEntries(entries);
}

function isVariable(expression: unknown): boolean {
  return isObject(expression) && 'var' in expression;
}

/** A dot leads into `parameters`, those of names are escaped. */
const PARAMETERS = 'parameters.';

function readingOf(name: string): [string, unknown] {
  return name.startsWith(PARAMETERS)
    ? [PARAMETER, [name.slice(PARAMETERS.length).replaceAll('\\.', '.')]]
    : [FACT, [name]];
}

function reading(valueOf: (name: string, facts: Facts) => unknown): object {
  const method = (name: string, facts: Facts): unknown => {
    const value = valueOf(name, facts);
    if (value === undefined || value === null || value === '') throw ABSENT;
    return value;
  };
  return { method, deterministic: false, optimizeUnary: true };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
