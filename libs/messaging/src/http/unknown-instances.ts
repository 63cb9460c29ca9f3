import { type Clock, type Logger, systemClock } from '@sluice/service';

/** Each of many payments meets the same missing setting; logging it this often is enough. */
export const REMINDER_INTERVAL_MS = 60_000;

/**
 * Instances of a service that references name but the settings do not; each is logged once a
 * minute.
 */
export class UnknownInstances {
  /** When each was logged, by its number; a number has at most three digits. */
  readonly #toldMs = new Map<number, number>();

  constructor(
    private readonly logger: Logger,
    /** What it means and what to do. */
    private readonly sentence: string,
    private readonly clock: Clock = systemClock,
  ) {}

  /** A reference names this instance, but the settings list only `known`. */
  met(instance: number, known: number): void {
    const nowMs = this.clock.monotonicMs();
    const toldMs = this.#toldMs.get(instance);
    if (toldMs !== undefined && nowMs - toldMs < REMINDER_INTERVAL_MS) return;
    this.#toldMs.set(instance, nowMs);
    this.logger.warn({ instance, known }, this.sentence);
  }
}
