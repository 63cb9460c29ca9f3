/** Thrown when something took too long; it may still be going on. */
export class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed';
}

/**
 * The result, if it comes in time. kafkajs stops watching the requests of a connection that broke,
 * so that each of its promises may stay open for ever.
 */
export function inTime<T>(limitMs: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new TimeLimitPassed(`${what} took more than ${limitMs} ms`));
    }, limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
