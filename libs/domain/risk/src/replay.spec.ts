import { describe, expect, it } from '@jest/globals';
import { factsAsKept, keptFacts, type Mark } from './kept-facts.js';
import type { PaymentOutcome } from './payment-outcome.js';
import { pastOutcome, type PastPayment, startReplay, type Tally } from './replay.js';
import { CHANNEL, facts, MERCHANT, NOON_MS, placed, rule } from './risk-fixture.js';
import type { PlacedRules } from './rules.js';

const HOUR_MS = 60 * 60_000;
const mark: Mark = (of, value) => `${of}-${[...value].reverse().join('')}`;
let made = 0;

/** A payment that went on and was approved, so many minutes after noon. */
function past(minutes: number, changes: Partial<PastPayment> & { card?: string } = {}) {
  const { card = 'f1', ...others } = changes;
  const nodes = others.nodes ?? [CHANNEL, MERCHANT];
  const asked = facts({}, { accountFingerprint: card, receivedAtMs: NOON_MS + minutes * 60_000 });
  const { atMs, amount } = asked;
  made += 1;
  return {
    id: `payment ${made}`,
    facts: factsAsKept(keptFacts(asked, nodes, mark), { atMs, amount }),
    ...{ nodes, decided: 'accept' as const, outcome: 'approved' as const },
    ...others,
  } satisfies PastPayment;
}

function replayed(rules: PlacedRules, payments: readonly PastPayment[], fromMs = NOON_MS) {
  const under = [rules];
  const replay = startReplay({
    rulesOf: () => under,
    isTold: ({ facts: { atMs } }) => atMs >= fromMs,
  });
  replay.take(payments);
  return replay.result();
}

const payments = (tally: Tally) => tally.get('EUR')?.payments ?? 0;
const often = (atMost: number, more: object = {}) =>
  rule({ velocity: { by: 'card', within: '1h', atMost, ...more } }, { id: 'often' });
const all = rule({ amount: { above: '1.00', currency: 'EUR' } }, { id: 'all' });

describe('windows of the past', () => {
  it.each<[string, number]>([
    ['all', 4],
    ['passed', 3],
    ['approved', 2],
    ['declined', 1],
  ])('count what became of payments: %s', (counts, before) => {
    const history = [
      ...[past(1), past(2, { outcome: 'chargedBack' }), past(3, { outcome: 'declined' })],
      ...[past(4, { decided: 'reject', outcome: 'ended' }), past(5)],
    ];
    const isOver = (atMost: number) =>
      payments(
        replayed(placed([often(atMost, { counts })]), history, NOON_MS + 5 * 60_000).after.reject,
      );
    // The judged one counts as well, but it is not declined yet.
    const most = counts === 'declined' ? before : before + 1;
    expect([isOver(most - 1), isOver(most)]).toEqual([1, 0]);
  });
});

describe('what other rules would have done', () => {
  it('says how many payments of its sums were tests, as these are no money', () => {
    const test = past(3);
    const live = { ...test, facts: { ...test.facts, mode: 'LIVE' as const } };
    const { modes } = replayed(placed([all]), [past(1), past(2), live]);
    expect([...modes]).toEqual([
      ['INTERNAL', 2],
      ['LIVE', 1],
    ]);
  });

  it('is told of the money that was paid, and judged by the amount that the merchant had judged', () => {
    const asked = facts({ 'risk.amount': '600.00' });
    const kept = factsAsKept(keptFacts(asked, [CHANNEL, MERCHANT], mark), asked);
    const large = rule({ amount: { above: '500.00', currency: 'EUR' } });
    const found = replayed(placed([large]), [past(1, { facts: kept }), past(2)]);
    expect(found.replayed.get('EUR')).toEqual({ payments: 2, minor: 18_400n });
    expect(found.refused.get('EUR')).toEqual({ payments: 1, minor: 9_200n });
  });

  it('is told by what became of each payment', () => {
    const chargedBack = past(1, { outcome: 'chargedBack' });
    const good = past(2);
    const found = replayed(placed([all]), [
      ...[chargedBack, good, past(3, { outcome: 'declined' })],
      past(4, { decided: 'reject', outcome: 'ended' }),
    ]);
    expect(found.caught).toEqual(new Map([['EUR', { payments: 1, minor: 9200n }]]));
    expect([found.caughtIds, found.refusedIds]).toEqual([[chargedBack.id], [good.id]]);
    expect([found.refused, found.missed, found.admitted].map(payments)).toEqual([1, 0, 0]);
    expect([found.before.accept, found.before.reject, found.after.reject].map(payments)).toEqual([
      ...[3, 1, 4],
    ]);
    expect(found.rules).toMatchObject([{ nodeId: CHANNEL, id: 'all', name: 'A rule' }]);
    const [tallies] = found.rules;
    expect(tallies && [tallies.held, tallies.caught, tallies.refused].map(payments)).toEqual([
      ...[4, 1, 1],
    ]);
  });

  it('leaves what goes on anyway, and says what nobody knows', () => {
    const found = replayed(placed([]), [
      past(1, { outcome: 'chargedBack' }),
      past(2, { decided: 'reject', outcome: 'ended' }),
    ]);
    expect([found.caught, found.missed, found.admitted].map(payments)).toEqual([0, 1, 1]);
    expect(found.rules).toEqual([]);
  });

  it('counts a charged back payment that somebody would look at as neither caught nor missed', () => {
    const review = placed([
      rule({ amount: { above: '1.00', currency: 'EUR' } }, { then: 'review' }),
    ]);
    const found = replayed(review, [
      past(1, { outcome: 'chargedBack' }),
      past(2, { outcome: 'chargedBack', decided: 'review' }),
    ]);
    expect([found.caught, found.lookedAt, found.missed].map(payments)).toEqual([0, 1, 0]);
  });
});

