import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AssessQuery } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { CHANNEL, MERCHANT, payment, RiskWorld } from '../../test/risk-fixture.js';

let world: RiskWorld;
let risk: Awaited<ReturnType<RiskWorld['start']>>;
beforeEach(async () => {
  world = await RiskWorld.open();
  risk = await world.start();
});
afterEach(() => world.close());

async function ruled(...rules: readonly object[]): Promise<void> {
  await world.rules.change(CHANNEL, { rules, releaseAfter: '1d' }, 'a spec');
  await risk.look();
}

const rule = (when: object, changes: object = {}) => ({
  ...{ id: 'a-rule', name: 'A rule', then: 'reject', when, ...changes },
});
const velocity = (counts: string, atMost: number) =>
  rule({ velocity: { by: 'card', counts, within: '1h', atMost } });
const history = (had: string, limits: object, by = 'card') =>
  rule({ history: { by, had, ...limits } });

/** Judges a payment, and says what became of it. */
async function paid(
  outcome: 'approved' | 'declined' | 'open' = 'open',
  changes: Partial<AssessQuery> = {},
): Promise<{ readonly id: string; readonly decision: string }> {
  const query = payment(changes);
  const { decision } = await risk.assess(query);
  const { assessmentId: id } = query;
  if (outcome === 'approved') world.payments.happened(id, 'TransactionApproved');
  if (outcome === 'declined') world.payments.happened(id, 'TransactionDeclined');
  await risk.look();
  return { id, decision };
}

const chargedBack = async (id: string, type: 'ChargebackReceived' | 'ChargebackReversed') => {
  world.payments.happened(id, type, {
    ...{ transactionId: `of ${id}` as never, referencedId: id as never },
    amount: { minor: '9200', currency: 'EUR' },
  });
  await risk.look();
};

describe('windows of approved payments', () => {
  beforeEach(() => ruled(velocity('approved', 2)));

  it('leave out what was declined, and count what nobody knows of yet', async () => {
    await paid('declined');
    await paid('declined');
    await paid('approved');
    await paid('open');
    expect((await paid()).decision).toBe('reject');
    // The one before was rejected by the rule, and does not count.
    expect((await paid()).decision).toBe('reject');
  });

  it('leave out checks alone once they have ended', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { operation: _, ...check } = payment();
      await risk.assess(check);
      world.payments.happened(check.assessmentId, 'StandaloneCompleted');
    }
    expect((await risk.assess(payment())).decision).toBe('reject');
    await risk.look();
    await paid('approved');
    await paid('approved');
    expect((await paid()).decision).toBe('reject');
  });

  it('have room again once one that was under way is declined', async () => {
    const first = await paid();
    await paid();
    expect((await paid()).decision).toBe('reject');
    world.payments.happened(first.id, 'TransactionDeclined');
    await risk.look();
    expect((await paid()).decision).toBe('accept');
  });

  it('let exactly as many pass of those at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => risk.assess(payment())));
    expect(answers.filter(({ decision }) => decision === 'accept')).toHaveLength(2);
  });
});

describe('windows of declined payments', () => {
  it('count what an acquirer has declined, and nothing else', async () => {
    await ruled(velocity('declined', 1));
    await paid('declined');
    await paid('approved');
    const rejected = await paid();
    world.payments.happened(rejected.id, 'RiskAssessed', { decision: 'reject', score: 0 });
    world.payments.happened(rejected.id, 'TransactionDeclined');
    await risk.look();
    expect((await paid('declined')).decision).toBe('accept');
    expect((await paid()).decision).toBe('reject');
    expect((await paid('open', { accountFingerprint: 'f2' })).decision).toBe('accept');
  });
});

