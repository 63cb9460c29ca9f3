import type { Dashboard } from './dashboard.js';

const HERE = 'namespace="$namespace"';
const RATE = '[$__rate_interval]';

/** The row of the overview about rules of risk, reviews and authentications. */
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
    {
      title: 'Authentications of shoppers',
      description:
        'A second, by what the issuer said (3-D Secure); none: nothing, or the shopper has left.',
      unit: 'ops',
      width: 6,
      queries: [
        {
          expr: `sum by (status) (rate(sluice_risk_authentications_total{${HERE}}${RATE}))`,
          legend: '{{status}}',
        },
      ],
    },
    {
      title: 'Directory servers',
      description:
        'Requests a second, by network, that were not answered or not as they have to be.',
      unit: 'ops',
      width: 6,
      queries: [
        {
          expr: `sum by (network, outcome) (rate(sluice_risk_directory_requests_total{${HERE},outcome!="answered"}${RATE}))`,
          legend: '{{network}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Age of card ranges',
      description: 'Of the oldest. They are asked for once a day; tells somebody after two.',
      unit: 's',
      width: 6,
      queries: [{ expr: `max(sluice_risk_card_ranges_age_seconds{${HERE}})`, legend: 'oldest' }],
    },
    {
      title: 'Results that were refused',
      description: 'A second: of no authentication, of another one, or malformed (RReq).',
      unit: 'ops',
      width: 6,
      queries: [
        { expr: `sum(rate(sluice_risk_results_refused_total{${HERE}}${RATE}))`, legend: 'refused' },
      ],
    },
  ],
};
