import type { Pool } from 'pg';
import { type AppendMember, type AppendResult, type NewEvent } from './append-member.js';
import { Appender, type PendingAppend } from './appender.js';
import { type CarriedRanges, CarriedShards, EVERYTHING } from './cells/carried-shards.js';
import { Coalescer, type CoalescerLimits } from './coalescer.js';
import { Database } from './database.js';
import { DueStreams } from './due-streams.js';
import { IdempotencyKeys } from './idempotency.js';
import { Marks } from './marks.js';
import { Outbox } from './outbox.js';
import { OutboxSignal } from './outbox-signal.js';
import { PersonalKeys } from './personal-keys.js';
import {
  type Checkpoint,
  type HeadsNowPage,
  type HeadsPage,
  type StreamHead,
  type LookedUp,
  type PositionedEvent,
  Reader,
  type StreamOfTransaction,
  type StreamWithKey,
} from './reader.js';
import type { RecordedEvent } from './recorded-event.js';
import { SQL_IDENTIFIER } from './schema.js';
import type { TenantAhead } from './tenants.js';

/** The bounds of an event store. */
export interface EventStoreLimits extends CoalescerLimits {
  /**
   * How long an append retries while the database cannot be reached and certainly nothing was
   * recorded.
   */
  readonly patienceMs: number;
  /** How long it retries once it may have been recorded: only the database can tell. */
  readonly doubtPatienceMs: number;
  /**
   * How long a connection may take to answer; more than the server's own statement_timeout (D-10).
   */
  readonly answerTimeoutMs: number;
}

/** The limits unless told otherwise. */
export const defaultLimits: EventStoreLimits = {
  statementsMax: 2,
  companionMembersMin: 8,
  membersMax: 128,
  statementBytesMax: 4 * 1024 * 1024,
  waitingMax: 10_000,
  waitingPerStreamMax: 1_000,
  // A request that is recorded later than this is never sent (D-25), so the sender is told sooner.
  // Whoever has an outcome to record retries anyway (D-08).
  patienceMs: 2_000,
  // An immediate stop and its recovery take some seconds, and "unknown" is the worst answer.
  doubtPatienceMs: 10_000,
  answerTimeoutMs: 8_000,
};

/** What an event store needs besides its pool. */
export interface EventStoreOptions extends Partial<EventStoreLimits> {
  /** The service's schema. */
  readonly schema: string;
  /** Whether events are published: each append leaves pointers to its events in the outbox. */
  readonly publishes?: boolean;
  /**
   * Whether stream and transaction ids have chain shards (D-01), of which the store may carry some
   * alone: it takes and shows nothing of the others (page 0047).
   */
  readonly hasShards?: boolean;
  /**
   * Whether appends say whose a stream is, and what is due is claimed in turn; its schema has the step of
   * `tenantsOfStreams`.
   */
  readonly hasTenants?: boolean;
}

/**
 * The streams of one service: append, read, and what an append includes (transaction index,
 * idempotency keys, personal keys, outbox, due times). Plain `pg`, one round trip each.
 */
export class EventStore {
  readonly outbox: Outbox;
  readonly idempotency: IdempotencyKeys;
  readonly personalKeys: PersonalKeys;
  readonly marks: Marks;
  /** Only of a store that publishes. */
  readonly #signal: OutboxSignal | undefined;
  readonly #shards: CarriedShards | undefined;
  readonly #reader: Reader;
  readonly #dueStreams: DueStreams;
  #tellDue: (inMs: number) => void = () => undefined;
  readonly #coalescer: Coalescer<PendingAppend>;
  readonly #patienceMs: number;
  readonly #doubtPatienceMs: number;

