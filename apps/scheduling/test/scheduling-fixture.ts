// The parts of scheduling's specs; no other file imports it.
import {
  type ChargeAnswer,
  type ChargeQuery,
  type CreateSchedule,
  type CreateScheduleData,
  DEFAULT_SCHEDULE_SETTINGS,
  type EndSchedule,
  type EndScheduleData,
  type RecordedTransactions,
  type RegistrationQuery,
  type RegistrationView,
  type Reschedule,
  type RescheduleData,
  type ScheduleAnswer,
  type ScheduleCommandMessage,
  type ScheduleReply,
  type ScheduleSettings,
  type SchedulesOfRegistrationAnswer,
  type ScheduleView,
  type TransactionEntriesQuery,
  type TransactionOutcome,
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
import { SchedulingModule } from '../src/index.js';

/** The channel that asks. */
export const entityId = 'aaaabbbbccccdddd0000111122223333' as EntityId;
export const foreignEntityId = 'ffffbbbbccccdddd0000111122223333' as EntityId;
export const registrationId = '0194670a0000abcd00000000000000aa' as TransactionId;

/** Every second. */
export const ALWAYS = { 'job.expression': '* * * * * ? *' };
/** On a day that no spec lives to see. */
export const LATER = { 'job.expression': '0 0 8 1 1 ? 2099' };

/** A card that is kept. */
export const card: RegistrationView = {
  ...{ id: registrationId, state: 'kept', entityId, channelName: 'demo', mode: 'INTERNAL' },
  outcome: {
    ...{ id: registrationId, operation: 'registration', status: 'approved' },
    resultCode: '000.100.110',
  },
  instrument: {
    ...{ kind: 'card', vaultReference: 'vault-0.abc', bin: '520000', last4: '0000' },
    ...{ brand: 'MASTER', expiryMonth: '05', expiryYear: '2034' },
  },
  accountFingerprint: 'f'.repeat(64),
  parameters: {},
  personal: { 'card.holder': 'Jane Jones' },
};

/** Accounts, registrations and payments, as far as scheduling asks them. */
export class FakeServices implements Queries {
  settings: ScheduleSettings = DEFAULT_SCHEDULE_SETTINGS;
  registration: RegistrationView | undefined = card;
  readonly charged: ChargeQuery[] = [];
  answer: (query: ChargeQuery) => ChargeAnswer | Promise<ChargeAnswer> = approved;
  readonly away = new Set<string>();

  async ask<Answer>(service: string, query: string, parameters: object): Promise<Answer> {
    if (this.away.has(service)) throw new QueryUnavailable(query, 'noService');
    return (await this.#answerTo(query, parameters)) as Answer;
  }

  async #answerTo(query: string, parameters: object): Promise<unknown> {
    switch (query) {
      case 'accounts.schedules':
        return this.settings;
      case 'registrations.registration': {
        const asked = parameters as RegistrationQuery;
        const { registration } = this;
        const isFound =
          asked.entityId === registration?.entityId && asked.registrationId === registration.id;
        return isFound ? { registration } : {};
      }
      case 'payments.charge': {
        const asked = parameters as ChargeQuery;
        this.charged.push(asked);
        return this.answer(asked);
      }
      default:
        throw new Error(`Nobody answers ${query}.`);
    }
  }
}

/** What becomes of a charge. */
export function decided(
  { transactionId: id, payment: { operation } }: ChargeQuery,
  outcome: Pick<TransactionOutcome, 'status' | 'resultCode' | 'wasNeverSent'>,
  resultDetails?: Readonly<Record<string, string>>,
): ChargeAnswer {
  return {
    kind: 'decided',
    outcome: { id, operation, ...outcome, ...(resultDetails && { resultDetails }) },
  };
}

/** The money is there. */
export function approved(query: ChargeQuery): ChargeAnswer {
  return decided(query, { status: 'approved', resultCode: '000.100.110' });
}

/** A database and keys, which processes of scheduling share. */
export class SchedulingWorld {
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

  static async open(): Promise<SchedulingWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-scheduling-'));
    const keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
    const database = await startTestDatabase();
    const own = (await ensureRolesAndSchema(database.url, ['scheduling'])).scheduling;
    return new SchedulingWorld(database, own, keys, folder);
  }

  /** Ends the processes that a spec has started, and whatever they left due. */
  async endProcesses(): Promise<void> {
    for (const each of this.#running.splice(0)) await each.close();
    await this.pool.query('UPDATE scheduling.streams SET due_at = NULL');
  }

  async close(): Promise<void> {
    await this.pool.end();
    this.keys.close();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }

  /** A process of scheduling, on the database that all share. */
  async start(services = new FakeServices(), leaseMs = 50) {
    const bus = new InProcessBus({ drainMs: 1 });
    const service = await SchedulingModule.start({
      settings: {
        ...{ databaseUrl: this.own.appUrl, ownerDatabaseUrl: this.own.ownerUrl },
        ...{ schema: this.own.schema, leaseMs, sweepIntervalMs: 10 },
      },
      transport: bus.transport('scheduling'),
      ...{ queries: services, keyProvider: this.keys, commandKeys: this.keys },
      logger: createLogger({ service: 'scheduling', level: 'silent' }),
    });
    this.#running.push(service, bus);
    const ask = async (
      scheduleId: TransactionId,
      { asker = entityId, atVersion }: { asker?: EntityId; atVersion?: number } = {},
    ) => {
      const query = { scheduleId, entityId: asker, ...(atVersion !== undefined && { atVersion }) };
      const answer = await bus.queries.ask<ScheduleAnswer>(
        ...(['scheduling', 'scheduling.schedule', query] as const),
      );
      return answer.schedule;
    };
    return {
      services,
      ask,
      find: (query: TransactionEntriesQuery): Promise<RecordedTransactions> =>
        bus.queries.ask('scheduling', 'scheduling.transactionEntries', query),
      list: async (asker = entityId): Promise<readonly ScheduleView[]> => {
        const query = { registrationId, entityId: asker };
        const answer = await bus.queries.ask<SchedulesOfRegistrationAnswer>(
          ...(['scheduling', 'scheduling.schedulesOfRegistration', query] as const),
        );
        return answer.schedules;
      },
      send: async (command: ScheduleCommandMessage): Promise<ScheduleReply> => {
        const options = { deadlineMs: 20_000 };
        const result = await bus.commands.send<ScheduleReply>('scheduling', command, options);
        if (result.kind !== 'replied') throw new Error(`no reply: ${result.kind}`);
        return result.reply;
      },
      end: async () => {
        await service.close();
        await bus.close();
      },
    };
  }

  /** A command that makes a schedule. */
  async creation(
    job: Readonly<Record<string, string>>,
    changes: Partial<CreateScheduleData> & {
      readonly said?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<CreateSchedule> {
    const { said, ...others } = changes;
    const transactionId = newTransactionId(Date.now());
    const personal = said && (await this.#sealer.seal(transactionId, JSON.stringify(said)));
    return message('CreateSchedule', transactionId, {
      ...{ transactionId, context: context(), registrationId, operation: 'debit' as const },
      ...{ amount: { minor: '990', currency: 'EUR' as const }, parameters: job },
      ...(personal && { personal }),
      ...others,
    });
  }

  /** What is recorded of it. */
  async eventsOf(id: TransactionId): Promise<string[]> {
    const { rows } = await this.pool.query<{ type: string }>(
      'SELECT type FROM scheduling.events WHERE stream_id = $1 ORDER BY version',
      [id],
    );
    return rows.map(({ type }) => type);
  }

  /** Waits until it is among what is recorded. */
  async until(id: TransactionId, type: string): Promise<void> {
    while (!(await this.eventsOf(id)).includes(type)) await delay(5);
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

/** A command that changes a schedule. */
export function rescheduling(
  scheduleId: TransactionId,
  changes: Partial<RescheduleData>,
): Reschedule {
  const transactionId = newTransactionIdInChainOf(scheduleId, Date.now());
  return message('Reschedule', scheduleId, {
    ...{ transactionId, scheduleId, context: context(), parameters: {}, ...changes },
  });
}

/** A command that ends a schedule. */
export function ending(
  scheduleId: TransactionId,
  operation: EndScheduleData['operation'],
  asker = entityId,
): EndSchedule {
  const transactionId = newTransactionIdInChainOf(scheduleId, Date.now());
  return message('EndSchedule', scheduleId, {
    ...{ transactionId, context: { ...context(), entityId: asker }, parameters: {} },
    ...{ scheduleId, operation },
  });
}

/** What was replied, where it was recorded. */
export function recordedIn(reply: ScheduleReply): Extract<ScheduleReply, { kind: 'outcome' }> {
  if (reply.kind !== 'outcome') throw new Error(`answered ${JSON.stringify(reply)}`);
  return reply;
}
