import { expect } from '@jest/globals';
import {
  type InstrumentOf,
  type InitiatePayment,
  type PaymentReply,
  type ReferToPayment,
  RegistrationForgotten,
  type RevealedInstrument,
  type TransactionAnswer,
  type TransactionView,
  type Vault,
} from '@sluice/contracts';
import { invariantViolations } from '@sluice/domain-payments';
import { EventStore } from '@sluice/event-store';
import {
  chainShard,
  type EntityId,
  newMessageId,
  newNdc,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { type CommandResult, InProcessBus, type Opened } from '@sluice/messaging';
import { Detail } from '@sluice/secrets';
import {
  createLogger,
  EnvelopeSealer,
  ensureRolesAndSchema,
  FileKeyProvider,
  type ServiceDatabase,
  systemClock,
} from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type PaymentsOptions, PaymentsModule, type RunningPayments } from '../src/index.js';
import type { OpenedCommand } from '../src/payment-commands.js';
import { paymentOf } from '../src/payment-aggregate.js';
import { ScriptedConnector } from './scripted-connector.js';

export const ENTITY_ID = 'aaaabbbbccccdddd0000111122223333' as EntityId;
export const OTHER_ENTITY_ID = 'ffffbbbbccccdddd0000111122223333' as EntityId;

/** Short enough for tests, long enough for a loaded machine. */
const settings = {
  sendWindowMs: 400,
  callTimeoutMs: 100,
  leaseMs: 100,
  inquireAfterMs: [50, 100, 200, 400, 800],
  resolveByMs: 1_500,
  lateInquiryAfterMs: 300,
  sweepIntervalMs: 20,
} as const;

/** Until then an append has reached the database; a statement waits for a lock for 5 s. */
const WAITS_WITHIN_MS = 4_000;

type InitiationData = Opened<InitiatePayment>['data'];
type ReferenceData = Opened<ReferToPayment>['data'];

/** What the vault reveals of a card. */
export const CARD = {
  kind: 'card',
  details: {
    'card.number': new Detail('4200000000000000'),
    'card.expiryMonth': new Detail('12'),
    'card.expiryYear': new Detail('2030'),
    'card.cvv': new Detail('123'),
  },
} as const satisfies RevealedInstrument;

/** A vault in a map; it counts what it was asked. */
export class FakeVault implements Vault {
  readonly held = new Map<string, RevealedInstrument>();
  /** Cryptograms by what stands for them. */
  readonly proofs = new Map([['vault-0.p1', new Detail('AAACAgSRBklmQCFgMpEGAAAAAAA=')]]);
  /** References of what goes with a registration that was deleted. */
  readonly forgotten = new Set<string>();
  #count = 0;

  put(instrument: RevealedInstrument = CARD): string {
    const reference = `vault-0:${String((this.#count += 1))}`;
    this.held.set(reference, instrument);
    return reference;
  }

  async hold() {
    return { reference: this.put(), fingerprint: 'f' };
  }
  async reveal(reference: string, use?: 'last') {
    if (this.forgotten.has(reference)) throw new RegistrationForgotten();
    const details = this.held.get(reference);
    if (use === 'last') this.held.delete(reference);
    return details;
  }
  async forget(reference: string) {
    this.held.delete(reference);
  }

  async revealProof(reference: string) {
    return this.proofs.get(reference);
  }

  /** Cards are forgotten behind the answer; fails where one is still held after some seconds. */
  async isEmpty(): Promise<void> {
    for (const deadline = Date.now() + 5_000; this.held.size > 0 && Date.now() < deadline;) {
      await delay(10);
    }
    expect(this.held.size).toBe(0);
  }
}

/** A command whose card the vault holds. */
export type PaymentByCard = Opened<InitiatePayment> & {
  readonly data: { readonly instrument: InstrumentOf<'card'> };
};

/** One payments process on a database that others share, and what a sender does with it. */
export class PaymentsProcess {
  readonly connector: ScriptedConnector;
  readonly vault: FakeVault;
  readonly #sealer: EnvelopeSealer;

  private constructor(
    readonly bus: InProcessBus,
    readonly running: RunningPayments,
    world: PaymentsWorld,
  ) {
    this.connector = world.connector;
    this.vault = world.vault;
    this.#sealer = new EnvelopeSealer(world.keys, systemClock);
  }

