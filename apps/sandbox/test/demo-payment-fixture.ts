/**
 * Pays 92.00 EUR with the demo channel's own token and a card that is approved (interface 3).
 *
 * @param url where the sandbox listens, without a path
 * @returns the result code
 */
export async function payAtDemoChannel(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/payments`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sluice-demo-access-token-for-sandboxes-only' },
    body: new URLSearchParams({
      ...{ entityId: '8a8294174b7ecb28014b9699220015ca', amount: '92.00', currency: 'EUR' },
      ...{ paymentBrand: 'VISA', paymentType: 'DB', 'card.number': '4200000000000000' },
      ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
      'card.cvv': '123',
    }),
  });
  return ((await response.json()) as { result: { code: string } }).result.code;
}
