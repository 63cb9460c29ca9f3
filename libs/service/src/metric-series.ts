import { type MetricDeclaration, OTHER } from './metric-declarations.js';

/**
 * A metric with more is a mistake in its declaration; what comes later is counted together. At
 * 17 numbers each this is half a megabyte for a histogram.
 */
export const SERIES_MAX = 4_000;

/** One combination of label values, with what is counted for it. */
export interface LabelledSeries<Series> {
  readonly labels: Readonly<Record<string, string>>;
  readonly series: Series;
}

type Branch<Series> = Map<string, Branch<Series> | Series>;

/**
 * The series of one metric, found by their label values without making a text of them: a payment
 * looks up a dozen. Values that are not listed become `other` before they are remembered.
 */
export class SeriesTable<Series extends object> {
  readonly all: LabelledSeries<Series>[] = [];
  readonly #names: readonly string[];
  readonly #allowed: ReadonlyMap<string, (value: string) => boolean>;
  readonly #root: Branch<Series> = new Map();
  #only: Series | undefined;

  constructor(
    { labels }: Pick<MetricDeclaration, 'labels'>,
    private readonly make: () => Series,
  ) {
    this.#names = Object.keys(labels);
    this.#allowed = new Map(
      Object.entries(labels).map(([name, values]) => [name, allowance(values)]),
    );
    // Without labels there is one series, and it begins at once: at 0.
    if (this.#names.length === 0) this.#only = this.#added({});
  }

  /** The series of these values. */
  of(labels: Readonly<Record<string, string>>): Series {
    if (this.#only !== undefined) return this.#only;
    let place: Branch<Series> | Series | undefined = this.#root;
    for (const name of this.#names) {
      place = (place as Branch<Series>).get(labels[name] ?? '');
      if (place === undefined) return this.#bounded(labels);
    }
    return place as Series;
  }

  /** The slow way, once for every new series and each time for what is `other`. */
  #bounded(labels: Readonly<Record<string, string>>): Series {
    const values = this.#names.map((name) => {
      const value = labels[name] ?? '';
      return this.#allowed.get(name)?.(value) === true ? value : OTHER;
    });
    return this.#find(values) ?? this.#add(values);
  }

  #find(values: readonly string[]): Series | undefined {
    let place: Branch<Series> | Series | undefined = this.#root;
    for (const value of values) {
      if (place === undefined) return undefined;
      place = (place as Branch<Series>).get(value);
    }
    return place as Series | undefined;
  }

  #add(values: readonly string[]): Series {
    const others = values.map(() => OTHER);
    if (this.all.length >= SERIES_MAX) {
      const rest = this.#find(others);
      if (rest !== undefined) return rest;
    }
    const kept = this.all.length >= SERIES_MAX ? others : values;
    let branch = this.#root;
    for (const value of kept.slice(0, -1)) {
      let next = branch.get(value) as Branch<Series> | undefined;
      if (next === undefined) branch.set(value, (next = new Map()));
      branch = next;
    }
    const series = this.#added(
      Object.fromEntries(this.#names.map((name, index) => [name, kept[index] ?? OTHER])),
    );
    branch.set(kept.at(-1) ?? OTHER, series);
    return series;
  }

  #added(labels: Readonly<Record<string, string>>): Series {
    const series = this.make();
    this.all.push({ labels, series });
    return series;
  }
}

/** Whether a value keeps its name. */
function allowance(values: MetricDeclaration['labels'][string]): (value: string) => boolean {
  if (!('atMost' in values)) {
    const listed = new Set(values);
    return (value) => listed.has(value);
  }
  const seen = new Set<string>();
  return (value) => {
    if (value === '') return false;
    if (seen.size < values.atMost) seen.add(value);
    return seen.has(value);
  };
}

/** The label values of a reading, those that are not listed as `other`. */
export class LabelBounds {
  readonly #allowed: readonly (readonly [string, (value: string) => boolean])[];

  constructor({ labels }: Pick<MetricDeclaration, 'labels'>) {
    this.#allowed = Object.entries(labels).map(([name, values]) => [name, allowance(values)]);
  }

  /** The same labels, none missing and none unbounded. */
  bounded(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.#allowed.map(([name, allows]) => {
        const value = labels[name] ?? '';
        return [name, allows(value) ? value : OTHER];
      }),
    );
  }
}
