import { type Mode, type RiskDecision, riskDecisions } from '@sluice/contracts';
import { assess, type Fired } from './assess.js';
import type { Facts } from './facts.js';
import type { PaymentOutcome } from './payment-outcome.js';
import type { CountedPayments, PlacedRules, VelocityCondition } from './rules.js';
import { type SlidingWindow, slidingWindow } from './sliding-window.js';
import { type Histories, MINUTE_MS, type WindowCounts } from './windows.js';

/**
 * What became of a payment, as it counts when rules are tried: `chargedBack` is what the issuer has not given back
 * again, `unwanted` what somebody has rejected, `underReview` what nobody has decided yet.
 */
export type PastOutcome = PaymentOutcome['outcome'] | 'chargedBack' | 'unwanted' | 'underReview';

/** The same that windows and histories go by, and whether it was a loss. */
export function pastOutcome(found: PaymentOutcome): PastOutcome {
  const { outcome, chargedBack, isRejectedByReview, isUnderReview } = found;
  if (chargedBack) return 'chargedBack';
  if (isRejectedByReview) return 'unwanted';
  return isUnderReview ? 'underReview' : outcome;
}

/** A payment that rules have judged. */
export interface PastPayment {
  readonly id: string;
  /** With marks in the place of persons, see factsAsKept. */
  readonly facts: Facts;
  /** Its channel first, then every node above it. */
  readonly nodes: readonly string[];
  readonly decided: RiskDecision;
  /** What the rules said once the issuer was asked, where they said anything. */
  readonly decidedAfterwards?: RiskDecision;
  readonly outcome: PastOutcome;
}

/** How many, and how much, by currency. */
export type Tally = ReadonlyMap<string, { readonly payments: number; readonly minor: bigint }>;

/** What a rule would have done. */
export interface RuleTally {
  readonly nodeId: string;
  readonly id: string;
  readonly name: string;
  /** It held. */
  readonly held: Tally;
  /** Of those caught and those refused in the whole, the ones on which it held. */
  readonly caught: Tally;
  readonly refused: Tally;
}

/** What other rules would have done. */
export interface WhatIf {
  readonly replayed: Tally;
  readonly before: Readonly<Record<RiskDecision, Tally>>;
  readonly after: Readonly<Record<RiskDecision, Tally>>;
  /** Charged back: it went on then, and would be rejected. */
  readonly caught: Tally;
  /** Charged back: nobody looked at it then, and somebody would. */
  readonly lookedAt: Tally;
  /** Charged back, and it would go on again, with nobody looking at it. */
  readonly missed: Tally;
  /** Approved and never charged back, and would be rejected. */
  readonly refused: Tally;
  /**
   * Rejected then before an acquirer was asked, and would go on: nobody knows what would have become of it. What
   * was rejected afterwards is not among them, because rules about what the issuer finds are not replayed.
   */
  readonly admitted: Tally;
  /** Somebody has rejected it, and it would be rejected without anybody. */
  readonly foreseen: Tally;
  /** Somebody has rejected it, and nobody would look at it. */
  readonly overlooked: Tally;
  /** Nobody has decided about it yet, and it would be rejected. */
  readonly undecided: Tally;
  /** How many were checks alone: they count in windows, and are no money, so no sum has them. */
  readonly checksAlone: number;
  /** How many payments of the sums were live, and how many were tests of which kind. */
  readonly modes: ReadonlyMap<Mode, number>;
  /** The first of the caught and the refused, by id. */
  readonly caughtIds: readonly string[];
  readonly refusedIds: readonly string[];
  /** Every rule that held once at least. */
  readonly rules: readonly RuleTally[];
}

/** How to replay. */
export interface ReplayOptions {
  /** The rules of a payment's nodes as they would be; the same objects for the same nodes. */
  readonly rulesOf: (nodes: readonly string[]) => readonly PlacedRules[];
  /** Of which payments the result tells. All others are only counted, as they were decided then. */
  readonly isTold: (payment: PastPayment) => boolean;
}

/** A replay under way. */
export interface Replay {
  /** Payments in the order of their times, and of their ids at the same time. */
  take(payments: Iterable<PastPayment>): void;
  result(): WhatIf;
}

/** As many ids as somebody looks through. */
const IDS_MAX = 1_000;

