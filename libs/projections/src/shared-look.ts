/** One look at something at a time, whose answer is shared by all who asked before it began. */
export class SharedLook<Found> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Found> | undefined;

  constructor(private readonly look: () => Promise<Found>) {}

  /** What a look finds that begins after this call. */
  now(): Promise<Found> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(before: Promise<unknown>): Promise<Found> {
    await before.catch(() => undefined);
    // Who asks from here on asks for a look that has not begun.
    this.#next = undefined;
    const found = this.look();
    this.#running = found;
    return found;
  }
}
