import { setTimeout as delay } from 'node:timers/promises';
import { REPLY_TOPIC } from '@sluice/contracts';
import { CLOCK_MARGIN_MS, type Logger, RemoteClock, systemClock } from '@sluice/service';
import { describeError } from './describe-error.js';
import type { GatheringProducer } from './gathering-producer.js';
import type { TopicTable } from './topics.js';

/** A record each time; between two of them the monotonic clock is as good. */
const INTERVAL_MS = 10_000;
const RETRY_MS = 1_000;
/** There is always a first instance of edge, and a record without a correlation is nobody's reply. */
const ASKED_PARTITION = 0;
/**
 * Brokers of one cluster keep time together better than this. A message that seems to come from
 * further in the future has an age that nobody knows.
 */
const BROKERS_APART_MAX_MS = 2_000;

/** What a broker's clock is made of. */
export interface BrokerClockParts {
  readonly producer: Pick<GatheringProducer, 'connect' | 'send'>;
  readonly topics: TopicTable;
  readonly logger: Logger | undefined;
}

/**
 * How old messages are. When one was appended only the broker's clock says, so it is compared with
 * that clock and no other: the time of a record of our own, which the broker's acknowledgement names.
 */
export class BrokerClock {
  #clock: RemoteClock | undefined;
  readonly #closing = new AbortController();

  constructor(private readonly parts: BrokerClockParts) {}

  /** Resolves when the broker has said what time it is; waits for it as long as it takes. */
  async start(): Promise<void> {
    const { producer, logger } = this.parts;
    const { signal } = this.#closing;
    await producer.connect();
    const settings = { whose: 'the broker', clock: systemClock, intervalMs: INTERVAL_MS, logger };
    while (this.#clock === undefined && !signal.aborted) {
      try {
        this.#clock = await RemoteClock.start({ ...settings, ask: () => this.#ask() });
      } catch (error) {
        logger?.error({ reason: describeError(error) }, 'No command can be taken: how old is it?');
        await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    if (signal.aborted) this.#clock?.close();
  }

  /** Asks no more. */
  close(): void {
    this.#closing.abort();
    this.#clock?.close();
  }

  /**
   * On the clock of `performance.now()`: when a message is so old that its life is over. That of a
   * message whose age cannot be told is over already.
   */
  async lifeEndOf(appendedAtMs: number, timeToLiveMs: number): Promise<number> {
    const clock = this.#clock;
    if (clock === undefined) return Number.NEGATIVE_INFINITY;
    // Perhaps the broker's clock was set since it was asked.
    if (appendedAtMs - clock.now() > CLOCK_MARGIN_MS) await clock.look().catch(() => false);
    const ageMs = clock.now() - appendedAtMs;
    if (ageMs < -BROKERS_APART_MAX_MS) return Number.NEGATIVE_INFINITY;
    return clock.monotonicMs() + timeToLiveMs - Math.max(0, ageMs);
  }

  #ask(): Promise<number> {
    const { producer, topics } = this.parts;
    return new Promise((resolve, reject) => {
      const place = { topic: topics.brokerName(REPLY_TOPIC), partition: ASKED_PARTITION };
      producer.send({ ...place, key: null, value: null, headers: {} }, (outcome) => {
        const saidMs = outcome.kind === 'acknowledged' ? outcome.appendedAtMs : undefined;
        if (saidMs === undefined) reject(new Error('The broker does not say what time it is.'));
        else resolve(saidMs);
      });
    });
  }
}
