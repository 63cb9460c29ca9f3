import { setTimeout as delay } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import type { SupervisedConsumer } from './supervised-consumer.js';

/** Longer than any pause of a consumer that is healthy or restarting (D-19). */
const SILENT_MAX_MS = 30_000;
const LOOK_EVERY_MS = 5_000;
const ADMIN_ANSWER_MS = 5_000;

/**
 * Looks after the consumers of a process (D-19): one that neither fetches nor beats for 30 s while
 * the broker answers others is stuck, and only a new process helps (kafkajs #1445, #1630).
 */
export class ConsumerWatch {
  readonly #consumers = new Set<SupervisedConsumer>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly onStuck: (groupId: string) => void,
  ) {}

  add(consumer: SupervisedConsumer): void {
    this.#consumers.add(consumer);
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  remove(consumer: SupervisedConsumer): void {
    this.#consumers.delete(consumer);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#consumers.clear();
  }

  /** One check; it runs every few seconds. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const silentSinceMs = performance.now() - SILENT_MAX_MS;
      const silent = [...this.#consumers].find(
        ({ lastActivityMs }) => lastActivityMs < silentSinceMs,
      );
      if (silent === undefined || !(await this.#brokerAnswers())) return;
      // It may have recovered in the meantime.
      if (silent.lastActivityMs < silentSinceMs) this.onStuck(silent.groupId);
    } finally {
      this.#isLooking = false;
    }
  }

  async #brokerAnswers(): Promise<boolean> {
    const admin = this.kafka.admin({ retry: { retries: 0 } });
    const asking = (async () => {
      await admin.connect();
      await admin.describeCluster();
      return true;
    })().catch(() => false);
    try {
      return await Promise.race([asking, delay(ADMIN_ANSWER_MS, false, { ref: false })]);
    } finally {
      void admin.disconnect().catch(() => undefined);
    }
  }
}
