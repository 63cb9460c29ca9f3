// The parts of checkouts' specs; no other file imports it.
import type {
  AttemptNeverAskedQuery,
  AttemptReversalAnswer,
  AttemptReversalQuery,
  CheckoutCommandMessage,
  CheckoutDeletionAnswer,
  CheckoutPurpose,
  CheckoutReply,
  CheckoutStatusAnswer,
  CheckoutToCompleteAnswer,
  CreateCheckout,
  KnownSaving,
  SaveForm,
  ResultCallQuery,
  ResultPageAnswer,
  ResultPageQuery,
  ServedAnswer,
  SubmitAttempt,
  TransactionOutcome,
  TransactionQuery,
  UpdateCheckout,
} from '@sluice/contracts';
import {
  chainShard,
  type CheckoutId,
  type EntityId,
  newCheckoutId,
  newMessageId,
  newTransactionId,
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
import pg from 'pg';
import { CheckoutsModule } from '../src/index.js';

/** Longer than any test may take. */
const UNTIL_MAX_MS = 60_000;

/** The channel that asks. */
export const entityId = 'aaaabbbbccccdddd0000111122223333' as EntityId;
export const foreignEntityId = 'ffffbbbbccccdddd0000111122223333' as EntityId;

/** Payments and registrations, as far as checkouts asks them. */
export class ScriptedOutcomes implements Queries {
  /** What became of a payment or registration. */
  readonly of = new Map<string, Partial<TransactionOutcome>>();
  /** So many of the next reversals fail at the acquirer. */
  failingReversals = 0;
  readonly reversed: AttemptReversalQuery[] = [];
  /** What a provider says of a payment whose shopper is not back. */
  readonly atProvider = new Map<string, Partial<TransactionOutcome>>();
  isAway = false;
  /** For which pages of results webhooks was asked. */
  readonly calls: ResultCallQuery[] = [];
  areWebhooksAway = false;

  async ask<Answer>(_service: string, query: string, parameters: object): Promise<Answer> {
    if (this.isAway) throw new QueryUnavailable(query, 'noService');
    if (query === 'webhooks.callResult') {
      this.calls.push(parameters as ResultCallQuery);
      if (this.areWebhooksAway) throw new QueryUnavailable(query, 'noService');
      return {} as Answer;
    }
    if (query === 'payments.reverseAttempt') {
      this.reversed.push(parameters as AttemptReversalQuery);
      return this.#reversal() as Answer;
    }
    const { transactionId } = parameters as TransactionQuery;
    if (query === 'payments.shopperReturn') {
      const said = this.atProvider.get(transactionId);
      if (said !== undefined) this.of.set(transactionId, said);
      return {} as Answer;
    }
    const outcome = this.of.get(transactionId);
    const isPayment = query === 'payments.transactionOutcome';
    return (isPayment ? { outcome } : { transaction: outcome }) as Answer;
  }

  #reversal(): AttemptReversalAnswer {
    const isReversed = this.failingReversals === 0;
    if (!isReversed) this.failingReversals -= 1;
    return { kind: 'ended', isReversed, resultCode: isReversed ? '000.100.110' : '900.100.300' };
  }
}

/** A database and keys, which processes of checkouts share. */
export class CheckoutsWorld {
  readonly #running: { close(): Promise<void> }[] = [];
  readonly #sealer: EnvelopeSealer;

  /** What all processes hear of others. */
  readonly outcomes = new ScriptedOutcomes();

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

  static async open(): Promise<CheckoutsWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-checkouts-'));
    const keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
    const database = await startTestDatabase();
    const own = (await ensureRolesAndSchema(database.url, ['checkouts'])).checkouts;
    return new CheckoutsWorld(database, own, keys, folder);
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