describe('what payers have done', () => {
  it('tells the first payment of a card from all others, also of many at the same moment', async () => {
    await ruled(history('payments', { atMost: 0 }));
    const answers = await Promise.all(Array.from({ length: 50 }, () => risk.assess(payment())));
    expect(answers.filter(({ decision }) => decision === 'reject')).toHaveLength(1);
    expect((await paid('open', { accountFingerprint: 'f2' })).decision).toBe('reject');
    expect((await paid('open', { nodes: [MERCHANT] })).decision).toBe('accept');
  });

  it('counts approved, declined and charged back ones, each once', async () => {
    await ruled(history('payments', { atMost: 99 }));
    const { id } = await paid('approved');
    await paid('approved');
    await paid('declined');
    await chargedBack(id, 'ChargebackReceived');
    // Everything is read again, as after a process that ended before it could note its place.
    await world.rows('DELETE FROM outcomes_read');
    await risk.look();
    expect(await histories()).toEqual([{ payments: 3, approved: 2, declined: 1, charged_back: 1 }]);
    await chargedBack(id, 'ChargebackReversed');
    expect(await histories()).toMatchObject([{ charged_back: 0 }]);
  });

  it('is looked at by rules once it is known', async () => {
    await ruled(history('chargedBack', { atLeast: 1 }));
    const { id, decision } = await paid('approved');
    expect(decision).toBe('accept');
    expect((await paid()).decision).toBe('accept');
    await chargedBack(id, 'ChargebackReceived');
    expect((await paid()).decision).toBe('reject');
  });

  it('is what a recount over all payments finds, in whatever order things happen', async () => {
    await ruled(history('payments', { atMost: 99 }), {
      ...history('approved', { atLeast: 99 }, 'email'),
      id: 'by-email',
    });
    const types = [
      ...(['TransactionApproved', 'TransactionDeclined', 'TransactionNotPerformed'] as const),
      ...(['ChargebackReceived', 'ChargebackReversed'] as const),
    ];
    // Made up by a small generator, so that each run has the same ones.
    let seed = 17;
    const draw = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const ids: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const asked = Array.from({ length: 10 }, () =>
        payment({ accountFingerprint: `f${draw(4)}` }),
      );
      await Promise.all(asked.map((each) => risk.assess(each)));
      ids.push(...asked.map(({ assessmentId }) => assessmentId));
      for (let step = 0; step < 15; step += 1) {
        const id = ids[draw(ids.length)] ?? '';
        const type = types[draw(types.length)] ?? 'TransactionApproved';
        const data = type.startsWith('Chargeback')
          ? { transactionId: `of ${id}`, amount: { minor: '9200', currency: 'EUR' } }
          : {};
        world.payments.happened(id, type, data as never);
      }
      if (draw(2) === 0) await world.rows('DELETE FROM outcomes_read');
      await risk.look();
    }
    const recount = await world.rows(
      `SELECT key::text, count(*)::int AS payments,
         count(*) FILTER (WHERE outcome = 'approved')::int AS approved,
         count(*) FILTER (WHERE outcome = 'declined')::int AS declined,
         count(*) FILTER (WHERE charged_back)::int AS charged_back
       FROM assessments, unnest(history_keys) AS key GROUP BY key ORDER BY key`,
    );
    expect(recount).toHaveLength(5);
    expect(
      await world.rows(
        `SELECT key::text, payments, approved, declined, charged_back
         FROM payer_histories ORDER BY key`,
      ),
    ).toEqual(recount);
    const [sums] = await world.rows<Record<string, number>>(
      `SELECT sum(approved)::int AS approved, sum(declined)::int AS declined,
         sum(charged_back)::int AS "chargedBack" FROM payer_histories`,
    );
    expect(Object.values(sums ?? {}).every((sum) => sum > 0)).toBe(true);
  });

  it('is the same when two processes read it, and when their connections are cut', async () => {
    await ruled(history('payments', { atMost: 99 }));
    const other = await world.start();
    const ids = Array.from({ length: 40 }, () => payment());
    await Promise.all(ids.map((each) => risk.assess(each)));
    for (const [at, { assessmentId }] of ids.entries()) {
      world.payments.happened(
        assessmentId,
        at % 2 === 0 ? 'TransactionApproved' : 'TransactionDeclined',
      );
    }
    const looks = Promise.all([risk.look(), other.look(), risk.look(), other.look()]);
    await world.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE usename LIKE '%risk%' AND pid <> pg_backend_pid()`,
    );
    await looks;
    await risk.look();
    await other.look();
    expect(await histories()).toEqual([
      { payments: 40, approved: 20, declined: 20, charged_back: 0 },
    ]);
  });

  it('is read anew where payments has another store, whose payments may be others', async () => {
    await ruled(history('payments', { atMost: 99 }));
    await paid('approved');
    world.payments.incarnation = 'two';
    world.payments.forget();
    const { id } = await paid();
    world.payments.happened(id, 'TransactionDeclined');
    await risk.look();
    expect(await histories()).toMatchObject([{ approved: 1, declined: 1 }]);
    expect(world.logged()).toContain('Payments has another store');
  });

  it('waits while payments is away, and nothing is lost', async () => {
    await ruled(history('approved', { atLeast: 1 }));
    world.payments.isAway = true;
    await paid('approved');
    expect(world.logged()).toContain('What became of payments cannot be read.');
    expect((await paid()).decision).toBe('accept');
    world.payments.isAway = false;
    await risk.look();
    expect((await paid()).decision).toBe('reject');
  });

  describe('of which one cannot be read', () => {
    const unread = () => world.rows('SELECT assessment_id AS id FROM outcomes_unread');
    const tryAgain = async () => {
      await world.rows(`UPDATE outcomes_unread SET tried_at = now() - interval '61 s'`);
      await risk.look();
    };
    beforeEach(() => ruled(history('payments', { atMost: 99 })));

    it('is known of all others, and of that one once it can be read, though nothing more happens', async () => {
      const query = payment();
      await risk.assess(query);
      world.payments.unreadable.add(query.assessmentId);
      world.payments.happened(query.assessmentId, 'TransactionDeclined');
      await paid('approved');
      await paid('approved');
      expect(await histories()).toMatchObject([{ approved: 2, declined: 0 }]);
      expect(await unread()).toEqual([{ id: query.assessmentId }]);
      expect(world.logged().split('The events of a payment cannot be read')).toHaveLength(2);
      await tryAgain();
      expect(await unread()).toEqual([{ id: query.assessmentId }]);
      // Said once.
      expect(world.logged().split('The events of a payment cannot be read')).toHaveLength(2);
      world.payments.unreadable.clear();
      await tryAgain();
      expect(await histories()).toMatchObject([{ approved: 2, declined: 1 }]);
      expect(await unread()).toEqual([]);
    });

    it('because a newer release has written it, holds up no other', async () => {
      const query = payment();
      await risk.assess(query);
      world.payments.happened(query.assessmentId, 'OfTheFuture' as 'TransactionApproved');
      await paid('approved');
      expect(await histories()).toMatchObject([{ approved: 1 }]);
      expect(await unread()).toEqual([{ id: query.assessmentId }]);
    });

    it('and many more with it, holds up no other', async () => {
      const queries = Array.from({ length: 30 }, () => payment());
      await Promise.all(queries.map((query) => risk.assess(query)));
      for (const { assessmentId: id } of queries) {
        world.payments.happened(id, 'TransactionApproved');
        world.payments.unreadable.add(id);
      }
      await paid('approved');
      await tryAgain();
      await paid('approved');
      expect(await histories()).toMatchObject([{ approved: 2 }]);
      expect(await unread()).toHaveLength(30);
    });

    it('because the database of payments is away, is not noted: all are read later', async () => {
      world.payments.breaksDown = true;
      await paid('approved');
      expect(world.logged()).toContain('What became of payments cannot be read.');
      expect(await unread()).toEqual([]);
      world.payments.breaksDown = false;
      await risk.look();
      expect(await histories()).toMatchObject([{ approved: 1 }]);
    });
  });

  const histories = () =>
    world.rows('SELECT payments, approved, declined, charged_back FROM payer_histories');
});

describe('a payment that rules look at after the authorization', () => {
  const code = rule({ checks: { cvv: ['N'] } }, { id: 'code', name: 'Wrong code', then: 'review' });
  const assessed = {
    decision: 'review',
    score: 0,
    resultCode: '000.400.020',
    fired: ['code'],
  } as const;

  it('is answered what an approval will lead to, the same when it is asked again', async () => {
    await ruled(code);
    const query = payment();
    const answer = await risk.assess(query);
    expect(answer).toMatchObject({
      decision: 'accept',
      afterwards: [
        {
          pairs: ['-N', 'AN', 'ZN', 'NN', 'UN', 'FN'],
          ...{ decision: 'review', resultCode: '000.400.020', score: 0 },
          fired: [{ id: 'code', name: 'Wrong code' }],
        },
      ],
    });
    expect(await risk.assess(query)).toEqual(answer);
  });

  it('waits for somebody once payments has recorded it so, and is decided as any other', async () => {
    await ruled(code);
    const query = payment();
    await risk.assess(query);
    const { assessmentId: id } = query;
    expect(await world.reviews.open(9)).toEqual([]);
    world.payments.happened(id, 'RiskAssessed', { ...assessed });
    world.payments.happened(id, 'TransactionApproved');
    await risk.look();
    expect(await world.reviews.open(9)).toMatchObject([
      {
        ...{ assessmentId: id, resultCode: '000.400.020', releaseAt: expect.any(Date) },
        fired: [{ id: 'code', name: 'Wrong code' }],
      },
    ]);
    const nowMs = Date.now();
    await world.reviews.decide(id, { decision: 'rejected', actor: 'jane', nowMs });
    world.payments.happened(id, 'ReviewDecided', { decision: 'rejected' });
    await risk.look();
    expect(world.payments.told).toMatchObject([{ transactionId: id, decision: 'rejected' }]);
    expect(await world.reviews.open(9)).toEqual([]);
  });
});

describe('a payment that somebody has rejected', () => {
  async function rejected(): Promise<void> {
    const { id } = await paid('approved');
    world.payments.happened(id, 'RiskAssessed', { decision: 'review', score: 0 });
    world.payments.happened(id, 'TransactionApproved');
    await risk.look();
    world.payments.happened(id, 'ReviewDecided', { decision: 'rejected' });
    await risk.look();
  }

  it('makes nobody a good payer', async () => {
    await ruled(history('approved', { atLeast: 1 }));
    await rejected();
    expect((await paid('approved')).decision).toBe('accept');
    expect((await paid()).decision).toBe('reject');
  });

  it('leaves room in windows of approved payments', async () => {
    await ruled(velocity('approved', 1));
    await rejected();
    expect((await paid('approved')).decision).toBe('accept');
    expect((await paid()).decision).toBe('reject');
  });
});

describe('a payment under review that is given back as a whole', () => {
  it('waits for nobody any more', async () => {
    await ruled(rule({ amount: { above: '0.01', currency: 'EUR' } }, { then: 'review' }));
    const { id } = await paid();
    const amount = { minor: '9200', currency: 'EUR' };
    world.payments.happened(id, 'PaymentInitiated', { amount });
    world.payments.happened(id, 'RiskAssessed', { decision: 'review', score: 0 });
    world.payments.happened(id, 'TransactionApproved');
    const transactionId = `of ${id}` as TransactionId;
    const reversal = { transactionId, operation: 'reversal', amount } as const;
    world.payments.happened(id, 'TransactionRequested', reversal);
    await risk.look();
    expect(await world.reviews.open(9)).toMatchObject([{ assessmentId: id }]);
    world.payments.happened(id, 'TransactionApproved', { transactionId });
    await risk.look();
    expect(await world.reviews.open(9)).toEqual([]);
    expect(world.payments.told).toEqual([]);
  });
});

describe('a payment under review that ends without money', () => {
  it('waits for nobody any more', async () => {
    await ruled(rule({ amount: { above: '0.01', currency: 'EUR' } }, { then: 'review' }));
    const { id } = await paid();
    expect(await world.reviews.open(9)).toMatchObject([{ assessmentId: id }]);
    world.payments.happened(id, 'TransactionDeclined');
    await risk.look();
    expect(await world.reviews.open(9)).toEqual([]);
  });
});
