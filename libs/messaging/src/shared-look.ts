/** Runs one read at a time; its answer is shared by all who asked before it began. */
export class SharedLook<Found> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Found> | undefined;

  constructor(private readonly look: () => Promise<Found>) {}

  /** The answer of a read that begins after this call. */
  now(): Promise<Found> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(before: Promise<unknown>): Promise<Found> {
    await before.catch(() => undefined);
    // Whoever asks from here on gets the next read.
    this.#next = undefined;
    const found = this.look();
    this.#running = found;
    return found;
  }
}
