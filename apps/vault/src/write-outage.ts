import type { Clock, Logger } from '@sluice/service';

/** Rows are tried again every few dozen milliseconds; this often is enough for a log. */
export const REMINDER_INTERVAL_MS = 30_000;

/** A time in which held cards cannot be written, told by its begin, reminders and its end. */
export class WriteOutage {
  #sinceMs: number | undefined;
  #toldMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Rows could not be written. */
  failed(error: unknown): void {
    const nowMs = this.clock.monotonicMs();
    const isReminder = this.#sinceMs !== undefined;
    if (isReminder && nowMs - this.#toldMs < REMINDER_INTERVAL_MS) return;
    this.#sinceMs ??= nowMs;
    this.#toldMs = nowMs;
    const outageMs = Math.round(nowMs - this.#sinceMs);
    this.logger.warn(
      { err: error, ...(isReminder ? { outageMs } : {}) },
      isReminder ? 'Held cards are still in memory only.' : 'Held cards are in memory only.',
    );
  }

  /** Rows were written, or none is left to write and the database answers. */
  over(): void {
    if (this.#sinceMs === undefined) return;
    const outageMs = Math.round(this.clock.monotonicMs() - this.#sinceMs);
    this.#sinceMs = undefined;
    // As loud as the beginning: whoever was told that must hear this too.
    this.logger.warn({ outageMs }, 'Held cards are written again.');
  }
}
