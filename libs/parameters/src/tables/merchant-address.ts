import { noted } from '../format.js';
import { text } from '../formats.js';
import { addressPhone } from '../contact-formats.js';
import { shopperDataKinds } from '../kinds.js';
import { optional, type Parameters, type Requirement, sent, when } from '../parameter.js';
import { streetOfDigits } from '../conflicts.js';
import { billing, ofBilling } from './billing.js';
import { shipping } from './shipping.js';
import { within } from './derived-tables.js';

/** As the rows that the structure has from `billing.*`: one structure is used in one way. */
const ofMerchantAddresses = { ...ofBilling, kinds: shopperDataKinds } as const;

/** Interface 2.10: what only a merchant's billing address has. */
export const merchantBillingOnly = {
  'merchant.billing.givenName': {
    ...ofMerchantAddresses,
    format: noted('AN, any', text({})),
    example: 'Erika',
    description: "First name at the merchant's billing address.",
  },
  'merchant.billing.surname': {
    ...ofMerchantAddresses,
    format: noted('AN, any', text({})),
    example: 'Mustermann',
    description: "Family name at the merchant's billing address.",
  },
  'merchant.billing.middleName': {
    ...ofMerchantAddresses,
    format: noted('AN, any', text({})),
    example: 'Maria',
    description: "Middle name at the merchant's billing address.",
  },
  'merchant.billing.companyName': {
    ...ofMerchantAddresses,
    format: text({ max: 60 }),
    example: 'Example Bookshop GmbH',
    description: "Company at the merchant's billing address.",
  },
  'merchant.billing.phone': {
    ...ofMerchantAddresses,
    format: text({ max: 25 }),
    cardNumbers: 'refused',
    example: '+49 30 20370',
    description: 'Telephone number there.',
  },
  'merchant.billing.workPhone': {
    ...ofMerchantAddresses,
    format: text({ max: 25 }),
    cardNumbers: 'refused',
    example: '+49 30 20371',
    description: 'Telephone number at work there.',
  },
  'merchant.billing.mobile': {
    ...ofMerchantAddresses,
    format: addressPhone,
    cardNumbers: 'refused',
    example: '+49 151 98765432',
    description: 'Number of a mobile telephone there.',
  },
  'merchant.billing.email': {
    ...ofMerchantAddresses,
    format: text({ min: 6, max: 128 }),
    example: 'accounts@shop.example',
    description: 'E-mail address there.',
  },
} as const satisfies Parameters;

const billingFields = within('merchant', billing);
const shippingFields = within('merchant', shipping);
const street = streetOfDigits('merchant.billing');

/** The second house number needs the first wherever the address stands; that is no duty to send one. */
function firstOfTwo(second: string): Requirement {
  return { ...when(sent(second)), letter: optional.letter };
}

/**
 * Interface 2.10: billing from another place of the merchant. The fields are those of a billing
 * address and keep its rules; only what an authentication demands is lifted by "all optional".
 */
export const merchantBilling = {
  ...billingFields,
  'merchant.billing.street1': {
    ...billingFields['merchant.billing.street1'],
    conflict: street.first,
  },
  'merchant.billing.street2': {
    ...billingFields['merchant.billing.street2'],
    conflict: street.second,
  },
  'merchant.billing.houseNumber1': {
    ...billingFields['merchant.billing.houseNumber1'],
    requirement: firstOfTwo('merchant.billing.houseNumber2'),
  },
  ...merchantBillingOnly,
} as const;

/** Interface 2.11: shipping from another place of the merchant, by the rules of shipping. */
export const merchantShipping = {
  ...shippingFields,
  'merchant.shipping.houseNumber1': {
    ...shippingFields['merchant.shipping.houseNumber1'],
    requirement: firstOfTwo('merchant.shipping.houseNumber2'),
  },
  'merchant.shipping.cost': {
    ...shippingFields['merchant.shipping.cost'],
  },
} as const;
