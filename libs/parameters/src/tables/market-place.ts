import { amountN13, text } from '../formats.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameters } from '../parameter.js';

const ofMarketPlaces = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout'],
  sensitivity: 'none',
  echo: false,
  kept: true,
  interface: '2.15',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;

/** Interface 2.15: sellers of a marketplace. */
export const marketPlace = {
  'marketPlace.sellers[n].id': {
    ...ofMarketPlaces,
    format: text({ max: 255 }),
    cardNumbers: 'refused',
    example: 'seller-17',
    description: 'The seller, as `cart.items[n].sellerId` names him.',
  },
  'marketPlace.sellers[n].amount': {
    ...ofMarketPlaces,
    format: amountN13,
    example: '78.20',
    description: "The seller's share of the amount.",
  },
} as const satisfies Parameters;
