import type { TransactionId } from '@sluice/identifiers';
import type { CommandResult } from '@sluice/messaging';
import { type Clock, systemClock } from '@sluice/service';
import { isYoung, YOUNG_MS } from './young-ids.js';

type Send<Reply> = () => Promise<CommandResult<Reply>>;

/** Which transactions may still be on their way to be recorded. */
export interface IdsInFlight {
  /** Sends the command that makes this transaction. */
  whileSending<Reply>(id: TransactionId, send: Send<Reply>): Promise<CommandResult<Reply>>;
  /** Whether a transaction of this id may still appear, by the clock of its entity. */
  mayAppear(id: TransactionId, nowMs: number): boolean;
}

/**
 * With several instances, none knows what the others have sent: any young id may be theirs (D-04).
 */
export const inFlightAnywhere: IdsInFlight = {
  whileSending: (_id, send) => send(),
  mayAppear: isYoung,
};

/** If this instance sends every command, it knows what is in flight (D-72). */
export class InFlightHere implements IdsInFlight {
  /** When each was sent, by the machine: ids themselves are dated by clocks of entities. Old ones come first. */
  readonly #sentMs = new Map<TransactionId, number>();

  constructor(private readonly machine: Pick<Clock, 'monotonicMs'> = systemClock) {}

  async whileSending<Reply>(id: TransactionId, send: Send<Reply>): Promise<CommandResult<Reply>> {
    const nowMs = this.machine.monotonicMs();
    this.#leaveOutOld(nowMs);
    this.#sentMs.set(id, nowMs);
    const result = await send();
    // After any other result, something may still be recorded later.
    if (result.kind === 'replied' || result.kind === 'notSent') this.#sentMs.delete(id);
    return result;
  }

  mayAppear(id: TransactionId, nowMs: number): boolean {
    return this.#sentMs.has(id) && isYoung(id, nowMs);
  }

  /**
   * Removes old ids without a reply, which would otherwise stay for ever: nothing can be recorded
   * for them any more.
   */
  #leaveOutOld(nowMs: number): void {
    for (const [id, sentMs] of this.#sentMs) {
      if (nowMs - sentMs < YOUNG_MS) return;
      this.#sentMs.delete(id);
    }
  }
}
