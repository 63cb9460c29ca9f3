import type { Clock } from './clock.js';
import type { Logger } from './logger.js';

/** Failures are tried again many times a second; a log needs no more reminders than this. */
export const REMINDER_INTERVAL_MS = 30_000;

/** The sentences of one kind of outage. */
export interface OutageSentences {
  readonly begins: string;
  readonly goesOn: string;
  readonly ends: string;
}

/**
 * A period in which something that is tried again and again does not work: the log has its
 * beginning, reminders and its end, instead of a line per attempt.
 */
export class Outage {
  #sinceMs: number | undefined;
  #toldMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly sentences: OutageSentences,
  ) {}

  /** A try has failed. */
  failed(error: unknown): void {
    const nowMs = this.clock.monotonicMs();
    const isReminder = this.#sinceMs !== undefined;
    if (isReminder && nowMs - this.#toldMs < REMINDER_INTERVAL_MS) return;
    this.#sinceMs ??= nowMs;
    this.#toldMs = nowMs;
    const outageMs = Math.round(nowMs - this.#sinceMs);
    const { begins, goesOn } = this.sentences;
    this.logger.warn(
      { err: error, ...(isReminder ? { outageMs } : {}) },
      isReminder ? goesOn : begins,
    );
  }

  /** A try has succeeded. */
  over(): void {
    if (this.#sinceMs === undefined) return;
    const outageMs = Math.round(this.clock.monotonicMs() - this.#sinceMs);
    this.#sinceMs = undefined;
    // At the same level as the beginning: whoever saw that must see this too.
    this.logger.warn({ outageMs }, this.sentences.ends);
  }
}
