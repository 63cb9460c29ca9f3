/** How many pages are called at once, and how long one waits for its turn. */
export interface CallPlacesLimits {
  /** Of all shops together. */
  readonly callsMax: number;
  /** Of one host. */
  readonly perHostMax: number;
  readonly waitMs: number;
  /** More do not wait. */
  readonly waitingMax: number;
}

interface Waiting {
  readonly host: string;
  readonly end: (hasPlace: boolean) => void;
}

/** The places for calls of shops' pages: a shop that hangs keeps its own waiting, and nobody else's. */
export class CallPlaces {
  #calls = 0;
  readonly #ofHost = new Map<string, number>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #isClosed = false;

  constructor(private readonly limits: CallPlacesLimits) {}

  /** Whether there is a place, now or within a moment; whoever gets one gives it back by `leave`. */
  take(host: string): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    if (this.#isFree(host)) {
      this.#enter(host);
      return Promise.resolve(true);
    }
    const { waitingMax, waitMs } = this.limits;
    if (this.#waiting.size >= waitingMax) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiting.end(false), waitMs);
      const waiting: Waiting = {
        host,
        end: (hasPlace) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          resolve(hasPlace);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  /** Gives a place back, and whoever waits for such a one has it. */
  leave(host: string): void {
    this.#calls -= 1;
    const left = (this.#ofHost.get(host) ?? 1) - 1;
    if (left === 0) this.#ofHost.delete(host);
    else this.#ofHost.set(host, left);
    for (const waiting of this.#waiting) {
      if (!this.#isFree(waiting.host)) continue;
      this.#enter(waiting.host);
      waiting.end(true);
      return;
    }
  }

  /** Nobody gets a place any more. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#waiting) waiting.end(false);
  }

  #isFree(host: string): boolean {
    const { callsMax, perHostMax } = this.limits;
    return this.#calls < callsMax && (this.#ofHost.get(host) ?? 0) < perHostMax;
  }

  #enter(host: string): void {
    this.#calls += 1;
    this.#ofHost.set(host, (this.#ofHost.get(host) ?? 0) + 1);
  }
}
