import { shopperOrdersAtBank, shopperPaysAtProvider } from '../conditions.js';
import { noted } from '../format.js';
import { absoluteUrl, webUrl } from '../formats.js';
import { newPaymentKinds } from '../kinds.js';
import { conditional, optional, type Parameters, when } from '../parameter.js';

const ofAsynchronousPayments = {
  format: absoluteUrl,
  kinds: [...newPaymentKinds, 'checkout', 'registration', 'threeDSecure'],
  sensitivity: 'personal',
  echo: false,
  kept: true,
  cardNumbers: 'refused',
  interface: '2.18',
  since: '0.1.0',
} as const;

/** Interface 2.18: where the shopper goes after an asynchronous payment, and who hears of it. */
export const asynchronous = {
  shopperResultUrl: {
    ...ofAsynchronousPayments,
    kinds: [...newPaymentKinds, 'checkout', 'widgetPayment', 'registration', 'threeDSecure'],
    requirement: conditional('expected for asynchronous payments'),
    requirementIn: {
      bankAccountPayment: when(shopperOrdersAtBank),
      virtualAccountPayment: when(shopperPaysAtProvider),
    },
    example: 'https://shop.example/result',
    description:
      'Receives the shopper after an asynchronous payment: of the web, or of an app whose scheme is registered for the channel.',
  },
  notificationUrl: {
    ...ofAsynchronousPayments,
    format: noted('AN2048, len 6-2048, URL-encoded', webUrl),
    requirement: optional,
    example: 'https://shop.example/notifications',
    description:
      'Is called once the outcome is final, by GET with `id` and `resourcePath`, until it answers with 2xx.',
    deprecated: 'Webhooks replace it.',
  },
} as const satisfies Parameters;
