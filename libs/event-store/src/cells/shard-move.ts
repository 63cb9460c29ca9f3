import { setTimeout as delay } from 'node:timers/promises';
import { MoveGivenBack, MoveInDoubt, MoveRefused, reasonOf } from './move-refused.js';
import { type Connect, MoveSession } from './move-session.js';
import {
  assertMovable,
  assertNothingThere,
  assertOneIncarnation,
  assertTwoCells,
  type MovedShards,
  type MovePhase,
  type MoveSessions,
  type MoveState,
  readMoveState,
} from './move-state.js';
import { ClaimCopy } from './shard-claims.js';
import { ClearedSource } from './shard-clear.js';
import { ShardCopy } from './shard-copy.js';
import { ShardFence } from './shard-fence.js';
import { sqlRange } from './shard-range.js';
import { ShardSwitch, type Switched } from './shard-switch.js';

/** The steps of a move in their order (page 0047). */
export type MoveStep =
  'begin' | 'copy' | 'keys' | 'close' | 'drain' | 'fence' | 'rest' | 'switch' | 'clear' | 'end';

/** What a move needs. */
export interface ShardMoveOptions extends MovedShards {
  /** Connections to the two databases as the owner of the tables; asked again after a failure. */
  readonly source: Connect;
  readonly target: Connect;
  /** How long calls under way may take to end; 5 s unless told. */
  readonly drainMs?: number;
  /** Stops the move where stopping is harmless: while it copies, and while it clears. */
  readonly signal?: AbortSignal;
  /** Told when a step, or a page of one, is done; `rows`: events or keys copied, or streams cleared, by it. */
  readonly onStep?: (step: MoveStep, rows: number) => void;
}

/** What a move did, and what it cost. */
export interface FinishedMove extends Partial<Switched> {
  /** Where it began: `new`, or where an earlier attempt stood. */
  readonly begunAt: MovePhase;
  /** By this attempt. */
  readonly copiedEvents: number;
  readonly copyMs: number;
  /** Events that were copied while nobody carried the range. */
  readonly restEvents: number;
  readonly clearedStreams: number;
  /** Whether all calls under way had ended before the fence; undefined if it stood already. */
  readonly isDrained?: boolean;
  /** By the source's clock; undefined if an earlier attempt switched. */
  readonly closedMs?: number;
  readonly fencedMs?: number;
}

/** A merchant waits for so long at most because of calls under way (page 0047). */
const DRAIN_MS = 5_000;
/** So many events, and as many keys, are copied within a second, while nobody carries the range. */
const REST_EVENTS_MAX = 10_000;
/** How long to wait for an old database transaction to end, which keeps events from being copied. */
const SETTLE_WITHIN_MS = 60_000;
const SETTLE_PAUSE_MS = 500;
/** While merchants wait, a server that does not answer is given up sooner. */
const STATEMENT_WHILE_CLOSED_MS = 30_000;

/**
 * Moves a range of chain shards from one cell to another while payments flow (page 0047). It goes on
 * where an earlier attempt stood, whatever ended that one: the databases say where. @throws
 * MoveRefused, and nothing has changed; MoveGivenBack; MoveInDoubt
 */
export async function moveShards(options: ShardMoveOptions): Promise<FinishedMove> {
  const move = new ShardMove(options);
  await move.open();
  try {
    return await move.run();
  } finally {
    await move.close();
  }
}

/** The part of `FinishedMove` that grows while the move works. */
interface Figures extends Partial<Switched> {
  copiedEvents: number;
  copyMs: number;
  restEvents: number;
  clearedStreams: number;
  isDrained?: boolean;
  closedMs?: number;
  fencedMs?: number;
}

class ShardMove {
  readonly #options: ShardMoveOptions;
  readonly #range: string;
  readonly #figures: Figures = { copiedEvents: 0, copyMs: 0, restEvents: 0, clearedStreams: 0 };
  #sessions: MoveSessions | undefined;

  constructor(options: ShardMoveOptions) {
    this.#options = options;
    this.#range = sqlRange(options.shards);
  }

  async open(): Promise<void> {
    this.#sessions = await openSessions(this.#options, 'move');
  }

  async close(): Promise<void> {
    const sessions = this.#sessions;
    this.#sessions = undefined;
    await Promise.all([sessions?.source.close(), sessions?.target.close()]);
  }

