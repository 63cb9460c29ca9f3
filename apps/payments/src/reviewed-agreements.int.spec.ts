import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { InitiatePaymentData, ReviewDecidedAnswer } from '@sluice/contracts';
import {
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { ENTITY_ID, PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';
import { ScriptedRisk } from '../test/scripted-risk.js';

const APPROVED = '000.100.110';
const REFUSED = '600.200.501';

let world: PaymentsWorld;
let risk: ScriptedRisk;
let payments: PaymentsProcess;
beforeEach(async () => {
  world = await PaymentsWorld.make();
  risk = new ScriptedRisk();
  risk.assessed = [ENTITY_ID];
  payments = await PaymentsProcess.start(world, { queries: risk });
});
afterEach(async () => {
  await payments.die();
  await world.close();
});

type Fields = Readonly<Record<string, string>>;
type Stored = Pick<InitiatePaymentData, 'storedByPaymentId' | 'storedTerms'>;

const said = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]),
  );

async function paid(fields: Fields, stored: Stored = {}, registrationId?: TransactionId) {
  const parameters = { ...(registrationId !== undefined && { registrationId }), ...said(fields) };
  return payments.outcome(payments.initiation('debit', 500, { parameters, ...stored }));
}

/** A first payment that waits for somebody. */
async function held(fields: Fields = {}, registrationId?: TransactionId) {
  risk.assessment = { decision: 'review', score: 50, resultCode: '000.400.000', fired: [] };
  const first = await paid({ mode: 'INITIAL', source: 'CIT', ...fields }, {}, registrationId);
  risk.assessment = { decision: 'accept', score: 0, fired: [] };
  expect(first.resultCode).toBe('000.400.000');
  return first;
}

async function decide(transactionId: TransactionId, decision: 'released' | 'rejected') {
  const reversalId = newTransactionIdInChainOf(transactionId, Date.now());
  const query = { transactionId, decision, actor: 'jane', reversalId };
  await payments.bus.queries.ask<ReviewDecidedAnswer>('payments', 'payments.reviewDecided', query);
}

const repeated = { mode: 'REPEATED', source: 'MIT' };

describe('a later payment of an agreement whose first payment is under review', () => {
  it.each<Fields>([{}, { numberOfInstallments: '9' }])(
    'is refused until that is released, and for good once it is rejected: %j',
    async (terms) => {
      for (const decision of ['released', 'rejected'] as const) {
        const { id, connectorTxId = '' } = await held(terms);
        const ways = [
          () => paid({ ...repeated, agreementId: id }),
          () => paid({ ...repeated, initialTransactionId: connectorTxId }),
          () => paid(repeated, { storedByPaymentId: id }, newTransactionId(1)),
          () =>
            paid(
              { ...repeated, agreementId: 'bogus' },
              { storedByPaymentId: id, storedTerms: said(terms) },
              newTransactionId(1),
            ),
        ];
        const codes = async () => {
          const answered: string[] = [];
          for (const way of ways) answered.push((await way()).resultCode);
          return new Set(answered);
        };
        expect(await codes()).toEqual(new Set([REFUSED]));
        await decide(id, decision);
        expect(await codes()).toEqual(new Set([decision === 'released' ? APPROVED : REFUSED]));
      }
    },
  );

  it("has the merchant's own name refused, which may be used again", async () => {
    const { id } = await held({ agreementId: 'contract' });
    const later = () => paid({ ...repeated, agreementId: 'contract' });
    expect((await later()).resultCode).toBe(REFUSED);
    await decide(id, 'rejected');
    await paid({ mode: 'INITIAL', source: 'CIT', agreementId: 'contract' });
    expect((await later()).resultCode).toBe(APPROVED);
  });

  it('by a registration is refused where it has nothing else, and not under what that has', async () => {
    const registration = newTransactionId(2);
    const { id } = await held({}, registration);
    expect((await paid(repeated, {}, registration)).resultCode).toBe(REFUSED);
    // The payment that stored it stands, and is named.
    const { id: storing } = await paid({ mode: 'INITIAL', source: 'CIT' });
    const stored = { storedByPaymentId: storing };
    const named = { ...repeated, agreementId: storing };
    expect((await paid(named, stored, registration)).resultCode).toBe(APPROVED);
    await paid({ mode: 'INITIAL', source: 'CIT' }, {}, registration);
    expect((await paid(repeated, stored, registration)).resultCode).toBe(APPROVED);
    expect((await paid({ ...repeated, agreementId: id }, {}, registration)).resultCode).toBe(
      REFUSED,
    );
  });

  it("is taken where it is the shopper's own, which needs no first one", async () => {
    const { id } = await held();
    const own = { mode: 'REPEATED', source: 'CIT' };
    const stored = { storedByPaymentId: id };
    expect((await paid({ ...own, agreementId: id })).resultCode).toBe(APPROVED);
    expect((await paid(own, stored, newTransactionId(3))).resultCode).toBe(APPROVED);
  });
});
