import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publishedEvent, stateOf } from '@sluice/aggregates';
import {
  eventCodec,
  type EventDeclaration,
  type EventTable,
  eventTable,
  NewerWriter,
  type PaymentEventMetadata,
  paymentEvents,
  type PublishedEvent,
  type Upcaster,
} from '@sluice/contracts';
import { paymentDecider, type PaymentEvent, type PaymentState } from '@sluice/domain-payments';
import { EventStore } from '@sluice/event-store';
import { newMessageId, type TransactionId } from '@sluice/identifiers';
import {
  applyEvents,
  type ArrivedEvent,
  bookkeepingStatements,
  ensureTableSet,
  fedTableSet,
  listTableSets,
  type Projection,
  type Row,
} from '@sluice/projections';
import { Client } from 'pg';
import { PaymentsProcess, PaymentsWorld } from '../test/payments-fixture.js';

// A release that writes an event in the next schema version, over streams that are half of today's:
// what it reads from the store and from the topic, and what the release before makes of it (D-18).

const { PaymentInitiated, TransactionApproved } = paymentEvents;
const { version: versionOfToday, upcasters: upcastersOfToday = [] }: EventDeclaration =
  TransactionApproved;
const nextVersion = versionOfToday + 1;

/** Until that release the acquirer's words were called otherwise. */
const lift: Upcaster = (data) => ({
  ...data,
  resultDetails: { lifted: 'from the version before' },
});
const later = eventTable({
  ...paymentEvents,
  TransactionApproved: {
    ...TransactionApproved,
    version: nextVersion,
    upcasters: [...upcastersOfToday, lift],
  },
});
const laterCodec = eventCodec<typeof later, PaymentEventMetadata>(later);

let world: PaymentsWorld;
let payments: PaymentsProcess;
let store: EventStore;

beforeAll(async () => {
  world = await PaymentsWorld.make();
  payments = await PaymentsProcess.start(world);
  store = new EventStore(world.admin, { schema: 'payments' });
}, 60_000);
afterAll(async () => {
  await payments.die();
  await world.close();
});

/** A payment that this release made; then the later one recorded an approval of a refund of it. */
async function paymentOfBothReleases(): Promise<TransactionId> {
  const { id } = await payments.outcome(payments.initiation('debit', 10_000));
  const [begun, approved] = await store.read(id);
  const { encode, decode } = laterCodec;
  if (begun === undefined || approved === undefined) throw new Error('no events');
  const again = decode(approved);
  const event = {
    ...again,
    data: { ...again.data, resultDetails: { written: 'in the next version' } },
  };
  const appended = await store.append({
    ...{ streamId: id, expectedVersion: 2, commandId: newMessageId(Date.now()) },
    events: [{ id: newMessageId(Date.now()), ...encode(event as PaymentEvent) }],
  });
  expect(appended.kind).toBe('appended');
  return id;
}

/** What is said of the transaction, as rows have it. */
type Said = 'transactionId' | 'streamId' | 'details';

/** The acquirer's words about a transaction, made of the events that a release knows. */
const detailsKnownBy = (events: EventTable): Projection<Said> => ({
  ...{ name: 'details', version: 1, owner: 'payments', topic: 'payments.payment.v1' },
  ...{ key: 'transactionId', events, indexes: [], readsMetadataOf: [] },
  columns: {
    transactionId: { type: 'hexId' },
    streamId: { type: 'hexId' },
    details: { type: 'text', optional: true },
  },
  keyOf: ({ data }) => (data as { readonly transactionId: string }).transactionId,
  fold: (row: Row<Said> | undefined, { streamId, data }): Row<Said> => {
    const { transactionId, resultDetails } = data as Readonly<Record<string, string>>;
    const said = resultDetails === undefined ? '' : JSON.stringify(resultDetails);
    return { transactionId: transactionId ?? '', streamId, details: (row?.details ?? '') + said };
  },
});

/** As a reader of the topic has them: JSON that was sent. */
async function publishedEvents(id: string): Promise<readonly PublishedEvent[]> {
  const incarnation = await store.incarnation();
  const messages = (await store.read(id)).map((event) => publishedEvent(event, incarnation));
  return JSON.parse(JSON.stringify(messages)) as readonly PublishedEvent[];
}

const arrived = ({ type, schemaVersion, data }: PublishedEvent): ArrivedEvent => ({
  ...{ type, schemaVersion, streamId: data.streamId, version: data.version },
  ...{ data: data.event, metadata: data.metadata, text: '' },
});

/** Of a payment of both releases. */
const schemaVersions = [PaymentInitiated.version, versionOfToday, nextVersion];

describe('an event in the next schema version', () => {
  it('is read from the store beside those of today, all in its shape', async () => {
    const events = await store.read(await paymentOfBothReleases());
    expect(events.map(({ schemaVersion }) => schemaVersion)).toEqual(schemaVersions);
    expect(events.map((event) => laterCodec.decode(event).data).slice(1)).toMatchObject([
      { resultDetails: { lifted: 'from the version before' } },
      { resultDetails: { written: 'in the next version' } },
    ]);
    const rules = { decider: paymentDecider, codec: laterCodec };
    const state: PaymentState = stateOf(rules, events);
    expect(state.kind).toBe('opened');
  });

  it('goes over the topic as it was written', async () => {
    const published = await publishedEvents(await paymentOfBothReleases());
    expect(published.map(({ schemaVersion }) => schemaVersion)).toEqual(schemaVersions);
    expect(published.map(({ data }) => Object.keys(data.event as object))).toEqual([
      expect.arrayContaining(['transactionId', 'amount']),
      expect.not.arrayContaining(['resultDetails']),
      expect.arrayContaining(['resultDetails']),
    ]);
  });

  it('is folded by a projection of its release, and waits for it in one of the release before', async () => {
    const { ownerUrl, appRole } = world.database;
    const target = { url: ownerUrl, schema: 'payments', appRole };
    const owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    for (const text of bookkeepingStatements(target)) await owner.query(text);
    await owner.end();
    await ensureTableSet(target, detailsKnownBy(later));
    const [made] = await listTableSets(world.admin, 'payments', 'details');
    if (made === undefined) throw new Error('no table set');
    const id = await paymentOfBothReleases();
    const events = (await publishedEvents(id)).map(arrived);

    const before = fedTableSet(detailsKnownBy(paymentEvents), 'payments', made.id);
    await expect(applyEvents(world.admin, before, events)).rejects.toThrow(NewerWriter);
    const today = fedTableSet(detailsKnownBy(later), 'payments', made.id);
    expect(await applyEvents(world.admin, today, events)).toMatchObject({ applied: 3 });
    const { rows } = await world.admin.query(`SELECT details FROM ${today.statements.table}`);
    expect(rows).toEqual([
      { details: '{"lifted":"from the version before"}{"written":"in the next version"}' },
    ]);
  });

  it('is refused by the service of the release before, which records nothing on it', async () => {
    const id = await paymentOfBothReleases();
    await expect(payments.view(id)).rejects.toThrow();
    expect(await store.read(id)).toHaveLength(3);
  });
});
