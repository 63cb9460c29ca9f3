import { noted } from '../format.js';
import { date, dateTime, flag, integer, someOf, text } from '../formats.js';
import { optional, type Parameters, required } from '../parameter.js';

const ofQueries = {
  kinds: ['query'],
  requirement: optional,
  sensitivity: 'none',
  echo: false,
  kept: false,
  interface: '2.19',
  since: '0.1.0',
} as const;

/** Interface 2.19: reports have whole days, and need both. */
const ofReportsToo = {
  kinds: ['query', 'report'],
  formatIn: { report: date },
  requirementIn: { report: required },
} as const;

/** Entries in one answer (Interface 8). */
const LIMIT_LEAST = 100;
/** No switch allows more. */
export const LIMIT_MOST = 500;
/** The page that 50,000 transactions end with, at the smallest limit. */
const PAGE_MOST = 500;

/** Interface 2.19: what queries take, beside `merchantTransactionId`. */
export const query = {
  limit: {
    ...ofQueries,
    format: noted('number 100 to 500', integer(3, LIMIT_LEAST, LIMIT_MOST)),
    example: '100',
    description:
      'How many transactions an answer has at most, linked ones included; 100 if absent.',
  },
  'date.from': {
    ...ofQueries,
    ...ofReportsToo,
    format: dateTime,
    example: '2026-11-01 00:00:00',
    description: 'The start of the time frame, in UTC; together with `date.to`.',
  },
  'date.to': {
    ...ofQueries,
    ...ofReportsToo,
    format: dateTime,
    example: '2026-12-01 00:00:00',
    description: 'The end of the time frame, in UTC, which is not part of it.',
  },
  paymentTypes: {
    ...ofQueries,
    format: someOf(
      ...['CB', 'CD', 'CR', 'DB', 'CP', 'IV', 'PA', 'RB', 'RC', 'RF', 'RL', 'RV', 'AD', 'IN'],
      ...['FI', 'CL', 'CF', 'DR', 'RG', 'RR', 'TE', 'CT', 'DS', 'RS', 'SD', 'AC', 'MD', 'EA'],
      ...['RI', '3D', 'SA', 'EN', 'ID', 'IC', 'DP', 'CG', 'TG', 'SF', 'IS', 'VD', 'DV', 'AF'],
      ...['GK', 'RD', 'TM', 'FT', 'KT', 'AR', 'AL', 'PL', 'FN', 'FZ', 'RE', 'RX', 'FO', 'CS'],
      ...['EX', 'SE', 'AU', 'TK', 'TF', 'ER'],
    ),
    example: 'DB,CP,RF',
    description:
      'Only transactions of these types; linked ones come along whatever their type, but not by id.',
  },
  paymentMethods: {
    ...ofQueries,
    format: someOf(
      ...['DD', 'CT', 'CC', 'WA', 'VA', 'UA', 'OT', 'DC', 'ET', 'NT', 'IV', 'PP', 'OD', 'RM'],
    ),
    example: 'CC',
    description: 'Only transactions by these methods; CC is the card.',
  },
  includeLinkedTransactions: {
    ...ofQueries,
    format: flag(),
    description:
      'Whether the other transactions of the same payments come along, and what registrations and payments have to do with each other; they follow those looked for.',
  },
  shortId: {
    ...ofQueries,
    format: text({ max: 14 }),
    example: '4931.8263.0471',
    description: 'Only the transaction with these digits, as its descriptor shows them.',
  },
  pageNo: {
    ...ofQueries,
    kinds: ['query', 'report'],
    format: integer(3, 1, PAGE_MOST),
    interface: 'wire contract 6',
    example: '2',
    description: 'Which page of the answer; 1 if absent.',
  },
} as const satisfies Parameters;
