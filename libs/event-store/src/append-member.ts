/** An event to be recorded; `data` and `metadata` are JSON texts. */
export interface NewEvent {
  /** UUID, time-ordered; compared after a lost COMMIT (R-CRA-06). */
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: string;
  readonly metadata: string;
}

/** An `Idempotency-Key` and what its first answer fixes (D-36). */
export interface NewIdempotencyClaim {
  readonly key: string;
  readonly fingerprint: string;
  /** JSON text. */
  readonly answer: string;
  /** The transaction the first request makes. */
  readonly transactionId: string;
}

/** What a stream tells those who decide about other streams: a row that later appends can depend on. */
export interface NewMark {
  /** What it is about; others look for it by this. */
  readonly subject: string;
  /** The transaction of the stream that leaves it, or one attempt of it: one mark each under a subject. */
  readonly transactionId: string;
  /** JSON text. */
  readonly data: string;
  /** Milliseconds since the epoch: afterwards it says nothing any more; absent: it stays. */
  readonly untilMs?: number;
  /** Whether it outlives the clearing of its subject. */
  readonly lasting: boolean;
}

/** Names one mark. */
export type MarkName = Pick<NewMark, 'subject' | 'transactionId'>;

/** What an append does to marks, in the same transaction as its events. */
export interface MarkChanges {
  /** In place of those that have the same names. */
  readonly left: readonly NewMark[];
  readonly withdrawn: readonly MarkName[];
  /** Under these subjects nothing stays but what is lasting, whoever left it. */
  readonly cleared: readonly string[];
}

/** One command's append: it is recorded wholly or leaves nothing behind. */
export interface AppendMember {
  readonly streamId: string;
  /** The version the decision was made on; 0 begins a stream. */
  readonly expectedVersion: number;
  /** UUID; a retry of the same command may claim again what it has claimed before (D-07). */
  readonly commandId: string;
  /** At least one. */
  readonly events: readonly NewEvent[];
  /** Transactions that belong to the stream from now on; an id belongs to one stream for ever. */
  readonly transactionIds?: readonly string[];
  /** Another text to find these transactions by; others may have the same. */
  readonly lookupText?: string;
  /** Whose the stream is, in stores that have tenants; with its first append only. */
  readonly tenant?: string;
  readonly idempotency?: NewIdempotencyClaim;
  /** The wrapped key of the stream's personal data; with its first append only. */
  readonly personalKey?: { readonly wrapped: Buffer };
  /** When a sweeper must look at this stream; null: never; absent: as it was. */
  readonly dueInMs?: number | null;
  /**
   * Milliseconds since the epoch. It is not appended later than this by the database's clock
   * (D-03).
   */
  readonly notAfterMs?: number;
  readonly marks?: MarkChanges;
  /**
   * Nothing was known under these subjects when it was decided, or nobody looked: it is appended only if
   * there is no mark under any of them.
   */
  readonly unmarked?: readonly string[];
  /**
   * It was decided by what this mark and the others of its subject say: it is appended only while the
   * mark has this version, which grows by one. So of two decided by the same marks one is appended.
   */
  readonly heldMark?: MarkName & { readonly version: number };
}

/** What became of a member. Only `appended` recorded anything. */
export type AppendResult =
  | { readonly kind: 'appended'; readonly version: number }
  /** Somebody else has appended to the stream: load it and decide again. */
  | { readonly kind: 'versionConflict' }
  | { readonly kind: 'alreadyClaimed'; readonly claim: 'transaction' }
  | ({ readonly kind: 'alreadyClaimed'; readonly claim: 'idempotency' } & TakenKey)
  | { readonly kind: 'expired' }
  /** Marks say something else than it was decided by: look at them and decide again. */
  | { readonly kind: 'markedMeanwhile' }
  /** The store does not carry the stream's shard, or it is about to leave (page 0047). */
  | { readonly kind: 'elsewhere' };

/** What the first request under an idempotency key left for those that come after it. */
export interface TakenKey {
  readonly fingerprint: string;
  /** JSON text. */
  readonly answer: string;
  readonly transactionId: string;
}

/**
 * Too many appends wait, for the stream or in all; nothing was recorded. Merchants are answered
 * "busy".
 */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';

  constructor(reason: 'queueFull' | 'streamQueueFull' | 'contention') {
    super(`The event store is busy: ${reason}.`);
  }
}

/** The store does not carry the shard of what was asked for: ask another cell (page 0047). */
export class ShardElsewhere extends Error {
  override readonly name = 'ShardElsewhere';

  constructor(readonly id: string) {
    super(`The shard of ${id} is not carried here.`);
  }
}

/** The database could not be reached for as long as an append waits for it. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(
    /** `unknown`: the connection was lost after the append had been sent. */
    readonly recorded: 'no' | 'unknown',
    options?: ErrorOptions,
  ) {
    super(`The event store is unavailable; recorded: ${recorded}.`, options);
  }
}
