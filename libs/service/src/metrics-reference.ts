import type { LabelValues, MetricDeclaration, ServiceMetrics } from './metric-declarations.js';
import { processMetrics } from './process-metrics.js';

/** Longer lists are told by their number. */
const LISTED_MAX = 8;

/** The reference of all metrics, as Markdown. */
export function metricsReference(services: readonly ServiceMetrics[]): string {
  const rows = new Map<MetricDeclaration, string[]>();
  for (const { service, declarations } of services) {
    for (const declaration of [...processMetrics, ...declarations]) {
      rows.set(declaration, [...(rows.get(declaration) ?? []), service]);
    }
  }
  // A name with other labels in another service has a row for each.
  const lines = [...rows]
    .sort(([left], [right]) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))
    .map(([declaration, names]) =>
      rowOf(declaration, names.length === services.length ? 'all' : names.join(', ')),
    );
  return `${[...HEAD, ...lines].join('\n')}\n`;
}

const HEAD = [
  '# Metrics',
  '',
  'What `/metrics` of each management port says, made from the declarations in the code. Every process',
  "also has prom-client's default metrics: `process_…` and `nodejs_…` (CPU, memory, file descriptors,",
  'event loop delay, garbage collection).',
  '',
  'A label with a list has these values or `other`; one with "at most n" has names of our own',
  'configuration, those beyond n as `other`. No label holds ids, card data, merchant names or free text.',
  'Gauges that are read from a database or from Kafka are read at most every 5 s, wait at most 1 s, and',
  'are missing from a scrape when there is no answer (`sluice_failed_gauge_reads_total`).',
  '',
  '| name | type | labels | meaning | services |',
  '| ---- | ---- | ------ | ------- | -------- |',
];

function rowOf({ name, type, labels, meaning }: MetricDeclaration, services: string): string {
  const described = Object.entries(labels).map(
    ([label, values]) => `\`${label}\` (${valuesOf(values)})`,
  );
  return `| \`${name}\` | ${type} | ${described.join('; ')} | ${meaning} | ${services} |`;
}

function valuesOf(values: LabelValues): string {
  if ('atMost' in values) return `at most ${values.atMost}`;
  if (values.length <= LISTED_MAX) return values.join(', ');
  return `${values.slice(0, 3).join(', ')} … ${values.length} values`;
}
