import { redirectUrl } from '@sluice/answers';
import type { CheckoutPurpose } from '@sluice/contracts';
import type { CheckoutId, TransactionId } from '@sluice/identifiers';
import { resultAddress } from '@sluice/service';

const REACHABLE = /^https?:\/\/(?:[\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:\/[\w./-]*)?$/i;

/** Whether browsers can be sent there: a request may name any host, or none. */
export function isReachable(publicUrl: string): boolean {
  return REACHABLE.test(publicUrl) && URL.canParse(publicUrl);
}

/** Where the acquirer sends that shopper afterwards. */
export function returnUrl(publicUrl: string, id: TransactionId): string {
  return `${redirectUrl(publicUrl, id)}/return`;
}

/** Interface 6, wire contract 5: the addition to a query that the address may have. */
export function resultUrl(shopperResultUrl: string, id: TransactionId): string {
  return resultAddress(shopperResultUrl, id, `/v1/payments/${id}`);
}

/** The same of a checkout: clients look for its own id and path, and not for the payment's (D8). */
export function checkoutResultUrl(
  shopperResultUrl: string,
  id: CheckoutId,
  purpose: CheckoutPurpose,
): string {
  return resultAddress(shopperResultUrl, id, `/v1/checkouts/${id}/${purpose}`);
}
