import {
  type AssessmentAfterwards,
  type CardChecks,
  checkedPair,
  everyCheck,
  riskDecisions,
} from '@sluice/contracts';
import { type Assessment, judge } from './assess.js';
import { checksLookedAt, heldBy, type Inputs, isAfterAuthorization } from './conditions.js';
import type { Facts } from './facts.js';
import type { PlacedRules, Rule } from './rules.js';
import type { Counted } from './windows.js';

/**
 * More rules about what the issuer finds than anybody has: each is looked at 36 times, because it is decided
 * beforehand what every answer of an issuer leads to.
 */
export const RULES_AFTERWARDS_MAX = 20;

/** What rules say of a payment, and what they will say of its approval. */
export interface Judgement extends Assessment {
  /** Absent where no rule looks at what the issuer finds. */
  readonly afterwards?: readonly AssessmentAfterwards[];
}

/**
 * Everything that the rules say of a new payment; each of them is looked at once. A payout is gone once it is
 * approved, so nothing is said of it afterwards.
 */
export function assessPayment(
  nodes: readonly PlacedRules[],
  facts: Facts,
  counted: Counted,
): Judgement {
  const held = new Map<Rule, Inputs | undefined>();
  const waiting: WaitingRule[] = [];
  for (const { nodeId, rules } of nodes) {
    for (const rule of rules) {
      if (isAfterAuthorization(rule.when)) waiting.push({ nodeId, rule });
      else held.set(rule, heldBy(rule.when, { nodeId, facts, counted }));
    }
  }
  const before = judge(nodes, facts, (rule) => held.get(rule));
  const isOver = before.decision === 'reject' || facts.operation === 'credit';
  if (waiting.length === 0 || isOver) return before;
  const afterwards = assessAfterwards({ nodes, facts, counted, held, waiting, before });
  return afterwards.length === 0 ? before : { ...before, afterwards };
}

interface WaitingRule {
  readonly nodeId: string;
  readonly rule: Rule;
}

interface BeforeAuthorization {
  readonly nodes: readonly PlacedRules[];
  readonly facts: Facts;
  readonly counted: Counted;
  /** What the rules saw that wait for nobody. */
  readonly held: ReadonlyMap<Rule, Inputs | undefined>;
  readonly waiting: readonly WaitingRule[];
  readonly before: Assessment;
}

/**
 * What the rules will say once an acquirer has said yes, by what the issuer found. What was decided before
 * stays: a yes may lead to something stricter, or to another score.
 */
function assessAfterwards({
  nodes,
  facts,
  counted,
  held,
  waiting,
  before,
}: BeforeAuthorization): readonly AssessmentAfterwards[] {
  const found = new Map<string, { pairs: string[]; after: AssessmentAfterwards | undefined }>();
  const factsWith = checkedFacts(facts);
  const heldWith = waiting.map(
    (each) => [each.rule, heldByChecks(each, factsWith, counted)] as const,
  );
  for (const checks of everyCheck) {
    const now = new Map(heldWith.map(([rule, held]) => [rule, held(checks)]));
    const holding = waiting.map(({ rule }) => (now.get(rule) === undefined ? '-' : '+')).join('');
    const known = found.get(holding);
    if (known === undefined) {
      const pairs = [checkedPair(checks)];
      const heldNow = (rule: Rule) => (now.has(rule) ? now.get(rule) : held.get(rule));
      const judged = judge(nodes, facts, heldNow);
      found.set(holding, { pairs, after: changed(judged, before, pairs) });
    } else known.pairs.push(checkedPair(checks));
  }
  return [...found.values()].flatMap(({ after }) => after ?? []);
}

/** What a rule saw, by what the issuer found; looked at once for each word that it looks at. */
function heldByChecks(
  { nodeId, rule: { when } }: WaitingRule,
  factsWith: (checks: CardChecks) => Facts,
  counted: Counted,
): (checks: CardChecks) => Inputs | undefined {
  const { avs, cvv } = checksLookedAt(when);
  const known = new Map<Facts, Inputs | undefined>();
  return ({ avsResponse, cvvResponse }) => {
    const facts = factsWith({
      ...(avs && avsResponse !== undefined && { avsResponse }),
      ...(cvv && cvvResponse !== undefined && { cvvResponse }),
    });
    if (!known.has(facts)) known.set(facts, heldBy(when, { nodeId, facts, counted }));
    return known.get(facts);
  };
}

/** The facts with what the issuer found, made once for all rules. */
function checkedFacts(facts: Facts): (checks: CardChecks) => Facts {
  const made = new Map<string, Facts>();
  return (checks) => {
    const pair = checkedPair(checks);
    const known = made.get(pair) ?? { ...facts, checks };
    made.set(pair, known);
    return known;
  };
}

/** Undefined where nothing changes. */
function changed(
  judged: Assessment,
  before: Assessment,
  pairs: readonly string[],
): AssessmentAfterwards | undefined {
  const { decision, score, resultCode } = judged;
  const fired = judged.fired.map(({ id, name }) => ({ id, name }));
  const [now, then] = [decision, before.decision].map((each) => riskDecisions.indexOf(each));
  if ((now ?? 0) < (then ?? 0) || (now === then && score === before.score)) return undefined;
  const code = now === then ? before.resultCode : resultCode;
  return { pairs, decision, score, fired, ...(code !== undefined && { resultCode: code }) };
}
