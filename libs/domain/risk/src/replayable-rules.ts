import { subjects } from './facts.js';
import type { Mark } from './kept-facts.js';
import type { Condition, ListCondition, Rule, RuleSet } from './rules.js';
import { SCORER_RULE } from './scorer.js';

/** A rule that cannot be applied to what is kept, and why. */
export interface LeftOut {
  readonly id: string;
  readonly reason: string;
}

/** Rules as they can be applied to what is kept. */
export interface ReplayableRules {
  readonly rules: RuleSet;
  readonly leftOut: readonly LeftOut[];
}

/** What expressions see of a payment whose facts are kept. */
const KEPT_NAMES: readonly string[] = [
  ...['mode', 'operation', 'amountMinor', 'currency', 'bin', 'brand'],
  ...['issuerCountry', 'billingCountry', 'shippingCountry', 'ipCountry', 'isProxy'],
];
/** Of these a mark is kept, which says no more than that there was one. */
const MARKED_NAMES: readonly string[] = [...subjects, 'emailDomain'];

/**
 * Turns the values of lists of persons into marks, and leaves out what looks at something that is not kept.
 * @param mark absent where nobody has the key; then lists of persons are left out, too
 */
export function replayableRules(set: RuleSet, mark: Mark | undefined): ReplayableRules {
  const leftOut: LeftOut[] = [];
  const rules = set.rules.flatMap((rule): readonly Rule[] => {
    const reason = reasonAgainst(rule.when, mark);
    if (reason === undefined) return [{ ...rule, when: markedCondition(rule.when, mark) }];
    leftOut.push({ id: rule.id, reason });
    return [];
  });
  const { scorer, ...others } = set;
  if (scorer !== undefined) {
    leftOut.push({ id: SCORER_RULE, reason: 'what a scorer said is not kept' });
  }
  return { rules: { ...others, rules }, leftOut };
}

function reasonAgainst(when: Condition, mark: Mark | undefined): string | undefined {
  if (when.kind === 'list') {
    if (when.by === 'ipRange') return 'addresses are kept as marks, which are in no range';
    const isWithoutKey = mark === undefined && isMarked(when.by);
    return isWithoutKey ? `${when.by} is kept as marks, which need a key` : undefined;
  }
  if (when.kind === 'history') return 'what payers had done by then is not kept';
  if (when.kind === 'checks') return 'what the issuer found is not kept';
  if (when.kind !== 'expression') return undefined;
  const name = namesIn(when.expression).find((each) => !each.isKept)?.name;
  return name === undefined ? undefined : `its expression looks at ${name}, which is not kept`;
}

function isMarked(by: ListCondition['by']): by is Parameters<Mark>[0] {
  return MARKED_NAMES.includes(by);
}

function markedCondition(when: Condition, mark: Mark | undefined): Condition {
  if (when.kind !== 'list' || mark === undefined || !isMarked(when.by)) return when;
  const { by } = when;
  const values = when.values.map((entry) => ({ ...entry, value: mark(by, entry.value) }));
  return { ...when, values };
}

interface SeenName {
  readonly name: string;
  readonly isKept: boolean;
}

/** What an expression looks at. A name that is computed may be any. */
function namesIn(expression: unknown): readonly SeenName[] {
  if (Array.isArray(expression)) return expression.flatMap(namesIn);
  if (typeof expression !== 'object' || expression === null) return [];
  return Object.entries(expression).flatMap(([operator, given]: [string, unknown]) => {
    const parts: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (operator === 'var') return [seen(parts[0], KEPT_NAMES), ...namesIn(parts.slice(1))];
    if (operator === 'missing') {
      return parts.map((name) => seen(name, [...KEPT_NAMES, ...MARKED_NAMES]));
    }
    return namesIn(parts);
  });
}

function seen(name: unknown, kept: readonly string[]): SeenName {
  // The form takes no other name, so this is of a rule that another release has taken.
  const said = typeof name === 'string' ? name : 'a name that it computes';
  return { name: said, isKept: kept.includes(said) };
}
