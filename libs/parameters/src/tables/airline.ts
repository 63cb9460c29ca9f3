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
    example: '48.30',
    description: 'Tax in all.',
  },
  'airline.totalFeesAmount': {
    ...ofAirlines,
    format: amount,
    example: '12.00',
    description: 'Fees in all.',
  },
  'airline.totalFareAmount': {
    ...ofAirlines,
    format: amount,
    example: '189.00',
    description: 'Fare in all.',
  },
  'airline.ticketIssueDate': {
    ...ofAirlines,
    format: date,
    example: '2026-11-02',
    description: 'The day on which the ticket was issued.',
  },
  'airline.ticketIssueAddress': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'Willy-Brandt-Platz 1, Berlin',
    description: 'Where the ticket was issued.',
  },
  'airline.thirdPartyBooking': {
    ...ofAirlines,
    format: text({ max: 255 }),
    example: 'N',
    description: 'Whether somebody other than the passenger booked.',
  },
  'airline.bookingtype': {
    ...ofAirlines,
    format: text({ max: 255 }),
    example: 'ONLINE',
    description: 'Kind of booking.',
  },
  'airline.ticketDeliveryMethod': {
    ...ofAirlines,
    format: text({ max: 255 }),
    example: 'ELECTRONIC',
    description: 'How the ticket is delivered.',
  },
  'airline.bookingRefNum': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'K4XQ7P',
    description: 'Number of the booking.',
  },
  'airline.agentName': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'Example Travel',
    description: 'Name of the travel agent.',
  },
  'airline.agentCode': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '23212345',
    description: 'Code of the travel agent.',
  },
  'airline.passengers[n].type': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'ADULT',
    description: 'Kind of passenger.',
  },
  'airline.passengers[n].name': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'Jane Jones',
    description: 'Name of the passenger.',
  },
  'airline.passengers[n].ticketRestricted': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'Y',
    description: 'Whether the ticket is restricted.',
  },
  'airline.passengers[n].ticketNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '2202412345678',
    description: 'Number of the ticket.',
  },
  'airline.passengers[n].status': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'GOLD',
    description: 'Status of the passenger.',
  },
  'airline.passengers[n].phone': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '+49 151 23456789',
    description: 'Telephone number of the passenger.',
  },
  'airline.passengers[n].frequentFlyerNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '992003412345678',
    description: 'Number of the frequent flyer.',
  },
  'airline.passengers[n].email': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'jane.jones@example.org',
    description: 'E-mail address of the passenger.',
  },
  'airline.passengers[n].dob': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: '1985-04-12',
    description: 'Date of birth of the passenger.',
  },
  'airline.passengers[n].checkDigit': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '4',
    description: 'Check digit of the ticket.',
  },
  'airline.passengers[n].residenceCountry': {
    ...ofPassengers,
    format: country2,
    example: 'DE',
    description: 'Country of residence, ISO 3166-1.',
  },
  'airline.passengers[n].legs[n].taxAmount': {
    ...ofPassengers,
    format: amount,
    example: '24.15',
    description: 'Tax on the leg.',
  },
  'airline.passengers[n].legs[n].feesAmount': {
    ...ofPassengers,
    format: amount,
    example: '6.00',
    description: 'Fees of the leg.',
  },
  'airline.passengers[n].legs[n].fareAmount': {
    ...ofPassengers,
    format: amount,
    example: '94.50',
    description: 'Fare of the leg.',
  },
  'airline.passengers[n].legs[n].departureTaxAmount': {
    ...ofPassengers,
    format: amount,
    example: '12.48',
    description: 'Departure tax of the leg.',
  },
  'airline.passengers[n].legs[n].departureDate': {
    ...ofPassengers,
    format: date,
    example: '2026-12-20',
    description: 'The day of departure.',
  },
  'airline.passengers[n].legs[n].arrivalDate': {
    ...ofPassengers,
    format: date,
    example: '2026-12-20',
    description: 'The day of arrival.',
  },
  'airline.passengers[n].legs[n].ticketNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '2202412345678',
    description: "Number of the leg's ticket.",
  },
  'airline.passengers[n].legs[n].stopOverAllowed': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'N',
    description: 'Whether a stop is allowed.',
  },
  'airline.passengers[n].legs[n].restrictions': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'Non-refundable',
    description: 'Restrictions of the ticket.',
  },
  'airline.passengers[n].legs[n].flightNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '2041',
    description: 'Number of the flight.',
  },
  'airline.passengers[n].legs[n].fareBasis': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'YOWDE',
    description: 'Fare basis.',
  },
  'airline.passengers[n].legs[n].exchangeTicketNum': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '2202412345601',
    description: 'Number of the ticket that this one replaces.',
  },
  'airline.passengers[n].legs[n].departureCountry': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'DE',
    description: 'Country of departure.',
  },
  'airline.passengers[n].legs[n].departureAirport': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'BER',
    description: 'Airport of departure.',
  },
  'airline.passengers[n].legs[n].airlineName': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'Example Air',
    description: 'Name of the airline.',
  },
  'airline.passengers[n].legs[n].airlineCode': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'EA',
    description: 'Code of the airline.',
  },
  'airline.passengers[n].legs[n].departureTime': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: '08:45',
    description: 'Time of departure.',
  },
  'airline.passengers[n].legs[n].arrivalCountry': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'GB',
    description: 'Country of arrival.',
  },
  'airline.passengers[n].legs[n].arrivalAirport': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'LHR',
    description: 'Airport of arrival.',
  },
  'airline.passengers[n].legs[n].arrivalTime': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: '09:40',
    description: 'Time of arrival.',
  },
  'airline.passengers[n].legs[n].couponNumber': {
    ...ofIds,
    format: text({ max: 255 }),
    example: '1',
    description: 'Number of the coupon.',
  },
  'airline.passengers[n].legs[n].classOfService': {
    ...ofPassengers,
    format: text({ max: 255 }),
    example: 'Y',
    description: 'Class of service.',
  },
  'airline.passengers[n].legs[n].carrierCode': {
    ...ofIds,
    format: text({ max: 255 }),
    example: 'EA',
    description: 'Code of the carrier.',
  },
  'airline.passengers[n].legs[n].timeToDeparture': {
    ...ofPassengers,
    format: noted('AN10, days to departure', text({ max: 10 })),
    example: '48',
    description: 'Days until departure.',
  },
} as const satisfies Parameters;
