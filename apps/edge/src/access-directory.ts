import { randomUUID } from 'node:crypto';
import type { DirectoryAnswer, DirectoryQuery } from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import type { Outage } from '@sluice/service';
import { type AccessIndex, accessIndex } from './access.js';

/** How often accounts is asked for changes: a revoked token is refused within 5 s (S-AUT-02). */
export const DIRECTORY_REFRESH_MS = 2_000;

/**
 * The access directory in memory, refreshed by asking accounts with the version that is known.
 * When accounts is away the last directory stays in force: payments go on, only changes wait.
 */
export class LiveDirectory {
  readonly #asker = randomUUID();
  #index: AccessIndex | undefined;
  #instances = 1;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly queries: Queries,
    /** Told of each try: they are many in an outage, and one alone is no alarm. */
    private readonly outage: Pick<Outage, 'failed' | 'over'>,
  ) {}

  /** The directory as last heard; undefined until accounts has answered for the first time. */
  get index(): AccessIndex | undefined {
    return this.#index;
  }

  /** Instances of edge that share the merchants' limits; as last heard, and at least this one. */
  get instances(): number {
    return this.#instances;
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
    const asker = this.#asker;
    const query: DirectoryQuery = this.#index
      ? { knownVersion: this.#index.version, asker }
      : { asker };
    try {
      const answer = await this.queries.ask<DirectoryAnswer>(
        'accounts',
        'accounts.directory',
        query,
      );
      if (answer.directory) {
        this.#index = accessIndex(answer.directory);
      }
      this.#instances = Math.max(1, answer.askers ?? this.#instances);
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
