import { type AlertCase, series, warning } from './alert-case.js';

const ofWebhooks = (name: string, labels: Readonly<Record<string, string>> = {}): string =>
  series(name, { service: 'webhooks', pod: 'webhooks-0', ...labels });
const attempts = (outcome: string): string =>
  ofWebhooks('sluice_webhook_attempts_total', { outcome });

/** Those about notifications. */
export const webhookAlertCases: readonly AlertCase[] = [
  {
    ...{ alert: 'SluiceWebhooksDue', because: 'nobody tells what is due' },
    ...{ at: '15m', fires: [warning] },
    series: { [ofWebhooks('sluice_webhook_due_oldest_seconds')]: '0+15x80' },
  },
  {
    ...{
      alert: 'SluiceWebhooksDue',
      because: 'receivers are away, and what waits for them is not due',
    },
    ...{ at: '30m', fires: [] },
    series: {
      [ofWebhooks('sluice_webhook_due_oldest_seconds')]: '1x160',
      [ofWebhooks('sluice_webhook_backlog')]: '9000x160',
    },
  },
  {
    ...{ alert: 'SluiceWebhooksRefused', because: 'nothing leaves the installation' },
    ...{ at: '90m', fires: [warning] },
    series: { [attempts('notReachable')]: '0+5x400', [attempts('acknowledged')]: '0x400' },
  },
  {
    ...{ alert: 'SluiceWebhooksRefused', because: 'some receivers are away' },
    ...{ at: '90m', fires: [] },
    series: { [attempts('refused')]: '0+5x400', [attempts('acknowledged')]: '0+5x400' },
  },
  {
    ...{ alert: 'SluiceWebhookMailsUnsent', because: 'the relay takes no mails' },
    ...{ at: '60m', fires: [warning] },
    series: { [ofWebhooks('sluice_webhook_mails_oldest_seconds')]: '0+30x400' },
  },
  {
    ...{ alert: 'SluiceWebhookMailsUnsent', because: 'the relay was away for some minutes' },
    ...{ at: '60m', fires: [] },
    series: { [ofWebhooks('sluice_webhook_mails_oldest_seconds')]: '0+30x40 0x340' },
  },
];
