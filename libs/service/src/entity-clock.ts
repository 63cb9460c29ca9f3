import type { Clock } from './clock.js';

/**
 * Clocks that somebody has set, each of one entity, so that what takes months can be tried in a minute.
 * Only a sandbox has any (page 0078).
 */
export interface SetClocks {
  /** By how much an entity's clock is ahead of the machine's, in milliseconds; usually 0. */
  aheadMs(entityId: string): number;
  /** Those that are ahead, by entity, unless somebody is moving them, who does himself what is due. */
  all(): ReadonlyMap<string, number>;
}

/** What follows the clocks of entities, step by step while somebody advances one. */
export interface FollowsClocks {
  /** When something is due of an entity next, by its clock, milliseconds since the epoch; null: never. */
  nextDueMs(entityId: string): Promise<number | null>;
  /**
   * Does what is due of an entity by its clock, and says how much that was: all of it, or what was begun
   * until an instant of the monotonic clock.
   */
  doWhatIsDue(entityId: string, untilMs: number): Promise<number>;
}

/** How late it is for an entity, by a clock that can be set. */
export interface EntityTime {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly aheadMs: number;
  /** Services for which it is as late as for the machine, whatever the clock says. */
  readonly notFollowing: readonly string[];
}

/** How far an entity's clock has come on its way. */
export interface Advanced extends EntityTime {
  /** False: ask again, there is more to do on the way. */
  readonly isThere: boolean;
  /** What was due on the way and was dealt with, since this was asked. */
  readonly doneOnTheWay: number;
}

/** The clocks of entities for whoever may set them. */
export interface ClocksInHand {
  timeOf(entityId: string): EntityTime;
  /**
   * Moves an entity's clock forward to an instant, or as far as it gets within a second or two: at each date
   * on the way what is due is done before the clock goes on. Undefined where that would be backwards.
   */
  advance(entityId: string, toMs: number): Promise<Advanced | undefined>;
  /** The machine's clock again; what was done stays done. */
  follow(entityId: string): Promise<EntityTime>;
}

const NONE: ReadonlyMap<string, number> = new Map();

/** Nobody sets a clock: it is as late for every entity as for the machine. */
export const noSetClocks: SetClocks = { aheadMs: () => 0, all: () => NONE };

/**
 * What time it is for an entity: what its dates, terms and windows are measured by. Leases, the age of
 * commands and timeouts of calls are of the machine, and have its clock.
 */
export class EntityClock {
  constructor(
    private readonly machine: Pick<Clock, 'now'>,
    private readonly clocks: SetClocks,
  ) {}

  /** Milliseconds since the epoch. */
  now(entityId: string): number {
    return this.machine.now() + this.clocks.aheadMs(entityId);
  }

  /** The same for whose stream it is; one that nothing is recorded of is nobody's yet. */
  nowOf(state: { readonly metadata: { readonly entityId: string } } | undefined): number {
    return state === undefined ? this.machine.now() : this.now(state.metadata.entityId);
  }

  /** An instant of the machine's clock by that of the entity. */
  ofMachine(entityId: string, instantMs: number): number {
    return instantMs + this.clocks.aheadMs(entityId);
  }

  /** When it will be, or was, an instant of the entity's clock by that of the machine. */
  byMachine(entityId: string, instantMs: number): number {
    return instantMs - this.clocks.aheadMs(entityId);
  }
}
