import { setTimeout as delay } from 'node:timers/promises';
import { REPLY_TOPIC } from '@sluice/contracts';
import { CLOCK_MARGIN_MS, type Logger, RemoteClock, systemClock } from '@sluice/service';
import { describeError } from './describe-error.js';
import type { GatheringProducer } from './gathering-producer.js';
import type { TopicTable } from './topics.js';

/** Each time a record is sent; in between, the monotonic clock is accurate enough. */
const INTERVAL_MS = 10_000;
const RETRY_MS = 1_000;
/** There is always a first instance of edge, and it ignores a record without a correlation. */
const ASKED_PARTITION = 0;
/**
 * The clocks of one cluster's brokers differ by less than this. The age of a message that seems to
 * come from further in the future is unknown.
 */
export const BROKERS_APART_MAX_MS = 2_000;

/** What a message says of its life; instants by the broker's clock. */
export interface Life {
  readonly appendedAtMs: number;
  readonly timeToLiveMs: number;
  /** Absent where its sender did not know the broker's clock, or is of a release before. */
  readonly expiresAtMs?: number | undefined;
}

/** What a broker's clock is made of. */
export interface BrokerClockParts {
  readonly producer: Pick<GatheringProducer, 'connect' | 'send'>;
  readonly topics: TopicTable;
  readonly logger: Logger | undefined;
}

/**
 * How old messages are. A message's time is the broker's, so it is compared with the broker's clock
 * only. That clock is read by sending a record: the acknowledgement has its time.
 */
export class BrokerClock {
  #clock: RemoteClock | undefined;
  readonly #closing = new AbortController();

  constructor(private readonly parts: BrokerClockParts) {}

  /** Resolves once the broker's time is known; waits for it as long as it takes. */
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
   * When a message expires, on the clock of `performance.now()`: so long after its append, or at the
   * instant that its sender has given, whichever is sooner. A message of unknown age has already expired.
   */
  async lifeEndOf({ appendedAtMs, timeToLiveMs, expiresAtMs }: Life): Promise<number> {
    const clock = this.#clock;
    if (clock === undefined) return Number.NEGATIVE_INFINITY;
    // The broker's clock may have been set since it was last read.
    if (appendedAtMs - clock.now() > CLOCK_MARGIN_MS) await clock.look().catch(() => false);
    const nowMs = clock.now();
    const ageMs = nowMs - appendedAtMs;
    if (ageMs < -BROKERS_APART_MAX_MS) return Number.NEGATIVE_INFINITY;
    const leftMs = timeToLiveMs - Math.max(0, ageMs);
    return clock.monotonicMs() + Math.min(leftMs, (expiresAtMs ?? Infinity) - nowMs);
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
