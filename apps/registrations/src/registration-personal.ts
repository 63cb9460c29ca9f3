import { openPersonal, type PersonalParameters, unwrapPersonalKey } from '@sluice/aggregates';
import type { Registration } from '@sluice/domain-registrations';
import type { KeyProvider } from '@sluice/service';

/**
 * What is personal of a registration as it is now; empty once the key was destroyed, which is how
 * personal data is erased (page 0010).
 */
export async function personalOf(
  { id, personal }: Pick<Registration, 'id' | 'personal'>,
  wrapped: Buffer | undefined,
  keys: KeyProvider,
): Promise<PersonalParameters> {
  if (personal === undefined || wrapped === undefined) return {};
  const key = await unwrapPersonalKey(keys, id, wrapped);
  return openPersonal(key, personal.transactionId, personal.sealed);
}
