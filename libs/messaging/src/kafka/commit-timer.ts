/**
 * Commits at intervals for as long as something is left to commit, and wakes nobody at rest (page
 * 0046). What arrives after rest is committed one interval later at the latest, as in busy times.
 */
export class CommitTimer {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    private readonly intervalMs: number,
    /** Never rejects. */
    private readonly commit: () => Promise<void>,
    /** Whether there is, or will be, something that has not been committed. */
    private readonly isLeft: () => boolean,
  ) {}

  /** Something has come that will be committed. Costs nothing while the timer runs. */
  stir(): void {
    if (this.#isClosed) return;
    this.#timer ??= setInterval(() => {
      this.#running ??= this.commit().finally(() => {
        this.#running = undefined;
        if (!this.isLeft()) this.#stop();
      });
    }, this.intervalMs).unref();
  }

  /** Begins no commit any more; resolves when the one under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#running;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
