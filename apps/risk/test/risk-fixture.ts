// The parts of the specs of risk; no other file imports it.
import type {
  AssessedNodesAnswer,
  AssessmentAnswer,
  AssessQuery,
  AuthenticateQuery,
  AuthenticationAnswer,
  AuthenticationVault,
  CoveredAmountAnswer,
  CoveredAmountQuery,
  IssuerWordsAnswer,
  MethodDoneAnswer,
  MethodDoneQuery,
  EventsOfStreamsQuery,
  ProceedQuery,
  ReviewDecidedAnswer,
  ReviewDecidedQuery,
  StreamEventsQuery,
  StreamHeadsQuery,
} from '@sluice/contracts';
import { EVENTS_OF_EACH_MAX, STREAM_EVENTS_MAX } from '@sluice/contracts';
import type { PaymentStep } from '@sluice/domain-risk';
import { type EntityId, newTransactionId, type TransactionId } from '@sluice/identifiers';
import { InProcessBus, type Queries, QueryUnavailable } from '@sluice/messaging';
import {
  createLogger,
  ensureRolesAndSchema,
  FileKeyProvider,
  type ServiceDatabase,
} from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Detail } from '@sluice/secrets';
import {
  type AuthenticationServerSettings,
  PastAuthentications,
  Reviews,
  RiskModule,
  RuleBook,
} from '../src/index.js';
import type { RiskSettings } from '../src/settings.js';
import { countryFile } from './country-file-fixture.js';

export const CHANNEL = '8ac7a4c8700000000000000000000001' as EntityId;
export const MERCHANT = '8ac7a4c8700000000000000000000002' as EntityId;
/** Nobody may find it in a table or a log. */
export const EMAIL = 'jane.jones@shop.example';

/** Payments that note what they are told of reviews, and whose events are made by hand. */
export class FakePayments implements Queries {
  readonly told: ReviewDecidedQuery[] = [];
  isAway = false;
  /** A payment that it cannot deal with. */
  broken: string | undefined;
  brokenBy: QueryUnavailable['reason'] = 'failed';
  answer: ReviewDecidedAnswer = { kind: 'recorded' };
  /** Payments whose decisions it cannot record yet. */
  readonly undecided = new Set<string>();
  /** Those whose events it cannot read. */
  readonly unreadable = new Set<string>();
  /** How often it was asked for events. */
  eventQueries = 0;
  /** A release that reads streams one by one. */
  isOfReleaseBefore = false;
  /** It says which have changed, and then its database is away. */
  breaksDown = false;
  #isDown = false;
  /** Another one after a restore. */
  incarnation = 'one';
  readonly #streams = new Map<string, PaymentStep[]>();
  readonly #changes: string[] = [];

