import { collectDefaultMetrics, Gauge as NodeGauge, type Metric, Registry } from 'prom-client';
import { GaugeLook } from './gauge-look.js';
import { type DelayFigures, LoopDelay } from './loop-delay.js';
import type {
  CounterDeclaration,
  GaugeDeclaration,
  HistogramDeclaration,
  MetricDeclaration,
} from './metric-declarations.js';
import { LabelBounds, SeriesTable } from './metric-series.js';
import type {
  Counter,
  CounterSeries,
  GaugeOf,
  Histogram,
  HistogramSeries,
  Metrics,
  Readings,
} from './metrics.js';
import { failedGaugeReads } from './process-metrics.js';

/** Collections of young objects take 1 ms, of old ones 100 ms; one of a second is an incident. */
const COLLECTION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
/**
 * The library's own measure of the event loop's delay wakes a process as often at rest as under load;
 * it cannot be left out, so it looks once a day, and ours stands in its place.
 */
const NEVER_MS = 86_400_000;

const MEASURED =
  'over the looks since the last scrape: ten a second while the process works, one a second while it works for less than 50 ms a second and is late by less, when a shorter delay between two looks is not seen.';

/** Under the names that the library gives them, which dashboards know. */
const LOOP_DELAYS: Readonly<Record<keyof DelayFigures, string>> = {
  min: 'The least by which the event loop was late',
  max: 'The most by which the event loop was late',
  mean: 'The mean by which the event loop was late',
  stddev: 'The standard deviation of by how much the event loop was late',
  p50: 'By how much the event loop was late in half of the looks, at most',
  p90: 'By how much the event loop was late in nine of ten looks, at most',
  p99: 'By how much the event loop was late in 99 of 100 looks, at most',
};

/** One line of the exposition, as prom-client's registry takes it. */
interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * The registry of a process. Whatever is counted is counted in plain fields of ours, because
 * prom-client makes a text of all labels for every increment, prepared or not; its registry is
 * handed the values at a scrape and writes the format.
 */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #declared: ReadonlySet<MetricDeclaration>;
  readonly #metrics = new Map<MetricDeclaration, Exposed>();
  readonly #failedReads: CounterSeries;

  /** @param declarations all that this process may emit; other metrics are refused */
  constructor(declarations: readonly MetricDeclaration[]) {
    this.#declared = new Set([...declarations, failedGaugeReads]);
    this.#failedReads = this.counter(failedGaugeReads).of({});
  }

  /** Adds what Node.js and the operating system know of this process; once per process. */
  observeProcess(): void {
    collectDefaultMetrics({
      register: this.#registry,
      gcDurationBuckets: COLLECTION_BUCKETS,
      eventLoopMonitoringPrecision: NEVER_MS,
    });
    this.#observeLoop(new LoopDelay());
  }

  counter<Label extends string>(declaration: CounterDeclaration<Label>): Counter<Label> {
    return this.#metric(declaration, () => new ExposedCounter(declaration));
  }

  histogram<Label extends string>(declaration: HistogramDeclaration<Label>): Histogram<Label> {
    return this.#metric(declaration, () => new ExposedHistogram(declaration));
  }

  gauge<Label extends string>(
    declaration: GaugeDeclaration<Label>,
    read: () => Readings<Label>,
  ): void {
    this.#gauge(declaration, () => {
      try {
        return Promise.resolve(read());
      } catch {
        // One gauge that cannot be read must not cost the whole scrape.
        this.#failedReads.add();
        return Promise.resolve(undefined);
      }
    });
  }

  look<Found>(look: () => Promise<Found>, gauges: readonly GaugeOf<Found>[]): void {
    const shared = new GaugeLook(look, () => this.#failedReads.add());
    for (const { declaration, read } of gauges) {
      this.#gauge(declaration, async () => {
        const found = await shared.found();
        return found === undefined ? undefined : read(found);
      });
    }
  }

  /** The media type of the exposition. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything as Prometheus reads it. */
  exposition(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The first of them is asked first, and has the others say what was found with it. */
  #observeLoop(delay: LoopDelay): void {
    const gauges = new Map<keyof DelayFigures, NodeGauge>();
    const collect = (): void => {
      const figures = delay.take();
      if (figures === undefined) return;
      for (const [name, gauge] of gauges) gauge.set(figures[name]);
    };
    for (const [key, meaning] of Object.entries(LOOP_DELAYS)) {
      const name = `nodejs_eventloop_lag_${key}_seconds`;
      this.#registry.removeSingleMetric(name);
      const help = `${meaning}, ${MEASURED}`;
      const first = gauges.size === 0 ? { collect } : {};
      const gauge = new NodeGauge({ name, help, registers: [this.#registry], ...first });
      gauges.set(key as keyof DelayFigures, gauge);
    }
    delay.start();
  }

  #gauge(declaration: GaugeDeclaration, read: () => Promise<Readings<string>>): void {
    this.#metric(declaration, () => new ExposedGauge(declaration)).read = read;
  }

  #metric<Made extends Exposed>(declaration: MetricDeclaration, make: () => Made): Made {
    const known = this.#metrics.get(declaration);
    if (known !== undefined) return known as Made;
    if (!this.#declared.has(declaration)) {
      throw new TypeError(`The metric ${declaration.name} is not declared by this service.`);
    }
    const made = make();
    this.#metrics.set(declaration, made);
    // prom-client asks a metric for nothing but its name and `get`; its types name its own classes.
    this.#registry.registerMetric(made as unknown as Metric);
    return made;
  }
}

