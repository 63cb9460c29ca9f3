import { noted } from '../format.js';
import { amount, date, text } from '../formats.js';
import { country2 } from '../registered-formats.js';
import { newPaymentKinds } from '../kinds.js';
import { conditional, type Parameters } from '../parameter.js';

const ofAirlines = {
  requirement: conditional('expected for airline data'),
  kinds: [...newPaymentKinds, 'checkout', 'risk'],
  sensitivity: 'none',
  echo: false,
  kept: true,
  interface: '2.15',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;
/** Who flies, when and where to, and whoever sold it. */
const ofPassengers = { ...ofAirlines, sensitivity: 'personal' } as const;
/** What would be another one if a digit of it were masked: numbers and codes (D-43). */
const ofIds = { ...ofPassengers, cardNumbers: 'refused' } as const;

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
    ...ofPassengers,
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
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Number of the booking.',
  },
  'airline.agentName': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Name of the travel agent.',
  },
  'airline.agentCode': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Code of the travel agent.',
  },
  'airline.passengers[n].type': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'What kind of passenger.',
  },
  'airline.passengers[n].name': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Name of the passenger.',
  },
  'airline.passengers[n].ticketRestricted': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Whether the ticket is restricted.',
  },
  'airline.passengers[n].ticketNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Number of the ticket.',
  },
  'airline.passengers[n].status': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Status of the passenger.',
  },
  'airline.passengers[n].phone': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Telephone number of the passenger.',
  },
  'airline.passengers[n].frequentFlyerNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Number of the frequent flyer.',
  },
  'airline.passengers[n].email': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'E-mail address of the passenger.',
  },
  'airline.passengers[n].dob': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Date of birth of the passenger.',
  },
  'airline.passengers[n].checkDigit': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Check digit of the ticket.',
  },
  'airline.passengers[n].residenceCountry': {
    ...ofPassengers,
    format: country2,
    description: 'Country of residence, ISO 3166-1.',
  },
  'airline.passengers[n].legs[n].taxAmount': {
    ...ofPassengers,
    format: amount,
    description: 'Tax on the leg.',
  },
  'airline.passengers[n].legs[n].feesAmount': {
    ...ofPassengers,
    format: amount,
    description: 'Fees of the leg.',
  },
  'airline.passengers[n].legs[n].fareAmount': {
    ...ofPassengers,
    format: amount,
    description: 'Fare of the leg.',
  },
  'airline.passengers[n].legs[n].departureTaxAmount': {
    ...ofPassengers,
    format: amount,
    description: 'Departure tax of the leg.',
  },
  'airline.passengers[n].legs[n].departureDate': {
    ...ofPassengers,
    format: date,
    description: 'The day of departure.',
  },
  'airline.passengers[n].legs[n].arrivalDate': {
    ...ofPassengers,
    format: date,
    description: 'The day of arrival.',
  },
  'airline.passengers[n].legs[n].ticketNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    description: "Number of the leg's ticket.",
  },
  'airline.passengers[n].legs[n].stopOverAllowed': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Whether a stop is allowed.',
  },
  'airline.passengers[n].legs[n].restrictions': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Restrictions of the ticket.',
  },
  'airline.passengers[n].legs[n].flightNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Number of the flight.',
  },
  'airline.passengers[n].legs[n].fareBasis': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Fare basis.',
  },
  'airline.passengers[n].legs[n].exchangeTicketNum': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Number of the ticket that this one replaces.',
  },
  'airline.passengers[n].legs[n].departureCountry': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Country of departure.',
  },
  'airline.passengers[n].legs[n].departureAirport': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Airport of departure.',
  },
  'airline.passengers[n].legs[n].airlineName': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Name of the airline.',
  },
  'airline.passengers[n].legs[n].airlineCode': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Code of the airline.',
  },
  'airline.passengers[n].legs[n].departureTime': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Time of departure.',
  },
  'airline.passengers[n].legs[n].arrivalCountry': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Country of arrival.',
  },
  'airline.passengers[n].legs[n].arrivalAirport': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Airport of arrival.',
  },
  'airline.passengers[n].legs[n].arrivalTime': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Time of arrival.',
  },
  'airline.passengers[n].legs[n].couponNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Number of the coupon.',
  },
  'airline.passengers[n].legs[n].classOfService': {
    ...ofPassengers,
    format: text({ max: 255 }),
    description: 'Class of service.',
  },
  'airline.passengers[n].legs[n].carrierCode': {
    ...ofIds,
    format: text({ max: 255 }),
    description: 'Code of the carrier.',
  },
  'airline.passengers[n].legs[n].timeToDeparture': {
    ...ofPassengers,
    format: noted('AN10, days to departure', text({ max: 10 })),
    description: 'Days until departure.',
  },
} as const satisfies Parameters;
