import { noted } from '../format.js';
import { date, oneOf, text } from '../formats.js';
import { country3 } from '../registered-formats.js';
import { nationality, partyPhone, personName } from '../contact-formats.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameters } from '../parameter.js';

const ofRecipients = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout'],
  sensitivity: 'personal',
  echo: false,
  kept: true,
  interface: '2.13',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;
/** An IBAN or a card number: as that of a bank account it goes through the vault alone (D-45). */
const { cardNumbers: _, ...withoutText } = ofRecipients;
const ofAccountNumbers = { ...withoutText, sensitivity: 'accountData', kept: false } as const;

/** Interface 2.13: who receives money by an account-funding or original-credit payment. */
export const recipient = {
  'recipient.givenName': {
    ...ofRecipients,
    format: personName(48),
    example: 'Juan',
    description: 'First name.',
  },
  'recipient.middleName': {
    ...ofRecipients,
    format: personName(48),
    example: 'Carlos',
    description: 'Middle name.',
  },
  'recipient.surname': {
    ...ofRecipients,
    format: personName(48),
    example: 'Pérez',
    description: 'Family name.',
  },
  'recipient.birthDate': {
    ...ofRecipients,
    format: date,
    example: '1979-11-30',
    description: 'Date of birth.',
  },
  'recipient.phone': {
    ...ofRecipients,
    format: partyPhone,
    cardNumbers: 'refused',
    example: '+57 601 3077022',
    description: 'Telephone number.',
  },
  'recipient.accountNumber': {
    ...ofAccountNumbers,
    format: text({ max: 32 }),
    example: 'CR05015202001026284066',
    description: 'Account number of the recipient; may be a card number.',
  },
  'recipient.street': {
    ...ofRecipients,
    format: text({ max: 100 }),
    example: 'Calle 26',
    description: 'Street of the recipient.',
  },
  'recipient.city': {
    ...ofRecipients,
    format: text({ max: 50 }),
    example: 'San José',
    description: 'City of the recipient.',
  },
  'recipient.state': {
    ...ofRecipients,
    format: text({ max: 50 }),
    example: 'San José',
    description: 'State or province.',
  },
  'recipient.country': {
    ...ofRecipients,
    format: noted('AN3, ISO 3166-1 alpha-3', country3),
    example: 'CRI',
    description: 'Country, ISO 3166-1 alpha-3.',
  },
  'recipient.postcode': {
    ...ofRecipients,
    format: text({ max: 30 }),
    example: '10101',
    description: 'Postcode of the recipient.',
  },
  'recipient.accountNumberType': {
    ...ofRecipients,
    format: oneOf(
      'OTHER',
      'RTN_AND_BANK_ACCOUNT',
      'IBAN',
      'PHONE_NUMBER',
      'BAN_AND_BIC',
      'WALLET_ID',
      'SOCIAL_NETWORK_ID',
    ),
    description: 'What kind of number the account number is.',
  },
  'recipient.nationality': {
    ...ofRecipients,
    format: nationality,
    example: 'Costa Rican',
    description: 'Nationality.',
  },
  'recipient.identificationType': {
    ...ofRecipients,
    format: text({ max: 50 }),
    example: 'PASSPORT',
    description: 'What kind of document identifies the recipient.',
  },
  'recipient.identificationValue': {
    ...ofRecipients,
    format: text({ max: 50 }),
    cardNumbers: 'refused',
    example: 'A12345678',
    description: 'The number of that document.',
  },
  'recipient.identificationCountry': {
    ...ofRecipients,
    format: country3,
    example: 'CRI',
    description: 'The country that issued it, ISO 3166-1 alpha-3.',
  },
  'recipient.entityType': {
    ...ofRecipients,
    format: text({ max: 50 }),
    example: 'INDIVIDUAL',
    description: 'What the recipient is, e.g. individual or business.',
  },
  'recipient.relationship': {
    ...ofRecipients,
    format: text({ max: 50 }),
    example: 'Brother',
    description: 'What the recipient is to the sender.',
  },
  'recipient.occupation': {
    ...ofRecipients,
    format: text({ max: 50 }),
    example: 'Teacher',
    description: 'Occupation.',
  },
  'recipient.birthCountry': {
    ...ofRecipients,
    format: country3,
    example: 'CRI',
    description: 'Country of birth, ISO 3166-1 alpha-3.',
  },
} as const satisfies Parameters;
