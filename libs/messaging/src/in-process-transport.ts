import { setTimeout as delay } from 'node:timers/promises';
import { type CommandMessage, commandTopicOf, REPLY_TOPIC } from '@sluice/contracts';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { inRequest, outsideOfRequests } from '@sluice/service';
import { Delivery } from './delivery.js';
import { decodeResult, encodeResult, settled } from './handler-result.js';
import { KeyedQueue } from './keyed-queue.js';
import { errorType, noteReceived, startProcessing, startSending } from './message-spans.js';
import {
  type CommandContext,
  type CommandResult,
  Execution,
  queryPattern,
  QueryUnavailable,
  Unrecorded,
} from './ports.js';
import { refuseEventHandler } from './refuse-event-handler.js';

/** The bounds of one service's side of the bus. */
export interface InProcessLimits {
  /** Commands between arrival and reply; more are not sent. One is about 2 kB of memory. */
  readonly unfinishedCommandsMax: number;
  /** Commands between arrival and the end of their accept phase: half a second's at 2,000/s. */
  readonly unacceptedCommandsMax: number;
  /** Commands in their accept phase at once: two full statements of the event store. */
  readonly acceptingMax: number;
  /** Queries under way at once; more are unavailable. */
  readonly queriesMax: number;
  /** How long a query may take. */
  readonly queryTimeoutMs: number;
  /** The pauses before a subscription's batch is tried again; the last one repeats for ever. */
  readonly batchRetryDelaysMs: readonly number[];
  /** How long a closing service waits for commands in hand; the sweeper has older ones (D-57). */
  readonly drainMs: number;
}

/** The limits unless told otherwise. */
export const defaultLimits: InProcessLimits = {
  unfinishedCommandsMax: 10_000,
  unacceptedCommandsMax: 1_024,
  acceptingMax: 256,
  queriesMax: 1_000,
  queryTimeoutMs: 5_000,
  batchRetryDelaysMs: [50, 200, 800, 3_200],
  drainMs: 20_000,
};

type Handler = (data: unknown, context?: unknown) => Promise<unknown>;

const FULL: CommandResult<never> = { kind: 'notSent', reason: 'full' };
const UNAVAILABLE: CommandResult<never> = { kind: 'notSent', reason: 'unavailable' };

/**
 * The receiving side of one service, for `NestFactory.createMicroservice(Module, { strategy })`.
 * Handlers are called directly, without RxJS: a command costs two JSON passes and a few promises.
 */
export class InProcessTransport extends Server implements CustomTransportStrategy {
  readonly #accepts: KeyedQueue;
  readonly #deliveries = new Set<Delivery>();
  readonly #executions = new Set<Promise<void>>();
  #unaccepted = 0;
  #queries = 0;
  #open = false;

  constructor(
    readonly service: string,
    private readonly limits: InProcessLimits,
  ) {
    super();
    this.#accepts = new KeyedQueue(limits.acceptingMax);
  }

  override addHandler(pattern: string, handler: MessageHandler, isEventHandler = false): void {
    refuseEventHandler(pattern, isEventHandler);
    super.addHandler(pattern, handler);
  }

  /** Nest calls this when every handler is registered. */
  override listen(ready: () => void): void {
    this.#open = true;
    ready();
  }

