import { setTimeout as delay } from 'node:timers/promises';
import type { Producer, RecordMetadata } from 'kafkajs';
import { causeOf } from './kafka-client.js';
import type { ProducerMeter } from './kafka-metrics.js';
import { RequestPace } from './request-pace.js';
import { inTime } from './time-limit.js';
import { type Outgoing, ProducerLane, type SendOutcome, Sending } from './producer-lane.js';

/** All record batches of one request together; the broker takes up to 100 MB. */
const REQUEST_BYTES_MAX = 4_000_000;
/** What a message costs besides its value and headers; used only for cutting batches. */
const MESSAGE_OVERHEAD_BYTES = 100;
/** After a failure, doubled each time. */
const PAUSE_MS = 50;
const PAUSE_MAX_MS = 1_000;
/** kafkajs would wait longer for the broker than its own request lives. */
const BROKER_TIMEOUT_MS = 4_000;

/** Errors that the broker would repeat for the same message each time. */
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);
const REFUSALS = new Set(['INVALID_RECORD', 'UNSUPPORTED_FOR_MESSAGE_FORMAT']);

/** What a gathering producer is made of. */
export interface GatheringProducerOptions {
  /** A producer with `retries: 0`; asked again after a request that got no answer. */
  readonly makeProducer: () => Producer;
  /** How long a request may take with everything that kafkajs does before it. */
  readonly timeLimitMs: number;
  /** The least time from one request to the next when busy; see RequestPace. */
  readonly gatherMs?: number;
  /** Told of each request and of acknowledged messages. */
  readonly meter?: ProducerMeter;
  /** Told once when sending stops working, and once when it works again. */
  readonly onTrouble?: (reason: string) => void;
  readonly onRecovered?: () => void;
}

/** Kafka's value where a topic keeps the producers' times. */
const NO_APPEND_TIME = -1;

interface Batch {
  readonly lane: ProducerLane;
  readonly sendings: readonly Sending[];
}

/**
 * Sends with one produce request in flight (D-14): what is added in the meantime goes into the next
 * one. A failed request is repeated, in order, before anything later for its partitions; receivers
 * can deal with messages that were appended twice. kafkajs' own idempotence is not used, because it
 * acknowledges and drops a message when a response was lost.
 */
export class GatheringProducer {
  readonly #lanes = new Map<string, ProducerLane>();
  readonly #closing = new AbortController();
  readonly #idleListeners: (() => void)[] = [];
  readonly #pace: RequestPace;
  #producer: Producer | undefined;
  #connecting: Promise<void> | undefined;
  #isFlying = false;
  #isScheduled = false;
  #blockedUntilMs = 0;
  #failures = 0;
  #size = 0;

  constructor(private readonly options: GatheringProducerOptions) {
    this.#pace = new RequestPace(options.gatherMs ?? 0);
  }

  /** Messages that are not settled. */
  get size(): number {
    return this.#size;
  }

