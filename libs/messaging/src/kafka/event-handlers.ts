import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '@sluice/contracts';
import type { Logger } from '@sluice/service';
import { settled } from '../handler-result.js';
import { KeyedQueue } from '../keyed-queue.js';
import { type EventBatch, InfrastructureAway } from '../ports.js';
import type { Handler } from './command-consumer.js';
import type { DeadLetters } from './dead-letters.js';
import { describeError } from './describe-error.js';
import { encodeMessage } from './message-headers.js';
import type { TopicTable } from './topics.js';

/** How `@EventPattern` handlers are called. */
export interface EventHandlersLimits {
  /** Event messages being handled at once. */
  readonly eventsRunningMax: number;
  /** The pauses between the tries of a failing event message; afterwards it is parked (D-17). */
  readonly eventRetryDelaysMs: readonly number[];
}

/** What the handlers of one service stand on. */
export interface EventHandlersParts {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly topics: TopicTable;
  readonly deadLetters: DeadLetters;
  readonly limits: EventHandlersLimits;
  readonly logger: Logger | undefined;
}

/** Keys that are remembered as parked; the oldest are forgotten. */
const PARKED_KEYS_MAX = 10_000;

/**
 * Calls `@EventPattern` handlers one message at a time, in order per key. One that fails at every
 * try is copied to the dead letters, and later ones of its key after it, for as long as this
 * process lives: a subscriber that must know for longer subscribes, and parks in its database.
 */
export class EventHandlers {
  readonly #parked = new Set<string>();

  constructor(private readonly parts: EventHandlersParts) {}

  /** Rejects when infrastructure is away; then the batch comes again. */
  async handle({ topic, partition, messages }: EventBatch): Promise<void> {
    const handler = this.parts.handlers.get(topic);
    if (handler === undefined) return;
    const queue = new KeyedQueue(this.parts.limits.eventsRunningMax);
    const away: unknown[] = [];
    for (const { offset, message } of messages) {
      queue.add(message.key, async () => {
        if (away.length > 0) return;
        try {
          await this.#handleOne({ topic, partition, offset, message }, handler);
        } catch (error) {
          away.push(error);
        }
      });
    }
    await queue.idle();
    if (away.length > 0) throw away[0];
  }

  async #handleOne(event: Placed, handler: Handler): Promise<void> {
    const parkedName = `${event.topic} ${event.message.key}`;
    if (this.#parked.has(parkedName)) return this.#park(event, 'an earlier one of its key failed');
    const delaysMs = this.parts.limits.eventRetryDelaysMs;
    for (let tries = 0; ; tries += 1) {
      try {
        await settled(handler(event.message));
        return;
      } catch (error) {
        if (error instanceof InfrastructureAway) throw error;
        const pauseMs = delaysMs[tries];
        if (pauseMs === undefined) {
          this.#remember(parkedName);
          return this.#park(event, describeError(error));
        }
        await delay(pauseMs);
      }
    }
  }

  #remember(name: string): void {
    this.#parked.add(name);
    const [oldest] = this.#parked;
    if (this.#parked.size > PARKED_KEYS_MAX && oldest !== undefined) this.#parked.delete(oldest);
  }

  async #park({ topic, partition, offset, message }: Placed, reason: string): Promise<void> {
    const { deadLetters, topics, logger } = this.parts;
    logger?.error({ topic, id: message.id, reason }, 'An event is parked (D-17).');
    const { key, value, headers } = encodeMessage(message);
    const raw = { key: Buffer.from(key), value, headers, offset };
    await deadLetters.copy(topics.brokerName(topic), partition, raw, reason);
  }
}

interface Placed {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly message: Message;
}
