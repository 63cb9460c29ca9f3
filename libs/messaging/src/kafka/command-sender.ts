import { setTimeout as delay } from 'node:timers/promises';
import { type CommandMessage, commandTopicOf, REPLY_TOPIC } from '@sluice/contracts';
import { RemoteClock, type Span, systemClock } from '@sluice/service';
import { randomBytes } from 'node:crypto';
import { decodeResult } from '../handler-result.js';
import { noteReceived, startSending } from '../message-spans.js';
import type { CommandResult, Commands, SendOptions } from '../ports.js';
import { BROKERS_APART_MAX_MS } from './broker-clock.js';
import type { GatheringProducer } from './gathering-producer.js';
import type { CommandMeter, KafkaMetrics } from './kafka-metrics.js';
import { agedHeaders, encodeCommand } from './message-headers.js';
import type { Sending } from './producer-lane.js';
import type { ReceivedReply } from './reply-reader.js';
import type { TopicTable } from './topics.js';

/** How much a sender holds. */
export interface CommandSenderLimits {
  /** Commands that wait for their replies; more are not sent. */
  readonly waitingCommandsMax: number;
  /** Commands that the broker has not acknowledged; half a second's at 2,000/s. */
  readonly unsentCommandsMax: number;
  /** How long closing waits for replies. */
  readonly drainMs: number;
}

/** The settings of a sender. */
export interface CommandSenderOptions {
  readonly limits: CommandSenderLimits;
  readonly metrics: Pick<KafkaMetrics, 'commands'>;
}

/** A command whose sender waits. */
interface Waiting {
  readonly resolve: (result: CommandResult<unknown>) => void;
  timer: NodeJS.Timeout;
  readonly span: Span;
  sending?: Sending;
  isAcknowledged: boolean;
  /** From then on nobody performs it, on the clock of `performance.now()`; undefined while that is not known. */
  lifeIsOverMs: number | undefined;
  /** When it may be told at the latest that it has failed, on the same clock. */
  readonly latestMs: number;
  /** It was given up; perhaps only one of two copies was. */
  hasFailed?: true;
}

/** A command lives as long as its sender waits; what its acknowledgement took, and the clocks. */
const FAILED_AFTER_DEADLINE_MAX_MS = 2 * BROKERS_APART_MAX_MS;

const FULL: CommandResult<never> = { kind: 'notSent', reason: 'full' };
const UNAVAILABLE: CommandResult<never> = { kind: 'notSent', reason: 'unavailable' };
const FAILED: CommandResult<never> = { kind: 'failed' };

