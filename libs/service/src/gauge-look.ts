/** How often a database or broker is asked at most, however many scrapers there are. */
const KEPT_MS = 5_000;
/** Prometheus gives a scrape ten seconds; one gauge may take this much of it. */
const WAIT_MAX_MS = 1_000;

/** How a look is bounded. */
export interface LookLimits {
  readonly keptMs: number;
  readonly waitMaxMs: number;
}

/**
 * The source of several gauges: read at most once per interval, never twice at the same time, and
 * not waited for longer than a scrape can wait.
 */
export class GaugeLook<Found> {
  #asking: Promise<Found | undefined> | undefined;
  #found: Found | undefined;
  #foundAtMs = -Infinity;

  constructor(
    private readonly ask: () => Promise<Found>,
    private readonly onFailed: () => void,
    private readonly limits: LookLimits = { keptMs: KEPT_MS, waitMaxMs: WAIT_MAX_MS },
  ) {}

  /** What was found; undefined if there is no answer in time. */
  async found(): Promise<Found | undefined> {
    if (performance.now() - this.#foundAtMs < this.limits.keptMs) return this.#found;
    this.#asking ??= this.#askNow().finally(() => {
      this.#asking = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.limits.waitMaxMs, undefined);
    });
    try {
      return await Promise.race([this.#asking, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * A failure is kept as long as an answer, so that a source that is down is not asked more often.
   */
  async #askNow(): Promise<Found | undefined> {
    try {
      this.#found = await this.ask();
    } catch {
      this.#found = undefined;
      this.onFailed();
    }
    this.#foundAtMs = performance.now();
    return this.#found;
  }
}
