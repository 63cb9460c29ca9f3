import { subjects } from './facts.js';
import { isBuildable, operators } from './three-valued.js';

/** More parts than any rule needs that a person understands. */
export const EXPRESSION_PARTS_MAX = 100;
/** The same of parts within parts. */
export const EXPRESSION_DEPTH_MAX = 10;

/** What `var` and `missing` may name besides `parameters.…`: what conditions.ts gives to expressions. */
export const expressionNames = [
  ...(['amountMinor', 'currency', 'mode', 'operation', 'bin', 'brand', 'emailDomain'] as const),
  ...(['issuerCountry', 'billingCountry', 'shippingCountry'] as const),
  ...(['avsResponse', 'cvvResponse', 'ipCountry', 'isProxy'] as const),
  ...(['isEmailReadable', 'isIpReadable'] as const),
  ...subjects,
] as const;
const PARAMETERS = 'parameters';
/** A dot within a name; others lead into a value. */
const ESCAPED_DOT = '\\.';

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
  const nothing = namesIn(expression).find((name) => !isName(name));
  if (nothing !== undefined) {
    return `knows nothing of the name ${JSON.stringify(nothing)}; there are ${expressionNames.join(' ')} and ${PARAMETERS}.NAME, with \\\\. for each dot of NAME`;
  }
  return isBuildable(expression) ? undefined : 'is no expression of JSON Logic';
}

/** Each is looked through once. */
const seen = new WeakMap<object, ReadonlySet<unknown>>();

/** What an expression names. */
export function namesOf(expression: unknown): ReadonlySet<unknown> {
  if (!isObject(expression)) return NO_NAMES;
  const known = seen.get(expression);
  if (known !== undefined) return known;
  const names = new Set(namesIn(expression));
  seen.set(expression, names);
  return names;
}

const NO_NAMES: ReadonlySet<unknown> = new Set();

/** The parameters that an expression reads, by wire name. */
export function parametersRead(expression: unknown): readonly string[] {
  return [...namesOf(expression)].flatMap((name) => parameterOf(name) ?? []);
}

/** The wire name of the parameter that a name in an expression stands for; undefined of all others. */
export function parameterOf(name: unknown): string | undefined {
  const prefix = `${PARAMETERS}.`;
  return typeof name === 'string' && name.startsWith(prefix)
    ? name.slice(prefix.length).replaceAll(ESCAPED_DOT, '.')
    : undefined;
}

function isOperator(name: string): boolean {
  return (operators as readonly string[]).includes(name);
}

/** A name that nothing has would be a rule that does nothing, and a dot that is not escaped is the usual reason. */
function isName(name: unknown): name is string {
  if (typeof name !== 'string') return false;
  const [first, second, ...more] = name.replaceAll(ESCAPED_DOT, ' ').split('.');
  if (first === PARAMETERS) return second !== undefined && second !== '' && more.length === 0;
  return second === undefined && (expressionNames as readonly string[]).includes(name);
}

/** What `var` (its default aside) and `missing` name; not a text where it is computed. */
function namesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([operator, operand]) => {
    const operands: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
    if (operator === 'missing') return operands;
    return operator === 'var'
      ? [operands[0], ...operands.slice(1).flatMap(namesIn)]
      : namesIn(operand);
  });
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
