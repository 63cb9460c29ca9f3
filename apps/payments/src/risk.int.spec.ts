import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReviewDecidedAnswer, ReviewDecidedQuery } from '@sluice/contracts';
import {
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ENTITY_ID,
  idempotency,
  PaymentsProcess,
  PaymentsWorld,
  reference,
} from '../test/payments-fixture.js';
import { ScriptedRisk } from '../test/scripted-risk.js';

let world: PaymentsWorld;
let risk: ScriptedRisk;
let payments: PaymentsProcess;
beforeEach(async () => {
  world = await PaymentsWorld.make();
  risk = new ScriptedRisk();
});
afterEach(async () => {
  await payments.die();
  await world.close();
});

const start = async (changes: Parameters<typeof PaymentsProcess.start>[1] = {}) => {
  payments = await PaymentsProcess.start(world, { queries: risk, ...changes });
  return payments;
};
const decided = (query: Omit<ReviewDecidedQuery, 'actor'>) =>
  payments.bus.queries.ask<ReviewDecidedAnswer>('payments', 'payments.reviewDecided', {
    ...{ ...query, actor: 'jane' },
  });

describe('a payment of a channel with rules', () => {
  beforeEach(() => {
    risk.assessed = [ENTITY_ID];
  });

  it('is judged before anything is recorded, with all that was sent', async () => {
    risk.assessment = { decision: 'accept', score: 7, fired: [{ id: 'r', name: 'R' }] };
    await start();
    const initiation = payments.initiation('debit', 100, {
      ...{ parameters: { 'risk.serviceId': 'A' }, personal: { 'customer.email': 'a@b.example' } },
    });
    const { id, status } = await payments.outcome(initiation);
    expect(status).toBe('approved');
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'RiskAssessed', 'TransactionApproved'],
    ]);
    expect(risk.assessments).toMatchObject([
      {
        ...{ assessmentId: id, nodes: [ENTITY_ID], amount: { minor: '100' } },
        parameters: { 'risk.serviceId': 'A', 'customer.email': 'a@b.example' },
      },
    ]);
    expect(await payments.view(id)).toMatchObject({ riskScore: 7 });
  });

  it('is rejected with the code of the rule, and no acquirer hears of it', async () => {
    risk.assessment = { decision: 'reject', resultCode: '800.120.101', score: 9, fired: [] };
    await start();
    const { id, status, resultCode } = await payments.outcome(payments.initiation('debit', 100));
    expect([status, resultCode]).toEqual(['rejected', '800.120.101']);
    expect(await world.eventTypes(id)).toEqual(['TransactionRejected', 'RiskAssessed']);
    expect(world.connector.submitted).toEqual([]);
    expect(world.vault.held.size).toBe(0);
  });

  it('is not recorded while risk is away: the merchant may try again', async () => {
    await start();
    risk.isAway = true;
    expect(await payments.reply(payments.initiation('debit', 100))).toEqual({
      kind: 'unavailable',
    });
    expect(world.connector.submitted).toEqual([]);
  });

  it('is not judged again under a key that was used', async () => {
    await start();
    const idempotency = {
      ...{ key: 'a'.repeat(64), fingerprint: 'f' },
      answer: { ndc: 'n', timestamp: 't', buildNumber: 'b' },
    };
    const first = payments.initiation('debit', 100);
    const claim = {
      ...idempotency,
      answer: { id: first.data.transactionId, ...idempotency.answer },
    };
    await payments.outcome({ ...first, data: { ...first.data, idempotency: claim } });
    const again = payments.initiation('debit', 100, { idempotency: claim });
    expect(await payments.reply(again)).toMatchObject({ kind: 'keyTaken' });
    expect(risk.assessments).toHaveLength(1);
  });

  it('is judged again under a key that ends before long, and answered as the first', async () => {
    await start();
    const first = payments.initiation('debit', 100);
    const claim = idempotency(first.data.transactionId, 'c'.repeat(64));
    await payments.outcome({ ...first, data: { ...first.data, ...claim } });
    await world.beginDay();
    expect(await payments.reply(payments.initiation('debit', 100, claim))).toMatchObject({
      kind: 'keyTaken',
    });
    expect(risk.assessments).toHaveLength(2);
    expect(world.connector.submitted).toHaveLength(1);
  });

  it('is judged beside another with its key at the same moment, and one of them is made', async () => {
    await start();
    let [count, judge] = [0, (): void => undefined];
    const both = new Promise<void>((resolve) => (judge = resolve));
    const ask = risk.ask.bind(risk);
    risk.ask = async <Answer>(service: string, query: string, parameters: object) => {
      if (query === 'risk.assess' && (count += 1) === 2) judge();
      if (query === 'risk.assess') await both;
      return ask<Answer>(service, query, parameters);
    };
    const claimed = () => {
      const transactionId = newTransactionId(Date.now());
      const claim = idempotency(transactionId, 'b'.repeat(64));
      return payments.initiation('debit', 100, { transactionId, ...claim });
    };
    const replies = await Promise.all([payments.reply(claimed()), payments.reply(claimed())]);
    expect(replies.map(({ kind }) => kind).sort()).toEqual(['keyTaken', 'transaction']);
    expect(risk.assessments).toHaveLength(2);
    expect(world.connector.submitted).toHaveLength(1);
    await world.vault.isEmpty();
  });

  it('of another channel is not judged', async () => {
    risk.assessed = ['f'.repeat(32)];
    await start();
    await payments.paid('debit', 100);
    expect(risk.assessments).toEqual([]);
  });
});

