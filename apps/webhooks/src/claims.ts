import { collects, sends } from '@sluice/domain-webhooks';
import type { Clock, EntityClock, SetClocks } from '@sluice/service';
import type { Pool } from 'pg';
import type { Beginnings, Claim } from './beginnings.js';
import { lockDueQueues, lockDueQueuesFor, nextDueAtMs, nextDueOfMs } from './delivery-queues.js';
import type { Receivers } from './receivers.js';
import type { Subscriptions } from './subscriptions.js';

/** The parts they are made of. */
export interface ClaimsParts {
  readonly pool: Pool;
  readonly beginnings: Pick<Beginnings, 'begin'>;
  readonly subscriptions: Pick<Subscriptions, 'now'>;
  readonly receivers: Receivers;
  /** Of the machine. */
  readonly machine: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly clock: Pick<EntityClock, 'now'>;
  /** Who has a clock of his own, by which what is due is looked for. */
  readonly setClocks: SetClocks;
  /** How often it is looked for what another process has noted. */
  readonly lookEveryMs: number;
}

/** What a look has come to. */
export interface Claimed {
  readonly claims: readonly Claim[];
  /** Nobody has to look again sooner, unless a receiver answers. */
  readonly againInMs: number;
}

/** One statement's worth; what is left is claimed by the next look, a few milliseconds later. */
const CLAIMED_MAX = 256;

/** Finds what is due for those who have places for it. */
export class Claims {
  /**
   * Receivers for whom more is due than they have room for. Each is asked for alone, once it has room, so that
   * nobody's look goes through all that waits for it.
   */
  readonly #backlogged = new Set<string>();
  /** Something may be due for the others. */
  #isExpected = true;
  /** On the monotonic clock: then something is, or another process has noted something. */
  #expectedAtMs = Number.NEGATIVE_INFINITY;
  /** Nothing was due the last time, so that it is asked first whether anything is: one query, not six. */
  #isAtRest = false;
  /** So that neither waits for the other. */
  #isTurnOfBacklogged = false;

  constructor(private readonly parts: ClaimsParts) {}

  /** Something may be due now: for anybody, or for a receiver. */
  expect(receiver?: string): void {
    if (receiver === undefined || !this.#backlogged.has(receiver)) this.#isExpected = true;
  }

  /** Begins the attempts that are due, as many as there are places for. */
  async take(): Promise<Claimed> {
    const { receivers, machine, setClocks } = this.parts;
    receivers.noteSlow(machine.monotonicMs());
    const claims = receivers.free > 0 ? [...(await this.#look())] : [];
    for (const entityId of setClocks.all().keys()) claims.push(...(await this.takeOf(entityId)));
    return { claims, againInMs: this.#againInMs() };
  }

  /** Begins those that are due of an entity by its clock. */
  async takeOf(entityId: string): Promise<readonly Claim[]> {
    const { beginnings, receivers, machine, clock } = this.parts;
    receivers.noteSlow(machine.monotonicMs());
    const limit = Math.min(CLAIMED_MAX, receivers.free);
    if (limit <= 0) return [];
    const { claims } = await beginnings.begin((client) => {
      const nowMs = clock.now(entityId);
      return lockDueQueues(client, { nowMs, except: receivers.busy, limit, entityId });
    });
    return claims;
  }

  /** When something is due of an entity next, by its clock. */
  async nextDueOfMs(entityId: string): Promise<number | null> {
    const { pool, subscriptions } = this.parts;
    const paused = [...(await subscriptions.now()).values()].filter(
      (each) => collects(each) && !sends(each),
    );
    return nextDueOfMs(
      pool,
      entityId,
      paused.map(({ id }) => id),
    );
  }

  #againInMs(): number {
    const { receivers, machine, lookEveryMs } = this.parts;
    if (receivers.free <= 0) return lookEveryMs;
    if (this.#isExpected || this.#backloggedWithRoom() !== undefined) return 0;
    return Math.max(0, this.#expectedAtMs - machine.monotonicMs());
  }

  #look(): Promise<readonly Claim[]> {
    const isExpected = this.#isExpected || this.parts.machine.monotonicMs() >= this.#expectedAtMs;
    const receiver = this.#backloggedWithRoom();
    const isTheirs = receiver !== undefined && (this.#isTurnOfBacklogged || !isExpected);
    this.#isTurnOfBacklogged = !isTheirs;
    if (isTheirs) return this.#ofBacklogged(receiver);
    return isExpected ? this.#ofOthers() : Promise.resolve([]);
  }

  #backloggedWithRoom(): string | undefined {
    for (const receiver of this.#backlogged) {
      if (this.parts.receivers.hasRoom(receiver)) return receiver;
    }
    return undefined;
  }

  async #ofBacklogged(receiver: string): Promise<readonly Claim[]> {
    const { beginnings, receivers, machine } = this.parts;
    const limit = Math.min(CLAIMED_MAX, receivers.free, receivers.room(receiver));
    // Whatever becomes due for it while it looks is looked for among all.
    this.#backlogged.delete(receiver);
    try {
      const { claims, found, changed } = await beginnings.begin((client) =>
        lockDueQueuesFor(client, receiver, { nowMs: machine.now(), limit }),
      );
      // As the last one: the others have their turn before.
      if (found >= limit && changed > 0) this.#backlogged.add(receiver);
      return claims;
    } catch (error) {
      this.#backlogged.add(receiver);
      throw error;
    }
  }

  async #ofOthers(): Promise<readonly Claim[]> {
    const { beginnings, pool, receivers, machine, lookEveryMs } = this.parts;
    this.#expectedAtMs = machine.monotonicMs() + lookEveryMs;
    // Whatever becomes due while it looks is looked for again.
    this.#isExpected = false;
    try {
      if (this.#isAtRest && this.#backlogged.size === 0) {
        const dueAtMs = (await nextDueAtMs(pool)) ?? Infinity;
        if (dueAtMs > machine.now()) {
          this.#nothingBefore(dueAtMs);
          return [];
        }
      }
      const limit = Math.min(CLAIMED_MAX, receivers.free);
      for (const receiver of receivers.busy) this.#backlogged.add(receiver);
      const except = [...this.#backlogged];
      const { claims, found, changed, full } = await beginnings.begin(async (client) => {
        const nowMs = machine.now();
        const queues = await lockDueQueues(client, { nowMs, except, limit });
        if (queues.length < limit) this.#nothingBefore(await nextDueAtMs(client, nowMs));
        return queues;
      });
      this.#isAtRest = found === 0;
      // There may be more; what has neither changed nor a place would only be found again.
      if (found >= limit && changed + full.size > 0) this.#isExpected = true;
      for (const receiver of full) this.#backlogged.add(receiver);
      return claims;
    } catch (error) {
      this.#isExpected = true;
      throw error;
    }
  }

  /** Milliseconds since the epoch. */
  #nothingBefore(dueAtMs = Infinity): void {
    const { machine } = this.parts;
    const atMs = machine.monotonicMs() + dueAtMs - machine.now();
    this.#expectedAtMs = Math.min(this.#expectedAtMs, atMs);
  }
}
