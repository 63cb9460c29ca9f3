import { noted } from '../format.js';
import { mapName, text } from '../formats.js';
import { country2, countryNumber } from '../registered-formats.js';
import { coordinates, postcode } from '../contact-formats.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameters } from '../parameter.js';

const ofMerchants = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout', 'threeDSecure'],
  sensitivity: 'none',
  echo: false,
  kept: true,
  interface: '2.14',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;
/** What would be another one if a digit of it were masked: ids, numbers, addresses (D-43). */
const ofIds = { ...ofMerchants, cardNumbers: 'refused' } as const;

/** Interface 2.14: the merchant on the statement, and payment facilitators. */
export const merchant = {
  'merchant.name': {
    ...ofMerchants,
    format: text({ max: 100 }),
    description:
      'Name of the merchant, the first line of the statement; it stands in the place of `descriptor`, also in the answer.',
  },
  'merchant.mcc': {
    ...ofMerchants,
    format: text({ max: 4 }),
    description: 'Merchant category code.',
  },
  'merchant.street': {
    ...ofMerchants,
    format: text({ max: 100 }),
    description: 'Street of the merchant.',
  },
  'merchant.city': {
    ...ofMerchants,
    format: text({ max: 100 }),
    description: 'City, or what the shopper recognizes in the second line of the statement.',
  },
  'merchant.state': {
    ...ofMerchants,
    format: text({ max: 50 }),
    description: 'State or province.',
  },
  'merchant.countryCode': {
    ...ofMerchants,
    format: countryNumber,
    description: 'Country, ISO 3166-1 numeric.',
  },
  'merchant.country': {
    ...ofMerchants,
    format: noted('A2, ISO 3166-1 alpha-2', country2),
    description: 'Country, ISO 3166-1 alpha-2.',
  },
  'merchant.postcode': {
    ...ofMerchants,
    format: postcode('AN16, alphanumeric and hyphen'),
    description: 'Postcode of the merchant.',
  },
  'merchant.geographicCoordinates': {
    ...ofMerchants,
    format: coordinates,
    description: 'Latitude and longitude of the merchant.',
  },
  'merchant.serviceLocationCity': {
    ...ofMerchants,
    format: text({ max: 100 }),
    description: 'City where the service is given.',
  },
  'merchant.serviceLocationState': {
    ...ofMerchants,
    format: text({ max: 50 }),
    description: 'State or province where the service is given.',
  },
  'merchant.serviceLocationCountryCode': {
    ...ofMerchants,
    format: text({ max: 3 }),
    description: 'Country where the service is given.',
  },
  'merchant.serviceLocationPostCode': {
    ...ofMerchants,
    format: text({ max: 16 }),
    description: 'Postcode where the service is given.',
  },
  'merchant.serviceLocationGeographicCoordinates': {
    ...ofMerchants,
    format: noted('NS20', coordinates),
    description: 'Latitude and longitude where the service is given.',
  },
  'merchant.additionalContact': {
    ...ofMerchants,
    format: text({ max: 255 }),
    sensitivity: 'personal',
    description: 'Further contact.',
  },
  'merchant.phone': {
    ...ofIds,
    format: text({ max: 25 }),
    description: 'Telephone number.',
  },
  'merchant.customerContactPhone': {
    ...ofIds,
    format: text({ max: 25 }),
    description: 'Telephone number for customers.',
  },
  'merchant.websiteId': {
    ...ofIds,
    format: text({ max: 255 }),
    description: "Id of the merchant's website.",
  },
  'merchant.url': {
    ...ofIds,
    format: text({ max: 255 }),
    description: "Address of the merchant's website.",
  },
  'merchant.partnerIdCode': {
    ...ofIds,
    format: text({ max: 60 }),
    description: 'Code of the merchant as a partner.',
  },
  'merchant.isoId': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Id of the independent sales organization.',
  },
  'merchant.payFacId': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Id of the payment facilitator.',
  },
  'merchant.payFacName': {
    ...ofMerchants,
    format: text({ max: 255 }),
    description: 'Name of the payment facilitator.',
  },
  'merchant.submerchantId': {
    ...ofIds,
    format: text({ max: 100 }),
    description: "Id of the merchant at one card network's payment facilitators.",
  },
  'merchant.marketplaceId': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Id of the marketplace.',
  },
  'merchant.taxId': {
    ...ofIds,
    format: text({ max: 60 }),
    description: 'Tax id of the merchant.',
  },
  'merchant.data[key]': {
    ...ofMerchants,
    format: noted(
      'key AN64 (chars a-z A-Z 0-9 . _, len 3-64), value AN2048 (len 0-2048)',
      text({ min: 0, max: 2048 }),
    ),
    nameFormat: mapName,
    sensitivity: 'personal',
    description: 'More about the merchant, by names of the receiver.',
  },
  'merchant.foreignRetailIndicator': {
    ...ofMerchants,
    format: text({ max: 25 }),
    description: 'Whether goods are sold from abroad.',
  },
  'merchant.legalName': {
    ...ofMerchants,
    format: text({ max: 100 }),
    description: 'Legal name.',
  },
  'merchant.app.schemeUrl': {
    ...ofIds,
    format: text({ max: 255 }),
    description: "URL scheme that opens the merchant's app.",
  },
} as const satisfies Parameters;
