import { describe, expect, it } from '@jest/globals';
import type { DrillResult } from './drill-run.js';
import { jsonReport, reportText } from './report.js';

const circumstances = { context: 'kind-sluice', cores: 2, loadBefore: 1.25, loadAfter: 3 };
const result: DrillResult = {
  ...{ drill: 'rolling-update', perSecond: 30, durationMs: 60_000 },
  moments: [{ what: 'payments begin', atMs: 0 }],
  payments: {
    ...{ sent: 1_800, failed: 1, failures: { 'socket hang up': 1 } },
    ...{ p50Ms: 20.4, p99Ms: 210, maxMs: 300, longestGapMs: 400 },
  },
  comparison: {
    ...{ transactions: 1_799, bookings: 1_620, projected: 1_799 },
    violations: [{ rule: 'booked twice', subject: 'abc', sentence: '2 approved bookings' }],
  },
  ...{ settledAfterMs: 1_000, projectedAfterMs: 100 },
  faults: ['1 of 1800 payments failed.'],
};

describe('the report', () => {
  it('has a row for each drill, and what was wrong', () => {
    const text = reportText(circumstances, { results: [result] });
    expect(text).toContain('2 processors, load average 1.3 before and 3.0 after');
    expect(text).toContain('| rolling-update | 1800 | 1 | 20 ms | 210 ms | 0.4 s | 60.0 s |');
    expect(text).toContain('rolling-update: 1 of 1800 payments failed.');
    expect(text).toContain('  1 times: socket hang up');
    expect(text).toContain('  booked twice: abc: 2 approved bookings');
  });

  it('says what was passed', () => {
    const results = [{ ...result, faults: [] }];
    expect(reportText(circumstances, { results })).toContain('rolling-update: passed.');
  });

  it('tells of shoppers where there were some', () => {
    const failures = { 'form: socket hang up': 2 };
    const shoppers = { shoppers: 50, sales: 700, failed: 2, failures, across: 48, widgets: 2 };
    const text = reportText(circumstances, { results: [{ ...result, shoppers }] });
    expect(text).toContain(
      '50 shoppers paid 698 of 700 checkouts, 48 of which were open while something was updated; builds of the widget: 2',
    );
    expect(text).toContain('  2 times: form: socket hang up');
  });

  it('tells of shoppers at their issuers where there were some', () => {
    const failures = { 'return: HTTP 503': 1 };
    const counts = { challenges: 50, meanwhile: 25, failed: 1, longestMs: 2_340 };
    const results = [{ ...result, challenges: { ...counts, failures } }];
    const text = reportText(circumstances, { results });
    expect(text).toContain(
      '50 shoppers were asked by their issuers before anything was updated; 25 answered while something was, ' +
        'and the others when all was new: 49 have paid, known to the merchant within 2.3 s',
    );
    expect(text).toContain('  1 times: return: HTTP 503');
  });

  it('tells of starts alone, without a table of drills', () => {
    const starts = { starts: [], memoryBytes: 1_204_000_000, pods: 9, faults: [] };
    const text = reportText(circumstances, { results: [], starts });
    expect(text).toContain('9 pods of services had 1204 MB in memory together');
    expect(text).not.toContain('| drill |');
  });

  it('is JSON too', () => {
    const text = jsonReport(circumstances, { results: [result] });
    const read = JSON.parse(text) as { results: DrillResult[] };
    expect(read).toMatchObject(circumstances);
    expect(read.results[0]?.payments.failed).toBe(1);
  });
});
