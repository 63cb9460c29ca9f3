import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { acquirerReferenceOf } from '@sluice/domain-payments';
import { newTransactionId } from '@sluice/identifiers';
import {
  context,
  ENTITY_ID,
  OTHER_ENTITY_ID,
  PaymentsProcess,
  PaymentsWorld,
  reference,
} from '../test/payments-fixture.js';

/** More than the estimate of the database's clock is ever wrong by. */
const LONG_OVER_MS = 1_000;

let world: PaymentsWorld;
let payments: PaymentsProcess;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
}, 60_000);
beforeEach(() => {
  world.connector.behaviour = 'approve';
});
afterAll(async () => {
  await payments.die();
  await world.close();
});

describe('a payment', () => {
  it('is authorized, captured in two parts and refunded', async () => {
    const id = await payments.paid('authorization', 10_000);
    const first = await payments.outcome(reference('capture', id, 6_000));
    const second = await payments.outcome(reference('capture', id, 4_000));
    const refund = await payments.outcome(reference('refund', second.id, 4_000));
    for (const outcome of [first, second, refund]) {
      expect(outcome).toMatchObject({ status: 'approved', resultCode: '000.100.110' });
    }
    const refused = await payments.outcome(reference('refund', second.id, 1));
    expect(refused).toMatchObject({ status: 'rejected', resultCode: '700.400.200' });
    expect(await world.eventTypes(id)).toEqual([
      'PaymentInitiated',
      'TransactionApproved',
      ...Array.from({ length: 3 }, () => ['TransactionRequested', 'TransactionApproved']).flat(),
      'TransactionRejected',
    ]);
    expect(await world.dueAt(id)).toBeNull();
    expect((await payments.view(refused.id))?.resultCode).toBe('700.400.200');
  });

  it('names to the acquirer what it refers to, and reveals the card for the first call alone', async () => {
    const before = world.connector.submitted.length;
    const id = await payments.paid('authorization', 100);
    const capture = await payments.outcome(reference('capture', id, 100));
    const refund = await payments.outcome(reference('refund', capture.id, 40));
    const sent = world.connector.submitted.slice(before);
    const [first, second, third] = sent;
    // What is recorded before sending, and what recovery asks by (D-24).
    const references = sent.map(({ acquirerReference }) => acquirerReference);
    expect(references).toEqual([id, capture.id, refund.id].map(acquirerReferenceOf));
    expect(first).not.toHaveProperty('originalReference');
    expect(second).toMatchObject({
      operation: 'capture',
      originalReference: id,
      originalOperation: 'authorization',
      originalAmount: { minor: 100n },
    });
    expect(third).toMatchObject({ originalReference: capture.id, amount: { minor: 40n } });
    const cards = world.connector.instruments.slice(before);
    expect(cards.map((card) => card !== undefined)).toEqual([true, false, false]);
  });

  it('names to the acquirer the authorization that is in force, also after a reauthorization', async () => {
    const first = await payments.paid('authorization', 10_000);
    const again = await payments.outcome(reference('reauthorization', first, 8_000));
    expect(again.status).toBe('approved');
    const capture = await payments.outcome(reference('capture', first, 8_000));
    expect(capture.status).toBe('approved');
    const sent = world.connector.submitted.at(-1);
    expect(sent).toMatchObject({ operation: 'capture', originalReference: again.id });
  });
  it('passes test directives on to the connector as they came', async () => {
    const before = world.connector.submitted.length;
    const testDirectives = { 'simulator.fault': 'twice', 'simulator.notMadeYet': 'anything' };
    const { id } = await payments.outcome(payments.initiation('debit', 100, { testDirectives }));
    await payments.outcome(reference('refund', id, 100, { testDirectives }));
    const sent = world.connector.submitted.slice(before);
    expect(sent.map((request) => request.testDirectives)).toEqual([testDirectives, testDirectives]);
    await payments.paid('debit', 100);
    expect(world.connector.submitted.at(-1)).not.toHaveProperty('testDirectives');
  });

  it.each([
    ['approve', 'approved'],
    ['decline', 'declined'],
    ['lose', 'unknown'],
    ['unreachable', 'notPerformed'],
    ['throw', 'unknown'],
  ] as const)('forgets the card when the acquirer does %s', async (behaviour, status) => {
    world.connector.behaviour = behaviour;
    const command = payments.initiation('debit', 100);
    expect((await payments.outcome(command)).status).toBe(status);
    expect(world.vault.held.has(command.data.instrument.vaultReference)).toBe(false);
  });

  it('is not performed when the card is gone, and nothing is sent', async () => {
    const before = world.connector.submitted.length;
    const command = payments.initiation('debit', 100);
    world.vault.held.clear();
    expect(await payments.outcome(command)).toMatchObject({
      status: 'notPerformed',
      resultCode: '900.100.310',
    });
    expect(world.connector.submitted).toHaveLength(before);
  });

  it('is refused when what it is made with was deleted meanwhile, and nothing is sent', async () => {
    const before = world.connector.submitted.length;
    const command = payments.initiation('debit', 100);
    world.vault.forgotten.add(command.data.instrument.vaultReference);
    const { id, ...outcome } = await payments.outcome(command);
    const refused = { status: 'notPerformed', resultCode: '100.150.203' };
    expect(outcome).toMatchObject(refused);
    expect(await payments.view(id)).toMatchObject(refused);
    expect(world.connector.submitted).toHaveLength(before);
  });

  it('that cannot be paid is recorded, forgotten by the vault and sent nowhere', async () => {
    const before = world.connector.submitted.length;
    const command = payments.initiation('debit', 100, { rejection: '100.100.303' });
    const outcome = await payments.outcome(command);
    expect(outcome).toMatchObject({ status: 'rejected', resultCode: '100.100.303' });
    expect(world.connector.submitted).toHaveLength(before);
    expect(world.vault.held.has(command.data.instrument.vaultReference)).toBe(false);
    expect((await payments.view(outcome.id))?.status).toBe('rejected');
  });

  it('that is not served is recorded without a card, with what was wanted, and can be read', async () => {
    const before = world.connector.submitted.length;
    const outcome = await payments.outcome(payments.unserved());
    const refused = {
      status: 'rejected',
      resultCode: '600.200.500',
      resultDescription: 'not served: PAYPAL',
    };
    expect(outcome).toMatchObject({ ...refused, amount: { minor: '100', currency: 'EUR' } });
    expect(world.connector.submitted).toHaveLength(before);
    expect(await world.eventTypes(outcome.id)).toEqual(['TransactionRejected']);
    const view = await payments.view(outcome.id);
    expect(view).toMatchObject({
      ...refused,
      instrument: { kind: 'virtualAccount', brand: 'PAYPAL' },
    });
  });

  it('that refers to another is sent nowhere either, and says why when it is read', async () => {
    const { id } = await payments.outcome(payments.initiation('debit', 100));
    const before = world.connector.submitted.length;
    const refused = { rejection: '600.200.500', rejectionDescription: 'no 3-D Secure' };
    const rebill = reference('rebill', id, 100, refused);
    const shown = { resultCode: '600.200.500', resultDescription: 'no 3-D Secure' };
    expect(await payments.outcome(rebill)).toMatchObject({ status: 'rejected', ...shown });
    expect(await payments.view(rebill.data.transactionId)).toMatchObject(shown);
    expect(world.connector.submitted).toHaveLength(before);
  });

  it('that came too late is recorded as not performed (D-03)', async () => {
    const before = world.connector.submitted.length;
    const command = { ...payments.initiation('debit', 100), timeToLiveMs: -LONG_OVER_MS };
    const outcome = await payments.outcome(command);
    expect(outcome).toMatchObject({ status: 'notPerformed', resultCode: '900.100.310' });
    expect(world.connector.submitted).toHaveLength(before);
    expect(await world.eventTypes(outcome.id)).toEqual([
      'PaymentInitiated',
      'TransactionNotPerformed',
    ]);
    const id = await payments.paid('debit', 100);
    const late = { ...reference('refund', id, 100), timeToLiveMs: -LONG_OVER_MS };
    expect((await payments.outcome(late)).status).toBe('notPerformed');
    expect((await payments.outcome(reference('refund', id, 100))).status).toBe('approved');
  });

  it('gives its place before the call back, however it ends', async () => {
    // Together more than may be between their command and their call, of each kind.
    const MANY = 70;
    const make = () => payments.initiation('debit', 100);
    const many = (change = (command: ReturnType<typeof make>) => command) =>
      Promise.all(Array.from({ length: MANY }, () => payments.reply(change(make()))));
    for (const behaviour of ['decline', 'throw', 'unreachable'] as const) {
      world.connector.behaviour = behaviour;
      await many();
    }
    await many((command) => ({ ...command, timeToLiveMs: -LONG_OVER_MS }));
    const withoutCards = Array.from({ length: MANY }, make);
    world.vault.held.clear();
    await Promise.all(withoutCards.map((command) => payments.reply(command)));
    const [twice] = withoutCards;
    if (twice !== undefined) {
      await Promise.all(Array.from({ length: MANY }, () => payments.reply(twice)));
    }
    expect((await payments.reply(make())).kind).toBe('transaction');
  }, 60_000);

  it('records chargebacks as facts, without a call', async () => {
    const id = await payments.paid('debit', 100);
    const before = world.connector.submitted.length;
    const chargeback = await payments.outcome(
      reference('chargeback', id, 60, { chargebackResultCode: '000.100.222' }),
    );
    expect(chargeback).toMatchObject({ status: 'approved', resultCode: '000.100.222' });
    const back = await payments.outcome(reference('chargebackReversal', chargeback.id, 60));
    expect(back).toMatchObject({ status: 'approved', resultCode: '000.100.110' });
    expect(world.connector.submitted).toHaveLength(before);
  });
});

