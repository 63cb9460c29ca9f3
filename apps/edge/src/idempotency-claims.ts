import type { FixedAnswer, IdempotencyClaim } from '@sluice/contracts';
import { codes } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { type Refusal, Refused } from './answer.js';
import { idempotencyHeader, inputFingerprint, scopedKey } from './idempotency.js';
import { invalidParameters } from './refusals.js';

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** The key was used for something else (D-36). */
export const KEY_CONFLICT: Refusal = {
  code: codes.idempotencyKeyConflict,
  parameterErrors: [
    { name: IDEMPOTENCY_KEY, message: 'has already been used for a request with other input' },
  ],
};

/**
 * The scoped `Idempotency-Key`, if any; only read once the form is valid.
 * @param resource the same text for the same resource: a retry that spells the target differently
 * (a slash at the end, an escaped character) must still find its key
 */
export function idempotencyKeyOf(
  { access, method, idempotencyKeys }: AdmittedRequest,
  resource: string,
): string | undefined {
  const header = idempotencyHeader(idempotencyKeys);
  switch (header.kind) {
    case 'absent':
      return undefined;
    case 'malformed':
      throw new Refused(invalidParameters({ name: IDEMPOTENCY_KEY, message: header.message }));
    case 'key': {
      const scope = { actor: access.actor, entityId: access.channel.id, method, path: resource };
      return scopedKey(scope, header.key);
    }
  }
}

/** What a command claims under its key, so that a repetition is recognized (D-36). */
export class IdempotencyClaims {
  /** @param fingerprintKey keys the fingerprints of inputs */
  constructor(private readonly fingerprintKey: Buffer) {}

  /**
   * Empty if there is no key.
   * @param made the ids that the first answer has
   */
  of<Id extends string>(
    { form, stamp }: Pick<AdmittedRequest, 'form' | 'stamp'>,
    key: string | undefined,
    made: Pick<FixedAnswer<Id>, 'id' | 'registrationId'>,
    heldFingerprint?: string,
  ): { readonly idempotency?: IdempotencyClaim<Id> } {
    if (key === undefined) return {};
    const answer: FixedAnswer<Id> = { ...made, ...stamp };
    const fingerprint = inputFingerprint(this.fingerprintKey, form, heldFingerprint);
    return { idempotency: { key, fingerprint, answer } };
  }
}
