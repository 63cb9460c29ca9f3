/** A body that takes its place in a budget as its bytes come. */
export interface HeldBody {
  /** Takes room for more; false: there is none, or it was given up meanwhile. */
  grow(bytes: number): boolean;
  /** It is whole: it is worked on, and no longer given up for another one. */
  finish(): void;
  /** Takes the same room in another budget and leaves this one; false: there is none there. */
  moveTo(other: BodyBudget): boolean;
  /** Gives everything back; may be called twice. */
  release(): void;
}

/**
 * The memory that bodies of requests may take together. When it is full, whichever has been on its way
 * for the longest is given up, so that a few clients who send a byte now and then keep nobody out:
 * an honest request is whole within milliseconds. What is whole is never given up.
 */
export class BodyBudget {
  #takenBytes = 0;
  /** In the order in which they began. */
  readonly #onTheirWay = new Set<BodyInBudget>();

  constructor(readonly bytesMax: number) {}

  /** How much is taken now. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** A new body, without bytes yet; `giveUp` is called when its room is needed for another one. */
  begin(giveUp: () => void): HeldBody {
    const body = new BodyInBudget(this, giveUp);
    this.#onTheirWay.add(body);
    return body;
  }

  /** Makes room for so many bytes of a body, if that is possible. */
  take(bytes: number, body: BodyInBudget): boolean {
    while (this.#takenBytes + bytes > this.bytesMax) {
      const [oldest] = this.#onTheirWay;
      if (oldest === undefined || oldest === body) return false;
      oldest.giveUp();
    }
    this.#takenBytes += bytes;
    return true;
  }

  /** Ends what `take` began. */
  leave(bytes: number, body: BodyInBudget): void {
    this.#takenBytes -= bytes;
    this.#onTheirWay.delete(body);
  }

  /** It is not given up any more. */
  arrived(body: BodyInBudget): void {
    this.#onTheirWay.delete(body);
  }
}

class BodyInBudget implements HeldBody {
  #bytes = 0;
  #budget: BodyBudget | undefined;

  constructor(
    budget: BodyBudget,
    private readonly onGivenUp: () => void,
  ) {
    this.#budget = budget;
  }

  grow(bytes: number): boolean {
    if (this.#budget?.take(bytes, this) !== true) return false;
    this.#bytes += bytes;
    return true;
  }

  finish(): void {
    this.#budget?.arrived(this);
  }

  moveTo(other: BodyBudget): boolean {
    if (other === this.#budget) return true;
    if (!other.take(this.#bytes, this)) return false;
    this.#budget?.leave(this.#bytes, this);
    this.#budget = other;
    return true;
  }

  giveUp(): void {
    this.release();
    this.onGivenUp();
  }

  release(): void {
    this.#budget?.leave(this.#bytes, this);
    this.#budget = undefined;
    this.#bytes = 0;
  }
}
