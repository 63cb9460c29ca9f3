import { type Clock, type Logger, systemClock } from '@sluice/service';

/** Each of many payments meets the same lack; this often is enough for a log. */
export const REMINDER_INTERVAL_MS = 60_000;

/** Instances of a service that references name and settings do not: each told once a minute. */
export class UnknownInstances {
  /** By the instance's number, when it was told; there are no more than numbers of three digits. */
  readonly #toldMs = new Map<number, number>();

  constructor(
    private readonly logger: Logger,
    /** What it means and what to do. */
    private readonly sentence: string,
    private readonly clock: Clock = systemClock,
  ) {}

  /** A reference has named this instance, and there are only so many. */
  met(instance: number, known: number): void {
    const nowMs = this.clock.monotonicMs();
    const toldMs = this.#toldMs.get(instance);
    if (toldMs !== undefined && nowMs - toldMs < REMINDER_INTERVAL_MS) return;
    this.#toldMs.set(instance, nowMs);
    this.logger.warn({ instance, known }, this.sentence);
  }
}
