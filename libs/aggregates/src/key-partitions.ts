import type { EventStore } from '@sluice/event-store';
import type { Logger } from '@sluice/service';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The days of idempotency keys are counted in hours of operation, so no key suffers from a clock
 * that was set.
 */
export async function maintainKeyPartitions(
  store: Pick<EventStore, 'idempotency'>,
  logger: Logger,
): Promise<void> {
  const sinceLastMs = await store.idempotency.maintainPartitions();
  const hours = Math.round(sinceLastMs / HOUR_MS);
  if (sinceLastMs < -MINUTE_MS) {
    logger.warn({ hours }, "The database's clock is earlier than it was; was it set?");
  } else if (sinceLastMs > DAY_MS) {
    const text = "The database's clock is days later than it was: nobody was here, or it was set.";
    logger.warn({ hours }, text);
  }
}

/** Partitions of idempotency keys come and go by the day (D-10), marks when their time is over. */
export function maintainKeyPartitionsHourly(
  store: Pick<EventStore, 'idempotency' | 'marks'>,
  logger: Logger,
): NodeJS.Timeout {
  const maintain = async (): Promise<void> => {
    try {
      await maintainKeyPartitions(store, logger);
      await store.marks.forgetEnded();
    } catch (error) {
      logger.warn({ err: error }, 'Partitions were not maintained; tried again in an hour.');
    }
  };
  return setInterval(() => void maintain(), HOUR_MS).unref();
}
