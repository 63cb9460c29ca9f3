import {
  type AssessmentAfterwards,
  checkedPair,
  everyCheck,
  riskDecisions,
} from '@sluice/contracts';
import { type Assessment, judge } from './assess.js';
import { heldBy, type Inputs, isAfterAuthorization } from './conditions.js';
import type { Facts } from './facts.js';
import type { PlacedRules, Rule } from './rules.js';
import type { Counted } from './windows.js';

/**
 * More rules about what the issuer finds than anybody has: each is looked at 36 times, because it is decided
 * beforehand what every answer of an issuer leads to.
 */
export const RULES_AFTERWARDS_MAX = 20;

/**
 * What the rules will say once an acquirer has said yes, by what the issuer found. What was decided before
 * stays: a yes may lead to something stricter, or to another score.
 * @param before what they say without it
 */
export function assessAfterwards(
  nodes: readonly PlacedRules[],
  facts: Facts,
  counted: Counted,
  before: Assessment,
): readonly AssessmentAfterwards[] {
  const waiting = nodes.flatMap(({ nodeId, rules }) =>
    rules.filter(({ when }) => isAfterAuthorization(when)).map((rule) => ({ nodeId, rule })),
  );
  if (waiting.length === 0 || before.decision === 'reject') return [];
  const held = new Map<Rule, Inputs | undefined>();
  for (const { nodeId, rules } of nodes) {
    for (const rule of rules) {
      if (!isAfterAuthorization(rule.when)) {
        held.set(rule, heldBy(rule.when, { nodeId, facts, counted }));
      }
    }
  }
  const found = new Map<string, { pairs: string[]; after: AssessmentAfterwards | undefined }>();
  for (const checks of everyCheck) {
    const checked = { ...facts, checks };
    const now = new Map(
      waiting.map(({ nodeId, rule }) => [
        rule,
        heldBy(rule.when, { nodeId, facts: checked, counted }),
      ]),
    );
    const holding = waiting.map(({ rule }) => (now.get(rule) === undefined ? '-' : '+')).join('');
    const known = found.get(holding);
    if (known === undefined) {
      const pairs = [checkedPair(checks)];
      const judged = judge(nodes, (rule) => (now.has(rule) ? now.get(rule) : held.get(rule)));
      found.set(holding, { pairs, after: changed(judged, before, pairs) });
    } else known.pairs.push(checkedPair(checks));
  }
  return [...found.values()].flatMap(({ after }) => after ?? []);
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
