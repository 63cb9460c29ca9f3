import { declarations } from '@sluice/apps';
import { type ServiceName, serviceNames } from '@sluice/contracts';
import {
  type MetricDeclaration,
  PrometheusMetrics,
  processMetrics,
  type ServiceMetrics,
} from '@sluice/service';

/** What every target has: as pod-monitor.yaml makes them, and the metric that Prometheus adds. */
const TARGET_LABELS = ['namespace', 'pod', 'service', 'job', 'instance'];
const FROM_PROMETHEUS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  ALERTS: ['alertname', 'alertstate', 'severity'],
};

const declared = await declarations();

/** What each service promises to emit; the page of all metrics is made from it. */
export const serviceMetrics = Object.fromEntries(
  serviceNames.map((name) => [name, declared[name].metrics]),
) as Readonly<Record<ServiceName, ServiceMetrics>>;

/** Every series that Prometheus can have of us, by name, with the labels it may have. */
export type KnownMetrics = ReadonlyMap<string, ReadonlySet<string>>;

/** What the services declare (the source of docs/reference/metrics.md), and Node.js' own. */
export async function knownMetrics(): Promise<KnownMetrics> {
  const known = new Map<string, Set<string>>();
  const add = (name: string, labels: readonly string[]): void => {
    const all = known.get(name) ?? new Set(TARGET_LABELS);
    for (const label of labels) all.add(label);
    known.set(name, all);
  };
  for (const declaration of allMetrics()) {
    for (const [name, more] of seriesOf(declaration)) {
      add(name, [...Object.keys(declaration.labels), ...more]);
    }
  }
  for (const [name, labels] of await processSeries()) add(name, labels);
  for (const [name, labels] of Object.entries(FROM_PROMETHEUS)) add(name, labels);
  return known;
}

function allMetrics(): readonly MetricDeclaration[] {
  const services = Object.values(serviceMetrics);
  return [...processMetrics, ...services.flatMap((service) => service.declarations)];
}

function seriesOf({ name, type }: MetricDeclaration): readonly [string, readonly string[]][] {
  if (type !== 'histogram') return [[name, []]];
  return [
    [`${name}_bucket`, ['le']],
    [`${name}_sum`, []],
    [`${name}_count`, []],
  ];
}

/** As this process itself would tell them. */
async function processSeries(): Promise<readonly [string, readonly string[]][]> {
  const metrics = new PrometheusMetrics([]);
  metrics.observeProcess();
  const text = await metrics.exposition();
  return text
    .split('\n')
    .filter((line) => line.startsWith('# TYPE '))
    .flatMap((line) => {
      const [, , name = '', type] = line.split(' ');
      return type === 'histogram'
        ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].map((one): [string, string[]] => [
            one,
            ['le', 'kind'],
          ])
        : [[name, ['version']] satisfies [string, string[]]];
    });
}