type Writable = Map<string, { payments: number; minor: bigint }>;

/**
 * Applies rules to payments of the past. Counts of velocity are exact: each payment that would not have been
 * rejected counts as passed for those after it, unless rules rejected it once the issuer was asked.
 */
export function startReplay({ rulesOf, isTold }: ReplayOptions): Replay {
  const lanesOf = lanesByRules();
  const sums = emptySums();
  const judge = (payment: PastPayment): void => {
    const { facts, nodes } = payment;
    const placed = rulesOf(nodes);
    const lanes = lanesOf(placed, facts.mode);
    const isNoted = isTold(payment);
    const counts = countsIn(lanes);
    const { decision, fired } = assess(placed, facts, { counts, histories: NO_HISTORIES });
    const passed =
      (isNoted ? decision : payment.decided) !== 'reject' && !isRejectedAfterwards(payment);
    for (const { lane, when } of lanes.each) {
      const { by, counts: which, atMostSum } = when;
      const payer = facts.payer[by];
      if (payer === undefined || !isCounted(which, passed, payment.outcome)) continue;
      const isAdded = atMostSum?.currency === facts.amount.currency;
      lane.add(payer, facts.atMs, isAdded ? facts.amount.minor : 0n);
    }
    if (isNoted) note(sums, payment, decision, fired);
  };
  return {
    take: (payments) => {
      for (const payment of payments) judge(payment);
    },
    result: () => ({ ...sums, rules: [...sums.rules.values()] }),
  };
}

/** Rules that look at histories are left out, see replayableRules. */
const NO_HISTORIES: Histories = new Map();

/** Rules about what the issuer finds are not replayed: what they have rejected then stays so. */
function isRejectedAfterwards({ decided, decidedAfterwards }: PastPayment): boolean {
  return decided !== 'reject' && decidedAfterwards === 'reject';
}

/** What became of a payment was known within seconds, so nearly always before the payer's next one. */
function isCounted(which: CountedPayments, passed: boolean, outcome: PastOutcome): boolean {
  switch (which) {
    case 'all':
      return true;
    case 'passed':
      return passed;
    case 'approved':
      return passed && APPROVED.includes(outcome);
    case 'declined':
      return passed && outcome === 'declined';
  }
}

const APPROVED: readonly PastOutcome[] = ['approved', 'chargedBack', 'underReview'];

/** The windows of the rules of a path. */
interface Lanes {
  /** By node, and by the condition that asks. */
  readonly byNode: ReadonlyMap<string, ReadonlyMap<VelocityCondition, SlidingWindow>>;
  /** Each once, with one of the conditions that ask. */
  readonly each: readonly { readonly lane: SlidingWindow; readonly when: VelocityCondition }[];
}

/** What a payment's windows have had before it. */
function countsIn({ byNode }: Lanes): WindowCounts {
  return {
    before: (nodeId, when, { payer, atMs }) => {
      const by = payer[when.by];
      if (by === undefined) return undefined;
      return byNode
        .get(nodeId)
        ?.get(when)
        ?.before(by, atMs - when.withinMinutes * MINUTE_MS);
    },
  };
}

/** Found once for all payments of the same rules and mode, for a name takes longer than to count. */
function lanesByRules(): (placed: readonly PlacedRules[], mode: Mode) => Lanes {
  const lanes = new Map<string, SlidingWindow>();
  const known = new Map<readonly PlacedRules[], Map<Mode, Lanes>>();
  return (placed, mode) => {
    const byMode = known.get(placed) ?? new Map<Mode, Lanes>();
    const found = byMode.get(mode) ?? lanesIn(placed, mode, lanes);
    byMode.set(mode, found);
    known.set(placed, byMode);
    return found;
  };
}

function lanesIn(
  placed: readonly PlacedRules[],
  mode: Mode,
  lanes: Map<string, SlidingWindow>,
): Lanes {
  const byNode = new Map<string, Map<VelocityCondition, SlidingWindow>>();
  const each = new Map<SlidingWindow, VelocityCondition>();
  for (const { nodeId, rules } of placed) {
    const ofNode = new Map<VelocityCondition, SlidingWindow>();
    for (const { when } of rules) {
      if (when.kind !== 'velocity') continue;
      const lane = laneOf(lanes, nodeId, when, mode);
      ofNode.set(when, lane);
      each.set(lane, when);
    }
    byNode.set(nodeId, ofNode);
  }
  return { byNode, each: [...each].map(([lane, when]) => ({ lane, when })) };
}

