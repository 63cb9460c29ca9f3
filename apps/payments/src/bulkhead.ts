/**
 * Lets in so many at once; the others wait in the order in which they came. Whoever was let in calls
 * what it was given when it is through; calling that twice does no harm.
 */
export class Bulkhead {
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(private readonly max: number) {}

  /** Resolves when there is room. */
  async enter(): Promise<() => void> {
    if (this.#inside < this.max) this.#inside += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      // The next one takes the room over, so nobody who has only just come is quicker.
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    };
  }
}