it('rejects a payout that somebody would look at, and counts it as looked at by nobody', () => {
  const chargedBack = past(1, { outcome: 'chargedBack' });
  const payout = { ...chargedBack.facts, operation: 'credit' } as const;
  const review = placed([rule({ amount: { above: '1.00', currency: 'EUR' } }, { then: 'review' })]);
  const found = replayed(review, [{ ...chargedBack, facts: payout }]);
  expect([found.caught, found.lookedAt, found.after.reject].map(payments)).toEqual([1, 0, 1]);
});

describe('what somebody has looked at', () => {
  const rejecting = placed([all]);
  const sums = (rules: PlacedRules, changes: Partial<PastPayment>) => {
    const found = replayed(rules, [past(1, { decided: 'review', ...changes })]);
    const { caught, refused, foreseen, overlooked, undecided, admitted } = found;
    return [caught, refused, foreseen, overlooked, undecided, admitted].map(payments);
  };

  it('is bad where it was rejected, good where it was approved, and else undecided', () => {
    expect(sums(rejecting, { outcome: 'unwanted' })).toEqual([0, 0, 1, 0, 0, 0]);
    expect(sums(placed([]), { outcome: 'unwanted' })).toEqual([0, 0, 0, 1, 0, 0]);
    expect(sums(rejecting, { outcome: 'approved' })).toEqual([0, 1, 0, 0, 0, 0]);
    expect(sums(rejecting, { outcome: 'underReview' })).toEqual([0, 0, 0, 0, 1, 0]);
    expect(sums(placed([]), { outcome: 'underReview' })).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('leaves room in windows of approved payments where it was rejected', () => {
    const often1 = placed([often(1, { counts: 'approved' })]);
    const after = (outcome: PastPayment['outcome']) =>
      payments(replayed(often1, [past(1, { outcome }), past(2)]).after.reject);
    expect([after('unwanted'), after('ended'), after('underReview')]).toEqual([0, 0, 1]);
  });

  it('has not passed where rules rejected it once the issuer was asked', () => {
    const often1 = placed([often(1, { counts: 'passed' })]);
    const after = (changes: Partial<PastPayment>) =>
      payments(replayed(often1, [past(1, changes), past(2)]).after.reject);
    expect(after({ decidedAfterwards: 'reject', outcome: 'ended' })).toBe(0);
    expect(after({ decidedAfterwards: 'review', outcome: 'unwanted' })).toBe(1);
    // Rejected before the issuer was asked, it would go on with these rules.
    expect(after({ decided: 'reject', decidedAfterwards: 'reject', outcome: 'ended' })).toBe(1);
  });

  it('was decided as the rules said last', () => {
    const rejected = past(1, { decidedAfterwards: 'reject', outcome: 'ended' });
    const found = replayed(placed([]), [rejected]);
    expect([found.before.reject, found.before.accept].map(payments)).toEqual([1, 0]);
    // What rules about what the issuer finds would say, nobody knows.
    expect(payments(found.admitted)).toBe(0);
  });
});

describe('a check alone', () => {
  it('counts in windows, and is no payment', () => {
    const { facts: asked, ...others } = past(1);
    const { operation: _, ...check } = asked;
    const found = replayed(placed([often(1)]), [{ ...others, facts: check }, past(2)]);
    expect(found.checksAlone).toBe(1);
    expect([found.replayed, found.after.reject, found.before.accept].map(payments)).toEqual([
      ...[1, 1, 1],
    ]);
  });
});

describe('what became of a payment of the past', () => {
  const open = { isUnderReview: false, isGivenBack: false, isRejectedByReview: false } as const;
  const of = (changes: Partial<PaymentOutcome>) =>
    pastOutcome({ outcome: 'approved', chargedBack: false, ...open, ...changes });

  it('is what live rules go by', () => {
    expect(of({})).toBe('approved');
    expect(of({ outcome: 'ended' })).toBe('ended');
    expect(of({ outcome: 'ended', isRejectedByReview: true })).toBe('unwanted');
    expect(of({ isUnderReview: true })).toBe('underReview');
    expect(of({ isUnderReview: true, chargedBack: true })).toBe('chargedBack');
  });
});

describe('a window of the past', () => {
  it('slides exactly, and is of one payer', () => {
    const minutes = [0, 20, 40, 59, 60, 61, 81];
    const found = replayed(placed([often(3)]), [
      ...minutes.map((each) => past(each)),
      past(82, { card: 'f2' }),
    ]);
    // At 60 the first has just left: 20, 40, 59 and 60 are four, as 0, 20, 40 and 59 were before.
    expect(payments(found.after.reject)).toBe(4);
  });

  it('counts as passed what these rules let pass, not what was let pass then', () => {
    const minutes = [0, 20, 40, 59, 60, 61, 81];
    const asked = minutes.map((each) => past(each));
    const found = replayed(placed([often(3, { counts: 'passed' })]), asked);
    expect(found.refusedIds).toEqual([asked[3]?.id, asked[5]?.id]);
  });

  it('has the payments before the beginning, as they were decided then, and tells nothing of them', () => {
    const found = replayed(placed([often(1, { counts: 'passed' })]), [
      past(-30, { decided: 'reject' }),
      past(-20),
      past(-10),
      past(0),
      past(45, { card: 'f2' }),
    ]);
    expect(payments(found.replayed)).toBe(2);
    expect(payments(found.after.reject)).toBe(1);
  });

  it('is one for each mode and node', () => {
    const rules = [placed([often(1)], {}, MERCHANT), placed([often(1)])];
    const replay = startReplay({
      rulesOf: (nodes) => rules.filter(({ nodeId }) => nodes.includes(nodeId)),
      isTold: () => true,
    });
    const elsewhere = past(1);
    const live: PastPayment = { ...elsewhere, facts: { ...elsewhere.facts, mode: 'LIVE' } };
    replay.take([past(0), live, past(2, { nodes: ['another channel', MERCHANT] })]);
    expect(payments(replay.result().after.reject)).toBe(1);
  });

  it('adds amounts of its currency alone, and takes them out again', () => {
    const sum = { atMost: undefined, atMostSum: '184.00', currency: 'EUR' };
    const found = replayed(
      placed([often(1, sum)]),
      [0, 10, 20, 61, 62, 200].map((each) => past(each)),
    );
    expect(payments(found.after.reject)).toBe(3);
  });

  it('agrees with a count by hand, with many payers that come and go', () => {
    const asked = Array.from({ length: 20_000 }, (_, at) =>
      past((at * 7) / 60, { card: `f${(at * at + at) % 203}` }),
    );
    const found = replayed(placed([often(2)]), asked);
    const byCard = new Map<string, number[]>();
    let tooMany = 0;
    for (const {
      facts: { payer, atMs },
    } of asked) {
      const times = byCard.get(payer.card ?? '') ?? [];
      byCard.set(payer.card ?? '', [...times, atMs]);
      if (times.filter((each) => each > atMs - HOUR_MS).length >= 2) tooMany += 1;
    }
    expect(tooMany).toBeGreaterThan(100);
    expect(payments(found.after.reject)).toBe(tooMany);
  });
});