describe('a reference', () => {
  it('to nothing is not found', async () => {
    const nowhere = newTransactionId(Date.now());
    expect(await payments.reply(reference('capture', nowhere, 1))).toEqual({ kind: 'notFound' });
  });
  it('to a foreign payment says whose it is, and records nothing', async () => {
    const id = await payments.paid('authorization', 100);
    const foreign = reference('capture', id, 1, { context: context(OTHER_ENTITY_ID) });
    expect(await payments.reply(foreign)).toEqual({ kind: 'foreignEntity', entityId: ENTITY_ID });
    expect(await world.eventTypes(id)).toHaveLength(2);
  });
  it('in another currency is refused and recorded, an amount or none (D-29)', async () => {
    const id = await payments.paid('authorization', 100);
    const foreign = await payments.outcome(
      reference('reversal', id, undefined, { currency: 'USD' }),
    );
    expect(foreign).toMatchObject({ status: 'rejected', resultCode: '700.100.500' });
    expect((await payments.view(foreign.id))?.resultCode).toBe('700.100.500');
    const own = reference('reversal', id, undefined, { currency: 'EUR' });
    expect((await payments.outcome(own)).amount).toEqual({ minor: '100', currency: 'EUR' });
  });
  it('has the mode of the payment unless it says another one, which is refused (D-64)', async () => {
    const external = { ...context(), mode: 'EXTERNAL' } as const;
    const { mode: _, ...silent } = context();
    const paid = payments.initiation('debit', 10_000, { context: external });
    const { id } = await payments.outcome(paid);
    const refund = (said: object) =>
      payments.outcome(reference('refund', id, 10, { context: { ...silent, ...said } }));
    for (const said of [{}, { mode: 'EXTERNAL' }]) {
      const { id: refundId, ...outcome } = await refund(said);
      expect(outcome).toMatchObject({ status: 'approved', resultCode: '000.100.112' });
      expect(await payments.view(refundId)).toMatchObject({ mode: 'EXTERNAL' });
    }
    const other = await refund({ mode: 'INTERNAL' });
    expect(other).toMatchObject({ status: 'rejected', resultCode: '700.100.600' });
  });
  it('to a payment in flight is refused as pending', async () => {
    world.connector.hold();
    const command = payments.initiation('authorization', 100);
    const first = payments.outcome(command);
    const early = await payments.outcome(reference('capture', command.data.transactionId, 1));
    expect(early).toMatchObject({ status: 'rejected', resultCode: '700.400.570' });
    world.connector.letGo();
    expect((await first).status).toBe('approved');
  });
});

