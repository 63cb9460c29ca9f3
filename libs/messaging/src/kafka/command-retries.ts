import { setTimeout as delay } from 'node:timers/promises';
import type { CommandConsumerLimits } from './command-consumer-parts.js';
import type { CommandWork } from './command-work.js';
import { describeError } from './describe-error.js';

/** What the retries ask of the consumer. */
export interface CommandRetriesParts {
  readonly limits: Pick<CommandConsumerLimits, 'commandRetryDelaysMs' | 'retryingMax'>;
  /** Aborted when the service closes: commands that wait are dropped, and come again elsewhere. */
  readonly closing: AbortSignal;
  readonly handle: (work: CommandWork) => Promise<unknown>;
  readonly accepted: (work: CommandWork, result: unknown) => void;
  readonly giveUp: (work: CommandWork, reason: string) => Promise<void>;
  readonly drop: (work: CommandWork) => void;
}

/** The answer must reach the sender before it stops waiting, which is when the command expires. */
const REPLY_MARGIN_MS = 100;

/**
 * Repeats commands whose handler threw, until they expire (D-17). Their offsets stay open, so that
 * none is lost with this process; later commands with the same key go ahead.
 */
export class CommandRetries {
  readonly #running = new Set<Promise<void>>();

  constructor(private readonly parts: CommandRetriesParts) {}

  /** Takes a command whose first try has failed. */
  add(work: CommandWork): void {
    const isFull = this.#running.size >= this.parts.limits.retryingMax;
    const retry = isFull
      ? this.parts.giveUp(work, 'its handler threw, as those of too many others')
      : this.#retry(work);
    this.#running.add(retry);
    void retry.finally(() => this.#running.delete(retry));
  }

  /** Resolves when no command is being repeated any more; soon, once the service closes. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #retry(work: CommandWork): Promise<void> {
    const { closing } = this.parts;
    let reason = 'its handler threw';
    for (let tries = 0; ; tries += 1) {
      const pauseMs = this.#pauseMs(tries);
      if (performance.now() + pauseMs + REPLY_MARGIN_MS > work.lifeEndsMs) {
        return this.parts.giveUp(work, reason);
      }
      await delay(pauseMs, undefined, { signal: closing }).catch(() => undefined);
      if (closing.aborted || work.assigned.isEnded) return this.parts.drop(work);
      try {
        this.parts.accepted(work, await this.parts.handle(work));
        return;
      } catch (error) {
        reason = describeError(error);
      }
    }
  }

  #pauseMs(tries: number): number {
    const { commandRetryDelaysMs: delaysMs } = this.parts.limits;
    return delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0;
  }
}
