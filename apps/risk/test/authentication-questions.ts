// What specs of authentications ask as payments does; no other file imports it.
import type { AuthenticateQuery } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { CHANNEL, type FakeVault } from './risk-fixture.js';

/** Where the shopper's browser begins. */
export const REDIRECT = 'https://gateway.example/redirects/1';

/** A payment of 92.00 EUR by a card that the vault holds, of a channel that authenticates always. */
export function question(
  vault: Pick<FakeVault, 'numbers'>,
  number: string,
  changes: Partial<AuthenticateQuery> = {},
): AuthenticateQuery {
  const id = newTransactionId(Date.now());
  const vaultReference = `vault-0.${id}`;
  vault.numbers.set(vaultReference, number);
  return {
    ...{ authenticationId: id, paymentId: id, entityId: CHANNEL, mode: 'INTERNAL' },
    ...{ category: 'payment', amount: { minor: '9200', currency: 'EUR' }, brand: 'VISA' },
    ...{ vaultReference, expiry: { month: '05', year: '2034' }, redirectUrl: REDIRECT },
    settings: {
      ...{ authenticates: 'always', goesOnWith: ['Y', 'A'], merchantName: 'Example Bookshop' },
      ...{
        merchantCountry: 'DE',
        merchantCategoryCode: '5942',
        merchantUrl: 'https://shop.example',
      },
      requestors: {
        visa: {
          ...{ requestorId: '10088321', requestorName: 'Example Bookshop' },
          ...{ acquirerBin: '400000', acquirerMerchantId: '4711' },
        },
      },
    },
    parameters: {
      'card.holder': 'Jane Jones',
      'customer.email': 'jane.jones@shop.example',
      'customer.browser.acceptHeader': 'text/html',
      'customer.browser.language': 'de-DE',
      'customer.browser.screenHeight': '900',
      'customer.browser.screenWidth': '1440',
      'customer.browser.timezone': '-60',
      'customer.browser.userAgent': 'Mozilla/5.0',
      'customer.browser.javaEnabled': 'false',
    },
    ...changes,
  };
}
