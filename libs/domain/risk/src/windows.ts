import type { Amount, AmountText } from '@sluice/money';
import type { Facts } from './facts.js';
import type { PlacedRules, VelocityCondition } from './rules.js';

const MINUTE_MS = 60_000;

/** The longest window; what is older is counted by nobody. */
export const WINDOW_MINUTES_MAX = 30 * 24 * 60;

/** A question to the counts: how many payments of a payer, and how much, since an instant. */
export interface WindowNeeded {
  /** Names the answer: the same for the same question. */
  readonly name: string;
  /** Whose payments: the node of the rule, the mode, the subject and its value. Personal data may be in it. */
  readonly key: string;
  readonly sinceMs: number;
  readonly counts: VelocityCondition['counts'];
  /** Only payments of this currency; absent: all. */
  readonly currency?: string;
}

/** The answer, without the payment that is judged. */
export interface WindowCount {
  readonly count: number;
  /** In minor units; 0 where no currency was asked for. */
  readonly minor: bigint;
}

/** By the names of the questions. */
export type WindowCounts = ReadonlyMap<string, WindowCount>;

/** What has to be counted to apply the rules: one question for each rule of velocity whose payer is known. */
export function windowsNeeded(
  nodes: readonly PlacedRules[],
  facts: Facts,
): readonly WindowNeeded[] {
  return nodes.flatMap(({ nodeId, rules }) =>
    rules.flatMap(({ when }) => {
      const window = when.kind === 'velocity' ? windowOf(nodeId, when, facts) : undefined;
      return window === undefined ? [] : [window];
    }),
  );
}

/** Undefined where nobody knows the payer: then nothing is counted, and the rule does not hold. */
export function windowOf(
  nodeId: string,
  { by, counts, withinMinutes, atMostSum }: VelocityCondition,
  facts: Facts,
): WindowNeeded | undefined {
  const key = keyOf(nodeId, by, facts);
  if (key === undefined) return undefined;
  const currency = atMostSum?.currency;
  return {
    name: [key, counts, String(withinMinutes), currency ?? ''].join(' '),
    ...{ key, counts, sinceMs: facts.atMs - withinMinutes * MINUTE_MS },
    ...(currency !== undefined && { currency }),
  };
}

/** The keys under which a payment counts from now on, each once. */
export function keysOf(nodes: readonly PlacedRules[], facts: Facts): readonly string[] {
  return [...new Set(windowsNeeded(nodes, facts).map(({ key }) => key))];
}

/** Tests and live payments never count for each other. */
function keyOf(nodeId: string, by: VelocityCondition['by'], facts: Facts): string | undefined {
  const value = facts.payer[by];
  return value === undefined ? undefined : [nodeId, facts.mode, by, value].join(' ');
}

/** What a window has with the payment that is judged. */
export function withThisPayment(
  { count, minor }: WindowCount,
  amount: Amount,
  sum: AmountText | undefined,
): WindowCount {
  const isAdded = sum?.currency === amount.currency;
  return { count: count + 1, minor: isAdded ? minor + amount.minor : minor };
}
