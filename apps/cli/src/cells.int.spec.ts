import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';
import { TwoCellsFixture } from './two-cells-fixture.js';

const fixture = new TwoCellsFixture();

const MOVE = 'cells move --from 1 --to 2 --shards 0000-ffff';

describe('the list of cells', () => {
  it('says what each of them carries', async () => {
    await fixture.capturedPayment();
    const { output, exitCode } = await fixture.run('cells');
    expect(output).toMatch(
      new RegExp(
        '^CELL  CARRIES  SHARDS     CLOSING  STREAMS, ABOUT  INCARNATION\n' +
          '   1  100\\.0 %  0000-ffff  -                     1  [-0-9a-f]{36}\n' +
          '   2    0\\.0 %  -          -                     0  [-0-9a-f]{36}\n$',
      ),
    );
    expect(exitCode).toBe(0);
    expect((await fixture.run('cells list --json')).json()).toMatchObject({
      cells: [
        { cell: 1, carried: ['0000-ffff'], aboutStreams: 1 },
        { cell: 2, carried: [] },
      ],
      ...{ moves: [], problems: [] },
    });
  });

  it.each([
    ['', '', 'is being copied; cell 1 carries it', { isBack: true, isUrgent: false }],
    [
      'closed_at',
      '',
      'is closed: no payment of it begins until the move goes on or is undone',
      { isBack: true, isUrgent: true },
    ],
    [
      'fenced_at',
      '',
      'is carried by no cell: its payments wait until',
      { isBack: true, isUrgent: true },
    ],
    [
      'fenced_at',
      'switched_at',
      'is carried by cell 2; cell 1 still has its rows',
      { isBack: false, isUrgent: false },
    ],
  ])('says what to do about a move that stands (%s %s)', async (left, came, meaning, expected) => {
    await fixture.onCell(1, `INSERT INTO payments.leaving_shards VALUES ('[32768,65536)', 2)`);
    await fixture.onCell(2, `INSERT INTO payments.shard_moves VALUES ('[32768,65536)', 1)`);
    if (left !== '') await fixture.onCell(1, `UPDATE payments.leaving_shards SET ${left} = now()`);
    if (left === 'fenced_at') {
      await fixture.onCell(1, `UPDATE payments.carried_shards SET carried = '{[0,32768)}'`);
    }
    if (came !== '') {
      await fixture.onCell(2, 'UPDATE payments.shard_moves SET switched_at = now()');
      await fixture.onCell(2, `UPDATE payments.carried_shards SET carried = '{[32768,65536)}'`);
    }
    const { output, exitCode } = await fixture.run('cells');
    expect(output).toContain(
      `The move of 8000-ffff from cell 1 to cell 2 is not finished: the range ${meaning}`,
    );
    const command = 'sluice cells move --from 1 --to 2 --shards 8000-ffff';
    expect(output).toContain(`No command is at work on it: go on with "${command} --execute"`);
    expect(output.includes(`or back with "${command} --undo --execute".`)).toBe(expected.isBack);
    // A check looks at the exit code alone.
    const waits = 'Payments of 8000-ffff wait, and nobody goes on with their move.';
    expect(output.includes(waits)).toBe(expected.isUrgent);
    expect(exitCode).toBe(expected.isUrgent ? 3 : 0);
  });

  it('says that a command is at work', async () => {
    await fixture.onCell(1, `INSERT INTO payments.leaving_shards VALUES ('[32768,65536)', 2)`);
    const client = new pg.Client({ connectionString: fixture.services.payments.ownerUrl });
    await client.connect();
    await client.query(`SELECT pg_advisory_lock(hashtextextended('shards of payments', 0))`);
    expect((await fixture.run('cells')).output).toContain(
      'cell 1 carries it. A command is at work on it.',
    );
    await client.end();
  });

  it('says what cannot be right, with exit code 3', async () => {
    await fixture.onCell(2, `UPDATE payments.carried_shards SET carried = '{[16,32)}'`);
    await fixture.onCell(1, `UPDATE payments.carried_shards SET carried = '{[0,256),[257,65536)}'`);
    const { output, exitCode } = await fixture.run('cells');
    expect(output).toContain('\nNo cell carries 0100-0100: no payment can be made there.');
    expect(output).toContain('\nSeveral cells carry 0010-001f: stop payments there at once.');
    expect(exitCode).toBe(3);
    const urls = `${fixture.secondUrl} ${fixture.services.payments.ownerUrl}`;
    const turned = await fixture.run('cells', { PAYMENTS_CELL_OWNER_DATABASE_URLS: urls });
    expect(turned.output).toContain(
      'Address 1 of PAYMENTS_CELL_OWNER_DATABASE_URLS is the database of cell 2;',
    );
  });

  it('needs their addresses, and their answers', async () => {
    const none = await fixture.run('cells', { PAYMENTS_CELL_OWNER_DATABASE_URLS: '' });
    expect([none.exitCode, none.errors]).toEqual([
      2,
      'Where are the cells? Set PAYMENTS_CELL_OWNER_DATABASE_URLS to the owner addresses of their ' +
        'databases, that of cell 1 first.\n',
    ]);
    const urls = `${fixture.secondUrl} postgres://nobody@127.0.0.1:1/nothing`;
    const away = await fixture.run('cells', { PAYMENTS_CELL_OWNER_DATABASE_URLS: urls });
    expect([away.exitCode, away.errors]).toEqual([
      1,
      'The database of cell 2 does not answer (ECONNREFUSED).\n',
    ]);
    const wrong = await fixture.run('cells', { PAYMENTS_CELL_OWNER_DATABASE_URLS: 'cell-1' });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.errors).toContain('PAYMENTS_CELL_OWNER_DATABASE_URLS');
  });
});