  async run(): Promise<FinishedMove> {
    const state = await this.#state();
    const begunAt = state.phase;
    assertMovable(begunAt, this.#options);
    if (begunAt !== 'done') {
      assertOneIncarnation(state);
      if (begunAt === 'new') await this.#begin(state);
      if (begunAt === 'new' || begunAt === 'copying') await this.#copyWhileOpen(begunAt);
      if (begunAt !== 'switched' && begunAt !== 'cleared') await this.#handOver(begunAt);
      if (begunAt !== 'cleared') await this.#clear();
      await this.#end();
    }
    return { begunAt, ...this.#figures };
  }

  get #open(): MoveSessions {
    if (this.#sessions === undefined) throw new Error('The move has no connections.');
    return this.#sessions;
  }

  get #fence(): ShardFence {
    return new ShardFence(this.#open.source, this.#options);
  }

  get #copy(): ShardCopy {
    return new ShardCopy(this.#open, this.#options);
  }

  #state(): Promise<MoveState> {
    return readMoveState(this.#open, this.#options);
  }

  #did(step: MoveStep, rows = 0): void {
    this.#options.onStep?.(step, rows);
  }

  /** The source's record first; it goes last. A target without events joins the source's life. */
  async #begin({ source }: MoveState): Promise<void> {
    await assertNothingThere(this.#open, this.#options);
    const { schema, from, to } = this.#options;
    await this.#open.source.execute(
      `INSERT INTO ${schema}.leaving_shards (shards, to_cell) VALUES ($1, $2)`,
      [this.#range, to],
    );
    await this.#record(source.incarnation, from);
    this.#did('begin');
  }

  async #record(incarnation: string, from: number): Promise<void> {
    const { schema } = this.#options;
    const { target } = this.#open;
    await target.transaction(async () => {
      await target.execute(
        `UPDATE ${schema}.incarnation SET id = $1
         WHERE id <> $1 AND NOT EXISTS (SELECT FROM ${schema}.events)`,
        [incarnation],
      );
      await target.execute(
        `INSERT INTO ${schema}.shard_moves (shards, from_cell) VALUES ($1, $2)
         ON CONFLICT (shards) DO NOTHING`,
        [this.#range, from],
      );
    });
  }

  /** Everything that can be copied while nobody has to wait. */
  async #copyWhileOpen(begunAt: MovePhase): Promise<void> {
    const begunMs = performance.now();
    if (begunAt === 'copying') {
      // An attempt that died may have left the range closed, or the target without its record.
      await this.#fence.giveBack();
      await this.#record((await this.#state()).source.incarnation, this.#options.from);
      await this.#copy.copyErasures();
    }
    await this.#copySettled();
    // All keys, also if an attempt has copied them: the source may have been restored since.
    const claims = new ClaimCopy(this.#open, this.#options, (copied) => {
      this.#did('keys', copied);
      this.#options.signal?.throwIfAborted();
    });
    let keys = await claims.copyAll();
    let untilMs = performance.now() + SETTLE_WITHIN_MS;
    for (;;) {
      await this.#copySettled();
      await claims.summarize();
      const newer = await claims.copyNewer();
      keys += newer;
      if ((await this.#copy.behind(REST_EVENTS_MAX)) < REST_EVENTS_MAX) break;
      // So many come while others are copied, not because an old transaction hides what follows it.
      if (newer >= REST_EVENTS_MAX) untilMs = performance.now() + SETTLE_WITHIN_MS;
      if (performance.now() > untilMs) throw new MoveRefused(await this.#unsettledText());
      await delay(SETTLE_PAUSE_MS, undefined, { signal: this.#options.signal });
    }
    this.#figures.copyMs = performance.now() - begunMs;
    Object.assign(this.#figures, { idempotencyKeys: keys });
    await this.#fence.awaitVacuum();
    this.#options.signal?.throwIfAborted();
  }

  #copySettled(): Promise<void> {
    return this.#copy.copy('settled', (events) => {
      this.#figures.copiedEvents += events;
      this.#did('copy', events);
      this.#options.signal?.throwIfAborted();
    });
  }

  async #unsettledText(): Promise<string> {
    const [oldest] = await this.#open.source.execute<{ pid: number; name: string }>(
      `SELECT pid, coalesce(nullif(application_name, ''), 'unnamed') AS name FROM pg_stat_activity
       WHERE backend_xid IS NOT NULL ORDER BY age(backend_xid) DESC LIMIT 1`,
    );
    const who = oldest === undefined ? '' : ` It is ${oldest.name}, process ${oldest.pid}.`;
    return (
      'A database transaction in the source has been open for long, and events after it cannot be ' +
      `copied yet.${who} The source carries the range as before; run this again when it has ended.`
    );
  }