  /** Resolves with the first connection; messages may be added before. */
  connect(): Promise<void> {
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  /** Adds a message behind all others of its partition. */
  send(message: Outgoing, onOutcome: (outcome: SendOutcome) => void): Sending {
    const lane = this.#lane(message.topic, message.partition);
    const sending = new Sending(message, bytesOf(message), lane, onOutcome);
    this.#size += 1;
    lane.add(sending);
    this.#schedule();
    return sending;
  }

  /**
   * Withdraws a message: it is not sent, or not sent again. True if it was never part of a request,
   * so that nobody will ever see it.
   */
  withdraw(sending: Sending): boolean {
    if (!sending.isOver) {
      sending.isOver = true;
      sending.lane.remove(sending);
      this.#settled(1);
    }
    return !sending.wasHanded;
  }

  /** Resolves once every message is settled or withdrawn. */
  async idle(): Promise<void> {
    if (this.#size === 0) return;
    await new Promise<void>((resolve) => this.#idleListeners.push(resolve));
  }

  /** Disconnects; messages that are not settled never will be. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const resolve of this.#idleListeners.splice(0)) resolve();
    await this.#connecting?.catch(() => undefined);
    const off = this.#producer?.disconnect() ?? Promise.resolve();
    await inTime(this.options.timeLimitMs, 'disconnecting', off).catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const { signal } = this.#closing;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const producer = this.options.makeProducer();
      try {
        await inTime(this.options.timeLimitMs, 'connecting', producer.connect());
        this.#producer = producer;
        this.#schedule();
        return;
      } catch (error) {
        void producer.disconnect().catch(() => undefined);
        this.#troubled(causeOf(error).message);
        await delay(pauseMs(tries), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #lane(topic: string, partition: number): ProducerLane {
    const name = `${topic}/${partition}`;
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = new ProducerLane(topic, partition);
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  /** After the events of this turn, so that what they add travels together. */
  #schedule(): void {
    if (this.#isFlying || this.#isScheduled || this.#producer === undefined) return;
    if (this.#size === 0 || this.#closing.signal.aborted) return;
    this.#isScheduled = true;
    const waitMs = Math.max(this.#blockedUntilMs, this.#pace.nextMs) - performance.now();
    const start = (): void => {
      this.#isScheduled = false;
      this.#start();
    };
    if (waitMs > 0) setTimeout(start, waitMs);
    else setImmediate(start);
  }

  #start(): void {
    const producer = this.#producer;
    if (producer === undefined || this.#isFlying || this.#closing.signal.aborted) return;
    const batches = this.#take();
    if (batches.length === 0) {
      this.#scheduleBlocked();
      return;
    }
    this.#isFlying = true;
    this.#pace.started(performance.now());
    void this.#fly(producer, batches).finally(() => {
      this.#isFlying = false;
      this.#schedule();
    });
  }

  #take(): readonly Batch[] {
    const nowMs = performance.now();
    const ready = [...this.#lanes.values()].filter(
      (lane) => lane.size > 0 && lane.blockedUntilMs <= nowMs,
    );
    const alone = ready.find((lane) => lane.isAlone);
    const batches: Batch[] = [];
    let bytes = 0;
    for (const lane of alone === undefined ? ready : [alone]) {
      const sendings = lane.take();
      batches.push({ lane, sendings });
      bytes += sendings.reduce((sum, sending) => sum + sending.bytes, 0);
      if (bytes >= REQUEST_BYTES_MAX) break;
    }
    return batches;
  }

  /** Every lane that has messages is waiting after a failure of its own. */
  #scheduleBlocked(): void {
    const times = [...this.#lanes.values()]
      .filter(({ size }) => size > 0)
      .map(({ blockedUntilMs }) => blockedUntilMs);
    if (times.length === 0) return;
    this.#blockedUntilMs = Math.min(...times);
    this.#schedule();
  }

  async #fly(producer: Producer, batches: readonly Batch[]): Promise<void> {
    const startMs = performance.now();
    let answer: readonly RecordMetadata[];
    try {
      const messages = topicMessages(batches);
      const sent = producer.sendBatch({
        acks: -1,
        timeout: BROKER_TIMEOUT_MS,
        topicMessages: messages,
      });
      answer = await inTime(this.options.timeLimitMs, 'a produce request', sent);
    } catch (error) {
      this.#meter(batches, startMs, true);
      this.#failed(producer, batches, error);
      return;
    }
    const left = batches.filter(({ lane }) => partOf(answer, lane) === undefined);
    this.#meter(batches, startMs, left.length > 0);
    for (const batch of batches) {
      const part = partOf(answer, batch.lane);
      if (part !== undefined) this.#settle(batch, acknowledgement(part));
    }
    if (left.length > 0) return this.#leftOut(producer, left);
    if (this.#failures > 0) this.options.onRecovered?.();
    this.#failures = 0;
  }

  /**
   * kafkajs leaves out what is for a partition of which its metadata says nothing, and resolves all
   * the same. A new client asks for the metadata anew: this one would, after five minutes.
   */
  #leftOut(producer: Producer, batches: readonly Batch[]): void {
    for (const { lane } of batches) {
      this.#troubled(`Kafka's client knows of no partition ${lane.partition} of ${lane.topic}`);
      lane.fail(performance.now() + pauseMs(lane.failures));
    }
    this.#reconnect(producer);
  }

  /**
   * Each of these producers has one topic, so a request is counted for the first of its batches.
   */
  #meter(batches: readonly Batch[], startMs: number, failed: boolean): void {
    const { meter } = this.options;
    const [first] = batches;
    if (meter === undefined || first === undefined) return;
    meter.requested(first.lane.topic, (performance.now() - startMs) / 1_000, failed);
    if (failed) return;
    for (const { lane, sendings } of batches) meter.sent(lane.topic, sendings.length);
  }

