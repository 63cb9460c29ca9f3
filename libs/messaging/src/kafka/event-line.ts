import { setTimeout as delay } from 'node:timers/promises';
import type { EventBatch, ReceivedEvent } from '../ports.js';
import { PartitionOffsets } from './partition-offsets.js';

/** Messages in one batch: one statement's worth of rows. */
const BATCH_MESSAGES_MAX = 500;
/** When this many messages wait, the partition pauses; it resumes at a quarter of that. */
const WAITING_MAX = 2_000;

/** What a line needs from its consumer. */
export interface EventLineParts {
  /** As declared, not as on the broker. */
  readonly topic: string;
  readonly partition: number;
  readonly handle: (batch: EventBatch) => Promise<void>;
  readonly retryDelaysMs: readonly number[];
  readonly pause: () => void;
  readonly resume: () => void;
  readonly onRejected: (error: unknown) => void;
}

/** The messages of one partition for one subscription: one batch at a time, in order. */
export class EventLine {
  readonly offsets = new PartitionOffsets();
  readonly #ended = new AbortController();
  #waiting: ReceivedEvent[] = [];
  #isPaused = false;
  #running: Promise<void> | undefined;

  constructor(private readonly parts: EventLineParts) {}

  /** Whether the partition is no longer assigned here; checked again after every wait. */
  hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  add(messages: readonly ReceivedEvent[]): void {
    for (const message of messages) {
      this.#waiting.push(message);
      this.offsets.add(Number(message.offset));
    }
    if (this.#waiting.length >= WAITING_MAX && !this.#isPaused) {
      this.#isPaused = true;
      this.parts.pause();
    }
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Starts no further batch; resolves when the current one has ended. */
  async end(): Promise<void> {
    this.#ended.abort();
    this.#waiting = [];
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.hasEnded()) {
      const messages = this.#waiting.splice(0, BATCH_MESSAGES_MAX);
      await this.#handle(messages);
      if (this.hasEnded()) return;
      if (this.#isPaused && this.#waiting.length <= WAITING_MAX / 4) {
        this.#isPaused = false;
        this.parts.resume();
      }
    }
  }

  /**
   * Repeats the same messages while infrastructure cannot be reached, until they are handled or no
   * longer assigned here.
   */
  async #handle(messages: readonly ReceivedEvent[]): Promise<void> {
    const { topic, partition, retryDelaysMs } = this.parts;
    for (let tries = 0; !this.hasEnded(); tries += 1) {
      try {
        await this.parts.handle({ topic, partition, messages });
        for (const { offset } of messages) this.offsets.complete(Number(offset));
        return;
      } catch (error) {
        if (tries === 0) this.parts.onRejected(error);
        const pauseMs = retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)] ?? 0;
        const { signal } = this.#ended;
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