  /**
   * The caller keeps the pool and closes it; it should have two connections more than readers need.
   */
  constructor(pool: Pool, options: EventStoreOptions) {
    const { schema, publishes = false, hasShards = false, hasTenants = false, ...limits } = options;
    if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
    const { patienceMs, doubtPatienceMs, answerTimeoutMs, ...coalescerLimits } = {
      ...defaultLimits,
      ...limits,
    };
    const database = new Database(pool, answerTimeoutMs);
    this.outbox = new Outbox(database, schema);
    this.marks = new Marks(database, schema);
    this.#signal = publishes ? new OutboxSignal(database, schema) : undefined;
    this.#shards = hasShards ? new CarriedShards(database, schema) : undefined;
    this.idempotency = new IdempotencyKeys(database, schema, this.#shards);
    this.personalKeys = new PersonalKeys(database, schema, this.#shards);
    this.#reader = new Reader(database, schema, this.#shards);
    this.#dueStreams = new DueStreams(database, schema, { hasShards, hasTenants });
    const appender = new Appender(database, this.idempotency, monotonicMs, {
      ...{ schema, publishes, hasShards },
    });
    this.#coalescer = new Coalescer(async (pending) => {
      await appender.run(pending);
      this.#signal?.recorded();
    }, coalescerLimits);
    this.#patienceMs = patienceMs;
    this.#doubtPatienceMs = doubtPatienceMs;
  }

  /**
   * Appends one command's events, in one statement together with those of others, none of which
   * depends on another. @throws StoreBusy when too many wait; StoreUnavailable when the database
   * stays away; TypeError for a member that says nothing.
   */
  async append(member: AppendMember): Promise<AppendResult> {
    const result = await this.#appended(member);
    if (result.kind === 'appended' && typeof member.dueInMs === 'number') {
      this.#tellDue(Math.max(0, member.dueInMs));
    }
    return result;
  }

