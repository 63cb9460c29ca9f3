import type { Outage } from '@sluice/service';

/** How often its owner is asked for changes: as often as edge asks who may call. */
const REFRESH_MS = 2_000;
/** Until it has answered for the first time, new payments have to wait for it. */
const FIRST_REFRESH_MS = 200;
/** So often nobody is told, because an owner that starts beside it is not away: for four seconds. */
const FIRST_FAILURES_UNTOLD = 20;

/** The parts it is made of. */
export interface LiveDirectoryParts<Index> {
  /** What is new since the known one, or undefined if nothing is. */
  readonly ask: (known: Index | undefined) => Promise<Index | undefined>;
  /** Told of each attempt: an outage has many. */
  readonly outage: Pick<Outage, 'failed' | 'over'>;
  /** Told of each change. */
  readonly changed?: (index: Index) => void;
}

/**
 * What another service owns, in memory, refreshed by asking it with the version that is known. While it
 * cannot be reached, the last one stays in force: payments continue, only changes wait.
 */
export class LiveDirectory<Index> {
  #index: Index | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #failures = 0;

  constructor(private readonly parts: LiveDirectoryParts<Index>) {}

  /** As last heard; undefined until the owner has answered for the first time. */
  get index(): Index | undefined {
    return this.#index;
  }

  /** Asks once and then keeps asking. Resolves after the first try, successful or not. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.#closed) return;
    const afterMs = this.#index === undefined ? FIRST_REFRESH_MS : REFRESH_MS;
    this.#timer = setTimeout(() => void this.start(), afterMs);
    this.#timer.unref();
  }

  /** Asks for changes now; a failure is reported, unless the owner is only starting, and not thrown. */
  async refresh(): Promise<void> {
    const { ask, outage, changed } = this.parts;
    try {
      const index = await ask(this.#index);
      outage.over();
      if (index === undefined) return;
      this.#index = index;
      changed?.(index);
    } catch (error) {
      this.#failures += 1;
      const isStarting = this.#index === undefined && this.#failures <= FIRST_FAILURES_UNTOLD;
      if (!isStarting) outage.failed(error);
    }
  }

  /** Stops asking. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
