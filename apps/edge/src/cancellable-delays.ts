/** Delays that all end early when the listener closes. */
export class CancellableDelays {
  readonly #waiting = new Set<() => void>();
  #ended = false;

  /** Whether all delays are over, including those asked for from now on. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves after this time, or when `end` is called. */
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

  /** Ends the delays under way; later ones do not wait at all. */
  end(): void {
    this.#ended = true;
    for (const over of this.#waiting) over();
  }
}
