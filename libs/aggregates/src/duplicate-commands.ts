import type { AppendResult } from '@sluice/event-store';
import { Execution } from '@sluice/messaging';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * How often, and how far apart, a command that was delivered again looks for the outcome that another
 * instance is about to record. The 3 s are longer than nearly every call takes, and short enough
 * that after a crash, when nobody records one, the sender soon learns that it is pending.
 */
const OUTCOME_LOOKS = 30;
const OUTCOME_POLL_MS = 100;

/** How to reply about a transaction that was decided before. */
export interface RecordedReplies<Reply> {
  /** The reply as the stream has it now. */
  readonly replyFor: (transactionId: string) => Promise<Reply>;
  /** Whether its outcome is still to come. */
  readonly isUnderWay: (reply: Reply) => boolean;
}

/** An idempotency key that was used before, and its first answer (D-36). */
export interface UsedKey<Reply> {
  readonly fingerprint: string;
  /** What the claim recorded of the first answer. */
  readonly answer: string;
  readonly reply: Reply;
}

type AlreadyClaimed = Extract<AppendResult, { kind: 'alreadyClaimed' }>;

/** Replies to commands that came before: delivered again by Kafka, or sent again by a merchant. */
export class DuplicateCommands<Reply> {
  /** @param wait waits so many milliseconds between two looks */
  constructor(
    private readonly recorded: RecordedReplies<Reply>,
    private readonly wait: (ms: number) => Promise<void> = pause,
  ) {}

  /**
   * The current outcome of the first command. It is the sender of the duplicate that waits for a
   * final one (R-IDEM-04): if this waited, the reply could miss the sender's deadline, and the
   * sender would never learn the first one's id (D-36).
   */
  async replyTo(
    claimed: AlreadyClaimed,
    transactionId: string,
    ofUsedKey: (used: UsedKey<Reply>) => Reply,
  ): Promise<Reply | Execution<Reply>> {
    if (claimed.claim === 'transaction') {
      return this.outcomeFor(transactionId, await this.recorded.replyFor(transactionId));
    }
    const { fingerprint, answer } = claimed;
    return ofUsedKey({
      ...{ fingerprint, answer },
      reply: await this.recorded.replyFor(claimed.transactionId),
    });
  }

  /**
   * The reply to a command that was delivered again, given what is known of its transaction. When a
   * partition moves to another instance, the one that began a transaction still finishes it, and
   * its outcome is there in a moment. So this waits for the outcome rather than answer "under way".
   */
  outcomeFor(transactionId: string, known: Reply): Reply | Execution<Reply> {
    if (!this.recorded.isUnderWay(known)) return known;
    return new Execution(() => this.#outcomeOfAnother(transactionId, known));
  }

  /** What the instance that began it records; if that takes too long, what was known before. */
  async #outcomeOfAnother(transactionId: string, known: Reply): Promise<Reply> {
    for (let looks = 0; looks < OUTCOME_LOOKS; looks += 1) {
      await this.wait(OUTCOME_POLL_MS);
      const reply = await this.recorded.replyFor(transactionId);
      if (!this.recorded.isUnderWay(reply)) return reply;
    }
    return known;
  }
}
