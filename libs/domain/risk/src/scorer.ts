import type { AssessQuery, RiskDecision } from '@sluice/contracts';
import { isoDecimal } from '@sluice/money';
import type { Facts } from './facts.js';
import type { PlacedRules, Rule, ScorerUse } from './rules.js';

/** What a scorer may decide by itself; that it accepts overrules nothing. */
export const scorerDecisions = ['accept', 'review', 'reject'] as const;

/** As the rule is called that a scorer's answer is applied as. */
export const SCORER_RULE = 'scorer';

/** Points that a scorer may add; more than all thresholds. */
export const SCORER_POINTS_MAX = 1_000;

/** What a scorer said. */
export interface ScorerAnswer {
  readonly score: number;
  readonly decision?: (typeof scorerDecisions)[number];
}

/** What a scorer is asked (Interface 2.18); the names are of its JSON. */
export interface ScorerQuestion {
  /** The same where it is asked again. */
  readonly id: string;
  readonly entityId: string;
  readonly mode: string;
  readonly operation?: string;
  readonly channelId?: string;
  readonly serviceId?: string;
  /** `risk.amount` where it was sent. */
  readonly amount: string;
  readonly currency: string;
  readonly brand?: string;
  readonly orderTimestamp: string;
  readonly merchantWebsite?: string;
  readonly accountToken?: string;
  readonly card?: {
    readonly bin?: string;
    readonly last4?: string;
    readonly issuerCountry?: string;
  };
  /** `risk.parameters[NAME]`, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Everything else that was sent and may be kept, by wire name. */
  readonly sent: Readonly<Record<string, string>>;
}

/** The nearest node with a scorer, and how it uses it. */
export function scorerOf(nodes: readonly PlacedRules[]): ScorerUse | undefined {
  return nodes.find(({ scorer }) => scorer !== undefined)?.scorer;
}

const PARAMETER = /^risk\.parameters\[(.+)\]$/;

/** What to ask about a payment. What was sent takes the place of what the node says. */
export function scorerQuestion(query: AssessQuery, facts: Facts, use: ScorerUse): ScorerQuestion {
  const { assessmentId: id, entityId, mode, operation, parameters: all, instrument } = query;
  const { amount, bin, brand: paid, issuerCountry } = facts;
  const entries = Object.entries(all);
  const named = entries.flatMap(([name, value]) => {
    const [, own] = PARAMETER.exec(name) ?? [];
    return own === undefined ? [] : [[own, value] as const];
  });
  const said = (name: string) => all[`risk.${name}`];
  const last4 = 'last4' in instrument ? instrument.last4 : undefined;
  const [channelId, serviceId] = [
    said('channelId') ?? use.channelId,
    said('serviceId') ?? use.serviceId,
  ];
  const [brand, website, token] = [
    said('brand') ?? paid,
    said('merchantWebsite'),
    said('accountToken'),
  ];
  const orderTimestamp = said('orderTimestamp') ?? timestampOf(facts.atMs);
  return {
    ...{ id, entityId, mode, amount: isoDecimal(amount), currency: amount.currency },
    ...(operation !== undefined && { operation }),
    ...(channelId !== undefined && { channelId }),
    ...(serviceId !== undefined && { serviceId }),
    ...(brand !== undefined && { brand }),
    orderTimestamp,
    ...(website !== undefined && { merchantWebsite: website }),
    ...(token !== undefined && { accountToken: token }),
    ...(bin !== undefined && {
      card: {
        bin,
        ...(last4 !== undefined && { last4 }),
        ...(issuerCountry !== undefined && { issuerCountry }),
      },
    }),
    parameters: Object.fromEntries(named),
    sent: Object.fromEntries(entries.filter(([name]) => !name.startsWith('risk.'))),
  };
}

/** As Interface 2.18 writes `risk.orderTimestamp`, in UTC. */
function timestampOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 'yyyy-MM-ddThh:mm:ss'.length).replace('T', ' ');
}

/** What an answer says; undefined where it is none. */
export function scorerAnswer(value: unknown): ScorerAnswer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { score, decision: said } = value as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(score)) return undefined;
  if ((score as number) < 0 || (score as number) > SCORER_POINTS_MAX) return undefined;
  const decision = scorerDecisions.find((each) => each === said);
  if (said !== undefined && decision === undefined) return undefined;
  return { score: score as number, ...(decision !== undefined && { decision }) };
}

/** Result codes of external risk checks. */
const BY_SCORER: Readonly<Partial<Record<RiskDecision, string>>> = {
  reject: '100.400.020',
  review: '000.400.090',
};
/** Those of a service that was away. */
const BY_ABSENCE: Readonly<Partial<Record<RiskDecision, string>>> = {
  reject: '100.380.501',
  review: '000.400.080',
};

/** The rules with one more at the end of the node's that asked: what its scorer said, or that it was away. */
export function withScorer(
  nodes: readonly PlacedRules[],
  answer: ScorerAnswer | 'away',
): readonly PlacedRules[] {
  const at = nodes.findIndex(({ scorer }) => scorer !== undefined);
  return nodes.map((node, index) => {
    if (index !== at || node.scorer === undefined) return node;
    return { ...node, rules: [...node.rules, ruleOf(node.scorer, answer)] };
  });
}

function ruleOf({ name, whenAway }: ScorerUse, answer: ScorerAnswer | 'away'): Rule {
  const [said, codesOf] =
    answer === 'away'
      ? [{ score: 0, decision: whenAway }, BY_ABSENCE]
      : [{ decision: undefined, ...answer }, BY_SCORER];
  const { score, decision } = said;
  // To let a payment pass is not to spare it the other rules.
  const isStrict = decision === 'review' || decision === 'reject';
  const resultCode = decision && codesOf[decision];
  const inputs = answer === 'away' ? { away: whenAway } : { score: String(score) };
  return {
    ...{ id: SCORER_RULE, name, score, when: { kind: 'scored', inputs } },
    ...(isStrict && { decision }),
    ...(isStrict && resultCode !== undefined && { resultCode }),
  };
}