describe('a move', () => {
  it('without --execute says what it would do, and does nothing', async () => {
    await fixture.capturedPayment();
    const { output, exitCode } = await fixture.run(MOVE);
    expect(output).toBe(
      'Shards 0000-ffff, from cell 1 to cell 2: not begun.\n' +
        'Would copy about 1 stream with 6 events, which takes about 1 s; payments continue.\n' +
        'Would hold up payments of these shards for a moment (5 s if calls under way last so long), ' +
        'until cell 2 carries them.\n' +
        'Would delete them from cell 1 once cell 2 has them, which takes about twice as long.\n' +
        'Nothing was done. Add --execute to do it.\n',
    );
    expect([exitCode, await fixture.onCell(2, 'SELECT FROM payments.events')]).toEqual([0, []]);
    expect(await fixture.onCell(1, 'SELECT FROM payments.leaving_shards')).toEqual([]);
  });

  it('with --execute moves everything, says what it cost, and is recorded', async () => {
    const { id } = await fixture.capturedPayment();
    const ran = await fixture.run([...MOVE.split(' '), '--execute', '--reason', 'cell 1 is full']);
    expect(ran.output).toMatch(
      new RegExp(
        '^Shards 0000-ffff have moved from cell 1 to cell 2\\.\n' +
          'Copied 6 events in [0-9]+ (?:ms|s) \\([0-9,]+/s\\), and 0 events while nobody carried them\\.\n' +
          'Payments of these shards were held up for [0-9,]+ ms; for [0-9,]+ ms of them no cell carried them\\.\n' +
          'With them came 0 idempotency keys, 0 due streams and 0 events to publish\\.\n' +
          'Deleted 1 stream from cell 1\\.\n$',
      ),
    );
    expect(ran.errors).toContain('0000-ffff is closed; calls under way end.\n');
    expect(ran.errors).toContain('Cell 2 carries 0000-ffff.\n');
    expect(ran.exitCode).toBe(0);
    expect(await fixture.onCell(2, 'SELECT stream_id FROM payments.streams')).toEqual([
      { stream_id: id },
    ]);
    expect(
      await fixture.onCell(1, 'SELECT action, reason, details FROM payments.operator_actions'),
    ).toEqual([
      {
        ...{ action: 'cells move', reason: 'cell 1 is full' },
        details: { shards: '0000-ffff', from: 1, to: 2 },
      },
    ]);
    const again = await fixture.run(`${MOVE} --execute`);
    expect([again.exitCode, again.output]).toEqual([
      0,
      'Cell 2 carries 0000-ffff already. Nothing is left to do.\n',
    ]);
    expect((await fixture.run(MOVE)).output).toBe(
      'Shards 0000-ffff, from cell 1 to cell 2: the second cell carries them already. ' +
        'Nothing is left to do.\n',
    );
    const { json } = await fixture.run(`${MOVE} --json`);
    expect(json()).toMatchObject({ executed: false, phase: 'done', shards: '0000-ffff' });
  });

  it('that stands is undone', async () => {
    await fixture.capturedPayment();
    await fixture.onCell(
      1,
      `INSERT INTO payments.leaving_shards VALUES ('[0,65536)', 2, now(), now(), now())`,
    );
    await fixture.onCell(2, `INSERT INTO payments.shard_moves VALUES ('[0,65536)', 1)`);
    await fixture.onCell(1, `UPDATE payments.carried_shards SET carried = '{}'`);
    expect((await fixture.run(`${MOVE} --undo`)).output).toBe(
      'Shards 0000-ffff, from cell 1 to cell 2: an earlier command ended while no cell carried them.\n' +
        'Would let cell 1 carry them again, and delete from cell 2 what was copied.\n' +
        'Nothing was done. Add --execute to do it.\n',
    );
    const { output, exitCode } = await fixture.run(`${MOVE} --undo --execute`);
    expect([exitCode, output]).toEqual([
      0,
      'Cell 1 carries 0000-ffff as before. Deleted 0 streams that had been copied to cell 2.\n',
    ]);
    expect(await fixture.onCell(1, 'SELECT carried::text FROM payments.carried_shards')).toEqual([
      { carried: '{[0,65536)}' },
    ]);
  });

  it('that stands goes on, and says what it does not count', async () => {
    await fixture.onCell(
      1,
      `INSERT INTO payments.leaving_shards VALUES ('[0,65536)', 2, now(), now(), now())`,
    );
    await fixture.onCell(2, `INSERT INTO payments.shard_moves VALUES ('[0,65536)', 1)`);
    await fixture.onCell(1, `UPDATE payments.carried_shards SET carried = '{}'`);
    const { output, exitCode } = await fixture.run(`${MOVE} --execute`);
    expect(output).toContain(
      'An earlier command had begun the move: what that one copied is not counted here.\n',
    );
    expect(exitCode).toBe(0);
  });

  it('is refused with a sentence and exit code 4', async () => {
    const refusals = [
      [
        '--from 1 --to 1 --shards 0000-ffff',
        'Cell 1 cannot move shards to itself; name two cells.\n',
      ],
      ['--from 2 --to 1 --shards 0000-0fff --undo', 'There is no move of 0000-0fff from cell 2 to'],
    ] as const;
    for (const [words, sentence] of refusals) {
      const { exitCode, errors } = await fixture.run(`cells move ${words} --execute`);
      expect([exitCode, errors]).toEqual([4, expect.stringContaining(sentence)]);
    }
  });

  it('has to be said rightly', async () => {
    for (const [words, sentence] of [
      ['--from 1 --to 3 --shards 0000-ffff', '--to is the number of a cell, from 1 to 2: so many'],
      ['--from one --to 2 --shards 0000-ffff', '--from is the number of a cell, from 1 to 2'],
      [
        '--from 1 --to 2 --shards ffff',
        '"ffff" is no range of shards; write the first and the last',
      ],
      ['--from 1 --to 2', '--shards'],
    ] as const) {
      const { exitCode, errors } = await fixture.run(`cells move ${words}`);
      expect([exitCode, errors]).toEqual([2, expect.stringContaining(sentence)]);
    }
  });

  it('is not begun after Ctrl-C', async () => {
    await fixture.capturedPayment();
    const stop = new AbortController();
    stop.abort();
    const { exitCode, errors } = await sluice(`${MOVE} --execute`, {
      environment: {
        ...fixture.environment,
        PAYMENTS_CELL_OWNER_DATABASE_URLS: `${fixture.services.payments.ownerUrl} ${fixture.secondUrl}`,
      },
      signal: stop.signal,
    });
    expect([exitCode, errors]).toEqual([130, expect.stringContaining('Interrupted.')]);
    expect(await fixture.onCell(1, 'SELECT FROM payments.leaving_shards')).toEqual([]);
  });
});

