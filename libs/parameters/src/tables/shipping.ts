import { noted } from '../format.js';
import { amountWithDecimals, date, oneOf, text } from '../formats.js';
import { country2 } from '../registered-formats.js';
import { addressPhone, city, postcode, state } from '../contact-formats.js';
import { shopperDataKinds } from '../kinds.js';
import { conditional, optional, sent, type Parameters, when } from '../parameter.js';

const ofShipping = {
  requirement: optional,
  kinds: shopperDataKinds,
  sensitivity: 'personal',
  echo: true,
  kept: true,
  interface: '2.11',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;

/** Interface 2.11: shipping address. */
export const shipping = {
  'shipping.street1': {
    ...ofShipping,
    format: text({ max: 100 }),
    requirement: conditional('expected by some receivers'),
    example: '221b Baker Street',
    description: 'Street and house number.',
  },
  'shipping.street2': {
    ...ofShipping,
    format: text({ max: 100 }),
    requirement: conditional('expected by some receivers'),
    example: 'First floor',
    description: 'Second line of the street.',
  },
  'shipping.houseNumber1': {
    ...ofShipping,
    format: text({ max: 100 }),
    requirement: { ...when(sent('shipping.houseNumber2')), letter: 'O' },
    example: '221',
    description:
      'House number; then `shipping.street1` is the street alone and `shipping.street2` is ignored.',
  },
  'shipping.houseNumber2': {
    ...ofShipping,
    format: text({ max: 100 }),
    example: 'Flat b',
    description: 'Addition to the house number.',
  },
  'shipping.city': {
    ...ofShipping,
    format: city,
    requirement: conditional('expected by some receivers'),
    example: 'London',
    description: 'City of the shipping address.',
  },
  'shipping.state': {
    ...ofShipping,
    format: state,
    requirement: conditional('expected by some receivers'),
    example: 'Greater London',
    description: 'State or province.',
  },
  'shipping.postcode': {
    ...ofShipping,
    format: postcode('AN16, alphanumeric'),
    requirement: conditional('expected by some receivers'),
    example: 'NW1 6XE',
    description: 'Postcode of the shipping address.',
  },
  'shipping.country': {
    ...ofShipping,
    format: country2,
    requirement: conditional('expected by some receivers'),
    example: 'GB',
    description: 'Country, ISO 3166-1.',
  },
  'shipping.method': {
    ...ofShipping,
    format: noted(
      'AN30',
      oneOf(
        'CARRIER_DESIGNATED_BY_CUSTOMER',
        'ELECTRONIC_DELIVERY',
        'EXPEDITED',
        'GROUND',
        'INTERNATIONAL',
        'LOWEST_COST',
        'MILITARY',
        'NEXT_DAY_OVERNIGHT',
        'OTHER',
        'POINT_PICKUP',
        'PUDO',
        'SAME_DAY_SERVICE',
        'STORE_PICKUP',
        'THREE_DAY_SERVICE',
        'TWO_DAY_SERVICE',
      ),
    ),
    requirement: conditional('expected by some receivers'),
    description: 'How the goods are shipped.',
  },
  'shipping.cost': {
    ...ofShipping,
    format: noted('N13, 1-10 digits, dot, 2 decimals', amountWithDecimals),
    requirement: conditional('expected by some receivers'),
    example: '4.90',
    description: 'Total shipping costs.',
  },
  'shipping.comment': {
    ...ofShipping,
    format: text({ max: 160 }),
    requirement: conditional('expected by some receivers'),
    example: 'Leave it with the neighbour',
    description: 'A note on the shipment.',
  },
  'shipping.expectedDate': {
    ...ofShipping,
    format: date,
    example: '2026-12-04',
    description: 'The day on which the goods are expected.',
  },
  'shipping.logisticsProvider': {
    ...ofShipping,
    format: text({ max: 255 }),
    example: 'DHL',
    description: 'The carrier of the goods.',
  },
  'shipping.trackingNumber': {
    ...ofShipping,
    format: text({ max: 255 }),
    cardNumbers: 'refused',
    example: 'JD014600003828392837',
    description: 'Tracking number of the shipment.',
  },
  'shipping.returnTrackingNumber': {
    ...ofShipping,
    format: text({ max: 255 }),
    cardNumbers: 'refused',
    example: 'JD014600003828392844',
    description: 'Tracking number of a return.',
  },
  'shipping.normalized': {
    ...ofShipping,
    format: text({ max: 255 }),
    example: '221B Baker Street, London NW1 6XE',
    description: 'The address in its normalized form.',
  },
  'shipping.validationStatus': {
    ...ofShipping,
    format: text({ max: 255 }),
    example: 'VALIDATED',
    description:
      'Whether the address was validated, and its normalized form confirmed by the shopper.',
  },
  'shipping.warehouse': {
    ...ofShipping,
    format: text({ max: 100 }),
    example: 'Hamburg 2',
    description: 'The warehouse that the goods come from.',
  },
  'shipping.preference': {
    ...ofShipping,
    format: noted(
      'GET_FROM_FILE, NO_SHIPPING or SET_PROVIDED_ADDRESS',
      oneOf('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'),
    ),
    description: 'Which address a wallet may use.',
  },
  'shipping.middleName': {
    ...ofShipping,
    format: text({}),
    example: 'Hamish',
    description: 'Middle name of the recipient.',
  },
  'shipping.companyName': {
    ...ofShipping,
    format: text({ max: 60 }),
    example: 'Baker Street Books',
    description: 'Company of the recipient.',
  },
  'shipping.phone': {
    ...ofShipping,
    format: addressPhone,
    cardNumbers: 'refused',
    example: '+44 20 79460018',
    description: 'Telephone number of the recipient.',
  },
  'shipping.mobile': {
    ...ofShipping,
    format: addressPhone,
    cardNumbers: 'refused',
    example: '+44 7700 900461',
    description: "Number of the recipient's mobile telephone.",
  },
  'shipping.workPhone': {
    ...ofShipping,
    format: text({ max: 25 }),
    cardNumbers: 'refused',
    example: '+44 20 79460123',
    description: 'Telephone number of the recipient at work.',
  },
  'shipping.email': {
    ...ofShipping,
    format: text({ min: 6, max: 128 }),
    example: 'john.watson@example.org',
    description: 'E-mail address of the recipient.',
  },
  'shipping.type': {
    ...ofShipping,
    format: noted('RETURN or SHIPMENT', oneOf('RETURN', 'SHIPMENT')),
    description: 'Whether goods are sent or come back.',
  },
} as const satisfies Parameters;
