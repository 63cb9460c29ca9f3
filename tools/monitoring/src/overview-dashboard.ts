import type { Dashboard } from './dashboard.js';
import { riskRow } from './risk-row.js';
import { scheduleRow } from './schedule-row.js';
import { webhooksRow } from './webhooks-row.js';

const HERE = 'namespace="$namespace"';
const RATE = '[$__rate_interval]';
const EDGE = `${HERE}, service="edge"`;
const requests = `sum(rate(http_server_request_duration_seconds_count{${EDGE}}${RATE}))`;

/** Whether merchants are served, and what stands in the way. */
export const overview: Dashboard = {
  title: 'Sluice overview',
  uid: 'sluice-overview',
  description: 'Whether merchants are served, and what stands in the way when they are not.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Payments',
          description: 'Recorded outcomes a second, over all instances of payments.',
          unit: 'ops',
          width: 4,
          stat: {},
          queries: [{ expr: `sum(rate(sluice_payments_total{${HERE}}[5m]))`, legend: 'payments' }],
        },
        {
          title: 'Approval rate',
          description:
            'Approved of decided PA and DB, 15 minutes. Compare with the hours before, below: what is normal depends on the merchants.',
          unit: 'percentunit',
          width: 4,
          stat: { thresholds: [0.7, 0.4], falling: true },
          queries: [
            {
              expr: `sum(sluice:payments_approved:increase15m{${HERE}}) / sum(sluice:payments_decided:increase15m{${HERE}})`,
              legend: 'approved',
            },
          ],
        },
        {
          title: '5xx',
          description:
            'Share of answers to merchants that are 5xx, 5 minutes. More than 1 % calls somebody.',
          unit: 'percentunit',
          width: 4,
          stat: { thresholds: [0.001, 0.01] },
          queries: [
            {
              expr: `sum(sluice:edge_errors:rate5m{${HERE}}) / sum(sluice:edge_requests:rate5m{${HERE}})`,
              legend: '5xx',
            },
          ],
        },
        {
          title: 'Without final outcome',
          description:
            'Payments under way, pending or unknown. Under load some are always under way; it must come down again.',
          unit: 'short',
          width: 4,
          stat: { thresholds: [50, 100] },
          queries: [{ expr: `max(sluice_unknown_open{${HERE}})`, legend: 'open' }],
        },
        {
          title: 'Oldest unpublished event',
          description:
            'How long an event has waited in the outbox. More than 30 s: the relay stands still.',
          unit: 's',
          width: 4,
          stat: { thresholds: [5, 30] },
          queries: [{ expr: `max(sluice_outbox_oldest_seconds{${HERE}})`, legend: 'oldest' }],
        },
        {
          title: 'Alerts',
          description: 'Alerts of Sluice that fire. Each has a page of docs/runbooks.',
          unit: 'short',
          width: 4,
          stat: { thresholds: [1, 2] },
          queries: [
            {
              expr: 'count(ALERTS{alertname=~"Sluice.+", alertstate="firing"}) or vector(0)',
              legend: 'firing',
            },
          ],
        },
      ],
    },
    {
      title: 'Payments',
      panels: [
        {
          title: 'Payments by result group',
          description:
            'Recorded outcomes a second by the group of their result code (docs/reference/result-codes.md).',
          unit: 'ops',
          width: 12,
          stacked: true,
          queries: [
            {
              expr: `sum by (result_group) (rate(sluice_payments_total{${HERE}}${RATE}))`,
              legend: '{{result_group}}',
            },
          ],
        },
        {
          title: 'Approval rate by connector',
          description:
            'Approved of decided PA and DB: the last 15 minutes and the six hours before. A fifth less than before calls somebody.',
          unit: 'percentunit',
          width: 12,
          max: 1,
          queries: [
            { expr: `sluice:approval:ratio15m{${HERE}}`, legend: '{{connector}}' },
            {
              expr: `sluice:approval:ratio6h{${HERE}}`,
              legend: '{{connector}}, 6 h before',
              isEmpty: 'in the first quarter of an hour',
            },
          ],
        },
        {
          title: 'Duration of payments, p50, p95, p99',
          description:
            'From the first step of a command to its reply, calls included; p99 < 50 ms is what Sluice adds at most to an acquirer that answers at once.',
          unit: 's',
          width: 12,
          queries: [0.5, 0.95, 0.99].map((quantile) => ({
            expr: `histogram_quantile(${quantile}, sum by (le) (rate(sluice_payment_duration_seconds_bucket{${HERE}, stage="total"}${RATE})))`,
            legend: `p${String(quantile * 100)}`,
          })),
        },
        {
          title: 'p99 by stage',
          description:
            'Where the time goes: accept and record are PostgreSQL, reveal is the vault, connector is the acquirer.',
          unit: 's',
          width: 12,
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (stage, le) (rate(sluice_payment_duration_seconds_bucket{${HERE}, stage!="total"}${RATE})))`,
              legend: '{{stage}}',
            },
          ],
        },
        {
          title: 'p50 and p95 by stage',
          description: 'The same for the usual payment and the slower one in twenty.',
          unit: 's',
          width: 12,
          queries: [0.5, 0.95].map((quantile) => ({
            expr: `histogram_quantile(${quantile}, sum by (stage, le) (rate(sluice_payment_duration_seconds_bucket{${HERE}, stage!="total"}${RATE})))`,
            legend: `p${String(quantile * 100)} {{stage}}`,
          })),
        },
        {
          title: 'Calls to connectors by outcome',
          description:
            'What acquirers answered. unknown, unavailable and failed are calls whose outcome has to be inquired.',
          unit: 'ops',
          width: 12,
          stacked: true,
          queries: [
            {
              expr: `sum by (connector, operation, outcome) (rate(sluice_connector_call_duration_seconds_count{${HERE}}${RATE}))`,
              legend: '{{connector}} {{operation}} {{outcome}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Merchants',
      panels: [
        {
          title: 'Requests by status',
          description: 'What edge answered, a second. 4xx are mistakes of merchants, 5xx are ours.',
          unit: 'reqps',
          width: 8,
          stacked: true,
          queries: [
            {
              expr: `sum by (http_response_status_code) (rate(http_server_request_duration_seconds_count{${EDGE}}${RATE}))`,
              legend: '{{http_response_status_code}}',
            },
          ],
        },
        {
          title: 'p99 by route',
          description: 'How long merchants wait, by what they ask for.',
          unit: 's',
          width: 8,
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (http_route, le) (rate(http_server_request_duration_seconds_bucket{${EDGE}}${RATE})))`,
              legend: '{{http_route}}',
            },
          ],
        },
        {
          title: 'Refused',
          description:
            'Share of requests over the rate limit of their access token, and of commands that had no reply in time.',
          unit: 'percentunit',
          width: 8,
          queries: [
            {
              expr: `sum(rate(sluice_rate_limited_total{${HERE}}${RATE})) / ${requests}`,
              legend: 'rate limited',
            },
            {
              expr: `sum(rate(sluice_commands_sent_total{${HERE}, result!="replied"}${RATE})) / sum(rate(sluice_commands_sent_total{${HERE}}${RATE}))`,
              legend: 'commands without reply',
            },
          ],
        },
      ],
    },
    {
      title: 'Registrations',
      panels: [
        {
          title: 'Requests about registrations',
          description:
            'Stored, changed, extended and deleted a second, by what came of it. notPerformed: the vault had nothing to keep any more.',
          unit: 'ops',
          width: 8,
          stacked: true,
          queries: [
            {
              expr: `sum by (operation, outcome) (rate(sluice_registrations_total{${HERE}}${RATE}))`,
              legend: '{{operation}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Duration of requests about registrations, p50, p99',
          description: 'accept: decided and recorded. total: until the vault has done its part.',
          unit: 's',
          width: 8,
          queries: [0.5, 0.99].map((quantile) => ({
            expr: `histogram_quantile(${quantile}, sum by (stage, le) (rate(sluice_registration_duration_seconds_bucket{${HERE}}${RATE})))`,
            legend: `p${String(quantile * 100)} {{stage}}`,
          })),
        },
        {
          title: 'Details to be kept or forgotten',
          description:
            'Registrations that the sweeper should have dealt with by now; more than none for minutes calls somebody.',
          unit: 'short',
          width: 8,
          queries: [{ expr: `max(sluice_registrations_due{${HERE}})`, legend: 'due' }],
        },
        {
          title: 'What the vault did',
          description:
            'Account data a second: held for a payment, kept for a registration, revealed, forgotten.',
          unit: 'ops',
          width: 12,
          queries: [
            {
              expr: `sum by (action) (rate(sluice_vault_cards_total{${HERE}}${RATE}))`,
              legend: '{{action}}',
            },
          ],
        },
        {
          title: 'Tokens of wallets',
          description:
            'A second, by wallet and what became of them. Many unknownKey or wrongChain: a key here is older than the wallet has.',
          unit: 'ops',
          width: 12,
          queries: [
            {
              expr: `sum by (wallet, outcome) (rate(sluice_vault_tokens_total{${HERE}}${RATE}))`,
              legend: '{{wallet}} {{outcome}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Checkouts',
      panels: [
        {
          title: 'Checkouts made',
          description: 'A second, by what they are for.',
          unit: 'ops',
          width: 6,
          queries: [
            {
              expr: `sum by (purpose) (rate(sluice_checkouts_total{${HERE}}${RATE}))`,
              legend: '{{purpose}}',
            },
          ],
        },
        {
          title: 'How far the sweeper of checkouts is behind',
          description:
            'How long the oldest checkout has been due. A call after 29 minutes that is a minute late is never made; calls somebody from 15 s on.',
          unit: 's',
          width: 6,
          queries: [
            { expr: `max(sluice_checkouts_due_oldest_seconds{${HERE}})`, legend: 'oldest' },
          ],
        },
        {
          title: 'Checkouts that are due',
          description: 'Those that the sweeper should have looked at by now.',
          unit: 'short',
          width: 6,
          queries: [{ expr: `max(sluice_checkouts_due{${HERE}})`, legend: 'due' }],
        },
      ],
    },
    riskRow,
    scheduleRow,
    webhooksRow,
    {
      title: 'Behind the scenes',
      panels: [
        {
          title: 'Recovery',
          description:
            'Payments without final outcome, and those of them that the sweeper should have looked at by now.',
          unit: 'short',
          width: 6,
          queries: [
            { expr: `max(sluice_unknown_open{${HERE}})`, legend: 'open' },
            { expr: `max(sluice_inquiry_backlog{${HERE}})`, legend: 'due' },
          ],
        },
        {
          title: 'Outbox',
          description:
            'Events that are recorded and not published yet, and those that Kafka refused.',
          unit: 'short',
          width: 6,
          queries: [
            { expr: `max(sluice_outbox_pending{${HERE}})`, legend: 'waiting' },
            { expr: `max(sluice_outbox_parked{${HERE}})`, legend: 'parked' },
          ],
        },
        {
          title: 'Lag',
          description: 'Messages that consumers have not dealt with, by topic.',
          unit: 'short',
          width: 6,
          queries: [
            {
              expr: `sum by (group, topic) (sluice_kafka_consumer_lag{${HERE}})`,
              legend: '{{group}} {{topic}}',
            },
          ],
        },
        {
          title: 'Instances',
          description: 'Instances of each service that answer Prometheus.',
          unit: 'none',
          width: 6,
          queries: [
            { expr: `count by (service) (sluice_build_info{${HERE}})`, legend: '{{service}}' },
          ],
        },
        {
          title: 'Files for the bank',
          description:
            'Direct debits and credits: what is stuck, and what the bank says of orders, by what followed.',
          unit: 'short',
          width: 6,
          queries: [
            { expr: `max(sluice_bank_files_unwritten{${HERE}})`, legend: 'files not written' },
            {
              expr: `max(sluice_bank_returns_unreported{${HERE}})`,
              legend: 'returns not recorded',
            },
            {
              expr: `sum by (outcome) (increase(sluice_bank_file_entries_total{${HERE}}[1h]))`,
              legend: '{{outcome}}',
            },
          ],
        },
      ],
    },
  ],
};
