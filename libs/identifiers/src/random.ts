import { randomFillSync } from 'node:crypto';

/** One call of the system's generator serves some hundred ids; each call costs about as much as one id. */
const POOL_BYTES = 8_192;

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Random bytes of the cryptographic generator, for ids, nonces and keys: at most 8,192 at once.
 * They are drawn in stock and overwritten in the stock as they are handed out, so that nothing
 * that becomes a key stays behind.
 */
export function random(bytes: number): Buffer {
  if (bytes > POOL_BYTES)
    throw new RangeError(`At most ${String(POOL_BYTES)} random bytes at once`);
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const drawn = Buffer.from(pool.subarray(used, used + bytes));
  pool.fill(0, used, used + bytes);
  used += bytes;
  return drawn;
}
