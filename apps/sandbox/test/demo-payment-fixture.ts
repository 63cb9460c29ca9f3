import { codeOf, MONEY, send } from './demo-merchant-fixture.js';

/**
 * Pays 92.00 EUR with the demo channel's own token and a card that is approved (interface 3).
 *
 * @param url where the sandbox listens, without a path
 * @returns the result code
 */
export async function payAtDemoChannel(url: string): Promise<string> {
  const card = {
    ...{ ...MONEY, paymentBrand: 'VISA', 'card.number': '4200000000000000' },
    ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
    'card.cvv': '123',
  };
  return codeOf(send({ url }, ['POST', '/v1/payments'], card));
}
