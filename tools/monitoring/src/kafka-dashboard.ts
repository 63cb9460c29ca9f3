import type { Dashboard } from './dashboard.js';

const HERE = 'namespace="$namespace"';
const RATE = '[$__rate_interval]';

/** How messages and events travel, and how far what is read is behind. */
export const kafkaAndProjections: Dashboard = {
  title: 'Sluice Kafka and projections',
  uid: 'sluice-kafka-and-projections',
  description: 'How commands and events travel, and how far behind the rows are that queries read.',
  rows: [
    {
      title: 'Commands',
      panels: [
        {
          title: 'Commands by what their sender learned',
          description:
            'replied is good; unanswered means no reply in time, failed, uncertain and notSent that Kafka was away.',
          unit: 'ops',
          width: 8,
          stacked: true,
          queries: [
            {
              expr: `sum by (result) (rate(sluice_commands_sent_total{${HERE}}${RATE}))`,
              legend: '{{result}}',
            },
          ],
        },
        {
          title: 'Replies awaited',
          description: 'Requests of merchants that wait for payments, by instance of edge.',
          unit: 'short',
          width: 8,
          queries: [{ expr: `sluice_replies_awaited{${HERE}}`, legend: '{{pod}}' }],
        },
        {
          title: 'Handling, p99',
          description:
            'From the arrival of a command to its reply, and of a batch of events until it is in the rows.',
          unit: 's',
          width: 8,
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (messaging_consumer_group_name, le) (rate(messaging_process_duration_seconds_bucket{${HERE}}${RATE})))`,
              legend: '{{messaging_consumer_group_name}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Kafka',
      panels: [
        {
          title: 'Consumer lag',
          description:
            'Messages that have not been dealt with, by group and topic. It comes down by itself, or somebody stands still.',
          unit: 'short',
          width: 12,
          queries: [{ expr: `sluice:consumer_lag:sum{${HERE}}`, legend: '{{group}} {{topic}}' }],
        },
        {
          title: 'Messages',
          description: 'Sent (acknowledged by the broker) and fetched, by topic.',
          unit: 'ops',
          width: 12,
          queries: [
            {
              expr: `sum by (messaging_destination_name) (rate(messaging_client_sent_messages_total{${HERE}}${RATE}))`,
              legend: 'sent {{messaging_destination_name}}',
            },
            {
              expr: `sum by (messaging_destination_name) (rate(messaging_client_consumed_messages_total{${HERE}}${RATE}))`,
              legend: 'fetched {{messaging_destination_name}}',
            },
          ],
        },
        {
          title: 'Produce requests, p99',
          description: 'How long the broker takes to keep messages safe, by who sends.',
          unit: 's',
          width: 12,
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (service, le) (rate(messaging_client_operation_duration_seconds_bucket{${HERE}, error_type=""}${RATE})))`,
              legend: '{{service}}',
            },
          ],
        },
        {
          title: 'Trouble',
          description:
            'Produce requests that failed, rounds of the relay that failed, dead letters, commands that were too old. All should be zero.',
          unit: 'ops',
          width: 12,
          queries: [
            {
              expr: `sum(rate(messaging_client_operation_duration_seconds_count{${HERE}, error_type="failed"}${RATE})) or vector(0)`,
              legend: 'failed requests',
            },
            {
              expr: `sum(rate(sluice_relay_failures_total{${HERE}}${RATE}))`,
              legend: 'failed rounds of the relay',
            },
            {
              expr: `sum by (topic) (rate(sluice_dead_letters_total{${HERE}}${RATE}))`,
              legend: 'dead letters of {{topic}}',
            },
            {
              expr: `sum(rate(sluice_commands_expired_total{${HERE}}${RATE}))`,
              legend: 'expired commands',
            },
          ],
        },
      ],
    },
    {
      title: 'Outbox',
      panels: [
        {
          title: 'Events published',
          description: 'By each relay; with two, one may have all slots.',
          unit: 'ops',
          width: 6,
          stacked: true,
          queries: [
            {
              expr: `sum by (pod) (rate(sluice_relay_published_total{${HERE}}${RATE}))`,
              legend: '{{pod}}',
            },
          ],
        },
        {
          title: 'Waiting and parked',
          description:
            'Events that wait, and those that Kafka refused permanently (with those behind).',
          unit: 'short',
          width: 6,
          queries: [
            { expr: `max(sluice_outbox_pending{${HERE}})`, legend: 'waiting' },
            { expr: `max(sluice_outbox_parked{${HERE}})`, legend: 'parked' },
          ],
        },
        {
          title: 'Oldest event that waits',
          description: 'More than 30 s: the relay stands still.',
          unit: 's',
          width: 6,
          queries: [{ expr: `max(sluice_outbox_oldest_seconds{${HERE}})`, legend: 'oldest' }],
        },
        {
          title: 'Slots held',
          description: 'Slots of the outbox that relays hold; together they should have all 16.',
          unit: 'none',
          width: 6,
          stacked: true,
          queries: [{ expr: `sum by (pod) (sluice_relay_slots_held{${HERE}})`, legend: '{{pod}}' }],
        },
      ],
    },
    {
      title: 'Projections',
      panels: [
        {
          title: 'Lag of what has arrived',
          description:
            'How old the oldest event in hand is. Events that still lie in Kafka or in the outbox are not in it.',
          unit: 's',
          width: 6,
          queries: [
            {
              expr: `max by (projection) (sluice_projection_lag_seconds{${HERE}})`,
              legend: '{{projection}}',
            },
          ],
        },
        {
          title: 'Events taken in',
          description:
            'Messages a second that reach the rows; zero with lag means that it stands still.',
          unit: 'ops',
          width: 6,
          queries: [
            {
              expr: `max by (projection) (deriv(sluice_projection_position{${HERE}}[5m]))`,
              legend: '{{projection}}',
            },
          ],
        },
        {
          title: 'Parked events',
          description: 'Events that could not be folded. Should be zero.',
          unit: 'short',
          width: 6,
          queries: [
            {
              expr: `max by (projection) (sluice_projection_parked_events{${HERE}})`,
              legend: '{{projection}}',
            },
          ],
        },
        {
          title: 'Rebuild',
          description: 'For how long new tables have been filling; zero when none are.',
          unit: 's',
          width: 6,
          queries: [
            {
              expr: `max by (projection) (sluice_projection_rebuild_seconds{${HERE}})`,
              legend: '{{projection}}',
            },
          ],
        },
      ],
    },
  ],
};
