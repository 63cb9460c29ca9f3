import { describe, expect, it } from '@jest/globals';
import { counter, gauge, histogram } from './metric-declarations.js';
import { SERIES_MAX, SeriesTable } from './metric-series.js';
import { gaugeOf, noMetrics } from './metrics.js';
import { metricsReference } from './metrics-reference.js';
import { PrometheusMetrics } from './prometheus-metrics.js';

const paid = counter('test_payments_total', 'Payments.', { brand: ['VISA', 'MASTER'] });
const plain = counter('test_plain_total', 'Without labels.');
const took = histogram('test_took_seconds', 'Durations.', { stage: { atMost: 2 } }, [0.1, 1]);
const open = gauge('test_open', 'Open ones.');
const lag = gauge('test_lag', 'Lag.', { topic: ['a', 'b'] });
const declarations = [paid, plain, took, open, lag];

async function linesOf(metrics: PrometheusMetrics, name: string): Promise<readonly string[]> {
  const text = await metrics.exposition();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('a registry', () => {
  it('exposes counters by their labels, and those without from 0 on', async () => {
    const metrics = new PrometheusMetrics(declarations);
    metrics.counter(plain);
    const prepared = metrics.counter(paid).of({ brand: 'MASTER' });
    metrics.counter(paid).add({ brand: 'VISA' });
    metrics.counter(paid).add({ brand: 'VISA' }, 2);
    expect(await linesOf(metrics, 'test_')).toEqual([
      'test_plain_total 0',
      'test_payments_total{brand="MASTER"} 0',
      'test_payments_total{brand="VISA"} 3',
    ]);
    prepared.add();
    expect(await linesOf(metrics, 'test_payments_total{brand="MASTER"}')).toEqual([
      'test_payments_total{brand="MASTER"} 1',
    ]);
  });

  it('says type and meaning of each metric, and counts in cumulated buckets', async () => {
    const metrics = new PrometheusMetrics(declarations);
    for (const seconds of [0.1, 0.5, 7]) metrics.histogram(took).observe({ stage: 'all' }, seconds);
    const text = await metrics.exposition();
    expect(text).toContain(
      '# HELP test_took_seconds Durations.\n# TYPE test_took_seconds histogram',
    );
    expect(await linesOf(metrics, 'test_')).toEqual([
      'test_took_seconds_bucket{stage="all",le="0.1"} 1',
      'test_took_seconds_bucket{stage="all",le="1"} 2',
      'test_took_seconds_bucket{stage="all",le="+Inf"} 3',
      'test_took_seconds_sum{stage="all"} 7.6',
      'test_took_seconds_count{stage="all"} 3',
    ]);
  });

  it('counts what is not listed as other, whatever callers send', async () => {
    const metrics = new PrometheusMetrics(declarations);
    for (let index = 0; index < 100; index += 1) {
      metrics.counter(paid).add({ brand: `brand ${String(index)}` });
      metrics.histogram(took).observe({ stage: `stage ${String(index)}` }, 1);
    }
    metrics.gauge(lag, () => [
      { labels: { topic: 'x' }, value: 2 },
      { labels: { topic: 'y' }, value: 3 },
      { labels: { topic: 'a' }, value: 1 },
    ]);
    expect(await linesOf(metrics, 'test_payments')).toEqual([
      'test_payments_total{brand="other"} 100',
    ]);
    expect(await linesOf(metrics, 'test_took_seconds_count')).toEqual([
      'test_took_seconds_count{stage="stage 0"} 1',
      'test_took_seconds_count{stage="stage 1"} 1',
      'test_took_seconds_count{stage="other"} 98',
    ]);
    expect(await linesOf(metrics, 'test_lag')).toEqual([
      'test_lag{topic="other"} 5',
      'test_lag{topic="a"} 1',
    ]);
  });

  it("says the event loop's delay by our own looks, and how far they see", async () => {
    const metrics = new PrometheusMetrics([]);
    metrics.observeProcess();
    const untilMs = performance.now() + 1_300;
    while (performance.now() < untilMs);
    // The timers come after the first of them.
    for (let turns = 0; turns < 2; turns += 1) await new Promise(setImmediate);
    const delays = await linesOf(metrics, 'nodejs_eventloop_lag_');
    const names = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];
    expect(delays.slice(1).map((line) => line.split(' ')[0])).toEqual(
      names.map((name) => `nodejs_eventloop_lag_${name}_seconds`),
    );
    // One look, which was late by the rest of the 1.3 s.
    const p99 = Number(delays.at(-1)?.split(' ')[1]);
    expect(p99).toBeGreaterThan(0.2);
    expect(p99).toBeLessThan(2);
    const [help] = await linesOf(metrics, '# HELP nodejs_eventloop_lag_p99_seconds');
    expect(help).toContain('one a second while it works for less than 50 ms a second');
  });

  it('refuses a metric that its service has not declared', () => {
    const metrics = new PrometheusMetrics([plain]);
    expect(() => metrics.counter(paid)).toThrow('test_payments_total is not declared');
  });

  it('takes the newest reader of a gauge, and goes on without one that fails', async () => {
    const metrics = new PrometheusMetrics(declarations);
    metrics.gauge(open, () => 1);
    metrics.gauge(open, () => 2);
    metrics.gauge(lag, () => {
      throw new Error('broken');
    });
    expect(await linesOf(metrics, 'test_')).toEqual(['test_open 2']);
    expect(await linesOf(metrics, 'sluice_failed')).toEqual(['sluice_failed_gauge_reads_total 1']);
  });

  it('looks once for all gauges of a look, and not again at once', async () => {
    const metrics = new PrometheusMetrics(declarations);
    let looks = 0;
    const look = (): Promise<number> => Promise.resolve((looks += 1));
    metrics.look(look, [
      gaugeOf(open, (found) => found),
      gaugeOf(lag, (found) => [{ labels: { topic: 'a' }, value: found }]),
    ]);
    await Promise.all([metrics.exposition(), metrics.exposition()]);
    expect(await linesOf(metrics, 'test_')).toEqual(['test_open 1', 'test_lag{topic="a"} 1']);
    expect(looks).toBe(1);
  });

  it('emits nothing for a look that fails, and counts it', async () => {
    const metrics = new PrometheusMetrics(declarations);
    metrics.look(() => Promise.reject(new Error('away')), [gaugeOf(open, () => 1)]);
    expect(await linesOf(metrics, 'test_')).toEqual([]);
    expect(await linesOf(metrics, 'sluice_failed')).toEqual(['sluice_failed_gauge_reads_total 1']);
  });
});