describe('a payment under review', () => {
  const reversalOf = (id: TransactionId) => newTransactionIdInChainOf(id, Date.now());
  beforeEach(async () => {
    risk.assessed = [ENTITY_ID];
    risk.assessment = { decision: 'review', score: 50, resultCode: '000.400.000', fired: [] };
    await start();
  });

  it('is captured once it is released, and not before', async () => {
    const id = await payments.paid('authorization', 100);
    expect(await payments.view(id)).toMatchObject({ resultCode: '000.400.000' });
    const early = await payments.outcome(reference('capture', id, 100));
    expect(early).toMatchObject({ status: 'rejected', resultCode: '700.400.570' });
    expect(await decided({ transactionId: id, decision: 'released' })).toEqual({
      kind: 'recorded',
    });
    const capture = await payments.outcome(reference('capture', id, 100));
    expect(capture.status).toBe('approved');
    expect(await payments.view(id)).toMatchObject({ resultCode: '000.100.110' });
  });

  it('is reversed once it is rejected, once', async () => {
    const id = await payments.paid('debit', 100);
    const query = { transactionId: id, decision: 'rejected', reversalId: reversalOf(id) } as const;
    expect(await decided(query)).toEqual({ kind: 'recorded' });
    expect(await decided(query)).toEqual({ kind: 'recorded' });
    expect(await payments.view(query.reversalId)).toMatchObject({ status: 'approved' });
    expect(world.connector.submitted.map(({ operation }) => operation)).toEqual([
      ...['debit', 'reversal'],
    ]);
  });

  const rejected = (id: TransactionId) => {
    const query = { transactionId: id, decision: 'rejected', reversalId: reversalOf(id) } as const;
    return { ...query, tell: () => decided(query) };
  };
  const submitted = () =>
    world.connector.submitted.map(({ operation, amount }) => [operation, Number(amount.minor)]);
  const caseOf = async (id: TransactionId) =>
    (await world.events(id)).filter(({ type }) => type === 'CaseOpened').map(({ data }) => data);

  it('is refunded where it is too late for a reversal, once', async () => {
    const id = await payments.paid('debit', 100);
    const { capabilities } = world.connector;
    world.connector.capabilities = { ...capabilities, reversalCutOffMs: (atMs) => atMs };
    const { tell, reversalId } = rejected(id);
    expect(await tell()).toEqual({ kind: 'recorded' });
    expect(await tell()).toEqual({ kind: 'recorded' });
    expect(await payments.view(reversalId)).toMatchObject({ resultCode: '700.300.700' });
    expect(submitted()).toEqual([
      ['debit', 100],
      ['refund', 100],
    ]);
    expect(await caseOf(id)).toEqual([]);
  });

  it('has what is left refunded, where a part was given back before', async () => {
    const id = await payments.paid('debit', 100);
    await payments.outcome(reference('refund', id, 30));
    expect(await rejected(id).tell()).toEqual({ kind: 'recorded' });
    expect(submitted()).toEqual([
      ['debit', 100],
      ['refund', 30],
      ['refund', 70],
    ]);
  });

  it('that was given back as a whole is left alone', async () => {
    const id = await payments.paid('debit', 100);
    await payments.outcome(reference('refund', id, 100));
    expect(await rejected(id).tell()).toEqual({ kind: 'recorded' });
    expect(submitted()).toHaveLength(2);
    expect(await caseOf(id)).toEqual([]);
  });

  it('is not over before the acquirer has confirmed it', async () => {
    const id = await payments.paid('debit', 100);
    world.connector.next = ['bookAndLose'];
    const { tell, reversalId } = rejected(id);
    expect(await tell()).toEqual({ kind: 'again' });
    await payments.until(reversalId, 'approved');
    expect(await tell()).toEqual({ kind: 'recorded' });
    expect(submitted()).toHaveLength(2);
  });

  it('is tried again later where nobody could be reached', async () => {
    const id = await payments.paid('debit', 100);
    world.connector.next = ['unreachable'];
    const { tell } = rejected(id);
    expect(await tell()).toEqual({ kind: 'again' });
    expect(await tell()).toEqual({ kind: 'again' });
    expect(submitted()).toHaveLength(2);
    expect(await caseOf(id)).toEqual([]);
  });

  it.each([
    ['debit', ['debit', 'reversal', 'refund']],
    ['authorization', ['authorization', 'reversal']],
  ] as const)('is a case for a person where nobody gives it back: %s', async (first, asked) => {
    const id = await payments.paid(first, 100);
    world.connector.behaviour = 'decline';
    const { tell } = rejected(id);
    expect(await tell()).toEqual({ kind: 'recorded' });
    expect(await tell()).toEqual({ kind: 'recorded' });
    expect(submitted().map(([operation]) => operation)).toEqual(asked);
    const amount = { minor: '100', currency: 'EUR' };
    expect(await caseOf(id)).toEqual([
      { transactionId: id, reason: 'rejectedNotGivenBack', amount },
    ]);
  });

  it('that was released stays so, and keeps its money', async () => {
    const id = await payments.paid('debit', 100);
    await decided({ transactionId: id, decision: 'released' });
    expect(await rejected(id).tell()).toEqual({ kind: 'nothingToDecide' });
    expect(submitted()).toHaveLength(1);
  });

  it('that is unknown has nothing to decide', async () => {
    const transactionId = reversalOf('01a200455885ed5bf7da20fccea873d4' as TransactionId);
    expect(await decided({ transactionId, decision: 'released' })).toEqual({
      kind: 'nothingToDecide',
    });
  });
});

