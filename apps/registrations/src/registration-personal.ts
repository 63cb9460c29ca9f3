import { openPersonal, type PersonalParameters, unwrapPersonalKey } from '@sluice/aggregates';
import type { Registration } from '@sluice/domain-registrations';
import type { KeyProvider } from '@sluice/service';
import type { RegistrationStore, RegistrationStream } from './registration-aggregate.js';

const MANDATE = 'bankAccount.mandate.';

/** What opens and seals personal parameters. */
export interface PersonalParts {
  readonly keys: KeyProvider;
  readonly personalKeys: RegistrationStore['personalKeys'];
}

/** The same of a registration that somebody here is working on. */
export async function personalIn(
  { id, wrappedPersonalKey }: Pick<RegistrationStream, 'id' | 'wrappedPersonalKey'>,
  registration: Registration,
  { keys, personalKeys }: PersonalParts,
): Promise<PersonalParameters> {
  if (registration.personal === undefined) return {};
  const wrapped = wrappedPersonalKey ?? (await personalKeys.of(id));
  return personalOf(registration, wrapped === 'erased' ? undefined : wrapped, keys);
}

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

/** Whether another mandate is said than there was before. */
export function isOfOtherMandate(said: PersonalParameters, before: PersonalParameters): boolean {
  const mandateId = said[`${MANDATE}id`];
  return mandateId !== undefined && mandateId !== before[`${MANDATE}id`];
}

/** What stays where another mandate takes the place of the one before: its signature was of that one. */
export function withoutMandate(personal: PersonalParameters): PersonalParameters {
  return Object.fromEntries(Object.entries(personal).filter(([name]) => !name.startsWith(MANDATE)));
}
