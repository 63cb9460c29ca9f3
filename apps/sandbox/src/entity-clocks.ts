import { CLOCKS_FILE, SettingRefused } from '@sluice/local-installation';
import type {
  Advanced,
  Clock,
  ClocksInHand,
  EntityTime,
  FollowsClocks,
  SetClocks,
} from '@sluice/service';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Services that have the machine's clock for every entity, whatever it was set to: none any more. */
const NOT_FOLLOWING: readonly string[] = [];
/** Whoever advances a clock hears so often how far it is, and no request waits for longer. */
const HEARD_WITHIN_MS = 1_000;
/** So that no clock of a service, which may be some milliseconds behind, is still before a date. */
const PAST_DUE_MS = 25;
/** An instant that passed while its asker was asking once more is one where the clock has arrived. */
const JUST_PASSED_MS = 60_000;

const ENTITY_ID = /^[0-9a-f]{32}$/;

/** What the clocks are made of. */
export interface EntityClocksParts {
  readonly dataFolder: string;
  readonly clock: Clock;
}

/**
 * Clocks of entities in hand (page 0078): each is ahead of the machine's by what a file of the data folder
 * says, and is moved from one date to the next, each of which sees what is due done.
 */
export class EntityClocks implements SetClocks, ClocksInHand {
  readonly #followers = new Map<string, FollowsClocks>();
  /** Whoever moves the clock of an entity does so alone. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #moving = new Set<string>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly parts: EntityClocksParts,
    private readonly ahead: Map<string, number>,
  ) {}

  /** As they were when the sandbox ended. @throws SettingRefused for a file that is none of its own */
  static async open(parts: EntityClocksParts): Promise<EntityClocks> {
    const file = join(parts.dataFolder, CLOCKS_FILE);
    return new EntityClocks(parts, new Map(Object.entries(await readAhead(file))));
  }

  /** A service that does what is due by these clocks; after a reset another one takes its place. */
  followedBy(service: string, follower: FollowsClocks): void {
    this.#followers.set(service, follower);
  }

  aheadMs(entityId: string): number {
    return this.ahead.get(entityId) ?? 0;
  }

  all(): ReadonlyMap<string, number> {
    if (this.#moving.size === 0) return this.ahead;
    return new Map([...this.ahead].filter(([entityId]) => !this.#moving.has(entityId)));
  }

  timeOf(entityId: string): EntityTime {
    const aheadMs = this.aheadMs(entityId);
    return { nowMs: this.#nowMs(entityId), aheadMs, notFollowing: NOT_FOLLOWING };
  }

  advance(entityId: string, toMs: number): Promise<Advanced | undefined> {
    return this.#alone(entityId, async () => {
      this.#moving.add(entityId);
      try {
        return await this.#advance(entityId, toMs);
      } finally {
        this.#moving.delete(entityId);
      }
    });
  }

  follow(entityId: string): Promise<EntityTime> {
    return this.#alone(entityId, async () => {
      this.ahead.delete(entityId);
      await this.#write();
      return this.timeOf(entityId);
    });
  }

  /** All follow the machine's; for a sandbox that forgets everything. */
  async clear(): Promise<void> {
    this.ahead.clear();
    await this.#write();
  }

  async #advance(entityId: string, toMs: number): Promise<Advanced | undefined> {
    const { clock } = this.parts;
    const nowMs = this.#nowMs(entityId);
    if (toMs < nowMs - JUST_PASSED_MS) return undefined;
    const endMs = clock.monotonicMs() + HEARD_WITHIN_MS;
    // What has just happened where it stands is of that date.
    let doneOnTheWay = await this.#doWhatIsDue(entityId, endMs);
    for (;;) {
      const nextMs = await this.#nextDueMs(entityId);
      const isLast = nextMs === undefined || nextMs > toMs;
      await this.#moveTo(entityId, isLast ? toMs : nextMs + PAST_DUE_MS);
      doneOnTheWay += await this.#doWhatIsDue(entityId, endMs);
      if (isLast || clock.monotonicMs() >= endMs) {
        return { ...this.timeOf(entityId), isThere: isLast, doneOnTheWay };
      }
    }
  }

  /**
   * Never back: time has gone on since a date was read. Whole milliseconds, as clocks tell them: dates of
   * databases have microseconds.
   */
  async #moveTo(entityId: string, toMs: number): Promise<void> {
    const aheadMs = Math.ceil(toMs - this.parts.clock.now());
    if (aheadMs <= this.aheadMs(entityId)) return;
    this.ahead.set(entityId, aheadMs);
    await this.#write();
  }

  async #nextDueMs(entityId: string): Promise<number | undefined> {
    const dates = await Promise.all(
      [...this.#followers.values()].map((follower) => follower.nextDueMs(entityId)),
    );
    const next = Math.min(...dates.map((date) => date ?? Infinity));
    return Number.isFinite(next) ? next : undefined;
  }

  async #doWhatIsDue(entityId: string, untilMs: number): Promise<number> {
    let done = 0;
    for (const follower of this.#followers.values()) {
      done += await follower.doWhatIsDue(entityId, untilMs);
    }
    return done;
  }

  #nowMs(entityId: string): number {
    return this.parts.clock.now() + this.aheadMs(entityId);
  }

  #alone<Result>(entityId: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#last.get(entityId) ?? Promise.resolve()).then(work);
    this.#last.set(
      entityId,
      done.catch(() => undefined),
    );
    return done;
  }

  /** One after another, so that the file is never an earlier state than was written before. */
  #write(): Promise<void> {
    const written = this.#writing.then(() => this.#writeNow());
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #writeNow(): Promise<void> {
    const file = join(this.parts.dataFolder, CLOCKS_FILE);
    if (this.ahead.size === 0) return rm(file, { force: true });
    const unfinished = `${file}.${process.pid}`;
    await writeFile(unfinished, `${JSON.stringify(Object.fromEntries(this.ahead))}\n`);
    await rename(unfinished, file);
  }
}

async function readAhead(file: string): Promise<Readonly<Record<string, number>>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  });
  const read = parsed(text);
  const isAhead = ([entityId, aheadMs]: readonly [string, unknown]): boolean =>
    ENTITY_ID.test(entityId) && Number.isSafeInteger(aheadMs) && Number(aheadMs) > 0;
  if (typeof read === 'object' && read !== null && Object.entries(read).every(isAhead)) {
    return read as Readonly<Record<string, number>>;
  }
  throw new SettingRefused(
    `${file} does not say how far clocks of entities are ahead: delete it, and none is.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
