/**
 * Admits a limited number at once; the others wait in order of arrival. Whoever was admitted calls
 * the function it was given when it is done; calling it twice is harmless.
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
      // The next one in line takes the place, so nobody can overtake it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    };
  }
}
