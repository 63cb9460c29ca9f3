import type { Dashboard } from './dashboard.js';

const HERE = 'namespace="$namespace"';
const RATE = '[$__rate_interval]';

/** The row of the overview about notifications. */
export const webhooksRow: Dashboard['rows'][number] = {
  title: 'Notifications',
  panels: [
    {
      title: 'Calls of receivers',
      description: 'A second, by how they ended; all but acknowledged ones are made again.',
      unit: 'ops',
      width: 6,
      queries: [
        {
          expr: `sum by (outcome) (rate(sluice_webhook_attempts_total{${HERE}}${RATE}))`,
          legend: '{{outcome}}',
        },
      ],
    },
    {
      title: 'From the event to its first call',
      description: 'Half of them, and all but one of a hundred.',
      unit: 's',
      width: 6,
      queries: [
        {
          expr: `histogram_quantile(0.5, sum by (le) (rate(sluice_webhook_lag_seconds_bucket{${HERE}}${RATE})))`,
          legend: 'half',
        },
        {
          expr: `histogram_quantile(0.99, sum by (le) (rate(sluice_webhook_lag_seconds_bucket{${HERE}}${RATE})))`,
          legend: '99 of 100',
        },
      ],
    },
    {
      title: 'Notifications that wait',
      description:
        'Nobody has acknowledged them yet: their receivers are slow or away, or have subscriptions that are paused.',
      unit: 'short',
      width: 6,
      queries: [
        { expr: `max(sluice_webhook_backlog{${HERE}})`, legend: 'waiting' },
        { expr: `max(sluice_webhook_receivers_away{${HERE}})`, legend: 'receivers away' },
      ],
    },
    {
      title: 'How far webhooks is behind',
      description:
        'How long the first of what is due has been due. Receivers that do not answer are no part of it; tells somebody from a minute on.',
      unit: 's',
      width: 6,
      queries: [{ expr: `max(sluice_webhook_due_oldest_seconds{${HERE}})`, legend: 'oldest' }],
    },
    {
      title: 'Mails about failing receivers',
      description:
        'In an hour, by what came of handing them to the relay: failed ones are tried again for a day, and then given up.',
      unit: 'short',
      width: 6,
      queries: [
        {
          expr: `sum by (outcome) (increase(sluice_webhook_mails_total{${HERE}}[1h]))`,
          legend: '{{outcome}}',
        },
      ],
    },
    {
      title: 'Oldest mail that waits',
      description: 'For its relay; tells somebody from half an hour on.',
      unit: 's',
      width: 6,
      queries: [{ expr: `max(sluice_webhook_mails_oldest_seconds{${HERE}})`, legend: 'oldest' }],
    },
  ],
};