/** One for each kind of question, so that the payer alone is the key in it. */
function laneOf(
  lanes: Map<string, SlidingWindow>,
  nodeId: string,
  { by, counts, withinMinutes, atMostSum }: VelocityCondition,
  mode: Mode,
): SlidingWindow {
  const currency = atMostSum?.currency ?? '';
  const name = `${nodeId} ${mode} ${by} ${counts} ${String(withinMinutes)} ${currency}`;
  let lane = lanes.get(name);
  if (lane === undefined) {
    lane = slidingWindow(atMostSum !== undefined);
    lanes.set(name, lane);
  }
  return lane;
}

interface WritableRule extends RuleTally {
  readonly held: Writable;
  readonly caught: Writable;
  readonly refused: Writable;
}

function emptySums() {
  const byDecision = () =>
    Object.fromEntries(
      riskDecisions.map((each) => [each, new Map() as Writable] as const),
    ) as Record<RiskDecision, Writable>;
  return {
    ...{ replayed: new Map() as Writable, before: byDecision(), after: byDecision() },
    ...{ caught: new Map() as Writable, lookedAt: new Map() as Writable },
    ...{ missed: new Map() as Writable, refused: new Map() as Writable },
    ...{ admitted: new Map() as Writable, foreseen: new Map() as Writable },
    ...{ overlooked: new Map() as Writable, undecided: new Map() as Writable },
    modes: new Map<Mode, number>(),
    ...{ checksAlone: 0, rules: new Map<string, WritableRule>() },
    ...{ caughtIds: [] as string[], refusedIds: [] as string[] },
  };
}

function note(
  sums: ReturnType<typeof emptySums>,
  { id, facts, decided: before, decidedAfterwards, outcome }: PastPayment,
  decision: RiskDecision,
  fired: readonly Fired[],
): void {
  if (facts.operation === undefined) {
    sums.checksAlone += 1;
    return;
  }
  sums.modes.set(facts.mode, (sums.modes.get(facts.mode) ?? 0) + 1);
  const decided = decidedAfterwards ?? before;
  const add = (tally: Writable): void => {
    const { currency } = facts.amount;
    // Money is what is paid, whatever amount the merchant has rules judge.
    const minor = facts.paidMinor === undefined ? facts.amount.minor : BigInt(facts.paidMinor);
    const known = tally.get(currency);
    if (known === undefined) tally.set(currency, { payments: 1, minor });
    else {
      known.payments += 1;
      known.minor += minor;
    }
  };
  for (const tally of [sums.replayed, sums.before[decided], sums.after[decision]]) add(tally);
  const isStopped = decided !== 'reject' && decision === 'reject';
  const isCaught = isStopped && outcome === 'chargedBack';
  const isRefused = isStopped && outcome === 'approved';
  if (isCaught) {
    add(sums.caught);
    if (sums.caughtIds.length < IDS_MAX) sums.caughtIds.push(id);
  }
  if (isRefused) {
    add(sums.refused);
    if (sums.refusedIds.length < IDS_MAX) sums.refusedIds.push(id);
  }
  if (outcome === 'chargedBack' && decision !== 'reject') {
    if (decision !== 'review') add(sums.missed);
    else if (decided !== 'review') add(sums.lookedAt);
  }
  if (before === 'reject' && decision !== 'reject') add(sums.admitted);
  if (isStopped && outcome === 'unwanted') add(sums.foreseen);
  if (outcome === 'unwanted' && (decision === 'accept' || decision === 'challenge')) {
    add(sums.overlooked);
  }
  if (isStopped && outcome === 'underReview') add(sums.undecided);
  for (const { nodeId, id: ruleId, name } of fired) {
    const key = `${nodeId} ${ruleId}`;
    let rule = sums.rules.get(key);
    if (rule === undefined) {
      const nothing = { held: new Map(), caught: new Map(), refused: new Map() };
      rule = { nodeId, id: ruleId, name, ...nothing };
      sums.rules.set(key, rule);
    }
    add(rule.held);
    if (isCaught) add(rule.caught);
    if (isRefused) add(rule.refused);
  }
}
