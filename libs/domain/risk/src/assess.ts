import { type RiskDecision, riskDecisions } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import { type Condition, type PlacedRules, type Rule } from './rules.js';
import { heldBy, type Inputs, isAfterAuthorization, type Judged } from './conditions.js';
import type { Facts } from './facts.js';
import type { Counted } from './windows.js';

/** A rule that held, and what it saw. */
export interface Fired {
  readonly nodeId: string;
  readonly id: string;
  readonly name: string;
  readonly inputs: Inputs;
}

/** What the rules decide of a payment. */
export interface Assessment {
  readonly decision: RiskDecision;
  /** Of a rejection or a review. */
  readonly resultCode?: string;
  readonly score: number;
  readonly fired: readonly Fired[];
}

/** What a score alone leads to, and a kind of rule that has no code of its own. */
const BY_SCORE: Readonly<Partial<Record<RiskDecision, string>>> = {
  reject: codes.riskRejected,
  review: codes.approvedForReview,
};

/** Interface 2.2, `risk.score`. */
const SCORE_MAX = 99_999;

/**
 * Applies the rules of a payment's nodes, the highest node first.
 *
 * - The strictest decision of all rules that hold counts: accept < challenge < review < reject.
 * - A rule that accepts ends the assessment where it stands in the tree: the other rules of its node and those
 *   of the nodes below are not applied. So what is above cannot be overruled from below.
 * - Scores are added; the thresholds are those of the lowest node that has some.
 * - A payout is gone once it is made and cannot wait for a person, so what somebody would look at is rejected.
 * @param nodes the payment's channel first, then every node above it
 */
export function assess(nodes: readonly PlacedRules[], facts: Facts, counted: Counted): Assessment {
  // Of each node one, which all of its rules look at.
  let judged: Judged | undefined;
  return judge(nodes, facts, ({ when }, nodeId) => {
    if (judged?.nodeId !== nodeId) judged = { nodeId, facts, counted };
    return heldBefore(when, judged);
  });
}

/** Rules about what the issuer found wait until somebody has asked him. */
function heldBefore(when: Condition, judged: Judged): Inputs | undefined {
  const waits = judged.facts.checks === undefined && isAfterAuthorization(when);
  return waits ? undefined : heldBy(when, judged);
}

/** What rules decide of which it is known whether they hold. */
export function judge(
  nodes: readonly PlacedRules[],
  { operation }: Pick<Facts, 'operation'>,
  heldOf: (rule: Rule, nodeId: string) => Inputs | undefined,
): Assessment {
  const fired: (Fired & { readonly rule: Rule })[] = [];
  for (const { nodeId, rules } of nodes.toReversed()) {
    const held: typeof fired = [];
    for (const rule of rules) {
      const inputs = heldOf(rule, nodeId);
      if (inputs !== undefined) held.push({ rule, nodeId, id: rule.id, name: rule.name, inputs });
    }
    const accepting = held.filter(({ rule }) => rule.decision === 'accept');
    if (accepting.length > 0) {
      fired.push(...accepting);
      break;
    }
    fired.push(...held);
  }
  const sum = fired.reduce((points, { rule }) => points + (rule.score ?? 0), 0);
  const score = Math.max(-SCORE_MAX, Math.min(SCORE_MAX, sum));
  const ofScore = decisionOfScore(score, nodes);
  const decided = fired.map(({ rule }) => rule.decision ?? 'accept');
  const ruled = strictest([ofScore, ...decided]);
  const decisive = fired.find(({ rule }) => rule.decision === ruled)?.rule;
  const isUnheld = ruled === 'review' && operation === 'credit';
  const decision = isUnheld ? 'reject' : ruled;
  const resultCode = isUnheld ? codes.riskRejected : codeOf(ruled, decisive);
  return {
    ...{ decision, score, fired: fired.map(({ rule: _, ...each }) => each) },
    ...(resultCode !== undefined && { resultCode }),
  };
}

function decisionOfScore(score: number, nodes: readonly PlacedRules[]): RiskDecision {
  const { rejectFrom = Infinity } = nodes.find((node) => node.rejectFrom !== undefined) ?? {};
  const { reviewFrom = Infinity } = nodes.find((node) => node.reviewFrom !== undefined) ?? {};
  if (score >= rejectFrom) return 'reject';
  return score >= reviewFrom ? 'review' : 'accept';
}

function strictest(decisions: readonly RiskDecision[]): RiskDecision {
  return riskDecisions.findLast((each) => decisions.includes(each)) ?? 'accept';
}

function codeOf(decision: RiskDecision, rule: Rule | undefined): string | undefined {
  if (decision !== 'reject' && decision !== 'review') return undefined;
  if (rule?.resultCode !== undefined) return rule.resultCode;
  const ofKind = rule && (decision === 'reject' ? rejectionCode(rule.when) : reviewCode(rule.when));
  return ofKind ?? BY_SCORE[decision];
}

/** The code of a review by its kind of rule (result codes 000.400.0). */
function reviewCode(when: Condition): string | undefined {
  if (when.kind !== 'checks') return undefined;
  return when.cvv === undefined ? '000.400.010' : '000.400.020';
}

/** The code of a rejection by its kind of rule (result codes 800.120, 800.300, 800.400 and 800.100). */
function rejectionCode(when: Condition): string | undefined {
  if (when.kind === 'velocity') {
    const ofPayer = when.atMostSum === undefined ? TOO_MANY : TOO_MUCH;
    return ofPayer[when.by];
  }
  if (when.kind === 'checks') {
    return when.cvv === undefined ? '800.400.100' : '800.100.153';
  }
  if (when.kind === 'proxy') return '800.300.302';
  return when.kind === 'list' ? LISTED[when.by] : undefined;
}

const TOO_MANY = {
  card: '800.120.101',
  ip: '800.120.102',
  email: '800.120.103',
  ...{ device: '800.120.401', customer: '800.120.401' },
};
const TOO_MUCH = {
  card: '800.120.201',
  ip: '800.120.202',
  email: '800.120.203',
  ...{ device: '800.120.200', customer: '800.120.200' },
};
const LISTED = {
  ...{ card: '800.300.101', customer: '800.300.101', device: '800.300.101' },
  ...{ country: '800.300.102', ipCountry: '800.300.102' },
  ...{ email: '800.300.200', emailDomain: '800.300.200' },
  ...{ ip: '800.300.301', ipRange: '800.300.301' },
  bin: '800.300.401',
};

/** When a payment under review is released by itself; undefined: never. */
export function releaseAfterMinutes(nodes: readonly PlacedRules[]): number | undefined {
  return nodes.find((node) => node.releaseAfterMinutes !== undefined)?.releaseAfterMinutes;
}
