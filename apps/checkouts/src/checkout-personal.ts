import { openPersonal, type PersonalParameters, unwrapPersonalKey } from '@sluice/aggregates';
import type { CheckoutState } from '@sluice/domain-checkouts';
import type { EventStore } from '@sluice/event-store';
import type { KeyProvider } from '@sluice/service';

/** Where the keys of checkouts are, and what they are wrapped with. */
export interface PersonalParts {
  readonly keys: KeyProvider;
  readonly personalKeys: Pick<EventStore['personalKeys'], 'of'>;
}

/** What is personal of a checkout; empty once its key was destroyed (page 0010). */
export async function personalOf(
  checkout: CheckoutState,
  { keys, personalKeys }: PersonalParts,
): Promise<PersonalParameters> {
  if (checkout?.personal === undefined) return {};
  const { id, personal } = checkout;
  const wrapped = await personalKeys.of(id);
  if (wrapped === undefined || wrapped === 'erased') return {};
  return openPersonal(await unwrapPersonalKey(keys, id, wrapped), id, personal);
}
