import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { queryPattern } from '../ports.js';
import { refuseEventHandler } from '../refuse-event-handler.js';
import type { Handler } from './command-consumer-parts.js';

/** The handlers of a service that messages over Kafka reach, by command type. */
export type CommandHandlers = ReadonlyMap<string, Handler>;

/** A service's consumers at work. */
export interface ServingConsumers {
  /** Resolves when every one has joined its group. */
  readonly joined: Promise<void>;
  close(): Promise<void>;
}

const QUERY_PREFIX = queryPattern('');

/**
 * The receiving side of one service over Kafka, for
 * `NestFactory.createMicroservice(Module, { strategy })`, or as the commands' part of a
 * ServiceTransport. Queries never come this way.
 */
export class KafkaTransport extends Server implements CustomTransportStrategy {
  #serving: ServingConsumers | undefined;

  constructor(private readonly serve: (handlers: CommandHandlers) => ServingConsumers) {
    super();
  }

  /** Resolves when the service has its partitions; nobody has to wait for it. */
  get joined(): Promise<void> {
    return this.#serving?.joined ?? Promise.reject(new Error('The transport does not listen.'));
  }

  override addHandler(pattern: string, handler: MessageHandler, isEventHandler = false): void {
    refuseEventHandler(pattern, isEventHandler);
    super.addHandler(pattern, handler);
  }

  /** Nest calls this when every handler is registered. Ready at once, Kafka or not (D-19). */
  override listen(ready: () => void): void {
    const handlers = new Map<string, Handler>();
    for (const [pattern, handler] of this.messageHandlers) {
      if (pattern.startsWith(QUERY_PREFIX)) {
        throw new TypeError(`Queries do not go over Kafka: ${pattern}.`);
      }
      handlers.set(pattern, handler as Handler);
    }
    this.#serving = this.serve(handlers);
    ready();
  }

  /** Leaves the groups without losing a commit (D-16), and waits for what is in hand. */
  override async close(): Promise<void> {
    await this.#serving?.close();
  }

  override on(): never {
    throw new Error('There is no one connection to listen to.');
  }

  override unwrap<T>(): T {
    return this as unknown as T;
  }
}
