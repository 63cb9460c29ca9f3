import { oneOf } from '../formats.js';
import { optional, type Parameters } from '../parameter.js';

const ofReports = {
  requirement: optional,
  kinds: ['report'],
  sensitivity: 'none',
  echo: false,
  kept: false,
  interface: '2.19',
  since: '0.1.0',
} as const;

/** Interface 2.19: what reports take, beside their time frame. */
export const report = {
  sortValue: {
    ...ofReports,
    format: oneOf('SettlementTxDate'),
    description: 'What a settlement report in detail is sorted by.',
  },
  sortOrder: {
    ...ofReports,
    format: oneOf('ASC', 'DESC', 'asc', 'desc'),
    description: 'Which end comes first.',
  },
} as const satisfies Parameters;
