import { setTimeout as delay } from 'node:timers/promises';

/** Thrown when something took too long; it may still be going on. */
export class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed';
}

/**
 * The result, if it comes in time. kafkajs stops watching the requests of a connection that broke,
 * so that each of its promises may stay open for ever.
 */
export async function inTime<T>(limitMs: number, what: string, promise: Promise<T>): Promise<T> {
  const over = new AbortController();
  const limit = delay(limitMs, undefined, { signal: over.signal }).then(
    () => {
      throw new TimeLimitPassed(`${what} took more than ${limitMs} ms`);
    },
    () => promise,
  );
  promise.catch(() => undefined); // whoever gave up does not want to hear of it any more
  try {
    return await Promise.race([promise, limit]);
  } finally {
    over.abort();
  }
}
