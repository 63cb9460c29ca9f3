import { describe, expect, it } from '@jest/globals';
import type { TransactionId } from '@sluice/identifiers';
import { type CalledObject, calledResult } from './called-address.js';

const transactionId = '019aca3e6b7c4d8e9f00112233445566' as TransactionId;
const CHECKOUT = 'ABCDEF0123456789ABCDEF0123456789.sluice-1';
const NDC = '8a8294174b7ecb28014b9699220015ca_0123456789abcdef0123456789abcdef';

describe('an address that is called', () => {
  it.each<[CalledObject['type'], string, string]>([
    ['PAYMENT_CALL', `/v1/payments/${transactionId}`, `/v1/checkouts/${CHECKOUT}/payment`],
    [
      ...(['REGISTRATION_CALL', `/v1/registrations/${transactionId}`] as const),
      `/v1/checkouts/${CHECKOUT}/registration`,
    ],
  ])('is told where a %s is read, or its checkout', (type, alone, inCheckout) => {
    expect(calledResult({ type, transactionId, ndc: NDC })).toEqual({
      ...{ id: transactionId, resourcePath: alone },
    });
    expect(calledResult({ type, transactionId, ndc: CHECKOUT })).toEqual({
      ...{ id: CHECKOUT, resourcePath: inCheckout },
    });
  });
});
