import type {
  CounterDeclaration,
  GaugeDeclaration,
  HistogramDeclaration,
} from './metric-declarations.js';

/** A value for each label of a declaration. */
export type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** One series of a counter; it exists, at 0, from the moment it is asked for. */
export interface CounterSeries {
  add(amount?: number): void;
}

/** One series of a histogram. */
export interface HistogramSeries {
  observe(value: number): void;
}

/** Counts. What is known beforehand is prepared by `of`; `add` costs one lookup per label. */
export interface Counter<Label extends string = never> {
  add(labels: Labels<Label>, amount?: number): void;
  of(labels: Labels<Label>): CounterSeries;
}

/** Observes durations, likewise. */
export interface Histogram<Label extends string = never> {
  observe(labels: Labels<Label>, value: number): void;
  of(labels: Labels<Label>): HistogramSeries;
}

/** A value of the moment and what it belongs to. */
export interface Reading<Label extends string = never> {
  readonly labels: Labels<Label>;
  readonly value: number;
}

/** What a gauge is read as: one value where it has no labels, nothing where there is none now. */
export type Readings<Label extends string> = number | undefined | readonly Reading<Label>[];

/** A gauge that is taken from what one look has found. */
export interface GaugeOf<Found> {
  readonly declaration: GaugeDeclaration;
  readonly read: (found: Found) => Readings<string>;
}

/**
 * Where parts of a service count: a port that is handed down like the logger, so that nobody knows
 * who collects. Asked twice for a declaration it gives the same counter or histogram; a gauge's
 * second reader takes the place of the first.
 */
export interface Metrics {
  counter<Label extends string>(declaration: CounterDeclaration<Label>): Counter<Label>;
  histogram<Label extends string>(declaration: HistogramDeclaration<Label>): Histogram<Label>;
  /** `read` runs at every scrape and must be as cheap as reading a field. */
  gauge<Label extends string>(
    declaration: GaugeDeclaration<Label>,
    read: () => Readings<Label>,
  ): void;
  /**
   * Gauges for which somebody else must be asked: one look gives them all. It happens at a scrape,
   * at most once in five seconds, and a scrape does not wait for it longer than a second; what
   * fails or is late is missing from that scrape.
   */
  look<Found>(look: () => Promise<Found>, gauges: readonly GaugeOf<Found>[]): void;
}

/** A gauge of a look, with its labels checked. */
export function gaugeOf<Found, Label extends string>(
  declaration: GaugeDeclaration<Label>,
  read: (found: Found) => Readings<Label>,
): GaugeOf<Found> {
  return { declaration, read };
}

const noSeries = { add: () => undefined, observe: () => undefined };
const nothing = { ...noSeries, of: () => noSeries };

/** Counts nothing: for tests, and where nobody asks. */
export const noMetrics: Metrics = {
  counter: () => nothing,
  histogram: () => nothing,
  gauge: () => undefined,
  look: () => undefined,
};
