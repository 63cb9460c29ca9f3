import { openPersonal, type PersonalParameters, unwrapPersonalKey } from '@sluice/aggregates';
import type { Attempt, Checkout } from '@sluice/domain-checkouts';
import type { CheckoutId } from '@sluice/identifiers';
import type { EventStore } from '@sluice/event-store';
import type { KeyProvider } from '@sluice/service';

/** Where the keys of checkouts are, and what they are wrapped with. */
export interface PersonalParts {
  readonly keys: KeyProvider;
  readonly personalKeys: Pick<EventStore['personalKeys'], 'of'>;
}

/** What is personal of a checkout; empty once its key was destroyed (page 0010). */
export async function personalOf(
  checkout: Checkout | undefined,
  parts: PersonalParts,
): Promise<PersonalParameters> {
  return checkout === undefined ? {} : open(checkout.id, checkout.personal, parts);
}

/** Where its merchant's page of results is: as the form said, or else as the merchant did. */
export async function resultUrlOf(
  checkout: Checkout,
  attempt: Attempt,
  parts: PersonalParts,
): Promise<string | undefined> {
  const ofForm = await open(checkout.id, attempt.personal, parts);
  const { shopperResultUrl } = { ...(await personalOf(checkout, parts)), ...ofForm };
  return shopperResultUrl;
}

/** All fields of a saved form but account data; empty once the checkout's key was destroyed. */
export function savedFieldsOf(
  { id, saved }: Checkout,
  parts: PersonalParts,
): Promise<PersonalParameters> {
  return open(id, saved?.fields, parts);
}

async function open(
  id: CheckoutId,
  personal: string | undefined,
  { keys, personalKeys }: PersonalParts,
): Promise<PersonalParameters> {
  // Nothing is sealed of nothing.
  if (personal === undefined || personal === '') return {};
  const wrapped = await personalKeys.of(id);
  if (wrapped === undefined || wrapped === 'erased') return {};
  return openPersonal(await unwrapPersonalKey(keys, id, wrapped), id, personal);
}
