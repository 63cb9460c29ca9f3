import { noted } from '../format.js';
import { characters, dateTime, digits, oneOf, text } from '../formats.js';
import {
  scheduleDayOfMonth,
  scheduleDayOfWeek,
  scheduleExpression,
  scheduleHour,
  scheduleMinute,
  scheduleMonth,
  scheduleSecond,
  scheduleYear,
} from '../schedule-formats.js';
import { optional, type Parameters, required } from '../parameter.js';

const ofSchedules = { kinds: ['schedule'], sensitivity: 'none', since: '0.1.0' } as const;
const ofJobs = {
  ...ofSchedules,
  requirement: optional,
  echo: true,
  kept: true,
  interface: '2.18',
  // Fields of a time stand as close to each other as the groups of a card number (D-43).
  cardNumbers: 'refused',
} as const;

/** Interface 2.18: when a scheduled payment is made, and by which account (wire contract 6). */
export const job = {
  registrationId: {
    ...ofSchedules,
    // Interface 2.1: what identifies a registration.
    format: characters(32, 'a-z A-Z 0-9', 'a-zA-Z0-9', 32),
    kinds: ['payment', 'checkout', 'widgetPayment', 'schedule'],
    requirement: required,
    requirementIn: { payment: optional, checkout: optional, widgetPayment: optional },
    echo: true,
    kept: true,
    interface: 'wire contract 6',
    example: '8ac7a4a28d1f4b6e018d20a41b7e0c94',
    description:
      'The stored account that pays; a payment with one that there is not is refused with 100.150.200. In the form of a checkout it is one that the checkout names.',
  },
  'job.name': {
    ...ofJobs,
    format: text({ max: 64 }),
    cardNumbers: 'masked',
    sensitivity: 'personal',
    example: 'Monthly subscription',
    description: 'A name for the schedule.',
  },
  'job.year': {
    ...ofJobs,
    format: scheduleYear,
    example: '2026-2030',
    description: 'Years; every one if absent.',
  },
  'job.month': {
    ...ofJobs,
    format: scheduleMonth,
    example: '1,7',
    description: 'Months; January if absent.',
  },
  'job.dayOfMonth': {
    ...ofJobs,
    format: scheduleDayOfMonth,
    example: '15',
    description: 'Days of the month; the first if absent.',
  },
  'job.dayOfWeek': {
    ...ofJobs,
    format: scheduleDayOfWeek,
    example: 'MON-FRI',
    description: 'Days of the week, 1 is Sunday.',
  },
  'job.hour': {
    ...ofJobs,
    format: scheduleHour,
    example: '0/6',
    description: 'Hours; midnight if absent.',
  },
  'job.minute': {
    ...ofJobs,
    format: scheduleMinute,
    example: '30',
    description: 'The minute; 0 if absent.',
  },
  'job.second': {
    ...ofJobs,
    format: scheduleSecond,
    example: '0',
    description: 'Seconds; 0 if absent.',
  },
  'job.startDate': {
    ...ofJobs,
    format: noted('AN19, yyyy-MM-dd HH:mm:ss', dateTime),
    example: '2026-12-01 00:00:00',
    description: 'Nothing is paid before this.',
  },
  'job.endDate': {
    ...ofJobs,
    format: noted('AN19, yyyy-MM-dd HH:mm:ss', dateTime),
    example: '2030-12-31 23:59:59',
    description: 'Nothing is paid after this.',
  },
  'job.noticeUnit': {
    ...ofJobs,
    format: oneOf('YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'),
    example: 'DAY',
    description: 'Unit of the notice.',
  },
  'job.noticeNumber': {
    ...ofJobs,
    format: digits(16),
    example: '14',
    description: 'Length of the notice in its unit.',
  },
  'job.noticeCallable': {
    ...ofJobs,
    format: noted('ANYTIME or DURATION_END', oneOf('ANYTIME', 'DURATION_END')),
    description: 'When notice can be given.',
  },
  'job.durationUnit': {
    ...ofJobs,
    format: oneOf('YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'),
    example: 'MONTH',
    description: 'Unit of the duration.',
  },
  'job.durationNumber': {
    ...ofJobs,
    format: digits(16),
    example: '12',
    description: 'Length of the duration in its unit.',
  },
  'job.expression': {
    ...ofJobs,
    format: scheduleExpression,
    example: '0 0 12 1 * ? 2030',
    description: 'A whole cron expression, in place of the single fields.',
  },
} as const satisfies Parameters;
