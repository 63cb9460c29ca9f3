import { noted } from '../format.js';
import { text } from '../formats.js';
import { country2 } from '../registered-formats.js';
import { postcode, state } from '../contact-formats.js';
import { shopperInputKinds } from '../kinds.js';
import { conditional, optional, type Parameters, sent, when } from '../parameter.js';
import { addressOfThreeDSecure } from '../conditions.js';
import { streetOfDigits } from '../conflicts.js';

/**
 * What becomes of an address: it is a person's, so it is kept encrypted, and returned. An address of
 * the merchant is no other (Interface 2.10): a sole trader's is at home, and it has names as well.
 */
export const ofBilling = {
  requirement: optional,
  kinds: shopperInputKinds,
  sensitivity: 'personal',
  echo: true,
  kept: true,
  interface: '2.10',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;

/**
 * An authentication of version 2 needs it, where a request asks for that version; requests that know
 * of none take it as it comes.
 */
const ofAuthentications = {
  ...ofBilling,
  requirement: when(addressOfThreeDSecure),
  requirementIn: {
    widgetPayment: conditional('expected unless the checkout has it'),
    registration: conditional('expected by some receivers'),
    registrationUpdate: conditional('expected by some receivers'),
    schedule: conditional('expected by some receivers'),
    risk: conditional('expected by some receivers'),
  },
} as const;

const street = streetOfDigits('billing');

/** Interface 2.10: billing address. */
export const billing = {
  'billing.street1': {
    ...ofAuthentications,
    format: text({ max: 100 }),
    conflict: street.first,
    example: 'Hauptstr. 1',
    description: 'Street and house number.',
  },
  'billing.street2': {
    ...ofBilling,
    format: text({ max: 100 }),
    requirement: conditional('expected by some receivers'),
    conflict: street.second,
    example: 'Second floor',
    description: 'Second line of the street.',
  },
  'billing.houseNumber1': {
    ...ofBilling,
    format: text({ max: 100 }),
    requirement: { ...when(sent('billing.houseNumber2')), letter: 'O' },
    example: '12',
    description:
      'House number; then `billing.street1` is the street alone and `billing.street2` is ignored.',
  },
  'billing.houseNumber2': {
    ...ofBilling,
    format: text({ max: 100 }),
    requirement: optional,
    example: 'Apartment 4b',
    description: 'Addition to the house number.',
  },
  'billing.city': {
    ...ofAuthentications,
    format: text({ max: 80 }),
    example: 'Berlin',
    description: 'City of the billing address.',
  },
  'billing.state': {
    ...ofBilling,
    format: state,
    requirement: conditional('expected by some receivers'),
    example: 'BE',
    description: 'State or province.',
  },
  'billing.postcode': {
    ...ofAuthentications,
    format: postcode('AN16, alphanumeric'),
    example: '10115',
    description: 'Postcode of the billing address.',
  },
  'billing.country': {
    ...ofAuthentications,
    format: noted('A2, uppercase, ISO 3166-1', country2),
    example: 'DE',
    description: 'Country, ISO 3166-1.',
  },
  'billing.normalized': {
    ...ofBilling,
    format: text({ max: 255 }),
    requirement: optional,
    example: 'Hauptstrasse 1, 10115 Berlin',
    description: 'The address in its normalized form.',
  },
  'billing.validationStatus': {
    ...ofBilling,
    format: text({ max: 255 }),
    requirement: optional,
    example: 'VALIDATED',
    description:
      'Whether the address was validated, and its normalized form confirmed by the shopper.',
  },
} as const satisfies Parameters;
