import { createHash } from 'node:crypto';

/**
 * The number by which the index of transactions finds a text. Different texts may have the same
 * number, so the caller must check what was found; but nobody can construct such texts on purpose.
 */
export function lookupKeyOf(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigInt64BE();
}