describe('a read', () => {
  it('shows a transaction to its own tenant alone, with personal data opened', async () => {
    const personal = { 'customer.givenName': 'Jane', 'customer.surname': 'Doe' };
    const parameters = { merchantTransactionId: 'order-4711' };
    const command = payments.initiation('debit', 100, { personal, parameters });
    const { id } = await payments.outcome(command);
    const view = await payments.view(id);
    expect(view).toMatchObject({ id, personal, parameters, status: 'approved', mode: 'INTERNAL' });
    expect(view?.instrument).toEqual({
      kind: 'card',
      bin: '420000',
      last4: '0000',
      brand: 'VISA',
      expiryMonth: '12',
      expiryYear: '2030',
    });
    expect(await payments.view(id, OTHER_ENTITY_ID)).toBeUndefined();
    expect(await payments.view(newTransactionId(Date.now()))).toBeUndefined();
  });
  it('finds personal data of a later transaction, whether or not the first had any', async () => {
    for (const personal of [{}, { 'customer.givenName': 'Jane' }]) {
      const { id } = await payments.outcome(payments.initiation('debit', 100, { personal }));
      const later = { 'customer.email': 'jane@example.com' };
      for (const minor of [10, 20]) {
        const refund = reference('refund', id, minor, { personal: later });
        const outcome = await payments.outcome(refund);
        expect((await payments.view(outcome.id))?.personal).toEqual(later);
      }
    }
  });
  it('is all that can be had of personal data: the rows hold none in clear', async () => {
    const personal = { 'customer.givenName': 'Unmistakable' };
    const { id } = await payments.outcome(payments.initiation('debit', 100, { personal }));
    const { rows } = await world.admin.query<{ text: string }>(
      `SELECT data::text || metadata::text AS text FROM payments.events WHERE stream_id = $1`,
      [id],
    );
    const text = rows.map((row) => row.text).join();
    expect(text).toContain('personal');
    expect(text).not.toContain('Unmistakable');
    expect(text).not.toContain('4200000000000000');
    await world.admin.query('DELETE FROM payments.personal_keys WHERE stream_id = $1', [id]);
    expect((await payments.view(id))?.personal).toEqual({});
  });
});
