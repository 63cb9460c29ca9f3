import { afterAll, beforeAll } from '@jest/globals';
import { type EventMetadata, type PaymentEvent, paymentEventCodec } from '@sluice/domain-payments';
import { EventStore, migrations } from '@sluice/event-store';
import {
  type EntityId,
  newMessageId,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { type Amount, currency } from '@sluice/money';
import { ReportingModule, transactions } from '@sluice/reporting';
import { ensureRolesAndSchema, migrate, type ServiceDatabase } from '@sluice/service';
import { risk } from '@sluice/risk';
import { startTestDatabase } from '@sluice/testing';
import pg from 'pg';

const NAMES = ['payments', 'reporting', 'risk'] as const;
const START_WITHIN_MS = 60_000;

export const ENTITY_ID = 'aaaabbbbccccdddd0000111122223333' as EntityId;

/** A payment that was authorized, captured in part and refunded in part. */
export interface CapturedPayment {
  readonly id: TransactionId;
  readonly captureId: TransactionId;
  readonly refundId: TransactionId;
}

/** A database with payments' event store and reporting's tables; made and dropped by jest's hooks. */
export class PaymentsFixture {
  #services: Readonly<Record<(typeof NAMES)[number], ServiceDatabase>> | undefined;
  #pool = new pg.Pool();
  #close: () => Promise<void> = () => Promise.resolve();
  #mintedMs = Date.now();

  constructor() {
    beforeAll(() => this.#open(), START_WITHIN_MS);
    afterAll(() => this.#close());
  }

  /** As the services would be told. */
  get environment(): NodeJS.ProcessEnv {
    const { payments, reporting, risk: ofRisk } = this.services;
    return {
      RISK_OWNER_DATABASE_URL: ofRisk.ownerUrl,
      PAYMENTS_DATABASE_URL: payments.appUrl,
      PAYMENTS_OWNER_DATABASE_URL: payments.ownerUrl,
      REPORTING_DATABASE_URL: reporting.appUrl,
      REPORTING_OWNER_DATABASE_URL: reporting.ownerUrl,
    };
  }

  get services(): Readonly<Record<(typeof NAMES)[number], ServiceDatabase>> {
    if (this.#services === undefined) throw new Error('the database exists only while tests run');
    return this.#services;
  }

  /** Rows as the owner of a service's tables sees them. */
  async rows<Row extends pg.QueryResultRow>(
    service: (typeof NAMES)[number],
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.services[service].ownerUrl });
    await client.connect();
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  /** Appends events as one command would; they share one instant of the database. */
  async append(streamId: TransactionId, events: readonly PaymentEvent[]): Promise<void> {
    const store = new EventStore(this.#pool, { schema: 'payments' });
    const begun = events.flatMap(({ type, data }) => (startsTransaction(type) ? [data] : []));
    const result = await store.append({
      streamId,
      expectedVersion: (await store.read(streamId)).length,
      commandId: newMessageId(Date.now()),
      events: events.map((event) => ({
        id: newMessageId(Date.now()),
        ...paymentEventCodec.encode(event),
      })),
      transactionIds: begun.map(({ transactionId }) => transactionId),
    });
    if (result.kind !== 'appended') throw new Error(result.kind);
  }

  /** 100.00 authorized, 60.00 captured, 10.00 of them refunded; three commands, six events. */
  async capturedPayment(): Promise<CapturedPayment> {
    const id = newTransactionId((this.#mintedMs += 1));
    const captureId = newTransactionIdInChainOf(id, (this.#mintedMs += 1));
    const refundId = newTransactionIdInChainOf(id, (this.#mintedMs += 1));
    await this.append(id, [initiated(id, 10_000n), approved(id)]);
    await this.append(id, [requested(captureId, id, 'capture', 6_000n), approved(captureId)]);
    await this.append(id, [requested(refundId, captureId, 'refund', 1_000n), approved(refundId)]);
    return { id, captureId, refundId };
  }

  /** 100.00 authorized by the second of two routes, because the first acquirer was away, or said no. */
  async reroutedPayment(ended: object = { reason: 'notReachable' }): Promise<TransactionId> {
    const id = newTransactionId((this.#mintedMs += 1));
    const first = initiated(id, 10_000n);
    const routed = { ...first, data: { ...first.data, ...requestTo('first', id, 'a') } };
    const data = {
      transactionId: id,
      ...ended,
      ...requestTo('second', `${id}-2`, 'b'),
    };
    const rerouted = { type: 'TransactionRerouted', metadata, data };
    await this.append(id, [routed as PaymentEvent, rerouted as PaymentEvent, approved(id)]);
    return id;
  }

  async #open(): Promise<void> {
    const database = await startTestDatabase();
    this.#services = await ensureRolesAndSchema(database.url, NAMES);
    const { payments, reporting, risk: ofRisk } = this.#services;
    const { ownerUrl: url, schema, appRole } = payments;
    await migrate({ url, schema, migrations: migrations(payments), appRole });
    await migrate({
      ...{ url: ofRisk.ownerUrl, schema: ofRisk.schema, appRole: ofRisk.appRole },
      migrations: risk.migrations?.(ofRisk) ?? [],
    });
    await ReportingModule.migrate(reporting, [transactions]);
    await this.#pool.end();
    this.#pool = new pg.Pool({ connectionString: payments.appUrl, max: 2 });
    this.#close = async () => {
      await this.#pool.end();
      await database.drop();
    };
  }
}

function requestTo(connector: string, acquirerReference: string, digit: string) {
  const route = { rule: 'weight', candidates: 2, weight: 70, weights: 100, drawn: 12 };
  const ids = { routeId: digit.repeat(32), merchantAccountId: digit.repeat(32) };
  return { request: { connector, acquirerReference, deadlineMs: 0 }, route: { ...route, ...ids } };
}

function startsTransaction(type: PaymentEvent['type']): boolean {
  return type === 'PaymentInitiated' || type === 'TransactionRequested';
}

const metadata: EventMetadata = {
  recordedAtMs: Date.UTC(2026, 0, 15, 12),
  entityId: ENTITY_ID,
  channelName: 'Demo channel',
  ndc: `${ENTITY_ID}_1`,
  mode: 'INTERNAL',
  actor: ENTITY_ID,
  correlationId: 'c',
  causationId: 'c',
};

export function euro(minor: bigint): Amount {
  return { minor, currency: currency('EUR') };
}

export function initiated(transactionId: TransactionId, minor: bigint): PaymentEvent {
  const instrument = {
    ...{
      kind: 'card' as const,
      vaultReference: 'vault-0:secret',
      bin: '420000',
      last4: '0000',
      brand: 'VISA',
    },
    ...{ expiryMonth: '12', expiryYear: '2030' },
  };
  return {
    type: 'PaymentInitiated',
    metadata,
    data: {
      ...{ transactionId, operation: 'authorization', amount: euro(minor), instrument },
      parameters: { merchantTransactionId: 'order-0001' },
      personal: 'c2VhbGVkLXBlcnNvbmFsLWRhdGE=',
    },
  };
}

export function approved(transactionId: TransactionId): PaymentEvent {
  const data = { transactionId, resultCode: '000.100.110', connectorTxId: 'acquirer-1' };
  return { type: 'TransactionApproved', metadata, data };
}

export function requested(
  transactionId: TransactionId,
  referencedId: TransactionId,
  operation: 'capture' | 'refund',
  minor: bigint,
): PaymentEvent {
  return {
    type: 'TransactionRequested',
    metadata,
    data: {
      ...{ transactionId, referencedId, operation, amount: euro(minor) },
      ...{ final: false, parameters: {} },
    },
  };
}