  ask<Answer>(_service: string, query: string, parameters: object): Promise<Answer> {
    if (this.isAway) return Promise.reject(new QueryUnavailable(query, 'noService'));
    const { transactionId } = parameters as Partial<ReviewDecidedQuery>;
    if (transactionId !== undefined && transactionId === this.broken) {
      return Promise.reject(new QueryUnavailable(query, this.brokenBy));
    }
    if (this.breaksDown && this.#isDown)
      return Promise.reject(new QueryUnavailable(query, 'failed'));
    this.#isDown = query === 'payments.streamHeads';
    const { streamId, streamIds = [streamId ?? ''] } = parameters as Partial<
      StreamEventsQuery & EventsOfStreamsQuery
    >;
    if (streamIds.some((id) => this.unreadable.has(id))) {
      return Promise.reject(new QueryUnavailable(query, 'failed'));
    }
    if (query === 'payments.eventsOfStreams' && this.isOfReleaseBefore) {
      return Promise.reject(new QueryUnavailable(query, 'noHandler'));
    }
    return Promise.resolve(this.#answerTo(query, parameters) as Answer);
  }

  /** Something happened to a payment. */
  happened<Type extends PaymentStep['type']>(
    id: string,
    type: Type,
    data: Partial<Extract<PaymentStep, { type: Type }>['data']> = {},
  ): void {
    const step = { type, data: { transactionId: id, ...data } } as unknown as PaymentStep;
    this.#streams.set(id, [...(this.#streams.get(id) ?? []), step]);
    this.#changes.push(id);
  }

  /** As a store that was restored from long ago. */
  forget(): void {
    this.#streams.clear();
    this.#changes.length = 0;
  }

  #eventsOf(streamId: string): readonly object[] {
    const steps = this.#streams.get(streamId) ?? [];
    return steps.map(({ type, data }) => ({ type, schemaVersion: 1, data: { event: data } }));
  }

  #answerTo(query: string, parameters: object): unknown {
    switch (query) {
      case 'payments.streamHeads': {
        const { after = '0', limit } = parameters as StreamHeadsQuery;
        const end = Math.min(this.#changes.length, Number(after) + limit);
        const ids = new Set(this.#changes.slice(Number(after), end));
        const heads = [...ids].map((streamId) => ({ streamId, version: 1 }));
        const more = end < this.#changes.length;
        return { heads, next: String(end), more, incarnation: this.incarnation };
      }
      case 'payments.streamEvents': {
        const { streamId, afterVersion } = parameters as StreamEventsQuery;
        this.eventQueries += 1;
        return {
          events: this.#eventsOf(streamId).slice(afterVersion, afterVersion + STREAM_EVENTS_MAX),
        };
      }
      case 'payments.eventsOfStreams': {
        this.eventQueries += 1;
        const { streamIds } = parameters as EventsOfStreamsQuery;
        return { streams: streamIds.map((id) => this.#eventsOf(id).slice(0, EVENTS_OF_EACH_MAX)) };
      }
      case 'payments.reviewDecided':
        this.told.push(parameters as ReviewDecidedQuery);
        return this.undecided.has((parameters as ReviewDecidedQuery).transactionId)
          ? { kind: 'again' }
          : this.answer;
      default:
        throw new Error(`Nobody answers ${query}.`);
    }
  }
}

/** A vault with one card, which notes what it is asked. */
export class FakeVault implements AuthenticationVault {
  /** By the references under which authentications ask for it. */
  readonly numbers = new Map<string, string>();
  readonly proofs = new Map<string, string>();
  /** How often it was asked to hold one while it was away. */
  missed = 0;
  isAway = false;

  async revealNumber(reference: string) {
    const number = this.numbers.get(reference);
    return number === undefined ? undefined : new Detail(number);
  }

  async holdProof(cryptogram: Detail) {
    if (this.isAway) {
      this.missed += 1;
      throw new Error('The vault is away.');
    }
    const reference = `vault-0.p${String(this.proofs.size)}`;
    this.proofs.set(reference, cryptogram.reveal());
    return reference;
  }

  async revealProof(reference: string) {
    const proof = this.proofs.get(reference);
    return proof === undefined ? undefined : new Detail(proof);
  }
}

/** A database, and any number of processes of risk that share it. */
export class RiskWorld {
  readonly payments = new FakePayments();
  readonly vault = new FakeVault();
  /** How far clocks of entities are ahead. */
  readonly ahead = new Map<string, number>();
  readonly #running: { close(): Promise<void> }[] = [];
  readonly #logged: string[] = [];
  /** As the command line has them. */
  readonly rules: RuleBook;
  readonly reviews: Reviews;

  private constructor(
    private readonly database: TestDatabase,
    private readonly own: ServiceDatabase,
    private readonly folder: string,
    /** As the database's administrator. */
    readonly pool: pg.Pool,
  ) {
    this.rules = new RuleBook(pool);
    this.reviews = new Reviews(pool);
  }

  static async open(): Promise<RiskWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-risk-'));
    const database = await startTestDatabase();
    const own = (await ensureRolesAndSchema(database.url, ['risk'])).risk;
    const options = `-c search_path=${own.schema}`;
    const pool = new pg.Pool({ connectionString: database.url, max: 2, options });
    return new RiskWorld(database, own, folder, pool);
  }

  async close(): Promise<void> {
    for (const each of this.#running.splice(0)) await each.close();
    await this.pool.end();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }

  /** A process of risk; it knows the rules of this moment. */
  async start(
    changes: Partial<RiskSettings> = {},
    authentication: Partial<AuthenticationServerSettings> = {},
  ) {
    const bus = new InProcessBus({ drainMs: 1 });
    const destination = { write: (line: string) => void this.#logged.push(line) };
    const logger = createLogger({ service: 'risk', level: 'debug', destination });
    const { appUrl: databaseUrl, ownerUrl: ownerDatabaseUrl, schema } = this.own;
    const path = join(this.folder, 'keys.json');
    const keyProvider = await FileKeyProvider.open(path, { createIfAbsent: true });
    const service = await RiskModule.start({
      settings: { databaseUrl, ownerDatabaseUrl, schema, ...changes },
      ...{ queries: this.payments, keyProvider, logger, transport: bus.transport('risk') },
      ...{ vault: this.vault, authentication: { resultsPort: 0, ...authentication } },
      setClocks: { aheadMs: (id) => this.ahead.get(id) ?? 0, all: () => this.ahead },
    });
    const close = async (): Promise<void> => {
      await service.close();
      keyProvider.close();
    };
    this.#running.push({ close });
    return {
      look: () => service.look(),
      nextDueMs: (entityId: string) => service.nextDueMs(entityId),
      doWhatIsDue: (entityId: string) => service.doWhatIsDue(entityId, Infinity),
      assess: (query: AssessQuery) =>
        bus.queries.ask<AssessmentAnswer>('risk', 'risk.assess', query),
      authenticate: (query: AuthenticateQuery) =>
        bus.queries.ask<AuthenticationAnswer>('risk', 'risk.authenticate', query),
      authentication: (authenticationId: TransactionId) =>
        bus.queries.ask<AuthenticationAnswer>('risk', 'risk.authentication', { authenticationId }),
      proceed: (query: ProceedQuery) =>
        bus.queries.ask<AuthenticationAnswer>('risk', 'risk.proceed', query),
      methodDone: (query: MethodDoneQuery) =>
        bus.queries.ask<MethodDoneAnswer>('risk', 'risk.methodDone', query),
      coveredAmount: (query: CoveredAmountQuery) =>
        bus.queries.ask<CoveredAmountAnswer>('risk', 'risk.coveredAmount', query),
      issuerWords: (...sealed: readonly string[]) =>
        bus.queries.ask<IssuerWordsAnswer>('risk', 'risk.issuerWords', { sealed }),
      assessedNodes: (knownVersion?: string) =>
        bus.queries.ask<AssessedNodesAnswer>('risk', 'risk.assessedNodes', {
          ...(knownVersion !== undefined && { knownVersion }),
        }),
    };
  }

  /** As the command line forgets a payment. */
  forget(paymentId: TransactionId): Promise<void> {
    return new PastAuthentications(this.pool, this.own.schema).forget(paymentId);
  }

  /** A file that says of a range in which country it is. */
  async countries(countries: Readonly<Record<string, string>>): Promise<string> {
    const path = join(this.folder, 'countries.mmdb');
    await writeFile(path, countryFile(countries));
    return path;
  }

  logged(): string {
    return this.#logged.join('');
  }

  async rows<Row extends object>(text: string, values: unknown[] = []): Promise<readonly Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }
}

/** A payment of 92.00 EUR by one card and one shopper. */
export function payment(changes: Partial<AssessQuery> = {}): AssessQuery {
  return {
    assessmentId: newTransactionId(Date.now()),
    ...{ entityId: CHANNEL, nodes: [CHANNEL, MERCHANT], mode: 'INTERNAL', operation: 'debit' },
    amount: { minor: '9200', currency: 'EUR' },
    ...{ receivedAtMs: Date.now(), accountFingerprint: 'f1', issuerCountry: 'DE' },
    instrument: {
      ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
      ...{ expiryMonth: '05', expiryYear: '2034' },
    },
    parameters: { 'customer.email': EMAIL },
    ...changes,
  };
}

/** At most so many payments of a payer in an hour. */
export const atMost = (count: number, by = 'card') => ({
  id: `at-most-${by}`,
  ...{ name: 'At most so many in an hour', then: 'reject' },
  when: { velocity: { by, within: '1h', atMost: count } },
});

/** A rule that puts every payment in euros under review. */
export const reviewed = {
  ...{ id: 'look', name: 'Somebody has a look', then: 'review' },
  when: { amount: { above: '0.01', currency: 'EUR' } },
};
