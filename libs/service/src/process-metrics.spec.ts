import { describe, expect, it } from '@jest/globals';
import { HealthChecks } from './health-checks.js';
import { exposeReadiness, processMetrics } from './process-metrics.js';
import { PrometheusMetrics } from './prometheus-metrics.js';

async function readinessLines(health: HealthChecks): Promise<readonly string[]> {
  const metrics = new PrometheusMetrics(processMetrics);
  exposeReadiness(metrics, health);
  const text = await metrics.exposition();
  return text.split('\n').filter((line) => line.startsWith('sluice_readiness_check{'));
}

describe('the gauge of readiness', () => {
  it('says of each check whether it passes, and of the process whether it has started', async () => {
    const health = new HealthChecks();
    health.readyWhen('database', () => Promise.reject(new Error('away')));
    health.readyWhen('rows', () => Promise.resolve());
    expect(await readinessLines(health)).toEqual([
      'sluice_readiness_check{check="phase"} 0',
      'sluice_readiness_check{check="database"} 0',
      'sluice_readiness_check{check="rows"} 1',
    ]);
    health.started();
    expect(await readinessLines(health)).toContain('sluice_readiness_check{check="phase"} 1');
  });
});
