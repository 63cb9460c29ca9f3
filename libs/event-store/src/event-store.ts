import type { Pool } from 'pg';
import { type AppendMember, type AppendResult, type NewEvent } from './append-member.js';
import { Appender, type PendingAppend } from './appender.js';
import { Coalescer, type CoalescerLimits } from './coalescer.js';
import { Database } from './database.js';
import { DueStreams } from './due-streams.js';
import { IdempotencyKeys } from './idempotency.js';
import { Outbox } from './outbox.js';
import { PersonalKeys } from './personal-keys.js';
import {
  type Checkpoint,
  type FoundTransaction,
  type HeadsPage,
  type PositionedEvent,
  Reader,
  type StreamOfTransaction,
} from './reader.js';
import type { RecordedEvent } from './recorded-event.js';
import { SQL_IDENTIFIER } from './schema.js';

/** The bounds of an event store. */
export interface EventStoreLimits extends CoalescerLimits {
  /**
   * How long an append goes on asking a database that is away, as long as it is certain that
   * nothing was recorded.
   */
  readonly patienceMs: number;
  /** How long it goes on once it may have been recorded: only the database can tell. */
  readonly doubtPatienceMs: number;
  /** How long a connection may be silent; more than the server's own statement_timeout (D-10). */
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
  // A request that is recorded later than this is never sent (D-25), so a sender is told sooner;
  // who has an outcome to record comes back by himself (D-08).
  patienceMs: 2_000,
  // An immediate stop and its recovery take some seconds; "nobody knows" is the worst answer.
  doubtPatienceMs: 10_000,
  answerTimeoutMs: 8_000,
};

/** What an event store is made of, beside its pool. */
export interface EventStoreOptions extends Partial<EventStoreLimits> {
  /** The service's schema. */
  readonly schema: string;
  /** Whether events are published: each append leaves pointers to its events in the outbox. */
  readonly publishes?: boolean;
}

/**
 * The streams of one service: append, read, and what hangs on an append (transaction index,
 * idempotency keys, personal keys, outbox, due times). Plain `pg`, one round trip each.
 */
export class EventStore {
  readonly outbox: Outbox;
  readonly idempotency: IdempotencyKeys;
  readonly personalKeys: PersonalKeys;
  readonly #reader: Reader;
  readonly #dueStreams: DueStreams;
  readonly #coalescer: Coalescer<PendingAppend>;
  readonly #patienceMs: number;
  readonly #doubtPatienceMs: number;

  /** The pool stays its maker's; it should have two connections more than readers need. */
  constructor(pool: Pool, { schema, publishes = false, ...limits }: EventStoreOptions) {
    if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
    const { patienceMs, doubtPatienceMs, answerTimeoutMs, ...coalescerLimits } = {
      ...defaultLimits,
      ...limits,
    };
    const database = new Database(pool, answerTimeoutMs);
    this.outbox = new Outbox(database, schema);
    this.idempotency = new IdempotencyKeys(database, schema);
    this.personalKeys = new PersonalKeys(database, schema);
    this.#reader = new Reader(database, schema);
    this.#dueStreams = new DueStreams(database, schema);
    const appender = new Appender(database, this.idempotency, monotonicMs, {
      schema,
      publishes,
    });
    this.#coalescer = new Coalescer((pending) => appender.run(pending), coalescerLimits);
    this.#patienceMs = patienceMs;
    this.#doubtPatienceMs = doubtPatienceMs;
  }

  /**
   * Appends one command's events, together with the appends of others in one statement, but none
   * of them depends on another. @throws StoreBusy when too many wait; StoreUnavailable when the
   * database stays away; TypeError for a member that says nothing.
   */
  append(member: AppendMember): Promise<AppendResult> {
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

  /** The events of a stream in order; none when there is no such stream. */
  read(streamId: string): Promise<readonly RecordedEvent[]> {
    return this.#reader.read(streamId);
  }

  /** A stream's events after a version, in order, their data as it was written. */
  readStreamAfter(
    streamId: string,
    version: number,
    limit: number,
  ): Promise<readonly RecordedEvent[]> {
    return this.#reader.readStreamAfter(streamId, version, limit);
  }

  /**
   * Which streams have changed since a checkpoint, and how far they had come; only changes older
   * than `olderThanMs`, so that readers of what is published had the time to see them. Costs what
   * has changed, not what there is.
   */
  headsAfter(checkpoint: Checkpoint, limit: number, olderThanMs: number): Promise<HeadsPage> {
    return this.#reader.headsAfter(checkpoint, limit, olderThanMs);
  }

  /** All that has changed since a checkpoint and can be seen now, however young it is. */
  headsNow(checkpoint: Checkpoint, limit: number): Promise<HeadsPage> {
    return this.#reader.headsNow(checkpoint, limit);
  }

  /** The id of this store's life; another one after it was restored from a backup (D-23). */
  incarnation(): Promise<string> {
    return this.#reader.incarnation();
  }

  /** The stream that a transaction belongs to, if there is one. */
  streamOf(transactionId: string): Promise<string | undefined> {
    return this.#reader.streamOf(transactionId);
  }

  /**
   * Of the stream that a transaction belongs to the events that are about this one: those whose
   * data have it as `transactionId`. Looks at all that follow its first one, or at so many.
   */
  readTransaction(
    transactionId: string,
    eventsMax?: number,
  ): Promise<StreamOfTransaction | undefined> {
    return this.#reader.readTransaction(transactionId, eventsMax);
  }

  /**
   * Where transactions were recorded under a lookup text, and how far their streams have come; of a
   * few other texts as well, which the reader has to tell apart.
   */
  lookUp(lookupText: string, limit: number): Promise<readonly FoundTransaction[]> {
    return this.#reader.lookUp(lookupText, limit);
  }

  /** The whole stream that a transaction belongs to, in one round trip. */
  readByTransaction(transactionId: string): Promise<StreamOfTransaction | undefined> {
    return this.#reader.readByTransaction(transactionId);
  }

  /**
   * Events after a checkpoint, in commit order, each once, none skipped: only those whose
   * transaction, and every one before it, has ended. A session that keeps a writing transaction
   * open holds all readers back.
   */
  readAfter(checkpoint: Checkpoint, limit: number): Promise<readonly PositionedEvent[]> {
    return this.#reader.readAfter(checkpoint, limit);
  }

  /** Streams to look at now, for this caller alone until the lease ends. */
  claimDueStreams(options: {
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<readonly string[]> {
    return this.#dueStreams.claim(options.limit, options.leaseMs);
  }

  /**
   * When to look at a stream again; null: never. With a version only while the stream stands
   * there, so that a late word of a sweeper cannot undo what a newer append has said.
   */
  schedule(streamId: string, dueInMs: number | null, version?: number): Promise<void> {
    return this.#dueStreams.schedule(streamId, dueInMs, version);
  }
}

function addBytes(sum: number, { data, metadata }: NewEvent): number {
  return sum + data.length + metadata.length;
}

function monotonicMs(): number {
  return performance.now();
}