/** What prom-client's registry sees of a metric. */
abstract class Exposed {
  readonly name: string;
  readonly #help: string;
  readonly #type: string;

  constructor({ name, meaning, type }: MetricDeclaration) {
    this.name = name;
    this.#help = meaning;
    this.#type = type;
  }

  async get(): Promise<object> {
    const { name } = this;
    const values = await this.samples();
    return { name, help: this.#help, type: this.#type, values, aggregator: 'sum' };
  }

  protected abstract samples(): readonly Sample[] | Promise<readonly Sample[]>;
}

class CountedSeries implements CounterSeries {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

class ExposedCounter<Label extends string> extends Exposed implements Counter<Label> {
  readonly #table: SeriesTable<CountedSeries>;

  constructor(declaration: CounterDeclaration<Label>) {
    super(declaration);
    this.#table = new SeriesTable(declaration, () => new CountedSeries());
  }

  add(labels: Readonly<Record<Label, string>>, amount = 1): void {
    this.#table.of(labels).value += amount;
  }

  of(labels: Readonly<Record<Label, string>>): CounterSeries {
    return this.#table.of(labels);
  }

  protected override samples(): readonly Sample[] {
    return this.#table.all.map(({ labels, series: { value } }) => ({ labels, value }));
  }
}

class ObservedSeries implements HistogramSeries {
  /** How many fell into each bucket, the last one without a bound. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] ?? Infinity)) index += 1;
    counts[index] = (counts[index] ?? 0) + 1;
    this.sum += value;
  }
}

class ExposedHistogram<Label extends string> extends Exposed implements Histogram<Label> {
  readonly #table: SeriesTable<ObservedSeries>;
  readonly #bounds: readonly number[];

  constructor(declaration: HistogramDeclaration<Label>) {
    super(declaration);
    this.#bounds = declaration.buckets;
    this.#table = new SeriesTable(declaration, () => new ObservedSeries(declaration.buckets));
  }

  observe(labels: Readonly<Record<Label, string>>, value: number): void {
    this.#table.of(labels).observe(value);
  }

  of(labels: Readonly<Record<Label, string>>): HistogramSeries {
    return this.#table.of(labels);
  }

  protected override samples(): readonly Sample[] {
    return this.#table.all.flatMap(({ labels, series }) => this.#samplesOf(labels, series));
  }

  #samplesOf(labels: Sample['labels'], { counts, sum }: ObservedSeries): readonly Sample[] {
    let count = 0;
    const buckets = [...this.#bounds, '+Inf'].map((le, index) => {
      count += counts[index] ?? 0;
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}

class ExposedGauge extends Exposed {
  read: () => Promise<Readings<string>> = () => Promise.resolve(undefined);
  readonly #bounds: LabelBounds;

  constructor(declaration: GaugeDeclaration) {
    super(declaration);
    this.#bounds = new LabelBounds(declaration);
  }

  protected override async samples(): Promise<readonly Sample[]> {
    const readings = await this.read();
    if (readings === undefined) return [];
    if (typeof readings === 'number') return [{ labels: {}, value: readings }];
    return this.#together(readings);
  }

  /** Values of labels that are `other` are one series, so they are added up. */
  #together(readings: readonly { labels: Sample['labels']; value: number }[]): readonly Sample[] {
    const samples = new Map<string, { labels: Sample['labels']; value: number }>();
    for (const { labels, value } of readings) {
      const bounded = this.#bounds.bounded(labels as Readonly<Record<string, string>>);
      const key = Object.values(bounded).join('\n');
      const known = samples.get(key);
      if (known === undefined) samples.set(key, { labels: bounded, value });
      else known.value += value;
    }
    return [...samples.values()];
  }
}
