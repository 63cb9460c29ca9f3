import type { CommandWork } from './command-work.js';

/** A delivery of a refused command, and when nobody would perform it any more. */
interface Refused {
  readonly place: string;
  readonly lifeEndsMs: number;
}

/**
 * A copy that does not say when its life is over, because its sender did not know the broker's clock, may lie
 * in the socket of a broker that stands still, and outlive the first one. For so long it is known.
 */
const KNOWN_AFTER_ITS_LIFE_MS = 60_000;

/**
 * Sendings whose sender is told that nothing was done. Where an acknowledgement was lost, the broker has a
 * command twice: the second copy must not be performed after the first one was refused, however soon the
 * reason is over. Known to this process alone; a partition that changes hands between the two is not helped.
 */
export class RefusedSendings {
  readonly #refused = new Map<string, Refused>();

  /** Of a command that nobody waits for there is no copy either: it was not sent by a service. */
  add({ reply, place, lifeEndsMs }: CommandWork): void {
    if (reply === undefined) return;
    this.#forgetEnded();
    this.#refused.set(reply.correlation, { place, lifeEndsMs });
  }

  /** Whether this is another delivery of a sending that was refused; the same one that comes again is not. */
  isCopy({ reply, place }: CommandWork): boolean {
    const refused = reply && this.#refused.get(reply.correlation);
    return refused !== undefined && refused.place !== place;
  }

  /** They were added in about the order in which they end. */
  #forgetEnded(): void {
    const nowMs = performance.now();
    for (const [correlation, { lifeEndsMs }] of this.#refused) {
      if (lifeEndsMs + KNOWN_AFTER_ITS_LIFE_MS > nowMs) return;
      this.#refused.delete(correlation);
    }
  }
}
