import { beforeAll, describe, expect, it } from '@jest/globals';
import { transactions } from '@sluice/reporting';
import { startTraceCollector } from '@sluice/testing';
import { type Ran, sluice } from './command-line-fixture.js';
import { type CapturedPayment, PaymentsFixture } from './payments-fixture.js';

const fixture = new PaymentsFixture();
const paid: CapturedPayment[] = [];
const VERSION = String(transactions.version);
const REPLAY = 'replay --projection transactions';

beforeAll(async () => {
  for (let index = 0; index < 20; index += 1) paid.push(await fixture.capturedPayment());
});

function run(line: string | readonly string[], signal?: AbortSignal): Promise<Ran> {
  // Kafka is not there: what the tables say is shown all the same.
  const words = typeof line === 'string' ? line.split(' ') : line;
  return sluice(['--brokers', '127.0.0.1:1', ...words], {
    environment: fixture.environment,
    ...(signal !== undefined && { signal }),
  });
}

async function states(): Promise<unknown[]> {
  const text = 'SELECT id, state FROM reporting.table_sets ORDER BY id';
  const rows = await fixture.rows<{ id: number; state: string }>('reporting', text);
  return rows.map(({ id, state }) => [id, state]);
}

describe('the projection of transactions', () => {
  it('has tables that are live', async () => {
    const { output, errors, exitCode } = await run('projections list');
    expect(output).toMatch(/^PROJECTION +TABLES +VERSION +STATE +LAG +PARKED/);
    expect(output).toMatch(new RegExp(`transactions +1 +${VERSION} +live +- +0 `));
    expect(errors).toMatch(/^Lag is not known: Kafka at/);
    expect(exitCode).toBe(0);
    const described = await run('projections describe transactions');
    expect(described.output).toMatch(
      new RegExp(`Tables 1, version ${VERSION}, live, since .*, lag not known`),
    );
  });

  it('is not touched by a dry run, which says what it would do', async () => {
    const { output, exitCode } = await run(`${REPLAY} --into shadow`);
    expect(output).toBe(
      `Would fill new tables of version ${VERSION} from the event store.\n` +
        'Nothing was done. Add --execute to do it.\n',
    );
    expect([exitCode, await states()]).toEqual([0, [[1, 'live']]]);
  });

  it.each([
    ['--diff', /no shadow tables/],
    ['--switch', /no shadow tables/],
    ['--rollback', /no earlier tables/],
    ['--drop', /No tables are kept/],
    ['--drop 7', /There are no tables 7/],
    ['--drop 1 --execute', /Tables 1 are live/],
  ])('without shadow tables refuses %s (exit code 4)', async (flags, sentence) => {
    const { exitCode, errors } = await run(`${REPLAY} ${flags}`);
    expect(errors).toMatch(sentence);
    expect([exitCode, await states()]).toEqual([4, [[1, 'live']]]);
  });

  it('is filled from the store with progress, and the reason is recorded', async () => {
    const words = [...REPLAY.split(' '), '--into', 'shadow', '--execute', '--reason', 'a drill'];
    const { output, errors, exitCode } = await run(words);
    expect(errors).toBe(
      '100 %, 120 of 120 events, ' + errors.slice(errors.indexOf('events, ') + 8),
    );
    expect(output).toMatch(
      /^Tables 2 are filled: 60 rows of 120 events in .* events\/s\)\. Reporting/,
    );
    expect([exitCode, await states()]).toEqual([
      0,
      [
        [1, 'live'],
        [2, 'following'],
      ],
    ]);
    const actions = await fixture.rows(
      'reporting',
      'SELECT action, reason, details FROM reporting.operator_actions',
    );
    expect(actions).toEqual([
      {
        action: 'replay of projection transactions',
        reason: 'a drill',
        details: { into: 'shadow' },
      },
    ]);
  });

  it('is switched, rolled back, switched again and dropped', async () => {
    expect((await run(`${REPLAY} --switch --execute`)).output).toMatch(
      /^Queries read tables 2 now; tables 1 are kept and fed/,
    );
    expect((await run(`${REPLAY} --rollback --execute`)).output).toMatch(
      /^Queries read tables 1 again; tables 2 are kept/,
    );
    expect(await states()).toEqual([
      [1, 'live'],
      [2, 'previous'],
    ]);
    expect((await run(`${REPLAY} --rollback --execute`)).exitCode).toBe(0);
    expect((await run(`${REPLAY} --drop`)).output).toMatch(/^Would drop tables 1\.\nNothing/);
    expect((await run(`${REPLAY} --drop --execute`)).output).toBe('Tables 1 are dropped.\n');
    expect(await states()).toEqual([[2, 'live']]);
  });

  it('is filled, compared and switched at once when nothing differs', async () => {
    const { output, exitCode } = await run(`${REPLAY} --into shadow --diff --switch --execute`);
    expect(output).toMatch(
      /20 payments compared in .*: no difference\.\nQueries read tables 3 now/,
    );
    expect(exitCode).toBe(0);
    await run(`${REPLAY} --drop --execute`);
  });

  it('is not switched when a row differs (exit code 3), and the row is named', async () => {
    const { captureId } = paid[7]!;
    await fixture.rows(
      'reporting',
      `UPDATE reporting.transactions_3 SET result_code = '800.100.152', personal = 'x'
       WHERE transaction_id = $1`,
      [captureId],
    );
    const { output, exitCode } = await run(`${REPLAY} --into shadow --diff --switch --execute`);
    expect(output).toContain(`  ${captureId} of payment ${paid[7]!.id}:\n`);
    expect(output).toContain('    resultCode: 800.100.152 (live), 000.100.110 (new)\n');
    expect(output).toContain('    personal differs\n');
    expect(output).toMatch(/1 difference\.[^]*Queries were not switched\.\n$/);
    expect(exitCode).toBe(3);
    const again = await run(`${REPLAY} --diff --json`);
    expect(again.exitCode).toBe(3);
    expect(again.json().difference).toMatchObject({ differences: 1, streamsCompared: 20 });
    expect(await states()).toEqual([
      [3, 'live'],
      [4, 'following'],
    ]);
    await run(`${REPLAY} --drop 4 --execute`);
  });

  it('leaves nothing behind when it is interrupted (exit code 130)', async () => {
    const interruption = new AbortController();
    interruption.abort();
    const { exitCode, errors } = await run(
      `${REPLAY} --into shadow --execute`,
      interruption.signal,
    );
    expect(errors).toMatch(/Interrupted: what was filled is dropped again/);
    expect([exitCode, await states()]).toEqual([130, [[3, 'live']]]);
  });

  it('is traced by the id that its record has, where traces are wanted', async () => {
    const collector = await startTraceCollector();
    const environment = { ...fixture.environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const words = `${REPLAY} --into shadow --execute --reason traced`.split(' ');
    const { exitCode } = await sluice(['--brokers', '127.0.0.1:1', ...words], { environment });
    await collector.close();
    expect(exitCode).toBe(0);
    const [action] = await fixture.rows<{ details: { replayId: string } }>(
      'reporting',
      "SELECT details FROM reporting.operator_actions WHERE reason = 'traced'",
    );
    const spans = collector.spans.map(({ name, parentSpanId, attributes }) => ({
      ...{ name, isRoot: parentSpanId === undefined, id: attributes['sluice.replay.id'] },
    }));
    const id = action?.details.replayId;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(spans).toEqual([
      { name: 'fill', isRoot: false, id },
      { name: 'replay transactions', isRoot: true, id },
    ]);
  });
});
