import { noted } from '../format.js';
import { date, oneOf, text } from '../formats.js';
import { country3 } from '../registered-formats.js';
import { nationality, partyPhone, personName } from '../contact-formats.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameters } from '../parameter.js';

const ofSenders = {
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
const { cardNumbers: _, ...withoutText } = ofSenders;
const ofAccountNumbers = { ...withoutText, sensitivity: 'accountData', kept: false } as const;

/** Interface 2.13: who sends money by an account-funding payment. */
export const sender = {
  'sender.name': {
    ...ofSenders,
    format: personName(100),
    example: 'Jane Jones',
    description: 'Whole name.',
  },
  'sender.givenName': {
    ...ofSenders,
    format: personName(50),
    example: 'Jane',
    description: 'First name.',
  },
  'sender.middleName': {
    ...ofSenders,
    format: personName(50),
    example: 'Alice',
    description: 'Middle name.',
  },
  'sender.surname': {
    ...ofSenders,
    format: personName(50),
    example: 'Jones',
    description: 'Family name.',
  },
  'sender.birthDate': {
    ...ofSenders,
    format: date,
    example: '1985-04-12',
    description: 'Date of birth.',
  },
  'sender.phone': {
    ...ofSenders,
    format: partyPhone,
    cardNumbers: 'refused',
    example: '+49 30 901820',
    description: 'Telephone number.',
  },
  'sender.accountNumber': {
    ...ofAccountNumbers,
    format: text({ max: 32 }),
    example: 'DE23100000001234567890',
    description: 'Account number of the sender; may be a card number.',
  },
  'sender.street': {
    ...ofSenders,
    format: text({ max: 100 }),
    example: 'Hauptstr. 1',
    description: 'Street of the sender.',
  },
  'sender.city': {
    ...ofSenders,
    format: text({ max: 50 }),
    example: 'Berlin',
    description: 'City of the sender.',
  },
  'sender.state': {
    ...ofSenders,
    format: text({ max: 50 }),
    example: 'BE',
    description: 'State or province.',
  },
  'sender.country': {
    ...ofSenders,
    format: noted('AN3, ISO 3166-1 alpha-3', country3),
    example: 'DEU',
    description: 'Country, ISO 3166-1 alpha-3.',
  },
  'sender.postcode': {
    ...ofSenders,
    format: text({ max: 30 }),
    example: '10115',
    description: 'Postcode of the sender.',
  },
  'sender.accountNumberType': {
    ...ofSenders,
    format: oneOf('OTHER', 'RTN_AND_BANK_ACCOUNT', 'IBAN', 'IBAN_AND_BIC', 'CARD_ACCOUNT'),
    description: 'What kind of number the account number is.',
  },
  'sender.sourceOfFunds': {
    ...ofSenders,
    format: noted('N2', oneOf('01', '02', '03', '04', '05', '06', '07', '08', '09')),
    description:
      "Where the money comes from: 01 credit, 02 debit, 03 prepaid, 04 cash, 05 and 06 accounts outside the card's scheme, 07 deposit, 08 mobile money, 09 other.",
  },
  'sender.entityType': {
    ...ofSenders,
    format: text({ max: 50 }),
    example: 'INDIVIDUAL',
    description: 'What the sender is, e.g. individual or business.',
  },
  'sender.nationality': {
    ...ofSenders,
    format: nationality,
    example: 'German',
    description: 'Nationality.',
  },
  'sender.occupation': {
    ...ofSenders,
    format: text({ max: 50 }),
    example: 'Engineer',
    description: 'Occupation.',
  },
  'sender.birthCountry': {
    ...ofSenders,
    format: country3,
    example: 'DEU',
    description: 'Country of birth, ISO 3166-1 alpha-3.',
  },
  'sender.identificationType': {
    ...ofSenders,
    format: text({ max: 50 }),
    example: 'PASSPORT',
    description: 'What kind of document identifies the sender.',
  },
  'sender.identificationValue': {
    ...ofSenders,
    format: text({ max: 50 }),
    cardNumbers: 'refused',
    example: 'C01X00T47',
    description: 'The number of that document.',
  },
  'sender.identificationCountry': {
    ...ofSenders,
    format: country3,
    example: 'DEU',
    description: 'The country that issued it, ISO 3166-1 alpha-3.',
  },
} as const satisfies Parameters;
