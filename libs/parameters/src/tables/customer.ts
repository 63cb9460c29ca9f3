import { noted } from '../format.js';
import { date, digits, flag, oneOf, text, timezoneOffset } from '../formats.js';
import { language2, languageTag } from '../registered-formats.js';
import { phone } from '../contact-formats.js';
import { shopperDataKinds, shopperInputKinds } from '../kinds.js';
import { conditional, optional, sent, type Parameters, when } from '../parameter.js';
import { browserOfAuthentication, browserOfThreeDSecure, customerIsNamed } from '../conditions.js';
import { without, within } from './derived-tables.js';

const ofCustomers = {
  requirement: optional,
  kinds: shopperInputKinds,
  sensitivity: 'personal',
  echo: true,
  kept: true,
  interface: '2.9',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;

/** What the shop knows of the shopper, who does not say it himself. */
const ofShops = { ...ofCustomers, kinds: shopperDataKinds } as const;
/** The name may be in the checkout already. */
const ofNames = {
  requirement: when(customerIsNamed),
  requirementIn: { widgetPayment: conditional('expected unless the checkout has it') },
} as const;
/** In a checkout the widget tells them; runs of a schedule have no browser. */
const ofBrowsers = {
  requirement: when(browserOfThreeDSecure),
  requirementIn: {
    checkout: conditional('told by the payment widget'),
    widgetPayment: conditional('expected for an authentication'),
    registration: conditional('expected by some receivers'),
    registrationUpdate: conditional('expected by some receivers'),
    schedule: conditional('there is no browser'),
    threeDSecure: when(browserOfAuthentication),
    risk: conditional('expected by some receivers'),
  },
} as const;

/** Interface 2.9: the customer, who is billed. */
export const customer = {
  'customer.merchantCustomerId': {
    ...ofShops,
    format: text({ max: 255 }),
    cardNumbers: 'refused',
    example: 'shopper-1042',
    description: "The id of the shopper in the shop's system.",
  },
  'customer.givenName': {
    ...ofCustomers,
    format: text({ max: 50 }),
    ...ofNames,
    example: 'Jane',
    description: 'First name.',
  },
  'customer.middleName': {
    ...ofCustomers,
    format: text({ min: 2, max: 50 }),
    example: 'Alice',
    description: 'Middle name.',
  },
  'customer.surname': {
    ...ofCustomers,
    format: text({ max: 50 }),
    ...ofNames,
    example: 'Jones',
    description: 'Family name.',
  },
  'customer.sex': {
    ...ofCustomers,
    format: noted('M or F', oneOf('M', 'F')),
    description: 'M for male, F for female.',
  },
  'customer.birthDate': {
    ...ofCustomers,
    format: date,
    example: '1985-04-12',
    description: 'Date of birth.',
  },
  'customer.phone': {
    ...ofCustomers,
    format: phone,
    cardNumbers: 'refused',
    example: '+49 30 901820',
    description: 'Telephone number.',
  },
  'customer.mobile': {
    ...ofCustomers,
    format: phone,
    cardNumbers: 'refused',
    example: '+49 151 23456789',
    description: 'Number of the mobile telephone.',
  },
  'customer.workPhone': {
    ...ofCustomers,
    format: text({ max: 25 }),
    cardNumbers: 'refused',
    example: '+49 30 2270',
    description: 'Telephone number at work.',
  },
  'customer.email': {
    ...ofCustomers,
    format: text({ min: 6, max: 128 }),
    example: 'jane.jones@example.org',
    description: 'E-mail address; some risk checks and mandates of direct debits need it.',
  },
  'customer.companyName': {
    ...ofCustomers,
    format: text({ max: 60 }),
    example: 'Jones Consulting Ltd',
    description: 'Name of the company.',
  },
  'customer.identificationDocType': {
    ...ofCustomers,
    format: noted('IDCARD, PASSPORT or TAXSTATEMENT', oneOf('IDCARD', 'PASSPORT', 'TAXSTATEMENT')),
    requirement: when(sent('customer.identificationDocId')),
    description: 'What kind of document identifies the customer.',
  },
  'customer.identificationDocId': {
    ...ofCustomers,
    format: text({ min: 8, max: 64 }),
    cardNumbers: 'refused',
    requirement: when(sent('customer.identificationDocType')),
    example: 'L01X00T47',
    description: 'The number of that document.',
  },
  'customer.ip': {
    ...ofShops,
    format: text({ max: 255 }),
    cardNumbers: 'refused',
    example: '203.0.113.42',
    description: "The shopper's IP address.",
  },
  'customer.merchantReference': {
    ...ofShops,
    format: text({ max: 255 }),
    cardNumbers: 'refused',
    example: 'account-1042',
    description: "The payer's account or the reference given to the payee.",
  },
  'customer.salutation': {
    ...ofCustomers,
    format: oneOf('MR', 'MRS', 'MS', 'MX'),
    description: 'Form of address.',
  },
  'customer.language': {
    ...ofCustomers,
    format: language2,
    example: 'EN',
    description: 'Language of the shopper.',
  },
  'customer.category': {
    ...ofCustomers,
    format: noted('INDIVIDUAL or COMPANY', oneOf('INDIVIDUAL', 'COMPANY')),
    description: 'Whether the customer is a person or a company.',
  },
  'customer.browserFingerprint.id': {
    ...ofCustomers,
    format: noted('len 1-255', text({ min: 1, max: 255 })),
    cardNumbers: 'refused',
    example: '7f3c9a52e8d14b06',
    description: "Id of the fingerprint of the shopper's browser.",
  },
  'customer.browserFingerprint.value': {
    ...ofCustomers,
    format: noted('len 1-4096', text({ min: 1, max: 4096 })),
    cardNumbers: 'refused',
    example: '0400bpNfiPCR/AUNf94lis1ztpUkdsWQeQdL',
    description: 'The fingerprint itself.',
  },
  'customer.browser.acceptHeader': {
    ...ofCustomers,
    format: noted('len 1-2048', text({ min: 1, max: 2048 })),
    ...ofBrowsers,
    example: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    description: "The Accept header of the shopper's browser, exactly.",
  },
  'customer.browser.language': {
    ...ofCustomers,
    format: languageTag,
    ...ofBrowsers,
    example: 'en-GB',
    description:
      'Language tag of the browser, IETF BCP 47. Browsers have longer ones than the 8 characters that the interface writes, so up to 35 are taken, and `en_US` as well.',
  },
  'customer.browser.screenHeight': {
    ...ofCustomers,
    format: noted('len 1-6', digits(6)),
    ...ofBrowsers,
    example: '1080',
    description: 'Height of the screen in pixels.',
  },
  'customer.browser.screenWidth': {
    ...ofCustomers,
    format: noted('len 1-6', digits(6)),
    ...ofBrowsers,
    example: '1920',
    description: 'Width of the screen in pixels.',
  },
  'customer.browser.timezone': {
    ...ofCustomers,
    format: timezoneOffset,
    ...ofBrowsers,
    example: '-60',
    description:
      "Minutes from UTC to the browser's local time, positive where local time is behind.",
  },
  'customer.browser.userAgent': {
    ...ofCustomers,
    format: noted('len 1-2048', text({ min: 1, max: 2048 })),
    ...ofBrowsers,
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    description: "The User-Agent header of the shopper's browser, exactly.",
  },
  'customer.browser.javaEnabled': {
    ...ofCustomers,
    format: flag(),
    ...ofBrowsers,
    example: 'false',
    description: 'Whether the browser can run Java.',
  },
  'customer.browser.screenColorDepth': {
    ...ofCustomers,
    format: noted('N2, 1-2 digits', digits(2)),
    example: '24',
    description: 'Bits per pixel of the screen.',
  },
  'customer.browser.challengeWindow': {
    ...ofCustomers,
    format: digits(1),
    example: '5',
    description: 'Size of the window for a challenge, as preconfigured.',
  },
  'customer.browser.deviceId': {
    ...ofCustomers,
    format: text({ max: 32 }),
    cardNumbers: 'refused',
    example: '5e8c1f70b3a94d26',
    description: 'Id of the device that the browser runs on.',
  },
  'customer.app.deviceId': {
    ...ofCustomers,
    format: text({ max: 40 }),
    cardNumbers: 'refused',
    example: '9b1f6c3e-2d47-4a58-8e70-b6c5d4e3f201',
    description: 'Id of the mobile device.',
  },
  'customer.status': {
    ...ofShops,
    format: noted('NEW or EXISTING', oneOf('NEW', 'EXISTING')),
    description: 'Whether the customer is new to the merchant.',
  },
} as const satisfies Parameters;

/**
 * Interface 2.9: whoever the goods go to, if somebody else: as the customer, all optional, without
 * what only the payer's own device has.
 */
export const shippingCustomer = within(
  'shipping',
  without(
    customer,
    'customer.browserFingerprint.id',
    'customer.browserFingerprint.value',
    'customer.browser.deviceId',
    'customer.app.deviceId',
  ),
);
