import type { AssessQuery } from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { factsOf } from './facts.js';
import { readRuleSet } from './rule-form.js';
import type { PlacedRules } from './rules.js';
import type { Counted, History, WindowCount, WindowCounts } from './windows.js';

/** 2026-11-27, 12:00 UTC. */
export const NOON_MS = Date.UTC(2026, 10, 27, 12);

export const CHANNEL = '8ac7a4c8700000000000000000000001' as EntityId;
export const MERCHANT = '8ac7a4c8700000000000000000000002' as EntityId;

/** A payment of 92.00 EUR by a German card, whose shopper lives in Germany. */
export function question(
  parameters: Readonly<Record<string, string>> = {},
  changes: Partial<AssessQuery> = {},
): AssessQuery {
  return {
    assessmentId: '01a200455885ed5bf7da20fccea873d4' as TransactionId,
    ...{ entityId: CHANNEL, nodes: [CHANNEL, MERCHANT], mode: 'INTERNAL', operation: 'debit' },
    amount: { minor: '9200', currency: 'EUR' },
    ...{ receivedAtMs: NOON_MS, accountFingerprint: 'f1', issuerCountry: 'DE' },
    instrument: {
      ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
      ...{ expiryMonth: '05', expiryYear: '2034' },
    },
    parameters: {
      ...{ 'customer.email': 'Jane@Shop.example', 'customer.ip': '192.0.2.17' },
      ...{ 'billing.country': 'DE', ...parameters },
    },
    ...changes,
  };
}

/** Its facts; nobody knows anything of its address. */
export const facts = (...args: Parameters<typeof question>) =>
  factsOf(question(...args), () => ({}));

/** The rules of a node, as a file has them. */
export function placed(rules: readonly object[], more: object = {}, nodeId = CHANNEL): PlacedRules {
  return { nodeId, ...readRuleSet({ rules, ...more }) };
}

/** A rule as a file has it. */
export function rule(when: object, changes: object = {}): object {
  return { id: 'a-rule', name: 'A rule', when, then: 'reject', ...changes };
}

/** Every window has this, of a payer who is known. */
function sameCounts(count: WindowCount): WindowCounts {
  return { before: (_, { by }, { payer }) => (payer[by] === undefined ? undefined : count) };
}

/** What a payer has, whoever it is and whatever is asked. */
export function counted(
  { count, minor }: WindowCount = { count: 0, minor: 0n },
  history?: Partial<History>,
): Counted {
  const before = { payments: 0, approved: 0, declined: 0, chargedBack: 0, ...history };
  return { counts: sameCounts({ count, minor }), histories: new SameHistory(before) };
}

/** Every payer has this. */
class SameHistory extends Map<string, History> {
  constructor(private readonly history: History) {
    super();
  }

  override get(): History {
    return this.history;
  }
}