describe('a payment that rules look at after the authorization', () => {
  const reject = { decision: 'reject', score: 9, resultCode: '800.400.100' } as const;
  const review = { decision: 'review', score: 5, resultCode: '000.400.020' } as const;
  beforeEach(async () => {
    risk.assessed = [ENTITY_ID];
    risk.assessment = {
      ...{ decision: 'accept', score: 0, fired: [] },
      afterwards: [
        { pairs: ['NM', 'N-'], ...reject, fired: [{ id: 'address', name: 'Address' }] },
        { pairs: ['-N'], ...review, fired: [{ id: 'code', name: 'Code' }] },
      ],
    };
    await start();
  });

  async function undone(id: string): Promise<void> {
    for (const endMs = Date.now() + 10_000; Date.now() < endMs; await pause(20)) {
      if ((await world.eventTypes(id)).at(-1) === 'LateApprovalUndone') return;
    }
    throw new Error(`${id} was never undone`);
  }

  it('is declined with their code and given back, where they do not want it', async () => {
    world.connector.checks = { avsResponse: 'N' };
    const { id, status, resultCode } = await payments.outcome(payments.initiation('debit', 100));
    expect([status, resultCode]).toEqual(['declined', '800.400.100']);
    await undone(id);
    expect(await world.eventTypes(id)).toEqual([
      ...['PaymentInitiated', 'RiskAssessed', 'RiskAssessed', 'TransactionDeclined'],
      ...['LateApprovalReceived', 'LateApprovalUndone'],
    ]);
    expect(await payments.view(id)).toMatchObject({ avsResponse: 'N', riskScore: 9 });
    expect(risk.assessments).toHaveLength(1);
  });

  it.each(['bookAndLose', 'bookAndHang'] as const)(
    'is decided alike where its answer was lost, and where the process died: %s',
    async (behaviour) => {
      world.connector.checks = { avsResponse: 'N' };
      world.connector.behaviour = behaviour;
      const initiation = payments.initiation('authorization', 100);
      void payments.send(initiation).catch(() => undefined);
      await world.connector.wasCalled();
      await payments.die();
      risk.isAway = true;
      await start();
      const { transactionId: id } = initiation.data;
      expect(await payments.until(id, 'declined')).toMatchObject({ resultCode: '800.400.100' });
      await undone(id);
      expect(world.connector.effects('authorization')).toEqual([]);
      expect(risk.assessments).toHaveLength(1);
    },
  );

  it('is under review with their code, and can be rejected', async () => {
    world.connector.checks = { cvvResponse: 'N' };
    const id = await payments.paid('authorization', 100);
    expect(await payments.view(id)).toMatchObject({ resultCode: '000.400.020', riskScore: 5 });
    const early = await payments.outcome(reference('capture', id, 100));
    expect(early).toMatchObject({ status: 'rejected', resultCode: '700.400.570' });
    const reversalId = newTransactionIdInChainOf(id, Date.now());
    const query = { transactionId: id, decision: 'rejected', reversalId } as const;
    expect(await decided(query)).toEqual({ kind: 'recorded' });
    expect(await payments.view(reversalId)).toMatchObject({ status: 'approved' });
  });
});
