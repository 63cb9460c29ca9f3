import type { JsonObject } from './json-object.js';
import {
  checkoutExamples,
  checkoutUpdateExamples,
  type RequestExample,
  shopperExamples,
} from './open-api-examples.js';
import { walletPaths } from './open-api-wallets.js';

/** How the document writes what every operation has. */
export interface OpenApiWords {
  readonly answer: (description: string, ...schemas: readonly string[]) => JsonObject;
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

const offeredId: JsonObject = {
  name: 'registrationId',
  description: 'One of its `registrations[n].id`.',
  schema: { type: 'string', pattern: '^[a-zA-Z0-9]{32}$' },
};

const rangeExamples = {
  eight: { summary: 'Eight digits', fields: { 'card.range': '42000000' } },
} as const satisfies Readonly<Record<string, RequestExample>>;

/** Making a checkout, and reading how it stands (Interface 4, wire contract 3). */
export function checkoutPaths(words: OpenApiWords): JsonObject {
  return {
    ...madePaths(words, ''),
    ...shownPaths(words),
    ...walletPaths(words, checkoutId),
    ...resourcePaths(words, ['/v1/checkouts/{id}/payment', 'CheckoutPayment']),
    ...resourcePaths(words, ['/v1/checkouts/{id}/registration', 'CheckoutRegistration']),
    ...madePaths(words, 'Unprefixed'),
    ...resourcePaths(words, ['/checkouts/{id}/payment', 'CheckoutPaymentUnprefixed']),
    ...resourcePaths(words, ['/checkouts/{id}/registration', 'CheckoutRegistrationUnprefixed']),
  };
}

/** What the merchant does with one. */
function madePaths(
  { answer, form, idempotencyKey, refusals, asker }: OpenApiWords,
  variant: '' | 'Unprefixed',
): JsonObject {
  const prefix = variant === '' ? '/v1' : '';
  return {
    [`${prefix}/checkouts`]: {
      post: {
        operationId: `createCheckout${variant}`,
        tags: ['Checkouts'],
        summary: 'What a shopper is to pay, or to store, in a browser',
        description:
          'It lives for 30 minutes. The page that the shopper sees loads ' +
          '`/v1/paymentWidgets.js?checkoutId=…` with its id, which shows the form that completes it.',
        parameters: [idempotencyKey],
        requestBody: form('CheckoutRequest', checkoutExamples),
        responses: { '200': answer('Created.', 'Checkout'), ...refusals },
      },
    },
    [`${prefix}/checkouts/{id}`]: {
      parameters: [checkoutId],
      post: {
        operationId: `updateCheckout${variant}`,
        tags: ['Checkouts'],
        summary: 'Changes what is to be paid, until the shopper pays',
        description:
          'The parameters replace those of the same names. While an attempt is under way it is refused.',
        parameters: [idempotencyKey],
        requestBody: form('CheckoutUpdateRequest', checkoutUpdateExamples),
        responses: { '200': answer('Changed.', 'Checkout'), ...refusals },
      },
      delete: {
        operationId: `deleteCheckout${variant}`,
        tags: ['Checkouts'],
        summary: 'Ends a checkout that no shopper is to complete any more',
        description:
          '000.200.102 where it is deleted: from then on it is refused like one that never was. ' +
          '000.200.103 where it is not, because an attempt may still succeed, or has, and nobody has ' +
          'read that.',
        parameters: asker,
        responses: { '200': answer('Deleted, or pending.', 'Checkout'), ...refusals },
      },
    },
  };
}

/** What the widget asks before it shows its forms. */
function shownPaths({ answer, form, refusals }: OpenApiWords): JsonObject {
  return {
    '/v1/checkouts/{id}/form': {
      parameters: [checkoutId],
      get: {
        operationId: 'readCheckoutForm',
        tags: ['Checkouts'],
        summary: 'What the form of a checkout shows',
        description:
          "Asked by the shopper's browser: there is no access token, and the checkout's id is all that " +
          'is needed. It has the stored accounts that the merchant offers (`registrations[n].id`) and ' +
          'that can still be paid with.',
        security: [],
        responses: { '200': answer('What it shows.', 'CheckoutForm'), ...refusals },
      },
    },
    '/v1/checkouts/{id}/registrations/{registrationId}': {
      parameters: [checkoutId, { ...checkoutId, ...offeredId }],
      delete: {
        operationId: 'deleteOfferedRegistration',
        tags: ['Checkouts'],
        summary: 'Deletes a stored account that a checkout offers',
        description:
          "Sent by the shopper's browser, without an access token, where the channel allows it " +
          '(`shoppersMayDelete`): only what the checkout offers, and only before anything is paid.',
        security: [],
        responses: { '200': answer('Deleted.', 'CheckoutAttempt'), ...refusals },
      },
    },
    '/v1/checkouts/{id}/brands': {
      parameters: [checkoutId],
      get: {
        operationId: 'readCheckoutBrands',
        tags: ['Checkouts'],
        summary: 'By which brands a checkout can be paid',
        description:
          "Asked by the shopper's browser, without an access token: of the brands that are known, those " +
          "that the channel's routes take with this amount and currency.",
        security: [],
        responses: { '200': answer('Its brands.', 'CheckoutBrands'), ...refusals },
      },
    },
    '/v1/checkouts/{id}/card-range': {
      parameters: [checkoutId],
      post: {
        operationId: 'readCardRange',
        tags: ['Checkouts'],
        summary: "What a card is by its first digits, from the installation's table",
        description:
          'Asked by the frame in which a number is typed, without an access token, twenty times a minute ' +
          'and checkout at most. The digits are in the body, so that they are in no address and no log.',
        security: [],
        requestBody: form('CardRangeRequest', rangeExamples),
        responses: { '200': answer('What it is.', 'CardRange'), ...refusals },
      },
    },
  };
}

function resourcePaths(
  { answer, form, refusals, asker }: OpenApiWords,
  [path, what]: readonly [path: string, what: string],
): JsonObject {
  const pays = what.includes('Payment');
  const made = pays ? 'Payment' : 'Registration';
  return {
    [path]: {
      parameters: [checkoutId],
      get: {
        operationId: `read${what}`,
        tags: ['Checkouts'],
        summary: 'How a checkout stands',
        description:
          'Pending (000.200.000) while nothing is decided; a decline as often as it is asked, because ' +
          'another attempt may follow; a success once. One that is unknown or over is refused with ' +
          '200.300.404, and the third read of one checkout in a minute with 800.120.100.',
        parameters: asker,
        responses: {
          '200': answer('How it stands.', 'Checkout', made, 'CheckoutAttempt'),
          ...refusals,
        },
      },
      post: {
        operationId: `submit${what}`,
        tags: ['Checkouts'],
        summary: "Completes a checkout with a shopper's form",
        description:
          "Sent by the shopper's browser: there is no access token, and the checkout's id is all that is " +
          'needed. A form that is sent while another one is under way is answered with that one. What the ' +
          'merchant has set cannot be changed here. ' +
          (pays ? OF_SAVING : '') +
          OF_BROWSERS,
        security: [],
        requestBody: { ...form('ShopperRequest', shopperExamples), required: !pays },
        responses: {
          '200': pays
            ? answer('Approved, pending or saved.', 'CheckoutAttempt', 'CheckoutSaving')
            : answer('Approved or pending.', 'CheckoutAttempt'),
          '303': { description: "A browser's window is sent on: to the shop, or to who asks." },
          ...refusals,
          '400': answer('It failed, or the form is wrong.', 'CheckoutAttempt', 'Refusal'),
        },
      },
    },
  };
}

const OF_SAVING =
  'With `saveTransactionData=true` the form is saved and nothing is paid; without a means of payment, by ' +
  'anybody who has the id, what was saved is paid once, with the amount of the checkout by then. Such a request ' +
  'may have `amount`, `currency` and `saved`, and is refused where one of them is another by now; ' +
  'it may have the `entityId` of the checkout, and nothing else. ';
const OF_BROWSERS =
  "A browser's window (`Sec-Fetch-Mode: navigate`, or HTML first in `Accept`) is sent on, or shown in HTML " +
  'what is to be done.';