describe('erasing personal data', () => {
  const forget = (id: string, environment?: NodeJS.ProcessEnv): Promise<Ran> =>
    fixture.run(`forget ${id} --execute`, environment);

  it('is refused while a move works on that database', async () => {
    const { id } = await fixture.capturedPayment();
    const client = new pg.Client({ connectionString: fixture.services.payments.ownerUrl });
    await client.connect();
    await client.query(`SELECT pg_advisory_lock(hashtextextended('shards of payments', 0))`);
    const { exitCode, errors } = await forget(id);
    await client.end();
    expect([exitCode, errors]).toEqual([
      4,
      'Shards are being moved into or out of this database; wait until that ends. Nothing was done.\n',
    ]);
    expect(await fixture.onCell(1, 'SELECT FROM payments.personal_keys')).toEqual([]);
  }, 20_000);

  it('is refused where the payment has only rows left, and done in its cell', async () => {
    const { id } = await fixture.capturedPayment();
    await fixture.onCell(1, `UPDATE payments.carried_shards SET carried = '{}'`);
    const left = await forget(id);
    expect([left.exitCode, left.errors]).toEqual([
      4,
      expect.stringMatching(
        `^Payment ${id} has moved to another cell, .*PAYMENTS_OWNER_DATABASE_URL`,
      ),
    ]);
    await fixture.onCell(1, `UPDATE payments.carried_shards SET carried = '{[0,65536)}'`);
    await fixture.run(`${MOVE} --execute`);
    const cleared = await forget(id);
    expect([cleared.exitCode, cleared.errors]).toEqual([4, left.errors]);
    const there = await forget(id, { PAYMENTS_OWNER_DATABASE_URL: fixture.secondUrl });
    expect(there.output).toBe(`Payment ${id} is forgotten.\n`);
    expect(
      await fixture.onCell(2, 'SELECT stream_id, wrapped FROM payments.personal_keys'),
    ).toEqual([{ stream_id: id, wrapped: null }]);
  });
});

