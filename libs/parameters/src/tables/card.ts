import { noted } from '../format.js';
import { cardHolder, cardYear, digits, month, oneOf } from '../formats.js';
import { both, cardIsUsedIn, noRegistrationIsUsed } from '../conditions.js';
import { securityCodeRule } from '../security-code.js';
import { demandedElsewhere, optional, type Parameters, sent, when } from '../parameter.js';

/*
 * The answer's `card` object is made of the card's summary, not of what was sent, so nothing here
 * is echoed. References and increments need no card (D-33): the kind is `payment` alone.
 */
const ofCards = {
  kinds: ['payment', 'widgetPayment', 'registration', 'threeDSecure', 'risk'],
  echo: false,
  kept: false,
  interface: '2.4',
  since: '0.1.0',
} as const;

/** Of a card that is used (D-50). */
const ofUsedCards = { ...when(noRegistrationIsUsed), letter: 'R' } as const;

/** These are for other accounts as well (D-50). */
const whereUsed = {
  widgetPayment: {
    ...when(both(noRegistrationIsUsed, cardIsUsedIn('widgetPayment'))),
    letter: 'R',
  },
  registration: { ...when(cardIsUsedIn('registration')), letter: 'R' },
  risk: { ...when(both(noRegistrationIsUsed, cardIsUsedIn('risk'))), letter: 'R' },
} as const;

/** Interface 2.4: card account. */
export const card = {
  'card.holder': {
    ...ofCards,
    kinds: [...ofCards.kinds, 'registrationUpdate'],
    format: cardHolder,
    requirement: optional,
    sensitivity: 'personal',
    kept: true,
    cardNumbers: 'refused',
    example: 'Jane Jones',
    description: 'The name on the card.',
  },
  'card.number': {
    ...ofCards,
    format: digits(32, 8),
    requirement: ofUsedCards,
    requirementIn: whereUsed,
    sensitivity: 'accountData',
    example: '4200000000000000',
    description: 'The card number, digits only.',
  },
  'card.expiryMonth': {
    ...ofCards,
    kinds: [...ofCards.kinds, 'registrationUpdate'],
    format: month,
    requirement: ofUsedCards,
    requirementIn: { ...whereUsed, registrationUpdate: when(sent('card.expiryYear')) },
    sensitivity: 'accountData',
    example: '05',
    description: 'The month in which the card expires.',
  },
  'card.expiryYear': {
    ...ofCards,
    kinds: [...ofCards.kinds, 'registrationUpdate'],
    format: cardYear,
    requirement: ofUsedCards,
    requirementIn: { ...whereUsed, registrationUpdate: when(sent('card.expiryMonth')) },
    sensitivity: 'accountData',
    example: '2034',
    description: 'The year in which the card expires.',
  },
  'card.cvv': {
    ...ofCards,
    format: digits(4, 3),
    requirement: demandedElsewhere(securityCodeRule()),
    sensitivity: 'accountData',
    isMomentary: true,
    example: '123',
    description: 'The security code of the card.',
  },
  'card.numberType': {
    ...ofCards,
    // Not a shopper's: with the number of a device no security code is asked for.
    kinds: ofCards.kinds.filter((kind) => kind !== 'widgetPayment'),
    format: noted('PAN or DPAN', oneOf('PAN', 'DPAN')),
    requirement: optional,
    sensitivity: 'none',
    kept: true,
    description: 'Whether the number is that of the card or of a device.',
  },
} as const satisfies Parameters;
