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

/** What there is to say of a transaction that was decided before. */
export interface RecordedReplies<Reply> {
  /** The reply as the stream has it now. */
  readonly replyFor: (transactionId: string) => Promise<Reply>;
  /** Whether its outcome is still to come. */
  readonly isUnderWay: (reply: Reply) => boolean;
}

/** An idempotency key that was used before, and what its first answer was (D-36). */
export interface UsedKey<Reply> {
  readonly fingerprint: string;
  /** As it was claimed with. */
  readonly answer: string;
  readonly reply: Reply;
}

type AlreadyClaimed = Extract<AppendResult, { kind: 'alreadyClaimed' }>;

/** Replies to commands that came before: delivered again, or sent again by who uses the interface. */
export class DuplicateCommands<Reply> {
  /** @param wait passes so many milliseconds between two looks */
  constructor(
    private readonly recorded: RecordedReplies<Reply>,
    private readonly wait: (ms: number) => Promise<void> = pause,
  ) {}

  /**
   * The first one's outcome as it stands. Whoever sent the duplicate waits for more (R-IDEM-04):
   * a reply that waited here could come after the sender's deadline, and then nobody would have
   * told it the first one's id (D-36).
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
   * The reply to a command that was delivered again, with what is known of its transaction. A
   * partition that moves to another instance leaves what was begun to the one that began it, and its
   * outcome comes in a moment: "under way" would be an answer before the answer.
   */
  outcomeFor(transactionId: string, known: Reply): Reply | Execution<Reply> {
    if (!this.recorded.isUnderWay(known)) return known;
    return new Execution(() => this.#outcomeOfAnother(transactionId, known));
  }

  /** What the one that began it has recorded; as it stood, where nothing comes of it. */
  async #outcomeOfAnother(transactionId: string, known: Reply): Promise<Reply> {
    for (let looks = 0; looks < OUTCOME_LOOKS; looks += 1) {
      await this.wait(OUTCOME_POLL_MS);
      const reply = await this.recorded.replyFor(transactionId);
      if (!this.recorded.isUnderWay(reply)) return reply;
    }
    return known;
  }
}
