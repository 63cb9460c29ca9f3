import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Ran, sluice } from './command-line-fixture.js';
import { type CapturedPayment, PaymentsFixture } from './payments-fixture.js';

const fixture = new PaymentsFixture();
let payment: CapturedPayment;

/** Two events of a payment as the relay parks them, the second one behind the first. */
beforeEach(async () => {
  payment = await fixture.capturedPayment();
  await fixture.rows('payments', 'DELETE FROM payments.outbox_parked');
  await fixture.rows('payments', 'DELETE FROM payments.outbox');
  await fixture.rows(
    'payments',
    `INSERT INTO payments.outbox_parked (stream_id, version, reason)
     VALUES ($1, 1, 'too large'), ($1, 2, NULL)`,
    [payment.id],
  );
});

function outbox(line: string | readonly string[]): Promise<Ran> {
  const words = typeof line === 'string' ? line.split(' ') : line;
  return sluice(['outbox', ...words], { environment: fixture.environment });
}

const waiting = () =>
  fixture.rows<{ version: number }>(
    'payments',
    'SELECT version FROM payments.outbox WHERE stream_id = $1 ORDER BY id',
    [payment.id],
  );

const parked = async (): Promise<unknown> => (await outbox('list --json')).json();

describe('outbox list and show', () => {
  it('say what is parked, why, and what waits behind it', async () => {
    const { exitCode, output } = await outbox('list');
    expect(exitCode).toBe(0);
    expect(output).toContain('too large');
    expect(output).toContain('behind an earlier one');
    expect(await parked()).toMatchObject([
      { streamId: payment.id, version: 1, reason: 'too large' },
      { streamId: payment.id, version: 2, reason: null },
    ]);
  });

  it('show the events of a stream by any of its transactions', async () => {
    const shown = (await outbox(`show ${payment.captureId} --json`)).json();
    expect(shown).toMatchObject([{ version: 1, type: 'PaymentInitiated' }, { version: 2 }]);
  });

  it('say that nothing is parked', async () => {
    await fixture.rows('payments', 'DELETE FROM payments.outbox_parked');
    expect((await outbox('list')).output).toBe('No event is parked in the outbox.\n');
    expect((await outbox('release --all --execute')).output).toBe('Nothing to release.\n');
    expect((await outbox(`show ${payment.id}`)).exitCode).toBe(1);
    expect((await outbox(`release ${payment.id}`)).exitCode).toBe(1);
  });
});

describe('outbox release', () => {
  it('does nothing without --execute', async () => {
    const { exitCode, output } = await outbox(`release ${payment.id}`);
    expect(exitCode).toBe(0);
    expect(output).toBe(
      '1 stream to go on with publishing.\nNothing was done. Add --execute to do it.\n',
    );
    expect(await waiting()).toEqual([]);
    expect(await parked()).toHaveLength(2);
  });

  it.each(['one', 'all'])('lets %s go on in order, and records who did it', async (which) => {
    const named = which === 'all' ? '--all' : payment.captureId;
    const words = ['release', named, '--execute', '--reason', 'limit raised'];
    const { exitCode, output } = await outbox(words);
    expect(exitCode).toBe(0);
    expect(output).toContain('2 events wait for the relay.');
    expect(await waiting()).toEqual([{ version: 1 }, { version: 2 }]);
    expect(await parked()).toEqual([]);
    expect(
      await fixture.rows(
        'payments',
        `SELECT action, reason, details FROM payments.operator_actions
         WHERE details->>'streamId' = $1`,
        [payment.id],
      ),
    ).toEqual([
      { action: 'outbox release', reason: 'limit raised', details: { streamId: payment.id } },
    ]);
  });

  it.each(['release', 'release abc', 'release --all 018f2d3c9a7b4e5f8a9b0c1d2e3f4a5b'])(
    'refuses "%s"',
    async (line) => {
      expect((await outbox(line)).exitCode).toBe(2);
    },
  );
});
