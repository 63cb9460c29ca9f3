import type { Dashboard } from './dashboard.js';

const HERE = 'namespace="$namespace", service=~"$service"';
const RATE = '[$__rate_interval]';

/** What each process needs and how it feels. */
export const processes: Dashboard = {
  title: 'Sluice processes',
  uid: 'sluice-processes',
  description: 'What each process needs of the machine, its pools, and when its certificates end.',
  hasServices: true,
  rows: [
    {
      title: 'Processes',
      panels: [
        {
          title: 'Processor time',
          description:
            'Processors in use. One process of Node.js hardly uses more than 1.2 of them.',
          unit: 'short',
          width: 12,
          queries: [{ expr: `rate(process_cpu_seconds_total{${HERE}}${RATE})`, legend: '{{pod}}' }],
        },
        {
          title: 'Memory',
          description:
            'Resident memory; a pod is ended when it reaches its limit (edge 320 MiB, others 384 MiB).',
          unit: 'bytes',
          width: 12,
          queries: [{ expr: `process_resident_memory_bytes{${HERE}}`, legend: '{{pod}}' }],
        },
        {
          title: 'Event loop, p99',
          description:
            'How late the event loop is. Measured ten times a second, and once a second in a process at rest; a few ms are nothing.',
          unit: 's',
          width: 12,
          queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{${HERE}}`, legend: '{{pod}}' }],
        },
        {
          title: 'Garbage collection',
          description: 'Share of time in collections. More than 5 %: the heap is too small.',
          unit: 'percentunit',
          width: 12,
          queries: [
            {
              expr: `sum by (pod) (rate(nodejs_gc_duration_seconds_sum{${HERE}}${RATE}))`,
              legend: '{{pod}}',
            },
          ],
        },
        {
          title: 'Heap',
          description: 'Heap in use; it is a saw. A floor that rises over hours is a leak.',
          unit: 'bytes',
          width: 12,
          queries: [{ expr: `nodejs_heap_size_used_bytes{${HERE}}`, legend: '{{pod}}' }],
        },
        {
          title: 'Open files',
          description: 'File descriptors, connections included.',
          unit: 'short',
          width: 12,
          queries: [{ expr: `process_open_fds{${HERE}}`, legend: '{{pod}}' }],
        },
      ],
    },
    {
      title: 'Database and internal calls',
      panels: [
        {
          title: 'Connections to PostgreSQL',
          description:
            'Connections in use and callers that wait for one. Waiting ones for minutes call somebody.',
          unit: 'short',
          width: 12,
          queries: [
            {
              expr: `sum by (pod) (sluice_database_connections{${HERE}, state="used"})`,
              legend: 'used by {{pod}}',
            },
            { expr: `sluice_database_waiting{${HERE}}`, legend: 'waiting in {{pod}}' },
          ],
        },
        {
          title: 'Readiness',
          description: '1 while the check passes: phase (has started), database, access directory.',
          unit: 'none',
          width: 12,
          max: 1,
          queries: [
            {
              expr: `min by (pod, check) (sluice_readiness_check{${HERE}})`,
              legend: '{{pod}} {{check}}',
            },
          ],
        },
        {
          title: 'Internal calls',
          description:
            'What services ask each other. forbidden at the vault is an attempt on card data until the contrary is known.',
          unit: 'reqps',
          width: 12,
          stacked: true,
          queries: [
            {
              expr: `sum by (service, caller, result) (rate(sluice_internal_calls_total{${HERE}}${RATE}))`,
              legend: '{{caller}} to {{service}}: {{result}}',
            },
          ],
        },
        {
          title: 'Internal calls, p99',
          description: 'How long services take to answer each other.',
          unit: 's',
          width: 12,
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (service, http_route, le) (rate(http_server_request_duration_seconds_bucket{${HERE}, service!~"edge|simulator"}${RATE})))`,
              legend: '{{service}} {{http_route}}',
            },
          ],
        },
        {
          title: 'Cards in the vault',
          description:
            'What the vault did. revealedNothing means that a card had gone before it was needed: the payment is not performed.',
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
          title: 'Places in bulkheads',
          description:
            'Payments that hold a place of a connector, and how many there are in each instance.',
          unit: 'short',
          width: 12,
          queries: [
            { expr: `sluice_connector_calls_open{${HERE}}`, legend: '{{pod}} {{connector}}' },
            { expr: `max(sluice_connector_calls_max{${HERE}})`, legend: 'places' },
          ],
        },
      ],
    },
    {
      title: 'Certificates and builds',
      panels: [
        {
          title: 'Certificates end in',
          description:
            'The first that ends, by service. Less than two weeks calls somebody. Nothing without TLS.',
          unit: 's',
          width: 12,
          queries: [
            {
              expr: `min by (service, use, part) (sluice_certificate_expires_in_seconds{${HERE}})`,
              legend: '{{service}} {{use}} {{part}}',
              isEmpty: 'without TLS',
            },
          ],
        },
        {
          title: 'Versions',
          description:
            'Instances by version. Two versions stand beside each other during a rollout only.',
          unit: 'none',
          width: 12,
          queries: [
            {
              expr: `count by (service, version) (sluice_build_info{${HERE}})`,
              legend: '{{service}} {{version}}',
            },
          ],
        },
      ],
    },
  ],
};
