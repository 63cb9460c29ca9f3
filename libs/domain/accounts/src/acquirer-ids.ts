import {
  type Endpoint,
  type EndpointMode,
  endpointModes,
  type MerchantAccount,
} from '@sluice/contracts';

/**
 * Of the settings, which have the acquirers' own names, the one by which a host of ISO 8583 finds a
 * payment again. Addresses and credentials change: hosts move, and keys are rotated.
 */
const OF_MERCHANT = 'acquirerId';

/** Who the merchant is to an acquirer in one mode. */
interface IdsOfMode {
  readonly acquirerMerchantId: string;
  readonly [OF_MERCHANT]?: string;
}

/**
 * Under what an acquirer has the payments of a merchant account: the last of each mode, also of an endpoint
 * or an account that is gone. An inquiry under another id finds none of them, and would say of what is
 * booked that it was never sent.
 */
export interface AcquirerIds extends Pick<MerchantAccount, 'id' | 'connector'> {
  readonly byMode: Readonly<Partial<Record<EndpointMode, IdsOfMode>>>;
}

/** What has to be remembered of an account, with what is known of it already. */
export function idsOf(
  { id, connector, endpoints }: Pick<MerchantAccount, 'id' | 'connector' | 'endpoints'>,
  before: AcquirerIds | undefined,
): AcquirerIds {
  const byMode: Partial<Record<EndpointMode, IdsOfMode>> = { ...before?.byMode };
  for (const mode of endpointModes) {
    const endpoint = endpoints[mode];
    if (endpoint !== undefined) byMode[mode] = idsAt(endpoint);
  }
  return { id, connector, byMode };
}

/** Whether the endpoints have the ids that were theirs, as far as they had any. */
export function isSameMerchant(
  { byMode }: AcquirerIds,
  endpoints: MerchantAccount['endpoints'],
): boolean {
  return endpointModes.every((mode) => {
    const [ids, endpoint] = [byMode[mode], endpoints[mode]];
    if (ids === undefined || endpoint === undefined) return true;
    const { acquirerMerchantId, [OF_MERCHANT]: acquirerId } = idsAt(endpoint);
    return ids.acquirerMerchantId === acquirerMerchantId && ids[OF_MERCHANT] === acquirerId;
  });
}

function idsAt({ acquirerMerchantId, settings }: Endpoint): IdsOfMode {
  const acquirerId = settings[OF_MERCHANT];
  return { acquirerMerchantId, ...(acquirerId !== undefined && { [OF_MERCHANT]: acquirerId }) };
}