  /**
   * From the close to the switch. Whatever fails, the range goes back to the source, but only if the
   * target, asked anew, has certainly not switched.
   */
  async #handOver(begunAt: MovePhase): Promise<void> {
    try {
      const { source, target } = this.#open;
      await source.limit(STATEMENT_WHILE_CLOSED_MS);
      await target.limit(STATEMENT_WHILE_CLOSED_MS);
      if (begunAt !== 'fenced') await this.#closeAndFence();
      await this.#copy.copy('all', (events) => {
        this.#figures.restEvents += events;
      });
      const switching = new ShardSwitch(this.#open, this.#options);
      const switched = await switching.run(() => this.#did('rest'));
      const idempotencyKeys = (this.#figures.idempotencyKeys ?? 0) + switched.idempotencyKeys;
      Object.assign(this.#figures, { ...switched, idempotencyKeys });
    } catch (error) {
      await this.#recover(error);
    }
    await this.#afterSwitch();
    this.#did('switch');
  }

  async #closeAndFence(): Promise<void> {
    await this.#fence.close();
    this.#did('close');
    this.#figures.isDrained = await this.#fence.drain(
      this.#options.drainMs ?? DRAIN_MS,
      this.#options.signal,
    );
    this.#did('drain');
    await this.#copy.copy('settled', (events) => {
      this.#figures.copiedEvents += events;
    });
    this.#options.signal?.throwIfAborted();
    await this.#fence.fence();
    this.#did('fence');
  }

  /** Returns if the switch was made after all; throws what happened otherwise. */
  async #recover(cause: unknown): Promise<void> {
    let phase: MovePhase;
    try {
      // New sessions hold the lock only when the old ones, and all that they sent, have ended.
      await this.close();
      await this.open();
      ({ phase } = await this.#state());
      if (phase !== 'switched') await this.#fence.giveBack();
    } catch (error) {
      throw new MoveInDoubt({ cause: new AggregateError([cause, error], reasonOf(cause)) });
    }
    if (phase === 'switched') return;
    throw cause instanceof MoveRefused ? cause : new MoveGivenBack({ cause });
  }

  async #afterSwitch(): Promise<void> {
    const { source, target } = this.#open;
    await source.limit();
    await target.limit();
    const [times] = await source.execute<{ closedMs: number; fencedMs: number }>(
      `SELECT extract(epoch FROM clock_timestamp() - closed_at)::float8 * 1000 AS "closedMs",
              extract(epoch FROM clock_timestamp() - fenced_at)::float8 * 1000 AS "fencedMs"
       FROM ${this.#options.schema}.leaving_shards WHERE shards = $1`,
      [this.#range],
    );
    Object.assign(this.#figures, times);
  }

  /** What says that rows go is recorded before the first one does. */
  async #clear(): Promise<void> {
    await this.#open.source.execute(
      `UPDATE ${this.#options.schema}.leaving_shards SET switched_at = clock_timestamp()
       WHERE shards = $1 AND switched_at IS NULL`,
      [this.#range],
    );
    await new ClearedSource(this.#open, this.#options, this.#copy).run((streams) => {
      this.#figures.clearedStreams += streams;
      this.#did('clear', streams);
      this.#options.signal?.throwIfAborted();
    });
  }

  /**
   * The source's record goes first. As long as the target has its own, nothing of the range goes on from
   * there to a third cell, and there is no way back to the source any more.
   */
  async #end(): Promise<void> {
    const { schema } = this.#options;
    await this.#open.source.execute(`DELETE FROM ${schema}.leaving_shards WHERE shards = $1`, [
      this.#range,
    ]);
    this.#did('end');
    await this.#open.target.execute(`DELETE FROM ${schema}.shard_moves WHERE shards = $1`, [
      this.#range,
    ]);
  }
}

/** Both connections, or none. @throws MoveRefused unless they lead to the two cells, or if locked */
export async function openSessions(
  options: MovedShards & Pick<ShardMoveOptions, 'source' | 'target'>,
  lock: 'move' | 'none',
): Promise<MoveSessions> {
  const source = await MoveSession.open(options.source);
  let target: MoveSession | undefined;
  try {
    target = await MoveSession.open(options.target);
    await assertTwoCells({ source, target }, options);
    if (lock === 'move') {
      await source.lock(options.schema, lock);
      await target.lock(options.schema, lock);
    }
    return { source, target };
  } catch (error) {
    await Promise.all([source.close(), target?.close()]);
    throw error;
  }
}
