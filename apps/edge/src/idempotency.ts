import { createHash, createHmac } from 'node:crypto';
import type { EntityId } from '@sluice/identifiers';
import { type Form, isUnstorable } from '@sluice/parameters';
import type { Clock } from '@sluice/service';
import type { CancellableDelays } from './cancellable-delays.js';

/** R-IDEM-01; longer keys are refused, not cut. */
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;

/** How long a duplicate waits for the first request (R-IDEM-04, D-36). */
export const DUPLICATE_WAIT_MS = 30_000;

/** A duplicate polls soon, because payments take some 10 ms, and then less and less often. */
const POLL_FIRST_MS = 20;
const POLL_LONGEST_MS = 500;

const PRINTABLE = /^[ -~]+$/;

/** The `Idempotency-Key` header of a request. */
export type IdempotencyHeader =
  | { readonly kind: 'absent' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'malformed'; readonly message: string };

/**
 * Reads every header of that name. Two different keys are refused: whichever was taken, the retry
 * of a client that meant the other would pay again. A proxy that repeats the same one is harmless.
 */
export function idempotencyHeader(values: readonly string[] = []): IdempotencyHeader {
  const [key, ...others] = new Set(values);
  if (key === undefined) {
    return { kind: 'absent' };
  }
  if (others.length > 0) {
    return { kind: 'malformed', message: 'must not be sent with more than one value' };
  }
  const fits = key.length <= IDEMPOTENCY_KEY_CHARACTERS_MAX && PRINTABLE.test(key);
  return fits
    ? { kind: 'key', key }
    : { kind: 'malformed', message: 'must be 1 to 255 printable ASCII characters' };
}

/** The scope in which a key is unique (R-IDEM-01). */
export interface IdempotencyScope {
  /** The owner of the credential: two tokens of one node count as one sender. */
  readonly actor: EntityId;
  readonly entityId: EntityId;
  readonly method: string;
  readonly path: string;
}

/** The key of the stored row: a hash, because a merchant may put anything into the header. */
export function scopedKey(scope: IdempotencyScope, key: string): string {
  const parts = [scope.actor, scope.entityId, scope.method, scope.path, key];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * The parameters that name the caller, who is already in the scope; the other two such parameters
 * are secrets in the catalogue.
 */
const ASKING: ReadonlySet<string> = new Set(['entityId', 'authentication.entityId']);

/**
 * A keyed hash over the input, by which a second use of a key is recognized as a repetition or as
 * something else. The order and encoding of the form do not matter; every name and value does,
 * except account data, for which the vault's keyed hash stands, and secrets: not even a hash of
 * these may be stored here (R-IDEM-06).
 */
export function inputFingerprint(
  hmacKey: Buffer,
  form: Form,
  heldFingerprint: string | undefined,
): string {
  const canonical: [name: string, value: string][] = [];
  form.forEach((name, value, meaning) => {
    if (!isUnstorable(meaning) && !ASKING.has(name)) canonical.push([name, value]);
  });
  canonical.sort(([left], [right]) => (left < right ? -1 : 1));
  return createHmac('sha256', hmacKey)
    .update(JSON.stringify([canonical, heldFingerprint ?? null]))
    .digest('hex');
}

/** How duplicates are awaited (D-36). */
export interface DuplicateSettings {
  readonly waitMs: number;
  /** The delays between two polls; when the listener closes, they end, and so does the waiting. */
  readonly delays: Pick<CancellableDelays, 'wait' | 'ended'>;
}

/** What waiting for the first request needs. */
export interface FirstRequest<Outcome> extends DuplicateSettings {
  /** Asks its owner for the current state of what the first one has begun. */
  look(): Promise<Outcome | undefined>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * Waits until the first request under a key has an outcome, at most `waitMs`. Pending, unknown and
 * waiting for a payment are outcomes here: the first request itself was answered with them. Undefined
 * when it still runs, or when nobody could tell.
 */
export async function outcomeOfFirst<Outcome extends { readonly status: string }>(
  first: FirstRequest<Outcome>,
): Promise<Outcome | undefined> {
  const endMs = first.clock.monotonicMs() + first.waitMs;
  let stepMs = POLL_FIRST_MS;
  for (;;) {
    const outcome = await first.look().catch(() => undefined);
    if (outcome !== undefined && outcome.status !== 'requested') {
      return outcome;
    }
    const leftMs = endMs - first.clock.monotonicMs();
    if (leftMs <= 0 || first.delays.ended) {
      return undefined;
    }
    await first.delays.wait(Math.min(stepMs, leftMs));
    stepMs = Math.min(stepMs * 2, POLL_LONGEST_MS);
  }
}
