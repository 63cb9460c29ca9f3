import { noted } from '../format.js';
import { amount, date, text } from '../formats.js';
import { country2 } from '../registered-formats.js';
import { newPaymentKinds } from '../kinds.js';
import { conditional, type Parameters } from '../parameter.js';

const ofAirlines = {
  requirement: conditional('required for airline data'),
  kinds: [...newPaymentKinds, 'checkout', 'risk'],
  sensitivity: 'none',
  echo: false,
  kept: true,
  interface: '2.15',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;

/** Interface 2.15: tickets of an airline. */
export const airline = {
  'airline.totalTaxAmount': {
    ...ofAirlines,
    format: amount,
    description: 'Tax in all.',
  },
  'airline.totalFeesAmount': {
    ...ofAirlines,
    format: amount,
    description: 'Fees in all.',
  },
  'airline.totalFareAmount': {
    ...ofAirlines,
    format: amount,
    description: 'Fare in all.',
  },
  'airline.ticketIssueDate': {
    ...ofAirlines,
    format: date,
    description: 'The day on which the ticket was issued.',
  },
  'airline.ticketIssueAddress': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Where the ticket was issued.',
  },
  'airline.thirdPartyBooking': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Whether somebody else than the passenger booked.',
  },
  'airline.bookingtype': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'What kind of booking.',
  },
  'airline.ticketDeliveryMethod': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'How the ticket is delivered.',
  },
  'airline.bookingRefNum': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Number of the booking.',
  },
  'airline.agentName': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Name of the travel agent.',
  },
  'airline.agentCode': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Code of the travel agent.',
  },
  'airline.passengers[n].type': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'What kind of passenger.',
  },
  'airline.passengers[n].name': {
    ...ofAirlines,
    format: text({ max: 255 }),
    sensitivity: 'personal',
    description: 'Name of the passenger.',
  },
  'airline.passengers[n].ticketRestricted': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Whether the ticket is restricted.',
  },
  'airline.passengers[n].ticketNumber': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Number of the ticket.',
  },
  'airline.passengers[n].status': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Status of the passenger.',
  },
  'airline.passengers[n].phone': {
    ...ofAirlines,
    format: text({ max: 255 }),
    sensitivity: 'personal',
    description: 'Telephone number of the passenger.',
  },
  'airline.passengers[n].frequentFlyerNumber': {
    ...ofAirlines,
    format: text({ max: 255 }),
    sensitivity: 'personal',
    description: 'Number of the frequent flyer.',
  },
  'airline.passengers[n].email': {
    ...ofAirlines,
    format: text({ max: 255 }),
    sensitivity: 'personal',
    description: 'E-mail address of the passenger.',
  },
  'airline.passengers[n].dob': {
    ...ofAirlines,
    format: text({ max: 255 }),
    sensitivity: 'personal',
    description: 'Date of birth of the passenger.',
  },
  'airline.passengers[n].checkDigit': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Check digit of the ticket.',
  },
  'airline.passengers[n].residenceCountry': {
    ...ofAirlines,
    format: country2,
    sensitivity: 'personal',
    description: 'Country of residence, ISO 3166-1.',
  },
  'airline.passengers[n].legs[n].taxAmount': {
    ...ofAirlines,
    format: amount,
    description: 'Tax on the leg.',
  },
  'airline.passengers[n].legs[n].feesAmount': {
    ...ofAirlines,
    format: amount,
    description: 'Fees of the leg.',
  },
  'airline.passengers[n].legs[n].fareAmount': {
    ...ofAirlines,
    format: amount,
    description: 'Fare of the leg.',
  },
  'airline.passengers[n].legs[n].departureTaxAmount': {
    ...ofAirlines,
    format: amount,
    description: 'Departure tax of the leg.',
  },
  'airline.passengers[n].legs[n].departureDate': {
    ...ofAirlines,
    format: date,
    description: 'The day of departure.',
  },
  'airline.passengers[n].legs[n].arrivalDate': {
    ...ofAirlines,
    format: date,
    description: 'The day of arrival.',
  },
  'airline.passengers[n].legs[n].ticketNumber': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: "Number of the leg's ticket.",
  },
  'airline.passengers[n].legs[n].stopOverAllowed': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Whether a stop is allowed.',
  },
  'airline.passengers[n].legs[n].restrictions': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Restrictions of the ticket.',
  },
  'airline.passengers[n].legs[n].flightNumber': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Number of the flight.',
  },
  'airline.passengers[n].legs[n].fareBasis': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Fare basis.',
  },
  'airline.passengers[n].legs[n].exchangeTicketNum': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Number of the ticket that this one replaces.',
  },
  'airline.passengers[n].legs[n].departureCountry': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Country of departure.',
  },
  'airline.passengers[n].legs[n].departureAirport': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Airport of departure.',
  },
  'airline.passengers[n].legs[n].airlineName': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Name of the airline.',
  },
  'airline.passengers[n].legs[n].airlineCode': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Code of the airline.',
  },
  'airline.passengers[n].legs[n].departureTime': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Time of departure.',
  },
  'airline.passengers[n].legs[n].arrivalCountry': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Country of arrival.',
  },
  'airline.passengers[n].legs[n].arrivalAirport': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Airport of arrival.',
  },
  'airline.passengers[n].legs[n].arrivalTime': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Time of arrival.',
  },
  'airline.passengers[n].legs[n].couponNumber': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Number of the coupon.',
  },
  'airline.passengers[n].legs[n].classOfService': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Class of service.',
  },
  'airline.passengers[n].legs[n].carrierCode': {
    ...ofAirlines,
    format: text({ max: 255 }),
    description: 'Code of the carrier.',
  },
  'airline.passengers[n].legs[n].timeToDeparture': {
    ...ofAirlines,
    format: noted('AN10, days to departure', text({ max: 10 })),
    description: 'Days until departure.',
  },
} as const satisfies Parameters;
