import type { Amount } from '@sluice/money';
import type { Facts, Subject } from './facts.js';
import type { CountedPayments, HistoryCondition, PlacedRules, VelocityCondition } from './rules.js';

/** Windows are told in minutes. */
export const MINUTE_MS = 60_000;

/** The longest window; what is older is counted by nobody. */
export const WINDOW_MINUTES_MAX = 30 * 24 * 60;

/** A question to the counts: how many payments of a payer, and how much, since an instant. */
export interface WindowNeeded {
  /** Names the answer: the same for the same question. */
  readonly name: string;
  /** Whose payments: the node of the rule, the mode, the subject and its value. Personal data may be in it. */
  readonly key: string;
  readonly sinceMs: number;
  readonly counts: CountedPayments;
  /** Only payments of this currency; absent: all. */
  readonly currency?: string;
}

/** The answer, without the payment that is judged. */
export interface WindowCount {
  readonly count: number;
  /** In minor units; 0 where no currency was asked for. */
  readonly minor: bigint;
}

/** What windows have, without the payment that is judged. */
export interface WindowCounts {
  /** Undefined where nobody knows the payer: then nothing is counted, and the rule does not hold. */
  before(nodeId: string, when: VelocityCondition, facts: Facts): WindowCount | undefined;
}

/** The answers to `windowsNeeded`, by the names of the questions; one that is not there has nothing. */
export function countsByName(counts: ReadonlyMap<string, WindowCount>): WindowCounts {
  return {
    before: (nodeId, when, facts) => {
      const window = windowOf(nodeId, when, facts);
      return window && (counts.get(window.name) ?? NOTHING_YET);
    },
  };
}

const NOTHING_YET: WindowCount = { count: 0, minor: 0n };

/** What is known of payers when a payment is judged. */
export interface Counted {
  readonly counts: WindowCounts;
  readonly histories: Histories;
}

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
function windowOf(
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

/** The keys of payers whose past some rule looks at, each once. */
export function historiesNeeded(nodes: readonly PlacedRules[], facts: Facts): readonly string[] {
  const keys = nodes.flatMap(({ nodeId, rules }) =>
    rules.flatMap(({ when }) =>
      when.kind === 'history' ? (historyKeyOf(nodeId, when, facts) ?? []) : [],
    ),
  );
  return [...new Set(keys)];
}

/** Whose past a rule looks at; undefined where nobody knows the payer. */
export function historyKeyOf(
  nodeId: string,
  { by }: HistoryCondition,
  facts: Facts,
): string | undefined {
  return keyOf(nodeId, by, facts);
}

/** What a payer has had before the payment that is judged. */
export interface History {
  /** All that were judged, rejected ones among them. */
  readonly payments: number;
  readonly approved: number;
  readonly declined: number;
  readonly chargedBack: number;
}

/** By the keys of payers; one that is not there has none. */
export type Histories = ReadonlyMap<string, History>;

/** Tests and live payments never count for each other. */
function keyOf(nodeId: string, by: Subject, facts: Facts): string | undefined {
  const value = facts.payer[by];
  return value === undefined ? undefined : [nodeId, facts.mode, by, value].join(' ');
}

/** What a window has with the payment that is judged; it is not declined yet. */
export function withThisPayment(
  before: WindowCount,
  amount: Amount,
  { counts, atMostSum: sum }: Pick<VelocityCondition, 'counts' | 'atMostSum'>,
): WindowCount {
  if (counts === 'declined') return before;
  const { count, minor } = before;
  const isAdded = sum?.currency === amount.currency;
  return { count: count + 1, minor: isAdded ? minor + amount.minor : minor };
}
