import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AssessmentAnswer } from '@sluice/contracts';
import {
  atMost,
  CHANNEL,
  EMAIL,
  MERCHANT,
  payment,
  reviewed,
  RiskWorld,
} from '../../test/risk-fixture.js';
import { type PastAssessment, PastAssessments } from './past-assessments.js';

/** What the issue is about: so many at once, and so many that may pass. */
const AT_ONCE = 200;
const LIMIT = 3;

let world: RiskWorld;
beforeEach(async () => {
  world = await RiskWorld.open();
});
afterEach(() => world.close());

const passed = (answers: readonly AssessmentAnswer[]) =>
  answers.filter(({ decision }) => decision === 'accept').length;

/** A process that knows these rules of the channel. */
async function ruledBy(...rules: readonly object[]) {
  const first = await world.start();
  await world.rules.change(CHANNEL, { rules }, 'a spec');
  await first.look();
  return first;
}

describe('payments of one card at the same moment', () => {
  it('pass exactly as often as the rule says', async () => {
    const risk = await ruledBy(atMost(LIMIT));
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => risk.assess(payment())),
    );
    expect(passed(answers)).toBe(LIMIT);
    expect(answers.filter(({ resultCode }) => resultCode === '800.120.101')).toHaveLength(
      AT_ONCE - LIMIT,
    );
  });

  it('pass exactly as often with two processes', async () => {
    const [one, other] = [await ruledBy(atMost(LIMIT)), await world.start()];
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => (at % 2 === 0 ? one : other).assess(payment())),
    );
    expect(passed(answers)).toBe(LIMIT);
  });

  it('pass exactly as often when connections are cut in the middle, asked again under their ids', async () => {
    const risk = await ruledBy(atMost(LIMIT));
    const payments = Array.from({ length: AT_ONCE }, () => payment());
    const cut = { isDone: false };
    const cutting = (async () => {
      while (!cut.isDone) {
        await world.rows(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE usename LIKE '%risk%' AND state <> 'idle' AND pid <> pg_backend_pid()`,
        );
      }
    })();
    const tries = payments.map((each) => risk.assess(each).catch(() => undefined));
    const first = await Promise.all(tries);
    cut.isDone = true;
    await cutting;
    expect(first.some((answer) => answer === undefined)).toBe(true);
    const again = await Promise.all(payments.map((each) => risk.assess(each)));
    expect(passed(again)).toBe(LIMIT);
    // Whoever had an answer has the same one.
    for (const [at, answer] of first.entries()) if (answer) expect(again[at]).toEqual(answer);
    const [counted] = await world.rows<{ count: number }>('SELECT count(*)::int FROM payer_counts');
    expect(counted?.count).toBe(AT_ONCE);
  });
});

describe('a payment that is asked about again', () => {
  it('has the same answer, and is counted once', async () => {
    const risk = await ruledBy(atMost(1));
    const first = payment();
    const both = await Promise.all([risk.assess(first), risk.assess(first)]);
    expect(both).toEqual([both[0], both[0]]);
    expect(both[0].decision).toBe('accept');
    expect(await risk.assess(first)).toEqual(both[0]);
    expect((await risk.assess(payment())).decision).toBe('reject');
  });
});

describe('what is counted', () => {
  it('is of one payer, mode and node', async () => {
    const risk = await ruledBy(atMost(1));
    await risk.assess(payment());
    const decisions = [
      payment({ accountFingerprint: 'f2' }),
      payment({ mode: 'EXTERNAL' }),
      payment({ nodes: [MERCHANT] }),
      payment(),
    ].map(async (each) => (await risk.assess(each)).decision);
    expect(await Promise.all(decisions)).toEqual(['accept', 'accept', 'accept', 'reject']);
  });

  it('leaves out what was rejected where the rule says so, and what is older than the window', async () => {
    const rule = atMost(1);
    const counted = { ...rule, when: { velocity: { ...rule.when.velocity, counts: 'passed' } } };
    const small = {
      ...atMost(99),
      id: 'small',
      when: { amount: { above: '100.00', currency: 'EUR' } },
    };
    const risk = await ruledBy(counted, small);
    const large = payment({ amount: { minor: '10001', currency: 'EUR' } });
    expect((await risk.assess(large)).decision).toBe('reject');
    const hourAgo = payment({ receivedAtMs: Date.now() - 3_600_001 });
    expect((await risk.assess(hourAgo)).decision).toBe('accept');
    expect((await risk.assess(payment())).decision).toBe('accept');
    expect((await risk.assess(payment())).decision).toBe('reject');
  });

  it("adds amounts of the rule's currency", async () => {
    const when = { velocity: { by: 'card', within: '1d', atMostSum: '184.00', currency: 'EUR' } };
    const risk = await ruledBy({ ...atMost(0), when });
    await risk.assess(payment({ amount: { minor: '99999', currency: 'USD' } }));
    const decisions: string[] = [];
    for (let at = 0; at < 3; at += 1) decisions.push((await risk.assess(payment())).decision);
    expect(decisions).toEqual(['accept', 'accept', 'reject']);
  });
});

describe('what was counted longer ago than any window', () => {
  it('is forgotten', async () => {
    const risk = await ruledBy(atMost(9));
    await risk.assess(payment());
    await world.rows(`INSERT INTO payer_counts SELECT key, now() - interval '32 days', minor, currency,
      passed FROM payer_counts`);
    const count = async () =>
      (await world.rows<{ count: number }>('SELECT count(*)::int FROM payer_counts'))[0]?.count;
    expect(await count()).toBe(2);
    await risk.look();
    expect(await count()).toBe(1);
  });
});

describe('what is kept of an assessment', () => {
  it('says which rules spoke and what they saw, personal data only sealed', async () => {
    const risk = await ruledBy(atMost(0, 'email'));
    const asked = payment();
    expect(await risk.assess(asked)).toMatchObject({
      fired: [{ id: 'at-most-email', name: 'At most so many in an hour' }],
    });
    const [row] = await world.rows<{ fired: object[]; personal: object }>(
      'SELECT * FROM assessments',
    );
    expect(row?.fired).toMatchObject([{ inputs: { count: '1', withinMinutes: '60' } }]);
    expect(row?.personal).toMatchObject({ key: expect.any(String), block: expect.any(String) });
    const everything = JSON.stringify(await world.rows('SELECT * FROM assessments, payer_counts'));
    expect(everything + world.logged()).not.toContain(EMAIL);
  });

  it('has what other rules would see, in the order of time, with marks in the place of persons', async () => {
    const risk = await ruledBy(atMost(9));
    const now = Date.now();
    const [later, first] = [payment({ receivedAtMs: now }), payment({ receivedAtMs: now - 1 })];
    for (const each of [later, first]) await risk.assess(each);
    const past = new PastAssessments(world.pool);
    const stretch = { fromMs: now - 1, toMs: now + 1 };
    expect(await past.count(stretch)).toBe(2);
    const pages: PastAssessment[] = [];
    for await (const page of past.read(stretch)) pages.push(...page);
    expect(pages.map(({ id }) => id)).toEqual([first.assessmentId, later.assessmentId]);
    expect(pages[0]).toMatchObject({
      ...{ nodes: [CHANNEL, MERCHANT], decided: 'accept' },
      facts: { amount: { minor: 9200n, currency: 'EUR' }, atMs: now - 1, mode: 'INTERNAL' },
    });
    expect(pages[0]?.facts.payer).toEqual(pages[1]?.facts.payer);
    expect(pages[0]?.facts.payer.email).toMatch(/^[A-Za-z0-9_-]{12}$/);
  });
});

describe('the rules', () => {
  it('are told of by node and version, and each change is kept', async () => {
    const risk = await ruledBy(atMost(3));
    const { nodes } = await risk.assessedNodes();
    expect(nodes).toMatchObject({ version: '1', assessed: [CHANNEL] });
    expect(await risk.assessedNodes('1')).toEqual({});
    await world.rules.change(CHANNEL, { rules: [] }, 'somebody');
    await risk.look();
    expect((await risk.assessedNodes('1')).nodes).toMatchObject({ version: '2', assessed: [] });
    const history = await world.rules.history(CHANNEL);
    expect(history.map(({ version, actor }) => [version, actor])).toEqual([
      [2, 'somebody'],
      [1, 'a spec'],
    ]);
  });

  it('are inherited from the node above', async () => {
    const risk = await world.start();
    await world.rules.change(MERCHANT, { rules: [atMost(1)] }, 'a spec');
    await risk.look();
    await risk.assess(payment());
    expect((await risk.assess(payment())).decision).toBe('reject');
  });
});

describe('a payment under review', () => {
  it('waits until somebody decides, and payments is told once it can be reached', async () => {
    const risk = await ruledBy(reviewed);
    const [kept, other] = [payment(), payment()];
    expect(await risk.assess(kept)).toMatchObject({
      decision: 'review',
      resultCode: '000.400.000',
    });
    await risk.assess(other);
    expect((await world.reviews.open(10)).map(({ assessmentId }) => assessmentId)).toEqual([
      kept.assessmentId,
      other.assessmentId,
    ]);
    const rejection = { decision: 'rejected', actor: 'jane', nowMs: Date.now() } as const;
    expect(await world.reviews.decide(kept.assessmentId, rejection)).toBe(true);
    expect(await world.reviews.decide(kept.assessmentId, rejection)).toBe(false);
    world.payments.isAway = true;
    await risk.look();
    world.payments.isAway = false;
    world.payments.answer = { kind: 'again' };
    await risk.look();
    world.payments.answer = { kind: 'recorded' };
    await risk.look();
    await risk.look();
    const told = {
      ...{ transactionId: kept.assessmentId, decision: 'rejected', actor: 'jane' },
      reversalId: expect.stringMatching(/^[0-9a-f]{32}$/),
    };
    expect(world.payments.told).toEqual([told, told]);
    expect(world.payments.told[0]?.reversalId).toBe(world.payments.told[1]?.reversalId);
  });

  it('is told of although payments cannot deal with the one before', async () => {
    const risk = await ruledBy(reviewed);
    const [first, second] = [payment(), payment()];
    for (const each of [first, second]) {
      await risk.assess(each);
      const release = { decision: 'released', actor: 'jane', nowMs: Date.now() } as const;
      await world.reviews.decide(each.assessmentId, release);
    }
    world.payments.broken = first.assessmentId;
    await risk.look();
    world.payments.broken = undefined;
    const told = world.payments.told.map(({ transactionId }) => transactionId);
    expect(told).toContain(second.assessmentId);
    expect(told).not.toContain(first.assessmentId);
    await risk.look();
    expect(world.payments.told.at(-1)?.transactionId).toBe(first.assessmentId);
  });

  it('is told of in its turn, however many payments cannot record yet', async () => {
    const risk = await ruledBy(reviewed);
    const stuck = Array.from({ length: 120 }, () => payment());
    const later = payment();
    for (const each of [...stuck, later]) await risk.assess(each);
    for (const { assessmentId } of stuck) world.payments.undecided.add(assessmentId);
    const release = { decision: 'released', actor: 'jane', nowMs: Date.now() } as const;
    for (const { assessmentId } of [...stuck, later]) {
      await world.reviews.decide(assessmentId, release);
    }
    const told = () => new Set(world.payments.told.map(({ transactionId }) => transactionId));
    await risk.look();
    await risk.look();
    expect(told().has(later.assessmentId)).toBe(true);
    expect(told().size).toBe(121);
    // And those go on in turn, until they can be recorded.
    world.payments.undecided.clear();
    await risk.look();
    await risk.look();
    const untold = 'SELECT FROM assessments WHERE decided_at IS NOT NULL AND told_at IS NULL';
    expect(await world.rows(untold)).toEqual([]);
  });

  it('is told of although payments never answers about the one before', async () => {
    const risk = await ruledBy(reviewed);
    const [first, second] = [payment(), payment()];
    for (const each of [first, second]) {
      await risk.assess(each);
      const release = { decision: 'released', actor: 'jane', nowMs: Date.now() } as const;
      await world.reviews.decide(each.assessmentId, release);
    }
    world.payments.broken = first.assessmentId;
    world.payments.brokenBy = 'deadline';
    await risk.look();
    await risk.look();
    expect(world.payments.told.map(({ transactionId }) => transactionId)).toEqual([
      second.assessmentId,
    ]);
  });

  it('is released by itself after the time that its node says', async () => {
    const risk = await world.start();
    await world.rules.change(CHANNEL, { rules: [reviewed], releaseAfter: '1m' }, 'a spec');
    await risk.look();
    const kept = payment();
    await risk.assess(kept);
    world.payments.happened(kept.assessmentId, 'RiskAssessed', { decision: 'review', score: 0 });
    world.payments.happened(kept.assessmentId, 'TransactionApproved');
    await risk.look();
    expect(world.payments.told).toEqual([]);
    await world.rows(`UPDATE assessments SET release_at = now()`);
    await risk.look();
    expect(world.payments.told).toEqual([
      { transactionId: kept.assessmentId, decision: 'released', actor: 'time' },
    ]);
  });
});
