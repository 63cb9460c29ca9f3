import { setTimeout as delay } from 'node:timers/promises';
import { deadTopicOf, type Message } from '@sluice/contracts';
import type { EventBatch, Events } from '@sluice/messaging';
import type { Logger } from '@sluice/service';
import type { Pool } from 'pg';
import { type ApplyOptions, noteCheckpoints, parkEvents, RowsLost } from './apply-batch.js';
import { applyEvents, type Hole } from './apply-events.js';
import { checkpointsOf, type NextCheckpoint, type PartitionCheckpoint } from './bookkeeping.js';
import type { EventSource } from './event-source.js';
import { type FedTableSet, versionsOf } from './fed-table-set.js';
import { GatheredBatches, type PartitionBatch } from './gathered-batches.js';
import { NotAnEvent, type SourceEvent, sourceEventOf } from './source-event.js';

/** What a feeder works with. */
export interface FeederParts {
  readonly pool: Pool;
  readonly source: EventSource;
  readonly events: Pick<Events, 'publish'>;
  readonly logger: Logger;
  /** Pauses before each further try of an event that cannot be applied (D-17: 5 tries in 30 s). */
  readonly retryDelaysMs?: readonly number[];
}

/**
 * Four seconds in all, so that other events of the same partition wait less than five (R-ES-07).
 */
const RETRY_DELAYS_MS: readonly number[] = [100, 400, 1_000, 2_500];
/** Each round fetches a full answer of events for every hole; no stream needs so many rounds. */
const HOLE_ROUNDS_MAX = 1_000;

/** The rows were made from another store than the event's: rebuild (D-23). */
export class IncarnationChanged extends Error {
  override readonly name = 'IncarnationChanged';

  constructor(
    owner: string,
    known: string,
    /** What the owner has now. */
    readonly found: string,
  ) {
    super(
      `The store of ${owner} is ${found} now, and the rows are made of ${known}: rebuild them.`,
    );
  }
}

/** A batch that is not committed. */
interface InHand {
  /** When its first event was recorded, milliseconds since the epoch. */
  readonly recordedMs: number;
  /** On the clock of performance.now(). */
  readonly rejectedMs: number;
}

/**
 * A commit that nobody waited for is on the disk by then: the server writes at three times its
 * `wal_writer_delay` of 200 ms at the latest.
 */
const ON_DISK_AFTER_MS = 2_000;

/** Longer than the longest pause before a rejected batch comes again. */
const COMES_AGAIN_WITHIN_MS = 30_000;

type Outcome =
  | { readonly kind: 'applied' }
  | { readonly kind: 'refused'; readonly streamId?: string; readonly reason: string };

/**
 * Applies events to one table set, in whatever order and however often they arrive (R-ES-05 to
 * R-ES-07).
 */
