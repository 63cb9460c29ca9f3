import type { TransactionId } from '@sluice/identifiers';

/** Where a shopper begins, of a payment that the acquirer decides with the shopper. */
export function redirectUrl(publicUrl: string, id: TransactionId): string {
  return `${publicUrl}/redirects/${id}`;
}