  #settle({ lane, sendings }: Batch, outcome: SendOutcome): void {
    lane.forget(sendings);
    let settled = 0;
    for (const sending of sendings) {
      if (!sending.isOver) settled += 1;
      sending.settle(outcome);
    }
    this.#settled(settled);
  }

  #settled(count: number): void {
    this.#size -= count;
    if (this.#size === 0) for (const resolve of this.#idleListeners.splice(0)) resolve();
  }

  #failed(producer: Producer, batches: readonly Batch[], error: unknown): void {
    const { name, type = '', message } = causeOf(error);
    const [first] = batches;
    if (name === 'KafkaJSProtocolError' && batches.length > 1) {
      // kafkajs reports one partition's error for all of them, so each is sent again alone (D-14).
      for (const { lane } of batches) lane.isAlone = true;
      return;
    }
    if (first !== undefined && name === 'KafkaJSProtocolError') {
      this.#failedAlone(first, type, message);
      return;
    }
    this.#troubled(message);
    this.#blockedUntilMs = performance.now() + pauseMs(this.#failures);
    // #979: kafkajs does not notice that a connection was cut. And one that opened while the broker stood
    // still counts as connected, and fails until it is closed, minutes later. So after whatever is no
    // answer of the broker a new one is made.
    this.#reconnect(producer);
  }

  /** What the broker reported about one partition. */
  #failedAlone(batch: Batch, type: string, reason: string): void {
    const { lane, sendings } = batch;
    if (TOO_LARGE.has(type) && sendings.length > 1) {
      lane.countMax = Math.ceil(sendings.length / 2);
      return;
    }
    if (TOO_LARGE.has(type) || (REFUSALS.has(type) && sendings.length === 1)) {
      this.#settle(batch, { kind: 'refused', reason });
      return;
    }
    if (REFUSALS.has(type)) lane.countMax = 1;
    this.#troubled(reason);
    lane.fail(performance.now() + pauseMs(lane.failures));
    lane.isAlone = true;
  }

  #troubled(reason: string): void {
    if (this.#failures === 0) this.options.onTrouble?.(reason);
    this.#failures += 1;
  }

  #reconnect(producer: Producer): void {
    this.#producer = undefined;
    this.#connecting = this.#connect();
    void producer.disconnect().catch(() => undefined);
  }
}

/** What the broker says of one partition; undefined if the request had nothing for it. */
function partOf(
  answer: readonly RecordMetadata[],
  { topic, partition }: ProducerLane,
): RecordMetadata | undefined {
  return answer.find((each) => each.topicName === topic && each.partition === partition);
}

/** With what the broker's clock said when it appended. */
function acknowledgement({ logAppendTime }: RecordMetadata): SendOutcome {
  const atMs = Number(logAppendTime ?? NO_APPEND_TIME);
  return { kind: 'acknowledged', appendedAtMs: atMs === NO_APPEND_TIME ? undefined : atMs };
}

function pauseMs(failures: number): number {
  return Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS);
}

function bytesOf({ key, value, headers }: Outgoing): number {
  let bytes = MESSAGE_OVERHEAD_BYTES + (key?.length ?? 0) + (value?.length ?? 0);
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
}

function topicMessages(batches: readonly Batch[]) {
  const byTopic = new Map<string, Outgoing[]>();
  for (const { lane, sendings } of batches) {
    const messages = byTopic.get(lane.topic) ?? [];
    if (messages.length === 0) byTopic.set(lane.topic, messages);
    for (const { message } of sendings) messages.push(message);
  }
  return [...byTopic].map(([topic, messages]) => ({ topic, messages }));
}
