import type { CheckoutId } from '@sluice/identifiers';
import { createHash } from 'node:crypto';

const UUID_BYTES = 16;
/** RFC 9562, 5.8: of our own making. */
const [VERSION_AT, VERSION, VARIANT_AT, VARIANT] = [6, 0x80, 8, 0x80];

/**
 * How the page of a checkout calls its transaction with SRC systems: what they sign is then of this checkout
 * and of no other. It follows from the checkout's id, which does not follow from it.
 */
export function clickToPayTransaction(id: CheckoutId): string {
  const hash = createHash('sha256').update(`Click to Pay of ${id}`).digest();
  const bytes = hash.subarray(0, UUID_BYTES);
  bytes[VERSION_AT] = ((bytes[VERSION_AT] ?? 0) & 0x0f) | VERSION;
  bytes[VARIANT_AT] = ((bytes[VARIANT_AT] ?? 0) & 0x3f) | VARIANT;
  const digits = bytes.toString('hex');
  const parts = [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ] as const;
  return parts.map(([from, to]) => digits.slice(from, to)).join('-');
}