  /** A process of checkouts, on the database that all share. */
  async start() {
    const bus = new InProcessBus({ drainMs: 1 });
    const service = await CheckoutsModule.start({
      settings: {
        ...{ databaseUrl: this.own.appUrl, ownerDatabaseUrl: this.own.ownerUrl },
        ...{ schema: this.own.schema, leaseMs: 1, sweepIntervalMs: 10 },
      },
      queries: this.outcomes,
      transport: bus.transport('checkouts'),
      ...{ keyProvider: this.keys, commandKeys: this.keys },
      logger: createLogger({ service: 'checkouts', level: 'silent' }),
    });
    this.#running.push(service, bus);
    const deletionOf = (
      checkoutId: CheckoutId,
      by: EntityId = entityId,
    ): Promise<CheckoutDeletionAnswer> =>
      bus.queries.ask('checkouts', 'checkouts.delete', { checkoutId, entityId: by });
    const standingOf = (
      checkoutId: CheckoutId,
      asked: { readonly by?: EntityId; readonly as?: CheckoutPurpose } = {},
    ): Promise<CheckoutStatusAnswer> => {
      const { by = entityId, as: purpose = 'payment' } = asked;
      const query = { checkoutId, entityId: by, purpose };
      return bus.queries.ask('checkouts', 'checkouts.status', query);
    };
    return {
      close: () => service.close(),
      standingOf,
      statusOf: async (...asked: Parameters<typeof standingOf>) =>
        (await standingOf(...asked)).status,
      serve: async (checkoutId: CheckoutId, by = entityId): Promise<boolean> => {
        const query = { checkoutId, entityId: by, purpose: 'payment' };
        const answer = await bus.queries.ask<ServedAnswer>(
          ...(['checkouts', 'checkouts.serve', query] as const),
        );
        return answer.isServed;
      },
      pageOf: (checkoutId: CheckoutId, by = entityId) =>
        pageOf(bus.queries, { checkoutId, entityId: by }),
      delete: async (checkoutId: CheckoutId, by = entityId): Promise<string> =>
        (await deletionOf(checkoutId, by)).outcome,
      deletionOf,
      neverAsked: async (query: AttemptNeverAskedQuery): Promise<void> => {
        await bus.queries.ask('checkouts', 'checkouts.neverAsked', query);
      },
      toComplete: async (checkoutId: CheckoutId) => {
        const answer = await bus.queries.ask<CheckoutToCompleteAnswer>(
          ...(['checkouts', 'checkouts.toComplete', { checkoutId }] as const),
        );
        return answer.checkout;
      },
      send: async (command: CheckoutCommandMessage): Promise<CheckoutReply> => {
        const options = { deadlineMs: 20_000 };
        const result = await bus.commands.send<CheckoutReply>('checkouts', command, options);
        if (result.kind !== 'replied') throw new Error(`no reply: ${result.kind}`);
        return result.reply;
      },
    };
  }

  /** A command that makes a checkout of 92.00 EUR. */
  async creation(changes: Partial<CreateCheckout['data']> = {}): Promise<CreateCheckout> {
    const nowMs = Date.now();
    const transactionId = newTransactionId(nowMs);
    const checkoutId = newCheckoutId('test');
    const id = newMessageId(nowMs);
    const personal = JSON.stringify({ 'customer.email': 'jane@example.org' });
    return {
      ...{ id, type: 'CreateCheckout', schemaVersion: 1, key: chainShard(transactionId) },
      ...{ correlationId: checkoutId, causationId: id, timeToLiveMs: 25_000 },
      data: {
        ...{ transactionId, checkoutId, purpose: 'payment' },
        context: {
          ...{ entityId, channelName: 'demo', ndc: checkoutId, mode: 'INTERNAL' },
          ...{ manualChargebacks: true, receivedAtMs: nowMs, actor: 'token-node' },
        },
        parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
        personal: await this.#sealer.seal(transactionId, personal),
        ...changes,
      },
    };
  }

  /** A command that changes one. */
  async update(
    checkoutId: CheckoutId,
    parameters: Readonly<Record<string, string>>,
    personal?: Readonly<Record<string, string>>,
  ): Promise<UpdateCheckout> {
    const { data, ...message } = await this.creation({ checkoutId, parameters });
    const { purpose: _purpose, personal: _sealed, ...changed } = data;
    const sealed = personal && {
      personal: await this.#sealer.seal(data.transactionId, JSON.stringify(personal)),
    };
    return { ...message, type: 'UpdateCheckout', data: { ...changed, ...sealed } };
  }

