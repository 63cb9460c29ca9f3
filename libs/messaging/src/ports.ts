import type { CommandMessage, Message } from '@sluice/contracts';

/**
 * What a sender learns about its command. Values, not exceptions, because each has its own answer
 * to the merchant (D-34).
 */
export type CommandResult<Reply> =
  /** The handler's reply. */
  | { readonly kind: 'replied'; readonly reply: Reply }
  /** The command is with its service, but no reply came by the deadline: the answer is pending. */
  | { readonly kind: 'accepted' }
  /** The command may have left and nothing more is known: `900.100.300`. */
  | { readonly kind: 'uncertain' }
  /** Certainly nothing was, or ever will be, executed: a clean error; `full` is worth a retry (D-34). */
  | { readonly kind: 'notSent'; readonly reason: 'full' | 'unavailable' };

/** How long a sender waits for the reply; the command itself lives `timeToLiveMs`. */
export interface SendOptions {
  readonly deadlineMs: number;
}

/** Commands change something in another service. */
export interface Commands {
  /** Sends once and waits for the reply or the deadline; never rejects because of the handler. */
  send<Reply>(
    service: string,
    command: CommandMessage,
    options: SendOptions,
  ): Promise<CommandResult<Reply>>;
}

/** Queries read something another service owns; they change nothing and may be asked again. */
export interface Queries {
  /**
   * Asks the service that the query's name begins with, e.g. `payments` for
   * `payments.transaction`. Throws QueryUnavailable when there is no answer.
   */
  ask<Answer>(service: string, query: string, parameters: object): Promise<Answer>;
}

/** Events tell everybody who subscribed that something happened. */
export interface Events {
  /** Resolves when the messages are with the transport; a publisher never waits for subscribers. */
  publish(topic: string, messages: readonly Message[]): Promise<void>;
}

/** Thrown by Queries: no answer, because the service is away, too slow, or failed. */
export class QueryUnavailable extends Error {
  override readonly name = 'QueryUnavailable';

  constructor(
    readonly query: string,
    readonly reason: 'noService' | 'noHandler' | 'deadline' | 'failed' | 'closed' | 'overloaded',
  ) {
    super(`The query ${query} has no answer: ${reason}.`);
  }
}

/**
 * What a command handler returns when its accept phase is over (D-12): the command is decided and
 * its request event committed, so the next command of the same key may be handled. `run` does the
 * rest (calls, outcome, reply) outside the consumer; its result is the reply.
 */
export class Execution<Reply> {
  constructor(readonly run: () => Promise<Reply>) {}
}

/** What a command handler gets beside the message: Nest's `@Ctx()`. */
export interface CommandContext {
  /**
   * When the command's life ends, milliseconds since the epoch: its arrival in the transport plus
   * its time to live. A command found later is still delivered, to be recorded as not performed
   * (D-03).
   */
  readonly notAfterMs: number;
}

/** The pattern of a query's handler, for `@MessagePattern`: commands and queries share one table. */
export function queryPattern(query: string): string {
  return `query:${query}`;
}
