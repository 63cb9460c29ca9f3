import { chargebackCode } from '../formats.js';
import { optional, type Parameters } from '../parameter.js';

/** Interface 2.18: chargebacks that the merchant reports. */
export const chargeback = {
  chargebackResultCode: {
    format: chargebackCode,
    requirement: optional,
    kinds: ['chargeback'],
    sensitivity: 'none',
    echo: false,
    kept: false,
    example: '000.100.203',
    description: 'The reason as the acquirer gave it; 000.100.200 if absent.',
    interface: '2.18',
    since: '0.1.0',
  },
} as const satisfies Parameters;
