import { UNHEARD_BEFORE_END_MS } from '../ports.js';
import type { CommandWork } from './command-work.js';

/** A reply that waits. */
export interface UnrecordedReply {
  /** Sends it, and says when the broker has it; never, if the broker does not take it. */
  readonly answer: (isTaken: () => void) => void;
  /** Its sender is told, as far as that is this side's business: the command is finished. */
  readonly finished: () => void;
  /**
   * Its sender may have stopped waiting, and told that the command is pending. From then on the command
   * must not be performed: perhaps the reply was heard after all.
   */
  readonly late: () => Promise<void> | void;
}

/** What the replies ask of the consumer. */
export interface UnrecordedRepliesParts {
  /** Another process has the command. */
  readonly drop: (work: CommandWork) => void;
}

/**
 * Replies which say that nothing was recorded. Each waits until the offset of its command is
 * committed: whoever is told "nothing was done" may ask again under another id, and the same
 * command, delivered once more to a process that can record it, would be done besides. From then on
 * nobody else has the command: so it counts as answered once the broker has the reply, and if that is
 * not while its sender waits, it is seen to here.
 */
export class UnrecordedReplies {
  readonly #waiting = new Map<CommandWork, UnrecordedReply>();
  /** Those whose reply is on its way to the broker. */
  readonly #sent = new Set<CommandWork>();
  readonly #running = new Set<Promise<void>>();

  constructor(private readonly parts: UnrecordedRepliesParts) {}

  /** Takes the reply to a command whose offset is dealt with, and not committed yet. */
  add(work: CommandWork, reply: UnrecordedReply): void {
    this.#waiting.set(work, reply);
  }

  /** Whether a reply waits for a commit, for the broker or for the end of its command's life. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Sends what may be sent by now. What is late is seen to here, even if its partition went elsewhere
   * before its commit was acknowledged: a commit whose answer was lost counts all the same, and then
   * the command comes to nobody. If it does come to somebody, one of the two finds it recorded.
   */
  settle(): void {
    for (const [work, reply] of this.#waiting) {
      if (performance.now() + UNHEARD_BEFORE_END_MS > work.lifeEndsMs) {
        this.#forget(work);
        this.#late(reply);
      } else if (!this.#sent.has(work) && work.assigned.offsets.isBehindUs(work.offset)) {
        this.#sent.add(work);
        reply.answer(() => this.#taken(work));
      }
    }
  }

  /** After the last commit: what is still not committed comes again elsewhere. */
  async close(): Promise<void> {
    this.settle();
    for (const [work, reply] of this.#waiting) {
      if (this.#sent.has(work)) reply.finished();
      else this.parts.drop(work);
    }
    this.#waiting.clear();
    this.#sent.clear();
    await Promise.all(this.#running);
  }

  #taken(work: CommandWork): void {
    const reply = this.#waiting.get(work);
    this.#forget(work);
    reply?.finished();
  }

  #forget(work: CommandWork): void {
    this.#waiting.delete(work);
    this.#sent.delete(work);
  }

  #late({ late }: UnrecordedReply): void {
    const run = Promise.resolve(late());
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
  }
}
