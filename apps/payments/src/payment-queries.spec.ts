import { describe, expect, it } from '@jest/globals';
import {
  type EventMetadata,
  paymentDecider,
  paymentEventCodec,
  type PaymentEvent,
} from '@sluice/domain-payments';
import type { EventStore, RecordedEvent } from '@sluice/event-store';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { currency } from '@sluice/money';
import type { KeyProvider } from '@sluice/service';
import { PaymentQueries } from './payment-queries.js';

const OWNER = '8a8294174b7ecb28014b9699220015ca' as EntityId;
const STRANGER = '8a8294174b7ecb28014b9699220015cb' as EntityId;
const id = '0194670a0000abcd0000000000000001' as TransactionId;
const order = { merchantTransactionId: 'order-1' };
const metadata: EventMetadata = {
  ...{ recordedAtMs: 0, entityId: OWNER, channelName: 'demo', ndc: 'n', mode: 'INTERNAL' },
  ...{ actor: 'token', correlationId: 'n', causationId: 'm' },
};

/** A debit of the owner's. */
function paymentEvents(): readonly PaymentEvent[] {
  return paymentDecider.decide(
    {
      ...{ type: 'InitiatePayment', transactionId: id, operation: 'debit', metadata },
      amount: { minor: 100n, currency: currency('EUR') },
      instrument: {
        ...{ kind: 'card', vaultReference: 'vault-1', bin: '420000', last4: '0000', brand: 'VISA' },
        ...{ expiryMonth: '12', expiryYear: '2030' },
      },
      request: { connector: 'simulator', acquirerReference: id, deadlineMs: 22_000 },
      parameters: order,
    },
    paymentDecider.initialState,
  );
}

/** Events as the store has them. */
function asRecorded(events: readonly PaymentEvent[]): readonly RecordedEvent[] {
  return events.map((event, index) => {
    const { data, metadata: said, ...encoded } = paymentEventCodec.encode(event);
    const parsed = { data: JSON.parse(data) as unknown, metadata: JSON.parse(said) as unknown };
    const place = { streamId: id, version: index + 1, recordedAtMs: 0 };
    return { ...encoded, ...parsed, ...place, id: 'event', commandId: 'message' };
  });
}

const recorded = (): readonly RecordedEvent[] => asRecorded(paymentEvents());
const found = () => Promise.resolve({ streamId: id, events: recorded() });
const queries = new PaymentQueries(
  {
    readTransaction: found,
    readByTransaction: found,
    // Even if the store found it for somebody else: whose it is stands in its events.
    lookUp: () => Promise.resolve({ found: [{ streamId: id, version: 1 }] }),
    read: () => Promise.resolve(recorded()),
  } as unknown as EventStore,
  {} as KeyProvider,
  { personalParameters: () => Promise.resolve({ blocks: [] }) },
);
const page = { limit: 10, pageNo: 1, transactionId: id };

describe("a tenant's transaction", () => {
  it('is shown to the tenant, and to others like none', async () => {
    const shown = await queries.transaction({ transactionId: id, entityId: OWNER });
    expect(shown.transaction).toMatchObject({ id, entityId: OWNER });
    expect(await queries.transaction({ transactionId: id, entityId: STRANGER })).toEqual({});
  });

  it.each([true, false])(
    'is listed for the tenant alone, its payment with it: %s',
    async (includeLinked) => {
      const listed = (entityId: EntityId) =>
        queries.transactionEntries({ ...page, entityId, includeLinked });
      expect(await listed(OWNER)).toMatchObject({ transactions: [{ id }], total: 1 });
      expect(await listed(STRANGER)).toEqual({ transactions: [], total: 0 });
    },
  );

  it("is found by the merchant's own id by the tenant alone", async () => {
    const search = (entityId: EntityId, by = order) =>
      queries.transactionsByReference({ ...page, entityId, by, includeLinked: true });
    expect(await search(OWNER)).toMatchObject({ transactions: [{ id }], total: 1 });
    expect(await search(STRANGER)).toEqual({ transactions: [], total: 0 });
    const another = { merchantTransactionId: 'order-2' };
    expect(await search(OWNER, another)).toEqual({ transactions: [], total: 0 });
  });

  it('is shown without the reference of its card in the vault', async () => {
    const { transaction } = await queries.transaction({ transactionId: id, entityId: OWNER });
    expect(transaction?.instrument).toMatchObject({ last4: '0000' });
    expect(transaction?.instrument).not.toHaveProperty('vaultReference');
  });
});

describe("the payments under one merchant's own id", () => {
  it.each([
    [0, false],
    [100, false],
    [101, true],
  ])('are a hundred at most, and it is said when there are more: of %s', async (count, more) => {
    const all = Array.from({ length: count }, (_, index) => ({ streamId: `${index}`, version: 1 }));
    const store = {
      lookUp: (_: string, limit: number) =>
        Promise.resolve({ found: all.slice(0, limit), incarnation: 'life-1' }),
    } as unknown as EventStore;
    const heads = new PaymentQueries(store, {} as KeyProvider, {} as never);
    const answer = await heads.referenceHeads({ ...order, entityId: OWNER });
    expect(answer).toMatchObject({ more, incarnation: 'life-1' });
  });
});

describe('a transaction whose outcome came behind many others', () => {
  it('is shown with it: all of its payment is looked at while it is open', async () => {
    const asked: (number | undefined)[] = [];
    const { decide, evolve, initialState } = paymentDecider;
    const state = paymentEvents().reduce(evolve, initialState);
    const outcome = { kind: 'approved', resultCode: '000.100.110', connectorTxId: 'tx' } as const;
    const approval = decide({ type: 'RecordOutcome', transactionId: id, nowMs: 1, outcome }, state);
    const store = {
      readTransaction: (_: string, eventsMax?: number) => {
        asked.push(eventsMax);
        const far = eventsMax === undefined ? approval : [];
        return Promise.resolve({ streamId: id, events: asRecorded([...paymentEvents(), ...far]) });
      },
    } as unknown as EventStore;
    const far = new PaymentQueries(store, {} as KeyProvider, {} as never);
    const { transaction } = await far.transaction({ transactionId: id, entityId: OWNER });
    expect(transaction?.status).toBe('approved');
    expect(asked).toEqual([64, undefined]);
  });
});