/** Sends commands and finds the sender of each reply. */
export class CommandSender implements Commands {
  readonly #waiting = new Map<string, Waiting>();
  /** Identifies this process, so that replies to a predecessor's commands are ignored. */
  readonly #nonce = randomBytes(6).toString('base64url');
  readonly #idleListeners: (() => void)[] = [];
  readonly #limits: CommandSenderLimits;
  readonly #meter: CommandMeter;
  /** Read from each acknowledgement; by it each command says when its life is over. */
  readonly #brokerClock = new RemoteClock({
    ...{ whose: 'the broker', clock: systemClock, logger: undefined },
    ask: () => Promise.reject(new TypeError('It says so with each acknowledgement.')),
  });
  #count = 0;
  #isOpen = true;
  /** Replies to senders who have stopped waiting, or to a predecessor. */
  unknownReplies = 0;

  constructor(
    private readonly producer: GatheringProducer,
    private readonly topics: TopicTable,
    private readonly replyPartition: number,
    { limits, metrics }: CommandSenderOptions,
  ) {
    this.#limits = limits;
    this.#meter = metrics.commands(() => this.#waiting.size);
  }

  async send<Reply>(
    service: string,
    command: CommandMessage,
    { deadlineMs }: SendOptions,
  ): Promise<CommandResult<Reply>> {
    const correlation = `${this.#nonce}-${(this.#count += 1).toString(36)}`;
    const reply = { partition: this.replyPartition, correlation };
    const topic = commandTopicOf(service);
    if (!this.#isOpen || !this.topics.has(topic)) return this.#notSent(UNAVAILABLE);
    const { waitingCommandsMax, unsentCommandsMax } = this.#limits;
    if (this.#waiting.size >= waitingCommandsMax || this.producer.size >= unsentCommandsMax) {
      return this.#notSent(FULL);
    }
    const partition = this.topics.partitionOf(topic, command.key);
    const span = startSending({ system: 'kafka', destination: topic, partition }, command);
    const encoded = encodeCommand(command, reply, span.traceparent);
    const { timeToLiveMs } = command;
    const sentAtMs = performance.now();
    const clock = this.#brokerClock;
    const expiresAtMs = clock.isKnown ? clock.now() + timeToLiveMs : undefined;
    let handedAtMs = sentAtMs;
    const message = {
      ...encoded,
      // Read again for each request: while the broker is away, its sender waits on, and the broker
      // counts only from the append. The command may not outlive its sender's waiting (D-03).
      get headers() {
        handedAtMs = performance.now();
        return agedHeaders(encoded.headers, { waitedMs: handedAtMs - sentAtMs, expiresAtMs });
      },
      ...{ topic: this.topics.brokerName(topic), partition },
    };
    return new Promise<CommandResult<unknown>>((resolve) => {
      const timer = setTimeout(() => this.#giveUp(correlation), deadlineMs);
      const lifeIsOverMs =
        expiresAtMs === undefined ? undefined : sentAtMs + timeToLiveMs + BROKERS_APART_MAX_MS;
      const ends = { lifeIsOverMs, latestMs: sentAtMs + deadlineMs + FAILED_AFTER_DEADLINE_MAX_MS };
      const waiting: Waiting = { resolve, timer, span, isAcknowledged: false, ...ends };
      this.#waiting.set(correlation, waiting);
      waiting.sending = this.producer.send(message, (outcome) => {
        if (outcome.kind === 'acknowledged') {
          waiting.isAcknowledged = true;
          this.#hearTime(outcome.appendedAtMs, handedAtMs);
          // Without an end of its own its life began when it was appended, before now.
          waiting.lifeIsOverMs ??= performance.now() + timeToLiveMs + BROKERS_APART_MAX_MS;
          if (waiting.hasFailed === true) this.#failed(correlation);
          span.end();
        } else {
          span.failed(outcome.kind);
          this.#settle(correlation, UNAVAILABLE);
        }
      });
    }) as Promise<CommandResult<Reply>>;
  }

  /** The broker looked at its clock between the request and the answer to it. */
  #hearTime(saidMs: number | undefined, askedMs: number): void {
    if (saidMs === undefined) return;
    this.#brokerClock.heard({ askedMs, saidMs, answeredMs: performance.now() });
  }

  #notSent(result: CommandResult<never>): CommandResult<never> {
    this.#meter.ended('notSent');
    return result;
  }

  /** A reply has come, perhaps for a sender that has stopped waiting. */
  received({ correlation, outcome, value, traceparent }: ReceivedReply): void {
    const place = { destination: REPLY_TOPIC, partition: this.replyPartition };
    noteReceived({ system: 'kafka', ...place }, traceparent);
    switch (outcome) {
      case 'replied': {
        const reply = decodeResult(value?.toString('utf8') ?? '{}');
        return this.#settle(correlation, { kind: 'replied', reply });
      }
      case 'unanswered':
        return this.#settle(correlation, { kind: 'unanswered' });
      case 'failed':
        return this.#failed(correlation);
    }
  }

  /**
   * It was given up, and its sender will find nothing recorded and say that nothing ever will be. That is
   * true once its life is over: a command that the broker has twice, because an acknowledgement was lost,
   * is tried twice, and the other try may still succeed. Its reply is the better answer, so until then it
   * is waited for.
   */
  #failed(correlation: string): void {
    const waiting = this.#waiting.get(correlation);
    if (waiting === undefined) return this.#settle(correlation, FAILED);
    waiting.hasFailed = true;
    const { lifeIsOverMs = Infinity, latestMs } = waiting;
    // Nobody waits that long: at the deadline it is pending.
    if (lifeIsOverMs > latestMs) return;
    clearTimeout(waiting.timer);
    const leftMs = lifeIsOverMs - performance.now();
    waiting.timer = setTimeout(() => this.#settle(correlation, FAILED), leftMs);
  }

  /** Sends nothing new, and waits for the replies to what has been sent (D-20). */
  async close(): Promise<void> {
    this.#isOpen = false;
    const late = new AbortController();
    const { signal } = late;
    await Promise.race([
      this.#idle().finally(() => late.abort()),
      delay(this.#limits.drainMs, undefined, { signal }).catch(() => undefined),
    ]);
    for (const correlation of [...this.#waiting.keys()]) this.#giveUp(correlation);
  }

  async #idle(): Promise<void> {
    if (this.#waiting.size === 0) return;
    await new Promise<void>((resolve) => this.#idleListeners.push(resolve));
  }

  /** The sender stops waiting, and is told what is certain (D-03). */
  #giveUp(correlation: string): void {
    const waiting = this.#waiting.get(correlation);
    if (waiting?.sending === undefined) return;
    if (waiting.isAcknowledged) this.#settle(correlation, { kind: 'unanswered' });
    else if (this.producer.withdraw(waiting.sending)) this.#settle(correlation, UNAVAILABLE);
    else this.#settle(correlation, { kind: 'uncertain' });
  }

  #settle(correlation: string, result: CommandResult<unknown>): void {
    const waiting = this.#waiting.get(correlation);
    if (waiting === undefined) {
      this.unknownReplies += 1;
      return;
    }
    this.#waiting.delete(correlation);
    clearTimeout(waiting.timer);
    this.#meter.ended(result.kind);
    // If it was acknowledged, the span has already ended; ending it twice is harmless.
    if (!waiting.isAcknowledged) waiting.span.end();
    // Once there is a reply, the command need not be sent again.
    if (waiting.sending !== undefined) this.producer.withdraw(waiting.sending);
    waiting.resolve(result);
    if (this.#waiting.size === 0) for (const resolve of this.#idleListeners.splice(0)) resolve();
  }
}
