import { RpcException } from '@nestjs/microservices';
import type { CommandMessage, Message } from '@sluice/contracts';

/**
 * What a sender learns about its command. Values, not exceptions, because each has its own answer
 * to the merchant (D-34).
 */
export type CommandResult<Reply> =
  /** The handler's reply. */
  | { readonly kind: 'replied'; readonly reply: Reply }
  /** The command is with its service, but no reply came by the deadline: the answer is pending. */
  | { readonly kind: 'unanswered' }
  /**
   * Its handler threw until it was given up (D-17). It may have recorded something before that: the owner
   * of the data knows. What is not recorded now never will be performed: its life is over, or nobody else
   * can have it.
   */
  | { readonly kind: 'failed' }
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

/** One message as it arrived. */
export interface ReceivedEvent {
  /** Grows within its partition; its digits are compared as a number, never as text. */
  readonly offset: string;
  readonly message: Message;
}

/** Messages of one partition, in order. */
export interface EventBatch {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly ReceivedEvent[];
}

/** What a projection or another follower of events asks for. */
export interface EventSubscription {
  /** Consumer group: each message goes to one instance of the group. */
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * The last offset that is dealt with, from the subscriber's own database; the transport's own
   * memory is only a hint (D-22). Asked whenever a partition comes to this instance.
   */
  startAfter?(topic: string, partition: number): Promise<string | undefined>;
  /**
   * Resolves when the batch is committed in the subscriber's database. A rejection means
   * infrastructure: the same messages come again after a pause, nothing is skipped. A message that
   * is poison is the subscriber's to park (D-17). Batches of one partition come one after another,
   * those of different partitions at the same time.
   */
  handle(batch: EventBatch): Promise<void>;
}

/** A subscription at work. */
export interface OpenSubscription {
  /** Takes nothing new and waits for the batches in hand. */
  close(): Promise<void>;
}

/** Events tell everybody who subscribed that something happened. */
export interface Events {
  /**
   * Resolves when the messages are safe: with the broker, or in process with every subscription.
   * After a rejection they may have been published in part: publish them again; those that the
   * transport will never take are named by MessagesRefused.
   */
  publish(topic: string, messages: readonly Message[]): Promise<void>;
  /**
   * Delivers at least once, in order per key as far as the publisher kept it. Resolves when the
   * subscription is registered; over Kafka messages may flow later, once the broker is there.
   */
  subscribe(subscription: EventSubscription): Promise<OpenSubscription>;
}

/** Thrown by `publish`: these messages can never be sent as they are, the others are safe. */
export class MessagesRefused extends Error {
  override readonly name = 'MessagesRefused';

  constructor(
    readonly messageIds: readonly string[],
    reason: string,
  ) {
    super(`The transport refuses ${messageIds.length} message(s): ${reason}`);
  }
}

/**
 * Thrown by a handler when something it stands on is away (its database, say): the message is not
 * at fault. Over Kafka its partition pauses and the message is tried again (D-12, D-17).
 */
export class InfrastructureAway extends RpcException {
  override readonly name = 'InfrastructureAway';

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message);
    this.message = message;
    this.cause = options?.cause;
  }

  /** Nest's filter passes on what this returns: the error itself, so that it is recognized. */
  override getError(): object {
    return this;
  }
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

/**
 * What a command handler returns when it has recorded nothing of the command, and says so. The sender
 * may act on that, so the reply leaves only once the transport cannot deliver the command again
 * while it lives: a second delivery might find what the first one missed, and do it.
 */
export class Unrecorded<Reply> {
  constructor(readonly reply: Reply) {}
}

/**
 * The sender of a command may stop waiting this long before the command expires: a request to the
 * broker may take 10 s, and only then does the broker count. A reply takes time, too.
 */
export const UNHEARD_BEFORE_END_MS = 11_000;

/** What a command handler gets beside the message: Nest's `@Ctx()`. */
export interface CommandContext {
  /**
   * When the command's life ends, on the clock of `performance.now()`: its arrival in the transport plus
   * its time to live, both by the transport's clock. A command found later is still delivered, to be
   * recorded as not performed (D-03).
   */
  readonly lifeEndsMs: number;
}

/** The pattern of a query's handler, for `@MessagePattern`: commands and queries share one table. */
export function queryPattern(query: string): string {
  return `query:${query}`;
}
