import type { Mode } from '@sluice/contracts';
import { codes, groupOf, isKnown, outcomeOf } from '@sluice/result-codes';
import type { Form } from './form.js';
import { notServedRejection, type Rejection } from './rejection.js';
import { testDirectivesIn } from './test-directives.js';

/** A code that a test asks for: any that the list has. */
export interface ForcedRejection {
  readonly code: string;
  readonly description?: never;
}

/**
 * What `forceResultCode` makes of a registration: a test tries so what its shop does with a refusal. No
 * acquirer is asked when something is stored, so nobody else could give this answer; of the codes that
 * are no refusal an approval changes nothing, and nothing that is stored stays pending.
 */
export function forcedRegistrationRejection(
  form: Form,
  mode: Mode,
): Rejection | ForcedRejection | undefined {
  const { forceResultCode: code } = (mode === 'LIVE' ? undefined : testDirectivesIn(form)) ?? {};
  if (code === undefined) return undefined;
  if (!isKnown(code) || groupOf(code) === 'unclassified') return { code: codes.invalidReturnCode };
  switch (outcomeOf(code)) {
    case 'success':
      return undefined;
    case 'rejected':
      return { code };
    case 'pending':
      return notServedRejection(`a registration that is pending (${code})`);
    case 'chargeback':
      return { code: codes.invalidReturnCode };
  }
}