export class Feeder {
  readonly #retryDelaysMs: readonly number[];
  readonly #batches = new GatheredBatches(
    (batches) => this.#applyTogether(batches),
    ({ events, checkpoint }) => this.#apply(events, checkpoint),
  );
  /** By partition. A rejected batch is in here too, until it comes again. */
  readonly #inHand = new Map<string, InHand>();
  readonly #foreign = new Set<string>();
  /** Copied to the dead letters, in batches that come again until they are applied. */
  readonly #passedOver = new Set<string>();
  /** The newest checkpoint that was committed here or read on from, by partition. */
  readonly #noted = new Map<string, bigint>();
  #notedAtMs = -Infinity;
  /** Every checkpoint that was committed here was found on a disk. */
  #isSettled = true;
  #incarnation: string | undefined;

  constructor(
    readonly set: FedTableSet,
    private readonly parts: FeederParts,
  ) {
    this.#retryDelaysMs = parts.retryDelaysMs ?? RETRY_DELAYS_MS;
  }

  get #owner(): string {
    return this.set.projection.owner;
  }

  /** When the oldest event of the batches in hand was recorded, milliseconds since the epoch. */
  get oldestInHandMs(): number | undefined {
    let oldestMs: number | undefined;
    for (const { recordedMs, rejectedMs } of this.#inHand.values()) {
      // A batch that has not come again by now went to another instance.
      if (performance.now() - rejectedMs > COMES_AGAIN_WITHIN_MS) continue;
      if (recordedMs < (oldestMs ?? Infinity)) oldestMs = recordedMs;
    }
    return oldestMs;
  }

  /** Resolves when the batch and its checkpoint are committed; rejects if infrastructure fails. */
  async handle(batch: EventBatch): Promise<void> {
    const place = placeOf(batch);
    const recordedMs = recordedAtMs(batch.messages[0]?.message) ?? Date.now();
    this.#inHand.set(place, { recordedMs, rejectedMs: Infinity });
    try {
      await this.#handle(batch);
      this.#inHand.delete(place);
      this.#note(place, batch);
    } catch (error) {
      this.#inHand.set(place, { recordedMs, rejectedMs: performance.now() });
      if (error instanceof RowsLost) this.#isSettled = false;
      throw error;
    }
  }

  /** Whether every checkpoint that was committed here was found on a disk, and no batch is in hand. */
  get isSettled(): boolean {
    return this.#isSettled && this.#inHand.size === 0;
  }

  /** What comes of a partition comes after this checkpoint, from which it is read. */
  readsAfter({ topic, partition, offset }: PartitionCheckpoint): void {
    this.#noted.set(placeOf({ topic, partition }), BigInt(offset));
  }

  /**
   * Whether rows are gone that were committed here. A crash of the database undoes what was committed
   * within its last half second, rows and checkpoints together (page 0046), and whoever reads on from
   * his own position would never see those events again.
   */
  async hasLostRows(): Promise<boolean> {
    if (this.#isSettled) return false;
    const isOnDisk = performance.now() - this.#notedAtMs > ON_DISK_AFTER_MS;
    const noted = new Map(this.#noted);
    const found = await checkpointsOf(this.parts.pool, this.set.schema, this.set.id);
    const kept = new Map(found.map((each) => [placeOf(each), BigInt(each.offset)]));
    for (const [place, offset] of noted) if ((kept.get(place) ?? -1n) < offset) return true;
    if (isOnDisk) this.#isSettled = true;
    return false;
  }

  #note(place: string, { messages }: EventBatch): void {
    const last = messages.at(-1);
    if (last === undefined) return;
    const offset = BigInt(last.offset);
    if ((this.#noted.get(place) ?? -1n) < offset) this.#noted.set(place, offset);
    this.#notedAtMs = performance.now();
    this.#isSettled = false;
  }

  async #handle({ topic, partition, messages }: EventBatch): Promise<void> {
    const last = messages.at(-1);
    if (last === undefined) return;
    const events = await this.#own(await this.#readable(messages));
    const known = this.#noted.get(placeOf({ topic, partition }))?.toString();
    const checkpoint = { topic, partition, offset: last.offset, ...(known && { known }) };
    await this.#batches.add({ events, checkpoint });
    for (const { message } of messages) this.#passedOver.delete(message.id);
  }

  /**
   * A message that is not an event becomes a dead letter and is skipped, because it can never be
   * applied.
   */
  async #readable(messages: EventBatch['messages']): Promise<readonly SourceEvent[]> {
    const { projection } = this.set;
    const events: SourceEvent[] = [];
    for (const { message, offset } of messages) {
      try {
        events.push(sourceEventOf(message, projection));
      } catch (error) {
        if (!(error instanceof NotAnEvent)) throw error;
        if (this.#passedOver.has(message.id)) continue;
        await this.parts.events.publish(deadTopicOf(projection.topic), [message]);
        this.#passedOver.add(message.id);
        this.parts.logger.error(
          { tableSet: this.set.id, offset, messageId: message.id, reason: error.message },
          `A message that is not an event of ${projection.owner} was skipped.`,
        );
      }
    }
    return events;
  }

  /** Fetches what the owner has recorded of a stream beyond the rows. */
  async heal(streamId: string, version: number): Promise<void> {
    const events = await this.parts.source.eventsAfter(streamId, version);
    const own = await this.#own(events);
    if (own.length > 0) await this.#apply(own);
  }

  /**
   * Compares the streams that changed since the last time with the rows, and heals what is behind
   * (D-21). Returns how many streams that were.
   */
  async compareHeads(olderThanMs: number): Promise<number> {
    let caughtUp = 0;
    for (let more = true; more;) {
      const cursor = await this.#headsCursor();
      const page = await this.parts.source.headsAfter(cursor, olderThanMs);
      await this.#noteIncarnation(page.incarnation);
      const ids = page.heads.map(({ streamId }) => streamId);
      const versions = await versionsOf(this.parts.pool, this.set, ids);
      for (const { streamId, version } of page.heads) {
        const known = versions.get(streamId) ?? 0;
        if (known >= version) continue;
        await this.heal(streamId, known);
        caughtUp += 1;
      }
      if (page.next !== cursor) await this.#noteHeadsCursor(page.next);
      more = page.more;
    }
    return caughtUp;
  }

  /** Tries the parked streams again that an operator asked for; returns how many were applied. */
  async redrive(): Promise<number> {
    const { schema, id } = this.set;
    const asked = `SELECT DISTINCT stream_id FROM ${schema}.parked
      WHERE table_set = $1 AND redrive_requested_at IS NOT NULL`;
    const again = `UPDATE ${schema}.parked SET redrive_requested_at = NULL, reason = CASE
        WHEN version = (SELECT min(version) FROM ${schema}.parked
                        WHERE table_set = $1 AND stream_id = $2) THEN $3 ELSE reason END
      WHERE table_set = $1 AND stream_id = $2`;
    const { rows } = await this.parts.pool.query<{ stream_id: string }>(asked, [id]);
    let well = 0;
    for (const { stream_id: streamId } of rows) {
      const versions = await versionsOf(this.parts.pool, this.set, [streamId]);
      const events = await this.parts.source.eventsAfter(streamId, versions.get(streamId) ?? 0);
      const outcome = await this.#try(events, { redriven: streamId });
      if (outcome.kind === 'applied') well += 1;
      else await this.parts.pool.query(again, [id, streamId, outcome.reason]);
    }
    return well;
  }

  async #applyTogether(batches: readonly PartitionBatch[]): Promise<boolean> {
    const events = batches.flatMap((batch) => batch.events);
    const checkpoints = batches.map(({ checkpoint }) => checkpoint);
    return (await this.#try(events, { checkpoints })).kind === 'applied';
  }

  async #apply(events: readonly SourceEvent[], checkpoint?: NextCheckpoint): Promise<void> {
    const checkpoints = checkpoint === undefined ? [] : [checkpoint];
    const outcome = await this.#try(events, { checkpoints });
    if (outcome.kind === 'applied') return;
    await this.#applyStreamByStream(events);
    await noteCheckpoints(this.parts.pool, this.set, checkpoints);
  }

  /** Applies events, with what was missing between them. */
  async #try(events: readonly SourceEvent[], options: ApplyOptions = {}): Promise<Outcome> {
    let complete = events;
    for (let round = 0; round < HOLE_ROUNDS_MAX; round += 1) {
      const result = await applyEvents(this.parts.pool, this.set, complete, options);
      if (result.kind !== 'holes') return result;
      const filled = await this.#filled(complete, result.holes);
      if (filled.kind === 'refused') return filled;
      complete = filled.events;
    }
    return { kind: 'refused', reason: 'Events are missing again and again.' };
  }

  async #filled(
    events: readonly SourceEvent[],
    holes: readonly Hole[],
  ): Promise<
    | { readonly kind: 'filled'; readonly events: readonly SourceEvent[] }
    | (Outcome & { readonly kind: 'refused' })
  > {
    let result = events;
    for (const { streamId, afterVersion } of holes) {
      const missing = await this.parts.source.eventsAfter(streamId, afterVersion);
      if (missing[0]?.version !== afterVersion + 1) {
        const reason = `The store of ${this.#owner} has no event ${afterVersion + 1} of this stream.`;
        return { kind: 'refused', streamId, reason };
      }
      const lastFound = missing.at(-1)?.version ?? 0;
      const isOther = (event: SourceEvent): boolean =>
        event.streamId !== streamId || event.version > lastFound;
      // Put first: order matters within a stream, but not across streams.
      result = [...missing, ...result.filter(isOther)];
    }
    return { kind: 'filled', events: result };
  }

  /**
   * One stream of the batch is at fault: the others are applied, and that one is finally parked.
   */
  async #applyStreamByStream(events: readonly SourceEvent[]): Promise<void> {
    let left = new Map<string, readonly SourceEvent[]>();
    for (const event of events) {
      left.set(event.streamId, [...(left.get(event.streamId) ?? []), event]);
    }
    for (const pauseMs of [0, ...this.#retryDelaysMs]) {
      if (pauseMs > 0) await delay(pauseMs);
      const failed = new Map<string, readonly SourceEvent[]>();
      for (const [streamId, ofStream] of left) {
        const outcome = await this.#try(ofStream);
        if (outcome.kind === 'refused') failed.set(streamId, ofStream);
      }
      left = failed;
      if (left.size === 0) return;
    }
    for (const ofStream of left.values()) await this.#parkFrom(ofStream);
  }

  /** Applies what can be applied of a stream, and parks the rest of it. */
  async #parkFrom(events: readonly SourceEvent[]): Promise<void> {
    for (const [index, event] of events.entries()) {
      const outcome = await this.#try([event]);
      if (outcome.kind === 'applied') continue;
      const rest = events.slice(index + 1);
      const { streamId, version, text } = event;
      // The copy comes first: if the process dies in between, there is one copy too many, not one
      // too few.
      const message = JSON.parse(text) as Message;
      await this.parts.events.publish(deadTopicOf(this.set.projection.topic), [message]);
      await parkEvents(this.parts.pool, this.set, [event, ...rest], outcome.reason);
      this.parts.logger.error(
        { tableSet: this.set.id, streamId, version, reason: outcome.reason },
        'An event cannot be applied and is parked with the rest of its stream.',
      );
      return;
    }
  }

  /**
   * The events of the store from which these rows are made. Others are skipped: they belong to a
   * store that is gone, whose events the topic still has. Whether the rows belong to the current
   * store only its owner can tell, never an event.
   */
  async #own(events: readonly SourceEvent[]): Promise<readonly SourceEvent[]> {
    if (events.every(({ incarnation }) => incarnation === this.#incarnation)) return events;
    await this.#noteIncarnation(await this.parts.source.incarnation());
    const own = events.filter(({ incarnation }) => incarnation === this.#incarnation);
    for (const { incarnation } of events) this.#tellForeign(incarnation);
    return own;
  }

  #tellForeign(incarnation: string): void {
    if (incarnation === this.#incarnation || this.#foreign.has(incarnation)) return;
    this.#foreign.add(incarnation);
    this.parts.logger.warn(
      { tableSet: this.set.id, incarnation, ours: this.#incarnation },
      `The topic has events of another store of ${this.#owner}; they are passed over.`,
    );
  }

  async #noteIncarnation(found: string): Promise<void> {
    if (found === this.#incarnation) return;
    const { schema, id } = this.set;
    const text = `WITH noted AS (UPDATE ${schema}.table_sets SET incarnation = $2
        WHERE id = $1 AND incarnation IS NULL RETURNING incarnation)
      SELECT coalesce((SELECT incarnation FROM noted), incarnation) AS known
      FROM ${schema}.table_sets WHERE id = $1`;
    const { rows } = await this.parts.pool.query<{ known: string | null }>(text, [id, found]);
    const known = rows[0]?.known ?? found;
    this.#incarnation = known;
    if (known !== found) throw new IncarnationChanged(this.#owner, known, found);
  }

  async #headsCursor(): Promise<string | undefined> {
    const text = `SELECT heads_cursor AS cursor FROM ${this.set.schema}.table_sets WHERE id = $1`;
    const { rows } = await this.parts.pool.query<{ cursor: string | null }>(text, [this.set.id]);
    return rows[0]?.cursor ?? undefined;
  }

  async #noteHeadsCursor(cursor: string): Promise<void> {
    const text = `UPDATE ${this.set.schema}.table_sets SET heads_cursor = $2 WHERE id = $1`;
    await this.parts.pool.query(text, [this.set.id, cursor]);
  }
}

function placeOf({ topic, partition }: Pick<PartitionCheckpoint, 'topic' | 'partition'>): string {
  return `${topic}/${partition}`;
}

/** When a published event was recorded; undefined for other messages. */
function recordedAtMs(message: Message | undefined): number | undefined {
  const { recordedAtMs: ms } = (message?.data ?? {}) as { readonly recordedAtMs?: unknown };
  return typeof ms === 'number' ? ms : undefined;
}
