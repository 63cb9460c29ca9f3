import { describe, expect, it } from '@jest/globals';
import { counter, gauge, PrometheusMetrics } from '@sluice/service';
import './without-metrics.js';

const refusals = counter('sluice_refusals_total', 'Refusals.');
const open = gauge('sluice_open', 'What is open.');

describe('without metrics', () => {
  it('a registry takes everything and shows nothing, not even of the process', async () => {
    const metrics = new PrometheusMetrics([refusals, open]);
    metrics.observeProcess();
    metrics.counter(refusals).add({});
    metrics.gauge(open, () => 1);
    expect((await metrics.exposition()).trim()).toBe('');
  });
});