  /**
   * Accepts nothing new, then waits for the work under way, `drainMs` at most; senders that still
   * wait are told what is certain.
   */
  override async close(): Promise<void> {
    this.#open = false;
    const waitEnds = new AbortController();
    await Promise.race([
      this.#drained().finally(() => waitEnds.abort()),
      delay(this.limits.drainMs, undefined, { signal: waitEnds.signal }).catch(() => undefined),
    ]);
    this.#accepts.clear();
    for (const delivery of this.#deliveries) delivery.abandoned();
  }

  override on(): never {
    throw new Error('The in-process bus has no connection to listen to.');
  }

  override unwrap<T>(): T {
    return this as unknown as T;
  }

  /** Takes one command as JSON text; the result is the sender's. */
  deliver(text: string, deadlineMs: number, traceparent?: string): Promise<CommandResult<unknown>> {
    const sent = JSON.parse(text) as CommandMessage;
    const command = traceparent === undefined ? sent : { ...sent, traceparent };
    const handler = this.#handlerOf(command.type);
    if (!this.#open || handler === undefined) return Promise.resolve(UNAVAILABLE);
    const full =
      this.#deliveries.size >= this.limits.unfinishedCommandsMax ||
      this.#unaccepted >= this.limits.unacceptedCommandsMax;
    if (full) return Promise.resolve(FULL);

    const context: CommandContext = { lifeEndsMs: performance.now() + command.timeToLiveMs };
    return new Promise((resolve) => {
      const delivery = new Delivery(resolve, deadlineMs);
      this.#deliveries.add(delivery);
      this.#unaccepted += 1;
      // In the receiver's own request scope: the sender's ends at the bus, as it would at a broker.
      outsideOfRequests(() =>
        this.#accepts.add(command.key, () => this.#follow(delivery, command, context, handler)),
      );
    });
  }

  /** Answers one query; parameters and answer are JSON text. */
  async answer(query: string, parameters: string): Promise<string> {
    if (!this.#open) throw new QueryUnavailable(query, 'closed');
    const handler = this.#handlerOf(queryPattern(query));
    if (handler === undefined) throw new QueryUnavailable(query, 'noHandler');
    if (this.#queries >= this.limits.queriesMax) throw new QueryUnavailable(query, 'overloaded');

    this.#queries += 1;
    try {
      return encodeResult(await settled(handler(JSON.parse(parameters))));
    } catch {
      // Nest has logged the cause; the asker only needs to know that there is no answer.
      throw new QueryUnavailable(query, 'failed');
    } finally {
      this.#queries -= 1;
    }
  }

  #follow(
    delivery: Delivery,
    command: CommandMessage,
    context: CommandContext,
    handler: Handler,
  ): Promise<void> {
    const destination = commandTopicOf(this.service);
    const group = `${this.service}.commands`;
    const span = startProcessing({ system: 'in_process', destination, group }, command);
    delivery.span = span;
    return inRequest(span, { ndc: command.correlationId }, () =>
      this.#accept(delivery, command, context, handler),
    );
  }

  async #accept(
    delivery: Delivery,
    command: CommandMessage,
    context: CommandContext,
    handler: Handler,
  ): Promise<void> {
    delivery.accepting();
    let result: unknown;
    try {
      result = await settled(handler(command, context));
    } catch {
      // Nest has logged it. The command may have been recorded or not: its sender asks the owner.
      this.#deliveries.delete(delivery);
      delivery.failed();
      return;
    } finally {
      this.#unaccepted -= 1;
    }
    if (!(result instanceof Execution)) {
      // Nothing is delivered twice here, so what was not recorded never will be.
      this.#reply(delivery, command, result instanceof Unrecorded ? result.reply : result);
      return;
    }
    delivery.executing();
    // Not awaited: the next command of this key may be accepted now (D-12).
    const execution = this.#execute(delivery, command, result as Execution<unknown>);
    this.#executions.add(execution);
    void execution.finally(() => this.#executions.delete(execution));
  }

  async #execute(
    delivery: Delivery,
    command: CommandMessage,
    execution: Execution<unknown>,
  ): Promise<void> {
    try {
      this.#reply(delivery, command, await execution.run());
    } catch (error) {
      // The request event is committed, so the sweeper finds it and the answer is pending.
      this.logger.error(`Executing ${command.type} ${command.id} failed: ${describe(error)}`);
      delivery.span?.failed(errorType(error));
      this.#finish(delivery);
    }
  }

  #reply(delivery: Delivery, command: CommandMessage, reply: unknown): void {
    const place = { system: 'in_process', destination: REPLY_TOPIC } as const;
    const span = startSending(place, { correlationId: command.correlationId });
    try {
      const received = decodeResult(encodeResult(reply));
      noteReceived(place, span.traceparent);
      delivery.replied(received);
    } catch (error) {
      this.logger.error(`The reply to ${command.type} is not JSON: ${describe(error)}`);
    }
    span.end();
    this.#finish(delivery);
  }

  #finish(delivery: Delivery): void {
    this.#deliveries.delete(delivery);
    delivery.abandoned();
  }

  async #drained(): Promise<void> {
    await this.#accepts.idle();
    await Promise.all(this.#executions);
  }

  #handlerOf(pattern: string): Handler | undefined {
    // Not getHandlerByPattern: it tries to parse every pattern as JSON, which throws each time.
    return this.messageHandlers.get(pattern) as Handler | undefined;
  }
}

/** Name and message only: other fields of an error may hold what must not be logged (D-46). */
function describe(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  if (typeof error !== 'object' || error === null || !('message' in error)) return 'unknown error';
  return String(error.message);
}
