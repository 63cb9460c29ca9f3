import { type AlertCase, critical, series, warning } from './alert-case.js';

const checkoutsDue = (name: string): string =>
  series(name, { service: 'checkouts', pod: 'checkouts-0' });
const reversals = (outcome: string): string =>
  series('sluice_checkout_reversals_total', { service: 'checkouts', pod: 'checkouts-0', outcome });

/** Those about checkouts. */
export const checkoutAlertCases: readonly AlertCase[] = [
  {
    ...{ alert: 'SluiceCheckoutsDue', because: 'pages of results are not called in time' },
    ...{ at: '10m', fires: [critical] },
    series: { [checkoutsDue('sluice_checkouts_due_oldest_seconds')]: '0+15x40' },
  },
  {
    ...{ alert: 'SluiceCheckoutsDue', because: 'many are due, and are looked at' },
    ...{ at: '15m', fires: [] },
    series: {
      [checkoutsDue('sluice_checkouts_due_oldest_seconds')]: '2x40',
      [checkoutsDue('sluice_checkouts_due')]: '3000x40',
    },
  },
  {
    ...{ alert: 'SluiceCheckoutUnreversed', because: 'the acquirer refuses every reversal' },
    ...{ at: '40m', fires: [warning] },
    series: { [reversals('failed')]: '0+1x100', [reversals('gaveUp')]: '0x20 1x100' },
  },
  {
    ...{ alert: 'SluiceCheckoutUnreversed', because: 'the acquirer is away for a while' },
    ...{ at: '40m', fires: [] },
    series: { [reversals('failed')]: '0+1x100', [reversals('reversed')]: '0x20 1x100' },
  },
];
