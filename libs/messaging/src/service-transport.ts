import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isQueryPattern, type QueryServer } from './http/query-server.js';
import { refuseEventHandler } from './refuse-event-handler.js';

/** The receiving side of commands: a transport of its own, e.g. the one over Kafka. */
export interface CommandTransport {
  addHandler(pattern: string, handler: MessageHandler): void;
  listen(ready: () => void): unknown;
  close(): unknown;
}

/** What a service receives; one that takes no commands has queries alone. */
export interface ServiceTransportParts {
  readonly commands?: CommandTransport;
  readonly queries: QueryServer;
}

/**
 * The receiving side of one service in the cluster, for
 * `NestFactory.createMicroservice(Module, { strategy })`: commands come over Kafka, queries over
 * HTTP, and the handlers cannot tell.
 */
export class ServiceTransport extends Server implements CustomTransportStrategy {
  #url: string | undefined;

  constructor(private readonly parts: ServiceTransportParts) {
    super();
  }

  /** Where queries arrive; undefined until it listens. */
  get url(): string | undefined {
    return this.#url;
  }

  override addHandler(pattern: string, handler: MessageHandler, isEventHandler = false): void {
    refuseEventHandler(pattern, isEventHandler);
    // As in Nest: a transport that is started a second time has its handlers already.
    if (isQueryPattern(pattern)) {
      this.parts.queries.addHandler(pattern, handler);
      return;
    }
    if (this.parts.commands === undefined) {
      throw new TypeError(`This service takes no commands, and has a handler for ${pattern}.`);
    }
    this.parts.commands.addHandler(pattern, handler);
  }

  /** Ready when both sides listen; a failure is the caller's, through Nest. */
  override listen(ready: (error?: unknown) => void): void {
    const { commands, queries } = this.parts;
    const commandsReady =
      commands === undefined
        ? Promise.resolve()
        : new Promise<void>((resolve, reject) => {
            // Some transports answer with a promise and call back besides.
            Promise.resolve(commands.listen(resolve)).catch(reject);
          });
    Promise.all([queries.listen(), commandsReady]).then(
      ([url]) => {
        this.#url = url;
        ready();
      },
      (error: unknown) => ready(error),
    );
  }

  /** Commands end first, while queries about them are still answered. */
  override async close(): Promise<void> {
    await this.parts.commands?.close();
    await this.parts.queries.close();
  }

  override on(): never {
    throw new Error('There is no one connection to listen to.');
  }

  override unwrap<T>(): T {
    return this as unknown as T;
  }
}