  /** A command that submits an attempt, whose id it names. */
  async submission(
    checkoutId: CheckoutId,
    transactionId: TransactionId = newTransactionId(Date.now()),
    purpose: CheckoutPurpose = 'payment',
    shopperResultUrl?: string,
  ): Promise<SubmitAttempt> {
    const { data, ...message } = await this.creation({ checkoutId });
    const personal = shopperResultUrl && {
      personal: await this.#sealer.seal(transactionId, JSON.stringify({ shopperResultUrl })),
    };
    const submitted = { checkoutId, transactionId, purpose, context: data.context, ...personal };
    return { ...message, type: 'SubmitAttempt', data: submitted };
  }

  /** A command that saves a form with a card. */
  async saving(
    checkoutId: CheckoutId,
    fields: Readonly<Record<string, string>>,
    saved: KnownSaving,
  ): Promise<SaveForm> {
    const { data, ...message } = await this.creation({ checkoutId });
    const { transactionId, context } = data;
    const personal = await this.#sealer.seal(transactionId, JSON.stringify(fields));
    const held = { details: ['card.number', 'card.cvv'], vaultReference: 'vault-0.s1' };
    const saving = { checkoutId, transactionId, context, saved, personal, ...held };
    return { ...message, type: 'SaveForm', data: saving };
  }

  /** What is recorded of it: the data of each event, as text. */
  async eventsOf(id: CheckoutId): Promise<readonly { type: string; data: string }[]> {
    const { rows } = await this.pool.query<{ type: string; data: string }>(
      'SELECT type, data::text FROM checkouts.events WHERE stream_id = $1 ORDER BY version',
      [id],
    );
    return rows;
  }

  /** Looks until so many events of this type are recorded of it. */
  async until(id: CheckoutId, type: string, count = 1): Promise<void> {
    const giveUpAtMs = performance.now() + UNTIL_MAX_MS;
    for (;;) {
      const events = await this.eventsOf(id);
      if (events.filter((event) => event.type === type).length >= count) return;
      if (performance.now() > giveUpAtMs) throw new Error(`${type} was not recorded`);
    }
  }

  /** As if it had been created so much earlier; events are appended only, so specs do it by hand. */
  async age(id: CheckoutId, ms: number): Promise<void> {
    await this.pool.query(
      `UPDATE checkouts.events SET metadata = jsonb_set(metadata::jsonb, '{recordedAtMs}',
         to_jsonb((metadata->>'recordedAtMs')::bigint - $2::bigint))::json WHERE stream_id = $1`,
      [id, ms],
    );
  }

  /** Has recovery look at it, as it would once its time has come, so many seconds ago. */
  async makeDue(id: CheckoutId, secondsAgo = 0): Promise<void> {
    await this.pool.query(
      `UPDATE checkouts.streams SET due_at = now() - make_interval(secs => $2) WHERE stream_id = $1`,
      [id, secondsAgo],
    );
  }

  /** As the service itself; the caller ends it. */
  appPool(): pg.Pool {
    const options = `-c search_path=${this.own.schema}`;
    return new pg.Pool({ connectionString: this.own.appUrl, options, max: 2 });
  }

  /** When recovery looks at it next. */
  async dueAtOf(id: CheckoutId): Promise<Date | null> {
    const { rows } = await this.pool.query<{ due_at: Date | null }>(
      'SELECT due_at FROM checkouts.streams WHERE stream_id = $1',
      [id],
    );
    return rows[0]?.due_at ?? null;
  }

  /** Destroys the key of what is personal of it (page 0010). */
  async forget(id: CheckoutId): Promise<void> {
    await this.pool.query('DELETE FROM checkouts.personal_keys WHERE stream_id = $1', [id]);
  }

  /** What is personal of it, as whoever has its key reads it. */
  async wrappedKeysOf(id: CheckoutId): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM checkouts.personal_keys WHERE stream_id = $1',
      [id],
    );
    return rows[0]?.count ?? 0;
  }
}

/** What webhooks is told of a page of results. */
async function pageOf(queries: Queries, query: ResultPageQuery): Promise<ResultPageAnswer['page']> {
  const answer = await queries.ask<ResultPageAnswer>(
    ...(['checkouts', 'checkouts.resultPage', query] as const),
  );
  return answer.page;
}
