import type { InstrumentKind } from '@sluice/contracts';
import { REGISTRATION_ID } from './conditions.js';
import type { Form } from './form.js';
import { instrumentsByStructure } from './instruments.js';
import { GIFT_CARD_ACCOUNT } from './instruments/gift-card.js';

/**
 * What asks to pay one amount with a gift card and something else, or to store both; undefined where
 * nothing does. Ignoring one of the two would charge the other with all of it.
 */
export function dividedAmount(form: Form, instrument: InstrumentKind): string | undefined {
  const giftCard = GIFT_CARD_ACCOUNT.find((key) => form.has(key));
  if (giftCard === undefined) return undefined;
  // The PIN of the gift card that is stored, or whoever knows what is stored says that it is none.
  if (instrument === 'registration' && giftCard === 'giftCard.pin') return undefined;
  const beside = instrument === 'giftCard' ? otherAccount(form) : 'another account';
  return (
    beside &&
    `dividing what is paid between a gift card (${giftCard}) and ${beside} is not served yet`
  );
}

/** The same of a payment by registration, once it is known what is stored. */
export function dividedFromStored(form: Form, stored: InstrumentKind): string | undefined {
  return stored === 'giftCard' ? undefined : dividedAmount(form, stored);
}

function otherAccount(form: Form): string | undefined {
  if (form.has(REGISTRATION_ID)) return REGISTRATION_ID;
  const structures = [...instrumentsByStructure.keys()].filter((each) => each !== 'giftCard');
  for (const structure of structures) {
    const [name] = form.namesOf(structure);
    if (name !== undefined) return name;
  }
  return undefined;
}