  static async start(
    world: PaymentsWorld,
    options: { settings?: object } & Partial<Omit<PaymentsOptions, 'settings'>> = {},
  ): Promise<PaymentsProcess> {
    // A dead process finishes nothing: what is in hand when it closes is lost.
    const bus = new InProcessBus({ drainMs: 1 });
    const { settings: changed, ...rest } = options;
    const running = await PaymentsModule.start({
      settings: {
        databaseUrl: world.database.appUrl,
        ownerDatabaseUrl: world.database.ownerUrl,
        ...settings,
        ...changed,
      },
      transport: bus.transport('payments'),
      vault: world.vault,
      connectors: [world.connector],
      keyProvider: world.keys,
      commandKeys: world.keys,
      logger: createLogger({ service: 'payments', level: 'silent' }),
      ...rest,
    });
    return new PaymentsProcess(bus, running, world);
  }

  /** A command as edge sends it, with what is personal sealed. */
  async sealed({ data: { personal = {}, ...data }, ...message }: OpenedCommand) {
    const isSealed = Object.keys(personal).length > 0;
    const sealed = isSealed && {
      personal: await this.#sealer.seal(data.transactionId, JSON.stringify(personal)),
    };
    return { ...message, data: { ...data, ...sealed } };
  }

  /** Sends it sealed over this process's own bus. */
  async send(command: OpenedCommand, deadlineMs = 30_000): Promise<CommandResult<PaymentReply>> {
    const sealed = await this.sealed(command);
    return this.bus.commands.send<PaymentReply>('payments', sealed, { deadlineMs });
  }

  /** The reply; fails the test when there is none. */
  async reply(command: OpenedCommand): Promise<PaymentReply> {
    const result = await this.send(command);
    if (result.kind !== 'replied') throw new Error(`no reply: ${result.kind}`);
    return result.reply;
  }

  /** The outcome of a transaction; fails the test when the reply is another. */
  async outcome(command: OpenedCommand) {
    const reply = await this.reply(command);
    if (reply.kind !== 'transaction') throw new Error(`another reply: ${reply.kind}`);
    return reply.outcome;
  }

  /** An approved first transaction; fails the test when it is not. */
  async paid(
    operation: 'authorization' | 'debit' | 'credit',
    minor: number,
    changes: Partial<InitiationData> = {},
  ): Promise<TransactionId> {
    const { id, status } = await this.outcome(this.initiation(operation, minor, changes));
    if (status !== 'approved') throw new Error(`another outcome: ${status}`);
    return id;
  }

  /** A new payment by card. */
  initiation(
    operation: InitiationData['operation'],
    minor: number,
    changes: Partial<InitiationData> = {},
  ): PaymentByCard {
    const transactionId = changes.transactionId ?? newTransactionId(Date.now());
    return command('InitiatePayment', {
      transactionId,
      operation,
      amount: { minor: String(minor), currency: 'EUR' },
      instrument: {
        kind: 'card',
        vaultReference: this.vault.put(),
        bin: '420000',
        last4: '0000',
        brand: 'VISA',
        expiryMonth: '12',
        expiryYear: '2030',
      },
      ...said(),
      ...changes,
    }) as PaymentByCard;
  }

  /** A new payment that is not by card, as edge rejects it. */
  unserved(changes: Partial<InitiationData> = {}): Opened<InitiatePayment> {
    return command('InitiatePayment', {
      transactionId: newTransactionId(Date.now()),
      operation: 'debit',
      amount: { minor: '100', currency: 'EUR' },
      instrument: { kind: 'virtualAccount', brand: 'PAYPAL' },
      rejection: '600.200.500',
      rejectionDescription: 'not served: PAYPAL',
      ...said(),
      ...changes,
    }) as Opened<InitiatePayment>;
  }

  async view(transactionId: string, entityId = ENTITY_ID): Promise<TransactionView | undefined> {
    const query = { transactionId, entityId };
    const { transaction } = await this.bus.queries.ask<TransactionAnswer>(
      'payments',
      'payments.transaction',
      query,
    );
    return transaction;
  }

  /** Waits until recovery has brought a transaction to a status. */
  async until(transactionId: string, status: string): Promise<TransactionView> {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline;) {
      const view = await this.view(transactionId);
      if (view?.status === status) return view;
      await delay(10);
    }
    const view = await this.view(transactionId);
    throw new Error(`${transactionId} is ${String(view?.status)}, not ${status}`);
  }

  /** Dies with everything it had in hand. */
  async die(): Promise<void> {
    await this.running.close();
  }
}

/** What several processes share: database, keys, vault, acquirer. */
export class PaymentsWorld {
  connector = new ScriptedConnector();
  readonly vault = new FakeVault();
  readonly admin: pg.Pool;

  private constructor(
    readonly database: ServiceDatabase,
    readonly keys: FileKeyProvider,
    private readonly testDatabase: TestDatabase,
    private readonly folder: string,
  ) {
    this.admin = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
  }

