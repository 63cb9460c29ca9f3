/** A body that takes room in a budget as its bytes arrive. */
export interface HeldBody {
  /** Takes more room; false if there is none, or the body was given up in the meantime. */
  grow(bytes: number): boolean;
  /** The body is complete: from now on it is not given up for another one. */
  finish(): void;
  /** Takes the same room in another budget and leaves this one; false if that has no room. */
  moveTo(other: BodyBudget): boolean;
  /** Gives everything back; may be called twice. */
  release(): void;
}

/**
 * The memory that bodies of requests may take together. When it is full, the body that has been
 * arriving for the longest time is given up, so that a few clients that send a byte now and then
 * cannot keep others out: an honest request is complete within milliseconds. Complete bodies are
 * never given up.
 */
export class BodyBudget {
  #takenBytes = 0;
  /** In the order in which they began to arrive. */
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

  /** Called when a body is complete: it is not given up any more. */
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
