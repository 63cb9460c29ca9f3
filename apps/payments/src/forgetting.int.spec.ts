import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { totals } from '@sluice/domain-payments';
import { EventStore, type RecordedEvent } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { PaymentsProcess, PaymentsWorld, reference } from '../test/payments-fixture.js';
import { paymentOf } from './payment-aggregate.js';

const PERSONAL = { 'customer.givenName': 'Zoë', 'customer.email': 'zoe@example.org' };

let world: PaymentsWorld;
let payments: PaymentsProcess;
let owner: EventStore;

beforeAll(async () => {
  world = await PaymentsWorld.make();
}, 60_000);
beforeEach(async () => {
  payments = await PaymentsProcess.start(world);
  owner = new EventStore(world.admin, { schema: 'payments' });
});
afterEach(() => payments.die());
afterAll(() => world.close());

async function paid(personal: Readonly<Record<string, string>> = PERSONAL): Promise<TransactionId> {
  const initiation = payments.initiation('debit', 1_000, { personal });
  expect(await payments.outcome(initiation)).toMatchObject({ status: 'approved' });
  return initiation.data.transactionId;
}

const sealedIn = (events: readonly RecordedEvent[]): number =>
  events.filter(({ data }) => 'personal' in (data as object)).length;

describe('a payment that was forgotten', () => {
  it('is shown without what was personal, by the process that has been at work all the time', async () => {
    const id = await paid();
    expect((await payments.view(id))?.personal).toEqual(PERSONAL);
    await owner.personalKeys.erase(id);
    const view = await payments.view(id);
    expect(view).toMatchObject({ status: 'approved', personal: {}, instrument: { last4: '0000' } });
    expect(JSON.stringify(view)).not.toMatch(/Zoë|zoe@/);
  });

  it('has the same events and, folded again, the same money', async () => {
    const id = await paid();
    await payments.outcome(reference('refund', id, 300));
    const before = await owner.read(id);
    await owner.personalKeys.erase(id);
    const after = await owner.read(id);
    expect(after).toEqual(before);
    expect(totals(paymentOf(after))).toEqual(totals(paymentOf(before)));
    await world.eventTypes(id);
  });

  it('can be refunded; what the refund says of a person is not kept', async () => {
    const id = await paid();
    await owner.personalKeys.erase(id);
    const refund = reference('refund', id, 400, {
      personal: { 'customer.email': 'z@example.org' },
    });
    expect(await payments.outcome(refund)).toMatchObject({ status: 'approved' });
    const again = reference('refund', id, 700);
    expect(await payments.outcome(again)).toMatchObject({ status: 'rejected' });
    expect((await payments.view(refund.data.transactionId))?.personal).toEqual({});
    expect(sealedIn(await owner.read(id))).toBe(1);
    expect(await owner.personalKeys.of(id)).toBe('erased');
  });

  it('stays forgotten although nothing personal had been known of it', async () => {
    const id = await paid({});
    await owner.personalKeys.erase(id);
    const refund = reference('refund', id, 400, { personal: PERSONAL });
    expect(await payments.outcome(refund)).toMatchObject({ status: 'approved' });
    expect((await payments.view(refund.data.transactionId))?.personal).toEqual({});
    expect(sealedIn(await owner.read(id))).toBe(0);
  });

  it('stays forgotten when it happens while a refund is under way', async () => {
    const id = await paid({});
    world.connector.hold();
    const refund = reference('refund', id, 400, { personal: PERSONAL });
    const outcome = payments.outcome(refund);
    while (sealedIn(await owner.read(id)) === 0);
    await owner.personalKeys.erase(id);
    world.connector.letGo();
    expect(await outcome).toMatchObject({ status: 'approved' });
    expect((await payments.view(refund.data.transactionId))?.personal).toEqual({});
  });
});
