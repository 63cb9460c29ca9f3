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
    example: 'Example Bookshop',
    description:
      'Name of the merchant, the first line of the statement; it takes the place of `descriptor`, in the answer too.',
  },
  'merchant.mcc': {
    ...ofMerchants,
    format: text({ max: 4 }),
    example: '5942',
    description: 'Merchant category code.',
  },
  'merchant.street': {
    ...ofMerchants,
    format: text({ max: 100 }),
    example: 'Unter den Linden 5',
    description: 'Street of the merchant.',
  },
  'merchant.city': {
    ...ofMerchants,
    format: text({ max: 100 }),
    example: 'Berlin',
    description: 'City, or what the shopper recognizes in the second line of the statement.',
  },
  'merchant.state': {
    ...ofMerchants,
    format: text({ max: 50 }),
    example: 'BE',
    description: 'State or province.',
  },
  'merchant.countryCode': {
    ...ofMerchants,
    format: countryNumber,
    example: '276',
    description: 'Country, ISO 3166-1 numeric.',
  },
  'merchant.country': {
    ...ofMerchants,
    format: noted('A2, ISO 3166-1 alpha-2', country2),
    example: 'DE',
    description: 'Country, ISO 3166-1 alpha-2.',
  },
  'merchant.postcode': {
    ...ofMerchants,
    format: postcode('AN16, alphanumeric and hyphen'),
    example: '10117',
    description: 'Postcode of the merchant.',
  },
  'merchant.geographicCoordinates': {
    ...ofMerchants,
    format: coordinates,
    example: '52.5170,13.3889',
    description: 'Latitude and longitude of the merchant.',
  },
  'merchant.serviceLocationCity': {
    ...ofMerchants,
    format: text({ max: 100 }),
    example: 'Potsdam',
    description: 'City where the service is provided.',
  },
  'merchant.serviceLocationState': {
    ...ofMerchants,
    format: text({ max: 50 }),
    example: 'BB',
    description: 'State or province where the service is provided.',
  },
  'merchant.serviceLocationCountryCode': {
    ...ofMerchants,
    format: text({ max: 3 }),
    example: '276',
    description: 'Country where the service is provided.',
  },
  'merchant.serviceLocationPostCode': {
    ...ofMerchants,
    format: text({ max: 16 }),
    example: '14467',
    description: 'Postcode where the service is provided.',
  },
  'merchant.serviceLocationGeographicCoordinates': {
    ...ofMerchants,
    format: noted('NS20', coordinates),
    example: '52.3906,13.0645',
    description: 'Latitude and longitude where the service is provided.',
  },
  'merchant.additionalContact': {
    ...ofMerchants,
    format: text({ max: 255 }),
    sensitivity: 'personal',
    example: 'help@shop.example',
    description: 'Further contact.',
  },
  'merchant.phone': {
    ...ofIds,
    format: text({ max: 25 }),
    example: '+49 30 20370',
    description: 'Telephone number.',
  },
  'merchant.customerContactPhone': {
    ...ofIds,
    format: text({ max: 25 }),
    example: '+49 800 1234567',
    description: 'Telephone number for customers.',
  },
  'merchant.websiteId': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'shop-de',
    description: "Id of the merchant's website.",
  },
  'merchant.url': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'https://shop.example',
    description: "Address of the merchant's website.",
  },
  'merchant.partnerIdCode': {
    ...ofIds,
    format: text({ max: 60 }),
    example: 'PARTNER-0042',
    description: 'Code of the merchant as a partner.',
  },
  'merchant.isoId': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '20004711',
    description: 'Id of the independent sales organization.',
  },
  'merchant.payFacId': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '10058261',
    description: 'Id of the payment facilitator.',
  },
  'merchant.payFacName': {
    ...ofMerchants,
    format: text({ max: 255 }),
    example: 'Example Payments',
    description: 'Name of the payment facilitator.',
  },
  'merchant.submerchantId': {
    ...ofIds,
    format: text({ max: 100 }),
    example: '700123456789',
    description: "Id of the merchant at one card network's payment facilitators.",
  },
  'merchant.marketplaceId': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'MP-3301',
    description: 'Id of the marketplace.',
  },
  'merchant.taxId': {
    ...ofIds,
    format: text({ max: 60 }),
    example: 'DE136695976',
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
    example: 'branch 12',
    description: 'Further data about the merchant, under the names of the receiver.',
  },
  'merchant.foreignRetailIndicator': {
    ...ofMerchants,
    format: text({ max: 25 }),
    example: 'N',
    description: 'Whether goods are sold from abroad.',
  },
  'merchant.legalName': {
    ...ofMerchants,
    format: text({ max: 100 }),
    example: 'Example Bookshop GmbH',
    description: 'Legal name.',
  },
  'merchant.app.schemeUrl': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'com.example.bookshop://payment',
    description: "URL scheme that opens the merchant's app.",
  },
} as const satisfies Parameters;
