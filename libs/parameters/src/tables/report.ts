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
    description: 'What a detailed settlement report is sorted by.',
  },
  sortOrder: {
    ...ofReports,
    format: oneOf('ASC', 'DESC', 'asc', 'desc'),
    description: 'Ascending or descending order.',
  },
  reconciliationType: {
    ...ofReports,
    format: oneOf('SETTLED', 'FEE', 'CHARGEBACK', 'CHARGEBACK REVERSAL'),
    interface: 'wire contract 6',
    description: 'Only records of this type.',
  },
} as const satisfies Parameters;
