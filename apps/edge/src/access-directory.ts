import { randomUUID } from 'node:crypto';
import {
  type Compatibility,
  type DirectoryAnswer,
  type DirectoryQuery,
  strictly,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import type { Outage } from '@sluice/service';
import { type AccessIndex, accessIndex } from './access.js';
import type { Throttles } from './throttles.js';

/** How often accounts is asked for changes: a revoked token is refused within 5 s (S-AUT-02). */
export const DIRECTORY_REFRESH_MS = 2_000;
/**
 * Identifies this process: an edge that is started again in the same process replaces its
 * predecessor and is not counted twice.
 */
const ASKER = randomUUID();

/**
 * The access directory in memory, refreshed by asking accounts with the known version. While
 * accounts cannot be reached, the last directory stays in force: payments continue, only changes
 * wait.
 */
export class LiveDirectory {
  #index: AccessIndex | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly queries: Queries,
    /** Told of each attempt: an outage has many, and a single failure is no reason for an alarm. */
    private readonly outage: Pick<Outage, 'failed' | 'over'>,
    /** Its own load goes with the question, that of the other instances comes with the answer. */
    private readonly throttle: Pick<Throttles, 'demands' | 'hear'>,
    /** The switches that are on where no node says otherwise. */
    private readonly compatibility: Compatibility = strictly,
  ) {}

  /** The directory as last heard; undefined until accounts has answered for the first time. */
  get index(): AccessIndex | undefined {
    return this.#index;
  }

  /** Asks once and then keeps asking. Resolves after the first try, successful or not. */
  async start(): Promise<void> {
    await this.refresh();
    if (!this.#closed) {
      this.#timer = setTimeout(() => void this.start(), DIRECTORY_REFRESH_MS);
      this.#timer.unref();
    }
  }

  /** Asks accounts for a newer directory now; a failure is reported, not thrown. */
  async refresh(): Promise<void> {
    const query: DirectoryQuery = {
      ...(this.#index && { knownVersion: this.#index.version }),
      asker: ASKER,
      demands: this.throttle.demands(),
    };
    try {
      const answer = await this.queries.ask<DirectoryAnswer>(
        'accounts',
        'accounts.directory',
        query,
      );
      if (answer.directory) {
        this.#index = accessIndex(answer.directory, this.compatibility);
      }
      const { askers, others } = answer;
      if (askers !== undefined && others !== undefined) {
        this.throttle.hear({ instances: Math.max(1, askers), demands: others });
      }
      this.outage.over();
    } catch (error) {
      this.outage.failed(error);
    }
  }

  /** Stops asking. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
