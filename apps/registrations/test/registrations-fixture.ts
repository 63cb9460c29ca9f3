// The parts of registrations' specs; no other file imports it.
import { expect } from '@jest/globals';
import type {
  DetailsToKeep,
  Expiry,
  KeepingVault,
  KeptChange,
  ReferToRegistration,
  RegisterInstrument,
  RegisterInstrumentData,
  RegistrationAnswer,
  RegistrationEventMetadata,
  RegistrationOutcome,
  RegistrationReply,
  RegistrationView,
  TransactionOutcome,
  TransactionQuery,
  UpdateRegistration,
  UpdateRegistrationData,
} from '@sluice/contracts';
import {
  chainShard,
  type EntityId,
  newMessageId,
  newNdc,
  newTransactionId,
  newTransactionIdInChainOf,
  type TransactionId,
} from '@sluice/identifiers';
import { InProcessBus, type Queries, QueryUnavailable } from '@sluice/messaging';
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
import { RegistrationsModule } from '../src/index.js';

/** The channel that asks. */
export const entityId = 'aaaabbbbccccdddd0000111122223333' as EntityId;
export const merchantId = 'aaaabbbbccccdddd0000111122224444' as EntityId;
export const foreignEntityId = 'ffffbbbbccccdddd0000111122223333' as EntityId;

/** A vault in a map, which can be away; all that it is asked to keep is the same account. */
export class FakeVault implements KeepingVault {
  readonly kept = new Map<string, DetailsToKeep>();
  readonly asked: string[] = [];
  isAway = false;
  holdsNothing = false;
  /** What an account that is kept already came with now. */
  expiry: Expiry | undefined;

  async keep(toKeep: DetailsToKeep) {
    this.#ask('keep');
    if (this.holdsNothing) return undefined;
    const { registrationId, scope, mayBeExisting } = toKeep;
    const before = [...this.kept.values()].find((each) => each.scope === scope);
    if (mayBeExisting === true && before !== undefined && !this.kept.has(registrationId)) {
      const { expiry } = this;
      return { keptFor: before.registrationId, ...(expiry !== undefined && { expiry }) };
    }
    this.kept.set(registrationId, toKeep);
    return { reference: `kept.${registrationId}`, fingerprint: 'f'.repeat(64) };
  }

  /** Each registration's changes, in their order. */
  readonly changes = new Map<string, KeptChange[]>();

  async changeKept(change: KeptChange) {
    this.#ask('changeKept');
    const { registrationId } = change;
    if (!this.kept.has(registrationId)) return false;
    this.changes.set(registrationId, [...(this.changes.get(registrationId) ?? []), change]);
    return true;
  }

  async forgetKept(registrationId: string) {
    this.#ask('forgetKept');
    this.kept.delete(registrationId);
  }

  #ask(what: string): void {
    this.asked.push(what);
    if (this.isAway) throw new Error('the vault is away');
  }
}

/** Payments that say of each payment what they are told here, or nothing of any. */
export class FakePayments implements Queries {
  readonly outcomes = new Map<string, Pick<TransactionOutcome, 'status' | 'resultCode'>>();
  isAway = false;

  ask<Answer>(service: string, query: string, parameters: object): Promise<Answer> {
    const { transactionId, entityId: asker } = parameters as TransactionQuery;
    if (this.isAway) return Promise.reject(new QueryUnavailable(query, 'noService'));
    expect([service, query]).toEqual(['payments', 'payments.transactionOutcome']);
    const outcome = asker === entityId ? this.outcomes.get(transactionId) : undefined;
    return Promise.resolve({ outcome } as Answer);
  }
}

/** A database and keys, which processes of registrations share. */
export class RegistrationsWorld {
  readonly #running: { close(): Promise<void> }[] = [];
  readonly #sealer: EnvelopeSealer;

  /** As the database's administrator. */
  readonly pool: pg.Pool;

  private constructor(
    private readonly database: TestDatabase,
    private readonly own: ServiceDatabase,
    private readonly keys: FileKeyProvider,
    private readonly folder: string,
  ) {
    this.#sealer = new EnvelopeSealer(keys, systemClock);
    this.pool = new pg.Pool({ connectionString: database.url, max: 1 });
  }

