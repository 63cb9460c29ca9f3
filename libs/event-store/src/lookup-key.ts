import { createHash } from 'node:crypto';

/**
 * The number that the index of transactions has for a text. Different texts may have the same, so
 * whoever finds by it looks at what was found; nobody can make two on purpose that have.
 */
export function lookupKeyOf(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigInt64BE();
}
