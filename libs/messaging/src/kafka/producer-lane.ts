/** A message for one partition. */
export interface Outgoing {
  /** The topic as it is named on the broker. */
  readonly topic: string;
  readonly partition: number;
  readonly key: string | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string | Buffer>>;
}

/** What became of a message. `refused`: the broker will never take it as it is. */
export type SendOutcome =
  | {
      readonly kind: 'acknowledged';
      /** By the broker's clock; undefined where the topic keeps its producers' times. */
      readonly appendedAtMs: number | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** One message on its way. */
export class Sending {
  /** Whether it was ever part of a produce request: then it may be in the log (D-03). */
  wasHanded = false;
  isOver = false;

  constructor(
    readonly message: Outgoing,
    readonly bytes: number,
    readonly lane: ProducerLane,
    private readonly onOutcome: (outcome: SendOutcome) => void,
  ) {}

  settle(outcome: SendOutcome): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onOutcome(outcome);
  }
}

/** A record batch is cut at this size; a larger message is sent alone (D-14, D-15). */
export const BATCH_BYTES_MAX = 500_000;

/**
 * What waits for one partition, in order. Messages of a request that failed are sent again before
 * any later one.
 */
export class ProducerLane {
  /** The messages of a request that has failed, or is under way. */
  #repeated: Sending[] = [];
  readonly #waiting = new Set<Sending>();
  /** How many messages a batch may have; fewer after the broker found a request too large. */
  countMax = Number.POSITIVE_INFINITY;
  /** On the clock of performance.now(); after an error of this partition alone. */
  blockedUntilMs = 0;
  failures = 0;
  /** To be sent without other partitions, to learn which of them fails. */
  isAlone = false;

  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {}

  get size(): number {
    return this.#repeated.length + this.#waiting.size;
  }

  add(sending: Sending): void {
    this.#waiting.add(sending);
  }

  /** Removes a message; one that was part of a request is merely not sent again. */
  remove(sending: Sending): void {
    if (!this.#waiting.delete(sending)) {
      this.#repeated = this.#repeated.filter((other) => other !== sending);
    }
  }

  /** The next messages in order, cut by bytes; they stay first in line until they are settled. */
  take(): readonly Sending[] {
    let bytes = 0;
    const batch: Sending[] = [];
    const fits = (sending: Sending): boolean =>
      batch.length === 0 ||
      (batch.length < this.countMax && bytes + sending.bytes <= BATCH_BYTES_MAX);
    const take = (sending: Sending): void => {
      batch.push(sending);
      bytes += sending.bytes;
    };
    for (const sending of this.#repeated) {
      if (!fits(sending)) return batch;
      take(sending);
    }
    for (const sending of this.#waiting) {
      if (!fits(sending)) break;
      take(sending);
      this.#waiting.delete(sending);
      this.#repeated.push(sending);
      sending.wasHanded = true;
    }
    return batch;
  }

  /** Its last request failed for a reason of this partition alone; it waits until then. */
  fail(blockedUntilMs: number): void {
    this.blockedUntilMs = blockedUntilMs;
    this.failures += 1;
  }

  /** These need not be sent again. */
  forget(batch: readonly Sending[]): void {
    const settled = new Set(batch);
    this.#repeated = this.#repeated.filter((sending) => !settled.has(sending));
    this.failures = 0;
    this.isAlone = false;
    if (this.#repeated.length === 0) this.countMax = Number.POSITIVE_INFINITY;
  }
}