  #appended(member: AppendMember): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (member.events.length === 0 || member.expectedVersion < 0) {
        throw new TypeError('An append has events, and a version they follow.');
      }
      const nowMs = monotonicMs();
      this.#coalescer.add({
        streamId: member.streamId,
        idempotencyKey: member.idempotency?.key,
        bytes: member.events.reduce(addBytes, 0),
        member,
        patientUntilMs: nowMs + this.#patienceMs,
        inDoubtUntilMs: nowMs + this.#doubtPatienceMs,
        inDoubt: false,
        resolve,
        reject,
      });
    });
  }

  /** Appends that wait or are under way. */
  get waitingAppends(): number {
    return this.#coalescer.size;
  }

  /** The events of a stream in order; none when there is no such stream. @throws ShardElsewhere */
  read(streamId: string): Promise<readonly RecordedEvent[]> {
    return this.#reader.read(streamId);
  }

  /**
   * A stream's events after a version, in order, with their data as it was written. @throws
   * ShardElsewhere
   */
  readStreamAfter(
    streamId: string,
    version: number,
    limit: number,
  ): Promise<readonly RecordedEvent[]> {
    return this.#reader.readStreamAfter(streamId, version, limit);
  }

  /**
   * The first events of many streams, at most so many of each, with their data as it was written; a stream that
   * does not exist is not among them. @throws ShardElsewhere if any of them is
   */
  readStreams(
    streamIds: readonly string[],
    ofEachMax: number,
  ): Promise<ReadonlyMap<string, readonly RecordedEvent[]>> {
    return this.#reader.readStreams(streamIds, ofEachMax);
  }

  /**
   * Which streams have changed since a checkpoint, and up to which version; only changes older than
   * `olderThanMs`, so that readers of published events had time to see them. The cost depends on
   * what has changed, not on how much there is.
   */
  headsAfter(checkpoint: Checkpoint, limit: number, olderThanMs: number): Promise<HeadsPage> {
    return this.#reader.headsAfter(checkpoint, limit, olderThanMs);
  }

  /**
   * All that has changed since a checkpoint and can be seen now, however young it is. Whoever asks
   * waits for it, so it is published at once.
   */
  async headsNow(checkpoint: Checkpoint, limit: number): Promise<HeadsNowPage> {
    const page = await this.#reader.headsNow(checkpoint, limit);
    if (page.heads.length > 0) this.#signal?.awaiting();
    return page;
  }

  /**
   * The same of all pages, one after the other, also while one old transaction of the database has all of it
   * wait. Where the next walk begins: before everything that may still be joined by earlier commits.
   */
  async walkHeadsNow(
    from: Checkpoint,
    limit: number,
    take: (heads: readonly StreamHead[]) => Promise<void>,
  ): Promise<Checkpoint> {
    let [next, reached, isOpen] = [from, from, false];
    for (let more = true; more;) {
      const page = await this.headsNow(reached, limit);
      await take(page.heads);
      // Behind something that is open all comes again.
      if (!isOpen) next = page.next;
      isOpen ||= page.next.position !== page.reached.position;
      ({ reached, more } = page);
    }
    return next;
  }

  /** The id of this store's life; another one after it was restored from a backup (D-23). */
  incarnation(): Promise<string> {
    return this.#reader.incarnation();
  }

  /** Which shards this store carries; a store without shards carries all (page 0047). */
  carriedShards(): Promise<CarriedRanges> {
    return this.#shards?.ranges() ?? Promise.resolve(EVERYTHING);
  }

  /** A whole stream and its key, in one round trip; undefined if there is none. @throws ShardElsewhere */
  readWithKey(streamId: string): Promise<StreamWithKey | undefined> {
    return this.#reader.readWithKey(streamId);
  }

  /** The stream that a transaction belongs to, if there is one. */
  streamOf(transactionId: string): Promise<string | undefined> {
    return this.#reader.streamOf(transactionId);
  }

  /**
   * The events of a transaction's stream that are about this transaction: those with its id as
   * `transactionId` in their data. Looks at all events from its first one on, or at a limited
   * number. @throws ShardElsewhere
   */
  readTransaction(
    transactionId: string,
    eventsMax?: number,
  ): Promise<StreamOfTransaction | undefined> {
    return this.#reader.readTransaction(transactionId, eventsMax);
  }

  /**
   * Where transactions were recorded under a lookup text, and the versions of their streams. A few
   * other texts may be among them, which the caller has to tell apart. As in `headsNow`, what is
   * found is published at once.
   */
  async lookUp(lookupText: string, limit: number): Promise<LookedUp> {
    const lookedUp = await this.#reader.lookUp(lookupText, limit);
    if (lookedUp.found.length > 0) this.#signal?.awaiting();
    return lookedUp;
  }

  /**
   * The whole stream that a transaction belongs to, in one round trip. @throws ShardElsewhere
   */
  readByTransaction(transactionId: string): Promise<StreamOfTransaction | undefined> {
    return this.#reader.readByTransaction(transactionId);
  }

  /**
   * Events after a checkpoint, in commit order, each once, none skipped: only those whose
   * transaction, and every one before it, has ended. A session that keeps a writing transaction
   * open holds up all readers.
   */
  readAfter(checkpoint: Checkpoint, limit: number): Promise<readonly PositionedEvent[]> {
    return this.#reader.readAfter(checkpoint, limit);
  }

  /**
   * Streams that are due now, for this caller alone until the lease ends; those of a tenant whose clock is
   * ahead by that clock, where it is named.
   */
  claimDueStreams({
    limit,
    leaseMs,
    of,
  }: {
    readonly limit: number;
    readonly leaseMs: number;
    readonly of?: TenantAhead;
  }): Promise<readonly string[]> {
    if (of !== undefined) return this.#dueStreams.claimOf(of, limit, leaseMs);
    return this.#dueStreams.claim(limit, leaseMs);
  }

  /** When the first stream of a tenant is due, by its clock, milliseconds since the epoch; null: never. */
  nextDueOfMs(tenant: string): Promise<number | null> {
    return this.#dueStreams.nextOfMs(tenant);
  }

  /**
   * When to look at a stream again; null: never. With a version, only if the stream is still at it,
   * so that a late sweeper cannot undo what a newer append has set.
   */
  async schedule(streamId: string, dueInMs: number | null, version?: number): Promise<void> {
    await this.#dueStreams.schedule(streamId, dueInMs, version);
    if (dueInMs !== null) this.#tellDue(dueInMs);
  }

  /**
   * How long until the first stream is due, whoever wrote it, in milliseconds; 0 when one is, null
   * when none will be. @throws DatabaseFailure
   */
  nextDueInMs(): Promise<number | null> {
    return this.#dueStreams.nextInMs();
  }

  /**
   * Has somebody told of each date that is set through this store, in milliseconds from then on.
   * Other processes set dates too, so it replaces no look (page 0046).
   */
  watchDue(tell: (inMs: number) => void): void {
    this.#tellDue = tell;
  }
}

function addBytes(sum: number, { data, metadata }: NewEvent): number {
  return sum + data.length + metadata.length;
}

function monotonicMs(): number {
  return performance.now();
}
