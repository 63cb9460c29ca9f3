/** Pauses that end early, all together, when the listener closes: one end, however many wait. */
export class CancellableDelays {
  readonly #waiting = new Set<() => void>();
  #ended = false;

  /** Whether there are no delays any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves after the time, or at the end. */
  async wait(ms: number): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(over);
        resolve();
      };
      const timer = setTimeout(over, ms);
      this.#waiting.add(over);
    });
  }

  /** Ends the delays under way and all to come. */
  end(): void {
    this.#ended = true;
    for (const over of this.#waiting) over();
  }
}
