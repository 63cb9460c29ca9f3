import type { JsonObject } from './json-object.js';
import type { OpenApiWords } from './open-api-checkouts.js';
import type { RequestExample } from './open-api-examples.js';

const sessionExamples = {
  apple: {
    summary: 'The page of a shop',
    fields: {
      validationUrl: 'https://apple-pay-gateway.apple.com/paymentservices/startSession',
      ...{ displayName: 'Corner Shop', amount: '92.00', currency: 'EUR' },
    },
  },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** What the widget asks about the wallets of a checkout's page (page 0067). */
export function walletPaths(
  { answer, form, refusals }: Pick<OpenApiWords, 'answer' | 'form' | 'refusals'>,
  checkoutId: JsonObject,
): JsonObject {
  return {
    '/v1/checkouts/{id}/wallets': {
      parameters: [checkoutId],
      get: {
        operationId: 'readCheckoutWallets',
        tags: ['Checkouts'],
        summary: 'Which wallets the page of a checkout has',
        description:
          "Asked by the shopper's browser, without an access token: what the buttons of Apple Pay, " +
          'Google Pay and Click to Pay need, and the amount that their sheets show.',
        security: [],
        responses: { '200': answer('Its wallets.', 'CheckoutWallets'), ...refusals },
      },
    },
    '/v1/checkouts/{id}/wallets/applePay': {
      parameters: [checkoutId],
      post: {
        operationId: 'startApplePaySession',
        tags: ['Checkouts'],
        summary: "Has Apple confirm that the asking page is the merchant's",
        description:
          "Sent by the shopper's browser, without an access token, from the page itself: the header " +
          "`Origin` says which it is. Nothing but Apple's own gateways is asked, ten times a minute and " +
          'checkout at most.',
        security: [],
        requestBody: form('ApplePaySessionRequest', sessionExamples),
        responses: { '200': answer('Confirmed.', 'ApplePaySession'), ...refusals },
      },
    },
  };
}