  static async make(): Promise<PaymentsWorld> {
    const testDatabase = await startTestDatabase();
    const { payments } = await ensureRolesAndSchema(testDatabase.url, ['payments']);
    const folder = await mkdtemp(join(tmpdir(), 'sluice-payments-'));
    const keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
    return new PaymentsWorld(payments, keys, testDatabase, folder);
  }

  async close(): Promise<void> {
    this.keys.close();
    await this.admin.end();
    await this.testDatabase.drop();
    await rm(this.folder, { recursive: true });
  }

  /** The names of the events of a payment, in order, after the money rules were checked. */
  async eventTypes(paymentId: string): Promise<string[]> {
    return (await this.events(paymentId)).map(({ type }) => type);
  }

  /** All of a payment, whose invariants hold. */
  async events(paymentId: string) {
    const store = new EventStore(this.admin, { schema: 'payments' });
    const events = await store.read(paymentId);
    expect(invariantViolations(paymentOf(events))).toEqual([]);
    return events;
  }

  /** Whether a process has been started here before. */
  async isMigrated(): Promise<boolean> {
    const { rows } = await this.admin.query<{ found: boolean }>(
      "SELECT to_regclass('payments.streams') IS NOT NULL AS found",
    );
    return rows[0]?.found === true;
  }

  /**
   * Does the work while a rival session keeps every append to the payment waiting, and lets it go
   * when the work calls its argument, or ends. A new payment has no row to lock yet: there the
   * rival is about to make it.
   */
  async whileCommitsWait(
    paymentId: string,
    payment: 'new' | 'existing',
    work: (letGo: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const rival = await this.admin.connect();
    try {
      await rival.query('BEGIN');
      await rival.query(
        payment === 'new'
          ? 'INSERT INTO payments.streams (stream_id, version) VALUES ($1, 1)'
          : 'SELECT FROM payments.streams WHERE stream_id = $1 FOR UPDATE',
        [paymentId],
      );
      await work(async () => {
        await rival.query('ROLLBACK');
      });
    } finally {
      rival.release(true);
    }
  }

  /** The next day of work of the store; what is kept by the day is a day older. */
  async beginDay(): Promise<void> {
    await this.admin.query('UPDATE payments.idempotency_day SET today = today + 1');
  }

  /** Resolves once an append waits for a rival; the server keeps the beginning of its text alone. */
  async appendWaits(): Promise<void> {
    for (const deadline = Date.now() + WAITS_WITHIN_MS; Date.now() < deadline;) {
      const { rows } = await this.admin.query<{ waits: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query LIKE 'WITH%') AS waits`,
      );
      if (rows[0]?.waits === true) return;
    }
    throw new Error('No append waits for the rival.');
  }

  async dueAt(paymentId: string): Promise<Date | null | undefined> {
    const { rows } = await this.admin.query<{ due_at: Date | null }>(
      'SELECT due_at FROM payments.streams WHERE stream_id = $1',
      [paymentId],
    );
    return rows[0]?.due_at;
  }
}

/** An operation on an earlier transaction. */
export function reference(
  operation: ReferenceData['operation'],
  referencedId: TransactionId,
  minor?: number,
  changes: Partial<ReferenceData> = {},
): Opened<ReferToPayment> {
  return command('ReferToPayment', {
    transactionId: newTransactionIdInChainOf(referencedId, Date.now()),
    referencedId,
    operation,
    final: false,
    ...(minor !== undefined && { amount: { minor: String(minor), currency: 'EUR' } }),
    ...said(),
    ...changes,
  }) as Opened<ReferToPayment>;
}

export function idempotency(transactionId: TransactionId, key: string, fingerprint = 'print') {
  const answer = { id: transactionId, ndc: 'ndc-1', timestamp: 'then', buildNumber: 'build' };
  return { idempotency: { key, fingerprint, answer } };
}

export function context(entityId: EntityId = ENTITY_ID) {
  return {
    entityId,
    channelName: 'demo',
    ndc: newNdc(entityId),
    mode: 'INTERNAL',
    manualChargebacks: true,
    receivedAtMs: Date.now(),
    actor: entityId,
  } as const;
}

function said() {
  return { context: context(), parameters: {}, personal: {} };
}

function command(
  type: 'InitiatePayment' | 'ReferToPayment',
  data: InitiationData | ReferenceData,
): OpenedCommand {
  const id = newMessageId(Date.now());
  return {
    id,
    type,
    schemaVersion: 1,
    key: chainShard(data.transactionId),
    correlationId: data.context.ndc,
    causationId: id,
    timeToLiveMs: 25_000,
    data,
  } as OpenedCommand;
}