describe('marks that are made anew', () => {
  const REFILL = 'marks refill';

  it('take all cells, which carry every shard', async () => {
    const payment = await fixture.capturedPayment();
    await fixture.run(`${MOVE} --execute`);
    const { output, exitCode } = await fixture.run(REFILL);
    expect([exitCode, output]).toEqual([
      0,
      'Read 0 payments. All marks are what the events say.\n',
    ]);
    expect(
      await fixture.onCell(2, `SELECT FROM payments.streams WHERE stream_id = '${payment.id}'`),
    ).toEqual([{}]);
    const unnamed = await fixture.run(REFILL, { PAYMENTS_CELL_OWNER_DATABASE_URLS: '' });
    expect([unnamed.exitCode, unnamed.errors]).toEqual([
      2,
      expect.stringContaining('Where are the cells?'),
    ]);
    const { ownerUrl } = fixture.services.payments;
    const one = await fixture.run(REFILL, { PAYMENTS_CELL_OWNER_DATABASE_URLS: ownerUrl });
    expect([one.exitCode, one.errors]).toEqual([
      4,
      'The cells carry 0 of 65536 shards: a move is not finished, or the address of a cell is missing or ' +
        'there twice. Nothing was done.\n',
    ]);
  });

  it('wait for a move in any of them', async () => {
    await fixture.run(`${MOVE} --execute`);
    const client = new pg.Client({ connectionString: fixture.secondUrl });
    await client.connect();
    await client.query(`SELECT pg_advisory_lock(hashtextextended('shards of payments', 0))`);
    const { exitCode, errors } = await fixture.run(`${REFILL} --execute --reason lost`);
    await client.end();
    expect([exitCode, errors]).toEqual([
      4,
      expect.stringMatching(/^Shards are being moved .* Nothing was done\.\n$/),
    ]);
  }, 30_000);
});
