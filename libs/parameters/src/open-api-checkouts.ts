import type { JsonObject } from './json-object.js';
import { checkoutExamples, type RequestExample } from './open-api-examples.js';

/** How the document writes what every operation has. */
export interface OpenApiWords {
  readonly answer: (description: string, schema: string) => JsonObject;
  readonly form: (schema: string, examples: Readonly<Record<string, RequestExample>>) => JsonObject;
  readonly idempotencyKey: JsonObject;
  readonly refusals: JsonObject;
  /** Of a GET: who asks. */
  readonly asker: readonly JsonObject[];
}

const checkoutId: JsonObject = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'A checkout.',
  schema: { type: 'string', pattern: '^[a-zA-Z0-9.-]{32,48}$' },
};

/** Making a checkout, and reading how it stands (Interface 4, wire contract 3). */
export function checkoutPaths(words: OpenApiWords): JsonObject {
  const { answer, form, idempotencyKey, refusals } = words;
  return {
    '/v1/checkouts': {
      post: {
        operationId: 'createCheckout',
        tags: ['Checkouts'],
        summary: 'What a shopper is to pay, or to store, in a browser',
        description:
          'It lives for 30 minutes. No form completes one yet: there is no `paymentWidgets.js`, so its ' +
          'status is pending until its time is over.',
        parameters: [idempotencyKey],
        requestBody: form('CheckoutRequest', checkoutExamples),
        responses: { '200': answer('Created.', 'Checkout'), ...refusals },
      },
    },
    ...statusPaths(words, ['/v1/checkouts/{id}/payment', 'readCheckoutPayment']),
    ...statusPaths(words, ['/v1/checkouts/{id}/registration', 'readCheckoutRegistration']),
    ...statusPaths(words, ['/checkouts/{id}/payment', 'readCheckoutPaymentUnprefixed']),
    ...statusPaths(words, ['/checkouts/{id}/registration', 'readCheckoutRegistrationUnprefixed']),
  };
}

function statusPaths(
  { answer, refusals, asker }: OpenApiWords,
  [path, operationId]: readonly [string, string],
): JsonObject {
  return {
    [path]: {
      parameters: [checkoutId],
      get: {
        operationId,
        tags: ['Checkouts'],
        summary: 'How a checkout stands',
        description:
          'Pending (000.200.000) while nothing is decided. One that is unknown or over is refused with ' +
          '200.300.404, and the third read of one checkout in a minute with 800.120.100.',
        parameters: asker,
        responses: { '200': answer('Nothing is decided.', 'Checkout'), ...refusals },
      },
    },
  };
}