describe('the series of a metric', () => {
  it('end at a number, whatever its labels allow', () => {
    const table = new SeriesTable({ labels: { name: { atMost: 2 * SERIES_MAX } } }, () => ({}));
    for (let index = 0; index < SERIES_MAX + 10; index += 1) table.of({ name: String(index) });
    expect(table.all).toHaveLength(SERIES_MAX + 1);
    expect(table.of({ name: 'another' })).toBe(table.of({ name: String(SERIES_MAX + 1) }));
  });
});

describe('no metrics', () => {
  it('takes everything', () => {
    noMetrics.counter(paid).of({ brand: 'VISA' }).add();
    noMetrics.histogram(took).observe({ stage: 'all' }, 1);
    noMetrics.gauge(open, () => 1);
    noMetrics.look(() => Promise.resolve(1), []);
    expect(noMetrics.counter(paid)).toBe(noMetrics.counter(plain));
  });
});

describe('the reference', () => {
  it('has a row for each metric, with its labels and services', () => {
    const text = metricsReference([
      { service: 'one', declarations: [paid, took] },
      { service: 'two', declarations: [paid] },
    ]);
    expect(text).toContain(
      '| `test_payments_total` | counter | `brand` (VISA, MASTER) | Payments. | all |',
    );
    expect(text).toContain(
      '| `test_took_seconds` | histogram | `stage` (at most 2) | Durations. | one |',
    );
  });
});
