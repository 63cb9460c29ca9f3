import type { Dashboard } from './dashboard.js';

const HERE = 'namespace="$namespace"';
const RATE = '[$__rate_interval]';

/** The row of the overview about rules of risk and reviews. */
export const riskRow: Dashboard['rows'][number] = {
  title: 'Risk',
  panels: [
    {
      title: 'Payments that rules were applied to',
      description:
        'A second, by what the rules decided. Payments of channels without rules are not among them.',
      unit: 'ops',
      width: 6,
      queries: [
        {
          expr: `sum by (decision) (rate(sluice_risk_assessments_total{${HERE}}${RATE}))`,
          legend: '{{decision}}',
        },
      ],
    },
    {
      title: 'Payments under review',
      description: 'Those that wait for somebody. Nothing of them is captured.',
      unit: 'short',
      width: 6,
      queries: [{ expr: `max(sluice_risk_reviews_open{${HERE}})`, legend: 'waiting' }],
    },
    {
      title: 'How long reviews wait',
      description: 'The oldest of them. Tells somebody from a day on.',
      unit: 's',
      width: 6,
      queries: [{ expr: `max(sluice_risk_review_oldest_seconds{${HERE}})`, legend: 'oldest' }],
    },
    {
      title: 'Decisions that are not recorded',
      description:
        'Reviews that were decided, and that payments has not recorded yet. Tells somebody after half an hour.',
      unit: 'short',
      width: 6,
      queries: [{ expr: `max(sluice_risk_reviews_untold{${HERE}})`, legend: 'untold' }],
    },
  ],
};
