import { both, unless } from '../conditions.js';
import { noted } from '../format.js';
import { oneOf, text } from '../formats.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameters, required, sent, when } from '../parameter.js';

const ofGiftCards = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout'],
  sensitivity: 'none',
  echo: false,
  kept: true,
  interface: '2.18',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;
const ofAccounts = {
  ...ofGiftCards,
  // With anything else they are refused, so that nothing else is charged in their place.
  kinds: ['giftCardPayment', 'registration'],
  sensitivity: 'accountData',
  kept: false,
} as const;

/** Interface 2.18: gift cards. */
export const giftCard = {
  'giftCard.number': {
    ...ofAccounts,
    // The interface has it as optional, because with most payments it is. Beside a card both are refused.
    requirementIn: {
      giftCardPayment: required,
      registration: when(both(sent('giftCard.pin'), unless('card.number'))),
    },
    format: text({ min: 2, max: 255 }),
    example: '6006491260550218',
    description: 'The number of the gift card.',
  },
  'giftCard.pin': {
    ...ofAccounts,
    // Of one that is stored, too.
    kinds: ['payment', ...ofAccounts.kinds],
    isMomentary: true,
    format: text({ min: 2, max: 255 }),
    example: '4821',
    description: 'The PIN of the gift card. It is never stored.',
  },
  'giftCard.holder': {
    ...ofGiftCards,
    kinds: [...ofGiftCards.kinds, 'registration'],
    format: text({ min: 2, max: 255 }),
    sensitivity: 'personal',
    example: 'Mary Morstan',
    description: 'Name of the holder.',
  },
  'giftCard.message': {
    ...ofGiftCards,
    format: text({ min: 2, max: 160 }),
    sensitivity: 'personal',
    example: 'Happy birthday, Mary!',
    description: 'The message on it.',
  },
  'giftCard.type': {
    ...ofGiftCards,
    format: noted(
      'AN16',
      oneOf(
        'ANNIVERSARY',
        'BIRTHDAY',
        'CONGRATULATIONS',
        'APRIL_FOOLS_DAY',
        'EASTER',
        'FATHERS_DAY',
        'GRADUATION',
        'HOLIDAY',
        'SEASONS_GREETINGS',
        'PASSOVER',
        'KWANZAA',
        'HALLOWEEN',
        'MOTHERS_DAY',
        'NEW_YEARS_DAY',
        'BOSSES_DAY',
        'ST_PATRICKS_DAY',
        'SWEETEST_DAY',
        'CHRISTMAS',
        'BABY_SHOWER',
        'THANKSGIVING',
        'OTHER',
        'VALENTINES_DAY',
        'WEDDING',
        'SECRETARYS_DAY',
        'CHINESE_NEW_YEAR',
        'HANUKKAH',
        'CELEBRATE_FALL',
        'GRANDPARENTS_DAY',
        'INDEPENDENCE_DAY',
      ),
    ),
    description: 'The occasion.',
  },
} as const satisfies Parameters;
