import { type CommandMessage, commandTopicOf, type Message } from '@sluice/contracts';
import { decodeResult } from './handler-result.js';
import { defaultLimits, type InProcessLimits, InProcessTransport } from './in-process-transport.js';
import { startSending, whileSending } from './message-spans.js';
import { InProcessSubscriptions } from './in-process-subscriptions.js';
import {
  type CommandResult,
  type Commands,
  type Events,
  type EventSubscription,
  type Queries,
  QueryUnavailable,
  type SendOptions,
} from './ports.js';

/** What may be set when a bus is made. */
export interface InProcessBusOptions extends Partial<InProcessLimits> {
  /**
   * Milliseconds since the epoch. Offsets of events begin there, so that they keep growing across
   * restarts.
   */
  readonly now?: () => number;
}

/**
 * All services in one process: the same ports as over Kafka and HTTP, without either. Everything is
 * passed as JSON text, so that nothing works here that would not work over Kafka and HTTP.
 */
export class InProcessBus {
  readonly commands: Commands = {
    send: <Reply>(service: string, command: CommandMessage, options: SendOptions) =>
      this.#send(service, command, options) as Promise<CommandResult<Reply>>,
  };
  readonly queries: Queries = {
    ask: <Answer>(service: string, query: string, parameters: object) =>
      this.#ask(service, query, parameters) as Promise<Answer>,
  };
  readonly events: Events = {
    publish: (topic: string, messages: readonly Message[]) => this.#publish(topic, messages),
    subscribe: (subscription: EventSubscription) =>
      Promise.resolve(this.#subscriptions.add(subscription)),
  };

  readonly #subscriptions: InProcessSubscriptions;
  readonly #transports = new Map<string, InProcessTransport>();
  readonly #limits: InProcessLimits;

  constructor({ now, ...limits }: InProcessBusOptions = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#subscriptions = new InProcessSubscriptions(
      now ?? Date.now,
      this.#limits.batchRetryDelaysMs,
    );
  }

  /**
   * The receiving side of a service, for `NestFactory.createMicroservice(Module, { strategy })`.
   * Each start of a service needs its own; a new one takes the place of the one before.
   */
  transport(service: string): InProcessTransport {
    const transport = new InProcessTransport(service, this.#limits);
    this.#transports.set(service, transport);
    return transport;
  }

  /**
   * Stops every service's side: work under way ends or times out, and new commands are not sent.
   */
  async close(): Promise<void> {
    await Promise.all([
      ...[...this.#transports.values()].map((transport) => transport.close()),
      this.#subscriptions.close(),
    ]);
  }

  async #send(
    service: string,
    command: CommandMessage,
    { deadlineMs }: SendOptions,
  ): Promise<CommandResult<unknown>> {
    const text = JSON.stringify(command);
    const transport = this.#transports.get(service);
    if (transport === undefined) return { kind: 'notSent', reason: 'unavailable' };
    const destination = commandTopicOf(service);
    const span = startSending({ system: 'in_process', destination }, command);
    const result = transport.deliver(text, deadlineMs, span.traceparent);
    // Handed over: there is no broker to wait for.
    span.end();
    return result;
  }

  async #ask(service: string, query: string, parameters: object): Promise<unknown> {
    const text = JSON.stringify(parameters);
    const transport = this.#transports.get(service);
    if (transport === undefined) throw new QueryUnavailable(query, 'noService');
    return decodeResult(await this.#inTime(query, transport.answer(query, text)));
  }

  #inTime(query: string, answer: Promise<string>): Promise<string> {
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new QueryUnavailable(query, 'deadline'));
      const timer = setTimeout(late, this.#limits.queryTimeoutMs);
      void answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  #publish(topic: string, messages: readonly Message[]): Promise<void> {
    const place = { system: 'in_process', destination: topic } as const;
    return whileSending(place, messages, () => this.#deliver(topic, messages));
  }

  async #deliver(topic: string, messages: readonly Message[]): Promise<void> {
    const published = messages.map((message) => ({
      key: message.key,
      text: JSON.stringify(message),
    }));
    await this.#subscriptions.deliver(topic, published);
  }
}
