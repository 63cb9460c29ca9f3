import type { Span } from '@sluice/service';
import type { CommandResult } from './ports.js';

/** How far a command has come in the service that received it. */
type Phase = 'waiting' | 'accepting' | 'executing' | 'settled';

/** One command on its way through a service, and the sender who waits for it. */
export class Delivery {
  /** The receiver's work on it. */
  span: Span | undefined;
  #phase: Phase = 'waiting';
  readonly #deadline: NodeJS.Timeout;
  readonly #resolve: (result: CommandResult<unknown>) => void;

  /** At the deadline the sender stops waiting; the command itself goes on. */
  constructor(resolve: (result: CommandResult<unknown>) => void, deadlineMs: number) {
    this.#resolve = resolve;
    this.#deadline = setTimeout(() => resolve({ kind: 'unanswered' }), deadlineMs);
  }

  /** The handler has the command from here on. */
  accepting(): void {
    this.#phase = 'accepting';
  }

  /** The accept phase is over: what follows is recorded, whatever becomes of the reply. */
  executing(): void {
    this.#phase = 'executing';
  }

  /** The work ended with a reply. */
  replied(reply: unknown): void {
    this.#settle({ kind: 'replied', reply });
  }

  /** The handler gave up before its accept phase was over. */
  failed(): void {
    this.#settle({ kind: 'failed' });
  }

  /**
   * The work ended without a reply, or the bus stops before its end: the sender is told what is
   * certain.
   */
  abandoned(): void {
    switch (this.#phase) {
      case 'waiting':
        return this.#settle({ kind: 'notSent', reason: 'unavailable' });
      case 'accepting':
        return this.#settle({ kind: 'uncertain' });
      case 'executing':
        return this.#settle({ kind: 'unanswered' });
      case 'settled':
        return;
    }
  }

  #settle(result: CommandResult<unknown>): void {
    this.#phase = 'settled';
    clearTimeout(this.#deadline);
    this.span?.end();
    this.#resolve(result);
  }
}
