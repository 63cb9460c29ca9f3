import { noted } from '../format.js';
import { amount, dateTime, text } from '../formats.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameters } from '../parameter.js';

const ofRisk = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout', 'risk'],
  sensitivity: 'none',
  echo: false,
  kept: true,
  interface: '2.18',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;
/** What says nothing of how a shopper is authenticated: whoever sends it there relies on rules. */
const ofRules = {
  ...ofRisk,
  refusedIn: {
    threeDSecure: 'is for rules of risk: they judge a payment, and no authentication alone',
  },
} as const;
const ofIds = { ...ofRules, cardNumbers: 'refused' } as const;

/** Interface 2.18: data for risk checks. */
export const risk = {
  'risk.channelId': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'shop-de',
    description: 'Channel of the risk system, in place of the configured one.',
  },
  'risk.serviceId': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'card-checks',
    description: 'Service of the risk system, in place of the configured one.',
  },
  'risk.amount': {
    ...ofRisk,
    // It is the amount of the authentication, too.
    kinds: [...ofRisk.kinds, 'threeDSecure'],
    format: amount,
    example: '92.00',
    description: 'Amount of the risk check, and then of 3-D Secure too.',
  },
  'risk.orderTimestamp': {
    ...ofRules,
    format: noted('AN19, yyyy-MM-dd hh:mm:ss 24-hour', dateTime),
    example: '2026-11-02 14:05:37',
    description: 'When the order was made; the time of the request if absent.',
  },
  'risk.brand': {
    ...ofRules,
    format: text({ max: 255 }),
    example: 'VISA',
    description: 'Brand of the risk check; `paymentBrand` if absent.',
  },
  'risk.parameters[name]': {
    ...ofRules,
    format: noted('name AN64, value AN2048', text({ min: 0, max: 2048 })),
    // Unlike those of other maps, the names may have any characters (Interface 2.18).
    nameFormat: noted('AN64', text({ max: 64 })),
    // Whatever a risk system asks of a shopper: his e-mail address, his device, how long he is known.
    sensitivity: 'personal',
    example: 'returning',
    description: 'Further data for the risk system, under its own names.',
  },
  'risk.merchantWebsite': {
    ...ofIds,
    format: text({ max: 60 }),
    example: 'https://shop.example',
    description: "The merchant's website.",
  },
  'risk.accountToken': {
    ...ofIds,
    format: text({ max: 64 }),
    sensitivity: 'personal',
    example: 'b2c7e91f4d35',
    description: "The merchant's token of the shopper's account.",
  },
} as const satisfies Parameters;
