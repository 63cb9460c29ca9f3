/** How many requests may wait at once for the time that their fault names. */
const WAITING_MAX = 10_000;

/** Bounded waiting that ends at once, by rejection, when the simulator stops. */
export class Delays {
  readonly #cancel = new Set<() => void>();

  /** Resolves after `delayMs`; rejects when cancelled or when too many wait. */
  wait(delayMs: number): Promise<void> {
    if (this.#cancel.size >= WAITING_MAX) {
      return Promise.reject(new Error('Too many delayed requests.'));
    }
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        clearTimeout(timer);
        reject(new Error('The simulator stops.'));
      };
      const timer = setTimeout(() => {
        this.#cancel.delete(cancel);
        resolve();
      }, delayMs);
      this.#cancel.add(cancel);
    });
  }

  /** Ends all waiting. */
  cancelAll(): void {
    for (const cancel of this.#cancel) cancel();
    this.#cancel.clear();
  }
}
