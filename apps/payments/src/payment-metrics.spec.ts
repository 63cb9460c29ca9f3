import { describe, expect, it } from '@jest/globals';
import type { Connector } from '@sluice/connectors';
import type { PaymentEvent } from '@sluice/domain-payments';
import { currency } from '@sluice/money';
import { PrometheusMetrics } from '@sluice/service';
import { PaymentMetrics, paymentsMetrics } from './payment-metrics.js';

function made(): { registry: PrometheusMetrics; metrics: PaymentMetrics } {
  const registry = new PrometheusMetrics(paymentsMetrics.declarations);
  return { registry, metrics: new PaymentMetrics(registry) };
}

async function linesOf(registry: PrometheusMetrics, name: string): Promise<readonly string[]> {
  return (await registry.exposition()).split('\n').filter((line) => line.startsWith(name));
}

describe('the metrics of payments', () => {
  it('time calls by what came of them, a connector that throws included', async () => {
    const { registry, metrics } = made();
    const broken = {
      name: 'bank',
      takes: [],
      inquire: () => Promise.reject(new Error('broken')),
      reverse: () => Promise.resolve({ kind: 'notFound' }),
    } as unknown as Connector;
    const timed = metrics.timed(broken);
    const original = {
      operation: 'debit',
      amount: { minor: 1n, currency: currency('EUR') },
      mode: 'LIVE',
    } as const;
    const options = { timeoutMs: 1, original };
    await expect(timed.inquire('reference', options)).rejects.toThrow('broken');
    await timed.reverse('reference', options);
    const name = 'sluice_connector_call_duration_seconds_count';
    expect(await linesOf(registry, name)).toEqual([
      `${name}{connector="bank",operation="inquire",outcome="failed"} 1`,
      `${name}{connector="bank",operation="reverse",outcome="notFound"} 1`,
    ]);
  });

  it('count the appends that were not made', async () => {
    const { registry, metrics } = made();
    const state = { kind: 'none' } as const;
    metrics.appended({ kind: 'versionConflict' }, state, []);
    metrics.appended({ kind: 'expired' }, state, []);
    expect(await linesOf(registry, 'sluice_append_conflicts_total')).toEqual([
      'sluice_append_conflicts_total{kind="version"} 1',
      'sluice_append_conflicts_total{kind="claim"} 0',
    ]);
    expect(await linesOf(registry, 'sluice_commands_expired_total')).toEqual([
      'sluice_commands_expired_total 1',
    ]);
  });

  it('count attempts that another route followed, by what became of them', async () => {
    const { registry, metrics } = made();
    const state = { kind: 'none' } as const;
    const after = (reason: string) =>
      ({ type: 'TransactionRerouted', data: { reason } }) as unknown as PaymentEvent;
    const events = [after('declined'), after('notReachable')];
    metrics.appended({ kind: 'appended', version: 3 }, state, events);
    metrics.appended({ kind: 'versionConflict' }, state, events);
    const name = 'sluice_payments_rerouted_total';
    const lines = await linesOf(registry, name);
    expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([
      `${name}{reason="notReachable"} 1`,
      `${name}{reason="declined"} 1`,
    ]);
  });

  it('read what is open once for its three gauges, and nothing when the database is away', async () => {
    const { registry, metrics } = made();
    let asked = 0;
    metrics.watchRecovery(
      {
        query: () => {
          asked += 1;
          return Promise.resolve({ rows: [{ open: 3, due: 1, oldest: 2.5 }] });
        },
      } as never,
      60_000,
    );
    const values = [...(await registry.exposition()).matchAll(/^sluice_(?:unknown|inquiry).*$/gm)];
    expect(values.map(([line]) => line)).toEqual([
      'sluice_unknown_open 3',
      'sluice_inquiry_backlog 1',
      'sluice_inquiry_oldest_seconds 2.5',
    ]);
    expect(asked).toBe(1);
    metrics.watchRecovery({ query: () => Promise.reject(new Error('away')) } as never, 60_000);
    expect(await linesOf(registry, 'sluice_unknown_open')).toEqual([]);
  });
});
