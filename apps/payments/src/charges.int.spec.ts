import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChargeAnswer, type ChargeQuery, heldInstrument } from '@sluice/contracts';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';

let world: PaymentsWorld;
let payments: PaymentsProcess;
beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
}, 60_000);
afterEach(() => {
  world.connector.behaviour = 'approve';
});
afterAll(async () => {
  await payments.die();
  await world.close();
});

const charge = (query: ChargeQuery, by = payments): Promise<ChargeAnswer> =>
  by.bus.queries.ask('payments', 'payments.charge', query);

/** As scheduling asks for it, whose ids are its own. */
function due(changes: Partial<ChargeQuery['payment']> = {}): ChargeQuery {
  const { transactionId, personal: _, ...payment } = payments.initiation('debit', 990).data;
  return { transactionId, payment: { ...payment, ...changes }, personal: {} };
}

describe('a payment that nobody asks for at that moment', () => {
  it('is made once, however often and at once it is asked for, and by whichever process', async () => {
    const other = await PaymentsProcess.start(world);
    const query = due();
    const before = world.connector.submitted.length;
    const askers = [payments, other, payments, other];
    const answers = await Promise.all(askers.map((by) => charge(query, by)));
    answers.push(await charge(query), await charge(query, other));
    for (const answer of answers) {
      if (answer.kind === 'again') continue;
      expect(answer.outcome).toMatchObject({ id: query.transactionId, status: 'approved' });
    }
    expect(answers.at(-1)).toMatchObject({ kind: 'decided', outcome: { status: 'approved' } });
    expect(world.connector.submitted.length).toBe(before + 1);
    expect(await world.eventTypes(query.transactionId)).toEqual([
      ...['PaymentInitiated', 'TransactionApproved'],
    ]);
    await other.die();
  });

  it('keeps what is personal of it, sealed', async () => {
    const query = { ...due(), personal: { 'customer.email': 'jane@example.org' } };
    await charge(query);
    expect(await payments.view(query.transactionId)).toMatchObject({ personal: query.personal });
    const { rows } = await world.admin.query<{ data: object }>(
      'SELECT data FROM payments.events WHERE stream_id = $1',
      [query.transactionId],
    );
    expect(JSON.stringify(rows)).not.toContain('jane@');
  });

  it('says what asked for it, also where it is refused, and what refers to it does not', async () => {
    const sources = [
      { source: 'SCHEDULER' },
      { source: 'MACRETRY', rejection: '100.150.203' },
    ] as const;
    for (const asked of sources) {
      const query = due(asked);
      await charge(query);
      expect(await payments.view(query.transactionId)).toMatchObject({ source: asked.source });
    }
    const { id } = await payments.outcome(payments.initiation('debit', 990));
    expect(await payments.view(id)).not.toHaveProperty('source');
    const query = due({ source: 'SCHEDULER' });
    await charge(query);
    const refunded = await payments.outcome(reference('refund', query.transactionId, 990));
    expect(refunded).toMatchObject({ status: 'approved' });
    expect(await payments.view(refunded.id)).not.toHaveProperty('source');
  });

  it('is told as declined, with the advice of the issuer', async () => {
    world.connector.behaviour = 'decline';
    world.connector.adviceCode = '24';
    expect(await charge(due())).toMatchObject({
      kind: 'decided',
      outcome: { status: 'declined', resultDetails: { MerchantAdviceCode: '24' } },
    });
    world.connector.adviceCode = undefined;
  });

  it('is told as never sent, where the acquirer is away', async () => {
    world.connector.behaviour = 'unreachable';
    expect(await charge(due())).toMatchObject({
      outcome: { status: 'notPerformed', wasNeverSent: true },
    });
  });

  it('is recorded as refused, and nobody is asked, where what it is made with is gone', async () => {
    const before = world.connector.submitted.length;
    const instrument = { kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' } as const;
    const expiry = { expiryMonth: '12', expiryYear: '2030' } as const;
    const shown = heldInstrument({ ...instrument, ...expiry }, undefined);
    const query = due({ instrument: shown, rejection: '100.150.203' });
    expect(await charge(query)).toMatchObject({
      outcome: { status: 'rejected', resultCode: '100.150.203' },
    });
    expect(world.connector.submitted.length).toBe(before);
  });

  it('is asked for again while nobody knows what became of it, and then is known', async () => {
    world.connector.behaviour = 'pending';
    const query = due();
    expect(await charge(query)).toEqual({ kind: 'again' });
    expect(await charge(query)).toEqual({ kind: 'again' });
    world.connector.behaviour = 'bookAndLose';
    const lost = due();
    expect(await charge(lost)).toEqual({ kind: 'again' });
    await payments.until(lost.transactionId, 'approved');
    expect(await charge(lost)).toMatchObject({ outcome: { status: 'approved' } });
  });
});
