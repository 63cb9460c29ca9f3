import { noted } from '../format.js';
import { digits, oneOf, text } from '../formats.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameters } from '../parameter.js';

/** A company that buys may be one person, who trades at home. */
const ofCompanies = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout'],
  sensitivity: 'personal',
  echo: false,
  kept: true,
  interface: '2.12',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;

/** Interface 2.12: the company that buys. */
export const corporate = {
  'corporate.name': {
    ...ofCompanies,
    format: text({ max: 30 }),
    example: 'Jones Consulting Ltd',
    description: 'Name of the company.',
  },
  'corporate.description': {
    ...ofCompanies,
    format: text({ max: 160 }),
    example: 'Management consultancy',
    description: 'What the company is or does.',
  },
  'corporate.street': {
    ...ofCompanies,
    format: text({ max: 100 }),
    example: 'Friedrichstr. 100',
    description: 'Street of the company.',
  },
  'corporate.address': {
    ...ofCompanies,
    format: text({ max: 100 }),
    example: 'Rear building',
    description: 'Second line of the address.',
  },
  'corporate.city': {
    ...ofCompanies,
    format: text({ max: 80 }),
    example: 'Berlin',
    description: 'City of the company.',
  },
  'corporate.state': {
    ...ofCompanies,
    format: text({ max: 50 }),
    example: 'BE',
    description: 'State or province.',
  },
  'corporate.postCode': {
    ...ofCompanies,
    format: text({ max: 16 }),
    example: '10117',
    description: 'Postcode of the company.',
  },
  'corporate.suite': {
    ...ofCompanies,
    format: text({ max: 30 }),
    example: 'Suite 310',
    description: 'Suite within the building.',
  },
  'corporate.postboxNumber': {
    ...ofCompanies,
    format: text({ max: 15 }),
    cardNumbers: 'refused',
    example: '104711',
    description: 'Number of the post box.',
  },
  'corporate.purchase': {
    ...ofCompanies,
    format: noted('Y or N', oneOf('Y', 'N')),
    description: 'Whether the company buys for itself.',
  },
  'corporate.phone': {
    ...ofCompanies,
    format: noted('N25, digits', digits(25)),
    cardNumbers: 'refused',
    example: '4930901820',
    description: 'Telephone number, digits only.',
  },
  'corporate.fax': {
    ...ofCompanies,
    format: noted('N25, digits', digits(25)),
    cardNumbers: 'refused',
    example: '4930901821',
    description: 'Fax number, digits only.',
  },
  'corporate.vatId': {
    ...ofCompanies,
    format: text({ max: 255 }),
    cardNumbers: 'refused',
    example: 'DE136695976',
    description: 'VAT identification number.',
  },
} as const satisfies Parameters;