  static async open(): Promise<RegistrationsWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-registrations-'));
    const keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
    const database = await startTestDatabase();
    const own = (await ensureRolesAndSchema(database.url, ['registrations'])).registrations;
    return new RegistrationsWorld(database, own, keys, folder);
  }

  /** Ends the processes that a spec has started. */
  async endProcesses(): Promise<void> {
    for (const each of this.#running.splice(0)) await each.close();
  }

  async close(): Promise<void> {
    await this.pool.end();
    this.keys.close();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }

  /** A process of registrations, on the database that all share. */
  async start(vault = new FakeVault(), payments = new FakePayments(), leaseMs = 50) {
    const bus = new InProcessBus({ drainMs: 1 });
    const service = await RegistrationsModule.start({
      settings: {
        ...{
          databaseUrl: this.own.appUrl,
          ownerDatabaseUrl: this.own.ownerUrl,
          schema: this.own.schema,
        },
        ...{ leaseMs, sweepIntervalMs: 10 },
      },
      transport: bus.transport('registrations'),
      ...{ vault, queries: payments, keyProvider: this.keys, commandKeys: this.keys },
      logger: createLogger({ service: 'registrations', level: 'silent' }),
    });
    this.#running.push(service, bus);
    const ask = async (registrationId: TransactionId, asker = entityId) => {
      const query = { registrationId, entityId: asker };
      return (
        await bus.queries.ask<RegistrationAnswer>(
          ...(['registrations', 'registrations.registration', query] as const),
        )
      ).registration;
    };
    return {
      vault,
      payments,
      ask,
      query: <Answer>(name: string, parameters: object): Promise<Answer> =>
        bus.queries.ask<Answer>('registrations', `registrations.${name}`, parameters),
      send: async (
        command: RegisterInstrument | ReferToRegistration | UpdateRegistration,
      ): Promise<RegistrationReply> => {
        const options = { deadlineMs: 20_000 };
        const result = await bus.commands.send<RegistrationReply>(
          'registrations',
          command,
          options,
        );
        if (result.kind !== 'replied') throw new Error(`no reply: ${result.kind}`);
        return result.reply;
      },
      /** What becomes of a registration. */
      until: async (id: TransactionId, is: (view: RegistrationView | undefined) => boolean) => {
        while (!is(await ask(id))) await delay(5);
      },
      end: async () => {
        await service.close();
        await bus.close();
      },
    };
  }

  /** A command that stores a card. */
  async registration(
    changes: Partial<RegisterInstrumentData> & {
      readonly expiryYear?: string;
      readonly said?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<RegisterInstrument> {
    const { expiryYear = '2034', said = { 'card.holder': 'Jane Jones' }, ...others } = changes;
    const transactionId = newTransactionId(Date.now());
    return message('RegisterInstrument', transactionId, {
      ...{ transactionId, context: context(), merchantId },
      parameters: { merchantTransactionId: 'order-4711' },
      personal: await this.#sealer.seal(transactionId, JSON.stringify(said)),
      instrument: {
        ...({ kind: 'card', vaultReference: 'vault-0.abc', bin: '420000', last4: '0000' } as const),
        ...{ brand: 'VISA', expiryMonth: '05', expiryYear },
      },
      ...others,
    });
  }

  /** A command that changes a registration. */
  async updating(
    registrationId: TransactionId,
    changes: Partial<UpdateRegistrationData> & {
      readonly changed?: Readonly<Record<string, string>>;
    },
  ): Promise<UpdateRegistration> {
    const { changed, ...others } = changes;
    const transactionId = newTransactionIdInChainOf(registrationId, Date.now());
    return message('UpdateRegistration', registrationId, {
      ...{ transactionId, registrationId, context: context(), parameters: {} },
      ...(changed !== undefined && {
        personal: await this.#sealer.seal(transactionId, JSON.stringify(changed)),
      }),
      ...others,
    });
  }

  /** Its events as they are stored. */
  async recorded(id: TransactionId) {
    const { rows } = await this.pool.query<{ readonly metadata: RegistrationEventMetadata }>(
      'SELECT type, data, metadata FROM registrations.events WHERE stream_id = $1 ORDER BY version',
      [id],
    );
    return rows;
  }

  /** What is recorded of it. */
  async eventsOf(id: TransactionId): Promise<string[]> {
    const { rows } = await this.pool.query<{ type: string }>(
      'SELECT type FROM registrations.events WHERE stream_id = $1 ORDER BY version',
      [id],
    );
    return rows.map(({ type }) => type);
  }
}

const context = () => ({
  ...{ entityId, channelName: 'demo', ndc: newNdc(entityId), mode: 'INTERNAL' as const },
  ...{ manualChargebacks: true, receivedAtMs: Date.now(), actor: 'token-node' },
});

function message<Type extends string, Data>(type: Type, id: TransactionId, data: Data) {
  const messageId = newMessageId(Date.now());
  return {
    ...{ id: messageId, type, schemaVersion: 1, key: chainShard(id), correlationId: 'ndc' },
    ...{ causationId: messageId, timeToLiveMs: 25_000, data },
  };
}

/** A command on a registration. */
export function referring(
  registrationId: TransactionId,
  operation: 'deletion' | 'extension',
  asker = entityId,
): ReferToRegistration {
  const transactionId = newTransactionIdInChainOf(registrationId, Date.now());
  return message('ReferToRegistration', registrationId, {
    ...{ transactionId, context: { ...context(), entityId: asker }, parameters: {} },
    ...{ registrationId, operation },
  });
}

/** The outcome that was replied. */
export function outcomeIn(reply: RegistrationReply): RegistrationOutcome {
  if (reply.kind !== 'outcome') throw new Error(`answered ${reply.kind}`);
  return reply.outcome;
}
