/**
 * The values a label may have: the list itself, or as many different ones as `atMost` says. The
 * second is for names of our configuration (connectors, routes), never for what a request brings.
 * Any other value is counted as `other`, so that no caller can make series (ecosystem of metrics:
 * each combination is kept for ever).
 */
export type LabelValues = readonly string[] | { readonly atMost: number };

/** The three kinds of Prometheus that are used here. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/** One metric as its service promises it: the exposition and the reference are made of this. */
export interface MetricDeclaration<
  Label extends string = string,
  Type extends MetricType = MetricType,
> {
  readonly name: string;
  readonly type: Type;
  /** One sentence for whoever builds a dashboard. */
  readonly meaning: string;
  readonly labels: Readonly<Record<Label, LabelValues>>;
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
}

/** Only grows, from the start of its process on. */
export type CounterDeclaration<Label extends string = string> = MetricDeclaration<Label, 'counter'>;
/** A value of the moment, read at the scrape. */
export type GaugeDeclaration<Label extends string = string> = MetricDeclaration<Label, 'gauge'>;
/** How often a value fell into which bucket. */
export type HistogramDeclaration<Label extends string = string> = MetricDeclaration<
  Label,
  'histogram'
> & { readonly buckets: readonly number[] };

type LabelTable<Label extends string> = Readonly<Record<Label, LabelValues>>;

/** Stands for every value that is not listed. */
export const OTHER = 'other';

/**
 * Bounds for whatever takes from 1 ms to as long as anybody waits: p99 < 50 ms is the promise, so
 * most bounds are around it; 20 s is the longest call (D-57), 30 s the longest answer (D-36).
 */
export const DURATION_BUCKETS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30,
];

/** The bounds that OpenTelemetry advises for HTTP servers, so that its dashboards fit. */
export const HTTP_DURATION_BUCKETS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** Declares a counter; its name ends in `_total`. */
export function counter<Label extends string = never>(
  name: `${string}_total`,
  meaning: string,
  labels: LabelTable<Label> = {} as LabelTable<Label>,
): CounterDeclaration<Label> {
  return { name, type: 'counter', meaning, labels };
}

/** Declares a gauge. */
export function gauge<Label extends string = never>(
  name: string,
  meaning: string,
  labels: LabelTable<Label> = {} as LabelTable<Label>,
): GaugeDeclaration<Label> {
  return { name, type: 'gauge', meaning, labels };
}

/** Declares a histogram of seconds; its name ends in `_seconds`. */
export function histogram<Label extends string = never>(
  name: `${string}_seconds`,
  meaning: string,
  labels: LabelTable<Label> = {} as LabelTable<Label>,
  buckets: readonly number[] = DURATION_BUCKETS,
): HistogramDeclaration<Label> {
  return { name, type: 'histogram', meaning, labels, buckets };
}

/** What one service promises: the list that its process is started with. */
export interface ServiceMetrics {
  readonly service: string;
  readonly declarations: readonly MetricDeclaration[];
}
