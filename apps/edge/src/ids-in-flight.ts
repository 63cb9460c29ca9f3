import type { TransactionId } from '@sluice/identifiers';
import type { CommandResult } from '@sluice/messaging';
import { isYoung } from './young-ids.js';

type Send<Reply> = () => Promise<CommandResult<Reply>>;

/** Which transactions may still be on their way to be recorded. */
export interface IdsInFlight {
  /** Sends the command that makes this transaction. */
  whileSending<Reply>(
    id: TransactionId,
    nowMs: number,
    send: Send<Reply>,
  ): Promise<CommandResult<Reply>>;
  /** Whether a transaction of this id may still appear. */
  mayAppear(id: TransactionId, nowMs: number): boolean;
}

/**
 * With several instances, none knows what the others have sent: any young id may be theirs (D-04).
 */
export const inFlightAnywhere: IdsInFlight = {
  whileSending: (_id, _nowMs, send) => send(),
  mayAppear: isYoung,
};

/** If this instance sends every command, it knows what is in flight (D-72). */
export class InFlightHere implements IdsInFlight {
  /** In the order in which they were sent, so that old ones come first. */
  readonly #ids = new Set<TransactionId>();

  async whileSending<Reply>(
    id: TransactionId,
    nowMs: number,
    send: Send<Reply>,
  ): Promise<CommandResult<Reply>> {
    this.#leaveOutOld(nowMs);
    this.#ids.add(id);
    const result = await send();
    // After any other result, something may still be recorded later.
    if (result.kind === 'replied' || result.kind === 'notSent') this.#ids.delete(id);
    return result;
  }

  mayAppear(id: TransactionId, nowMs: number): boolean {
    return this.#ids.has(id) && isYoung(id, nowMs);
  }

  /**
   * Removes old ids without a reply, which would otherwise stay for ever: nothing can be recorded
   * for them any more.
   */
  #leaveOutOld(nowMs: number): void {
    for (const id of this.#ids) {
      if (isYoung(id, nowMs)) return;
      this.#ids.delete(id);
    }
  }
}
