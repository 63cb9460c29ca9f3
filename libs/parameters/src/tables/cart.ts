import { noted } from '../format.js';
import {
  amount,
  amountN13,
  amountWithDecimals,
  currencyCode,
  date,
  digits,
  flag,
  integer,
  oneOf,
  shape,
  text,
} from '../formats.js';
import { countryLettersOrNumber, webUrl } from '../registered-formats.js';
import { newPaymentKinds } from '../kinds.js';
import { conditional, optional, type Parameters } from '../parameter.js';

const ofCarts = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout', 'risk'],
  sensitivity: 'none',
  echo: true,
  kept: true,
  interface: '2.15',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;
const ofRecipients = { ...ofCarts, sensitivity: 'personal' } as const;
/** What would be another one if a digit of it were masked: ids, codes, addresses, numbers (D-43). */
const ofIds = { ...ofCarts, cardNumbers: 'refused' } as const;

/** Interface 2.15: what is bought, and what was paid of it already. */
export const cart = {
  'cart.items[n].name': {
    ...ofCarts,
    format: text({ max: 255 }),
    requirement: conditional('expected by some receivers'),
    sensitivity: 'personal',
    description: 'Name of the article.',
  },
  'cart.items[n].merchantItemId': {
    ...ofIds,
    format: text({ max: 255 }),
    requirement: conditional('expected by some receivers'),
    description: "The merchant's id of the article.",
  },
  'cart.items[n].quantity': {
    ...ofIds,
    format: noted(
      'N5 (up to 12 digits, optional fraction of up to 3 digits)',
      shape(String.raw`[0-9]{1,12}(?:\.[0-9]{1,3})?`, '2.500', '2.5000'),
    ),
    requirement: conditional('expected by some receivers'),
    description: 'How many, up to three decimals.',
  },
  'cart.items[n].type': {
    ...ofCarts,
    format: noted(
      'AN255',
      oneOf('PHYSICAL', 'DIGITAL', 'MIXED', 'ANONYMOUS_DONATION', 'AUTHORITIES_PAYMENT'),
    ),
    requirement: conditional('expected by some receivers'),
    description: 'What kind of article.',
  },
  'cart.items[n].sku': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Stock keeping unit.',
  },
  'cart.items[n].currency': {
    ...ofCarts,
    format: currencyCode,
    requirement: conditional('expected by some receivers'),
    description: 'Currency of the prices, ISO 4217.',
  },
  'cart.items[n].description': {
    ...ofCarts,
    format: text({ max: 2048 }),
    requirement: conditional('expected by some receivers'),
    sensitivity: 'personal',
    description: 'Description of the article.',
  },
  'cart.items[n].commodityCode': {
    ...ofIds,
    format: digits(8),
    description: 'Commodity classification code (level 3 card data).',
  },
  'cart.items[n].commodityDescription': {
    ...ofCarts,
    format: text({ max: 50 }),
    sensitivity: 'personal',
    description: 'Description of the commodity.',
  },
  'cart.items[n].originalPrice': {
    ...ofCarts,
    format: text({ max: 255 }),
    description: 'Price of one without tax and discount.',
  },
  'cart.items[n].price': {
    ...ofCarts,
    format: noted('N13 (1-10 digits, dot, 2 decimals)', amountWithDecimals),
    requirement: conditional('expected by some receivers'),
    description: 'Price of one with tax and discount.',
  },
  'cart.items[n].totalAmount': {
    ...ofCarts,
    format: amountN13,
    requirement: conditional('expected by some receivers'),
    description: 'Price of all of them.',
  },
  'cart.items[n].taxAmount': {
    ...ofCarts,
    format: amountN13,
    requirement: conditional('expected by some receivers'),
    description: 'Tax on one.',
  },
  'cart.items[n].totalTaxAmount': {
    ...ofCarts,
    format: amountN13,
    requirement: conditional('expected by some receivers'),
    description: 'Tax on all of them.',
  },
  'cart.items[n].tax': {
    ...ofCarts,
    format: noted(
      'AN6; percentage 0 to 100 with up to 2 decimals',
      shape(String.raw`(?:100(?:\.0{1,2})?|[0-9]{1,2}(?:\.[0-9]{1,2})?)`, '19.00', '100.01'),
    ),
    requirement: conditional('expected by some receivers'),
    description: 'Tax in percent.',
  },
  'cart.items[n].taxCategory': {
    ...ofCarts,
    format: noted('AN2', oneOf('AA', 'S', 'E', 'Z')),
    requirement: conditional('expected by some receivers'),
    description: 'Category of the tax (level 3 card data).',
  },
  'cart.items[n].shipping': {
    ...ofCarts,
    format: amount,
    requirement: conditional('expected by some receivers'),
    description: 'Shipping costs of the article.',
  },
  'cart.items[n].discount': {
    ...ofCarts,
    format: amountN13,
    requirement: conditional('expected by some receivers'),
    description: 'Discount on the article.',
  },
  'cart.items[n].giftMessage': {
    ...ofRecipients,
    format: text({ max: 255 }),
    description: 'Message that goes with a gift.',
  },
  'cart.items[n].shippingMethod': {
    ...ofCarts,
    format: text({ max: 255 }),
    description: 'How the article is shipped.',
  },
  'cart.items[n].shippingInstructions': {
    ...ofRecipients,
    format: text({ max: 255 }),
    description: 'How the article is to be shipped.',
  },
  'cart.items[n].shippingTrackingNumber': {
    ...ofRecipients,
    format: text({ max: 255 }),
    cardNumbers: 'refused',
    description: "Tracking number of the article's shipment.",
  },
  'cart.items[n].quantityUnit': {
    ...ofCarts,
    format: oneOf('M', 'CM', 'KG', 'G', 'COUNT'),
    description: 'What the quantity counts; COUNT if absent.',
  },
  'cart.items[n].productUrl': {
    ...ofIds,
    format: webUrl,
    sensitivity: 'personal',
    description: 'Page of the article.',
  },
  'cart.items[n].imageUrl': {
    ...ofIds,
    format: webUrl,
    sensitivity: 'personal',
    description: 'Picture of the article.',
  },
  'cart.items[n].totalDiscountAmount': {
    ...ofCarts,
    format: amount,
    description: 'Discount on all of them.',
  },
  'cart.items[n].productCode': {
    ...ofIds,
    format: text({ max: 30 }),
    description: 'Code of the product.',
  },
  'cart.items[n].partNumber': {
    ...ofIds,
    format: text({ max: 30 }),
    description: 'Number of the part.',
  },
  'cart.items[n].itemNumber': {
    ...ofCarts,
    format: integer(3, 1, 999),
    description: 'Number of the line on the invoice.',
  },
  'cart.items[n].vatReferenceNumber': {
    ...ofIds,
    format: text({ max: 30 }),
    description: 'VAT reference number.',
  },
  'cart.items[n].sellerId': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'The seller on a marketplace who owns the article.',
  },
  'cart.items[n].recipient.salutation': {
    ...ofRecipients,
    format: text({ max: 5 }),
    description: 'Form of address of the recipient.',
  },
  'cart.items[n].recipient.firstName': {
    ...ofRecipients,
    format: text({ max: 48 }),
    description: 'First name of the recipient.',
  },
  'cart.items[n].recipient.lastName': {
    ...ofRecipients,
    format: text({ max: 48 }),
    description: 'Family name of the recipient.',
  },
  'cart.items[n].recipient.middleName': {
    ...ofRecipients,
    format: text({ max: 50 }),
    description: 'Middle name of the recipient.',
  },
  'cart.items[n].recipient.apartment': {
    ...ofRecipients,
    format: text({ max: 100 }),
    description: 'Apartment of the recipient.',
  },
  'cart.items[n].recipient.street': {
    ...ofRecipients,
    format: text({ max: 100 }),
    description: 'Street of the recipient.',
  },
  'cart.items[n].recipient.address': {
    ...ofRecipients,
    format: text({ max: 100 }),
    description: "Second line of the recipient's address.",
  },
  'cart.items[n].recipient.city': {
    ...ofRecipients,
    format: text({ max: 80 }),
    description: 'City of the recipient.',
  },
  'cart.items[n].recipient.state': {
    ...ofRecipients,
    format: text({ max: 50 }),
    description: 'State or province of the recipient.',
  },
  'cart.items[n].recipient.postcode': {
    ...ofRecipients,
    format: text({ max: 16 }),
    description: 'Postcode of the recipient.',
  },
  'cart.items[n].recipient.country': {
    ...ofRecipients,
    format: countryLettersOrNumber,
    description: 'Country of the recipient, ISO 3166-1.',
  },
  'cart.items[n].recipient.phone': {
    ...ofRecipients,
    format: noted('N25 digits', digits(25)),
    cardNumbers: 'refused',
    description: 'Telephone number of the recipient, digits only.',
  },
  'cart.items[n].recipient.email': {
    ...ofRecipients,
    format: text({ max: 128 }),
    description: 'E-mail address of the recipient.',
  },
  'cart.items[n].deliveryDate': {
    ...ofCarts,
    format: date,
    description: 'The day of delivery.',
  },
  'cart.payments[n].name': {
    ...ofCarts,
    format: text({ max: 255 }),
    sensitivity: 'personal',
    description: 'Name of a payment that was made already.',
  },
  'cart.payments[n].type': {
    ...ofCarts,
    format: noted('GIFTCARD or PROMOTION', oneOf('GIFTCARD', 'PROMOTION')),
    description: 'Whether it was a gift card or a promotion.',
  },
  'cart.payments[n].amount': {
    ...ofCarts,
    format: amount,
    description: 'The amount of that payment.',
  },
  'cart.payments[n].currency': {
    ...ofCarts,
    format: noted('A3', currencyCode),
    description: 'Its currency, ISO 4217.',
  },
  'cart.payments[n].status': {
    ...ofCarts,
    format: noted('pending, authorized or captured', oneOf('pending', 'authorized', 'captured')),
    description: 'How far it is.',
  },
  'cart.payments[n].brand': {
    ...ofCarts,
    format: text({ max: 255 }),
    description: 'The brand of that payment.',
  },
  'cart.payments[n].primary': {
    ...ofCarts,
    format: flag(),
    description: 'Whether it is the main one.',
  },
} as const satisfies Parameters;
