import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrations } from '@sluice/event-store';
import { ensureRolesAndSchema, migrate } from '@sluice/service';
import { testDatabase } from '@sluice/testing';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';
import { PaymentsFixture } from './payments-fixture.js';

const fixture = new PaymentsFixture();
const database = testDatabase();
let secondUrl = '';

beforeAll(async () => {
  const { payments } = await ensureRolesAndSchema(database.url, ['payments']);
  const { ownerUrl: url, schema, appRole } = payments;
  await migrate({ url, schema, migrations: migrations({ ...payments, cell: 2 }), appRole });
  secondUrl = url;
}, 60_000);

async function onCell(cell: 1 | 2, text: string): Promise<unknown[]> {
  const connectionString = cell === 1 ? fixture.services.payments.ownerUrl : secondUrl;
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const TABLES =
  'events, streams, transactions, personal_keys, idempotency, outbox, leaving_shards, shard_moves';

beforeEach(async () => {
  for (const cell of [1, 2] as const) {
    const tables = TABLES.split(', ').map((table) => `payments.${table}`);
    await onCell(cell, `TRUNCATE ${tables.join(', ')}`);
    const carried = cell === 1 ? '{[0,65536)}' : '{}';
    await onCell(cell, `UPDATE payments.carried_shards SET carried = '${carried}', closing = '{}'`);
  }
});

function run(line: string | readonly string[], environment?: NodeJS.ProcessEnv): Promise<Ran> {
  return sluice(line, {
    environment: {
      ...fixture.environment,
      PAYMENTS_CELL_OWNER_DATABASE_URLS: `${fixture.services.payments.ownerUrl}, ${secondUrl}`,
      ...environment,
    },
  });
}

const MOVE = 'cells move --from 1 --to 2 --shards 0000-ffff';

describe('the list of cells', () => {
  it('says what each of them carries', async () => {
    await fixture.capturedPayment();
    const { output, exitCode } = await run('cells');
    expect(output).toMatch(
      new RegExp(
        '^CELL  CARRIES  SHARDS     CLOSING  STREAMS, ABOUT  INCARNATION\n' +
          '   1  100\\.0 %  0000-ffff  -                     1  [-0-9a-f]{36}\n' +
          '   2    0\\.0 %  -          -                     0  [-0-9a-f]{36}\n$',
      ),
    );
    expect(exitCode).toBe(0);
    expect((await run('cells list --json')).json()).toMatchObject({
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
    await onCell(1, `INSERT INTO payments.leaving_shards VALUES ('[32768,65536)', 2)`);
    await onCell(2, `INSERT INTO payments.shard_moves VALUES ('[32768,65536)', 1)`);
    if (left !== '') await onCell(1, `UPDATE payments.leaving_shards SET ${left} = now()`);
    if (left === 'fenced_at') {
      await onCell(1, `UPDATE payments.carried_shards SET carried = '{[0,32768)}'`);
    }
    if (came !== '') {
      await onCell(2, 'UPDATE payments.shard_moves SET switched_at = now()');
      await onCell(2, `UPDATE payments.carried_shards SET carried = '{[32768,65536)}'`);
    }
    const { output, exitCode } = await run('cells');
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
    await onCell(1, `INSERT INTO payments.leaving_shards VALUES ('[32768,65536)', 2)`);
    const client = new pg.Client({ connectionString: fixture.services.payments.ownerUrl });
    await client.connect();
    await client.query(`SELECT pg_advisory_lock(hashtextextended('shards of payments', 0))`);
    expect((await run('cells')).output).toContain('cell 1 carries it. A command is at work on it.');
    await client.end();
  });

  it('says what cannot be right, with exit code 3', async () => {
    await onCell(2, `UPDATE payments.carried_shards SET carried = '{[16,32)}'`);
    await onCell(1, `UPDATE payments.carried_shards SET carried = '{[0,256),[257,65536)}'`);
    const { output, exitCode } = await run('cells');
    expect(output).toContain('\nNo cell carries 0100-0100: no payment can be made there.');
    expect(output).toContain('\nSeveral cells carry 0010-001f: stop payments there at once.');
    expect(exitCode).toBe(3);
    const urls = `${secondUrl} ${fixture.services.payments.ownerUrl}`;
    const turned = await run('cells', { PAYMENTS_CELL_OWNER_DATABASE_URLS: urls });
    expect(turned.output).toContain(
      'Address 1 of PAYMENTS_CELL_OWNER_DATABASE_URLS is the database of cell 2;',
    );
  });

  it('needs their addresses, and their answers', async () => {
    const none = await run('cells', { PAYMENTS_CELL_OWNER_DATABASE_URLS: '' });
    expect([none.exitCode, none.errors]).toEqual([
      2,
      'Where are the cells? Set PAYMENTS_CELL_OWNER_DATABASE_URLS to the owner addresses of their ' +
        'databases, that of cell 1 first.\n',
    ]);
    const urls = `${secondUrl} postgres://nobody@127.0.0.1:1/nothing`;
    const away = await run('cells', { PAYMENTS_CELL_OWNER_DATABASE_URLS: urls });
    expect([away.exitCode, away.errors]).toEqual([
      1,
      'The database of cell 2 does not answer (ECONNREFUSED).\n',
    ]);
    const wrong = await run('cells', { PAYMENTS_CELL_OWNER_DATABASE_URLS: 'cell-1' });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.errors).toContain('PAYMENTS_CELL_OWNER_DATABASE_URLS');
  });
});

describe('a move', () => {
  it('without --execute says what it would do, and does nothing', async () => {
    await fixture.capturedPayment();
    const { output, exitCode } = await run(MOVE);
    expect(output).toBe(
      'Shards 0000-ffff, from cell 1 to cell 2: not begun.\n' +
        'Would copy about 1 stream with 6 events, which takes about 1 s; payments continue.\n' +
        'Would hold up payments of these shards for a moment (5 s if calls under way last so long), ' +
        'until cell 2 carries them.\n' +
        'Would delete them from cell 1 once cell 2 has them, which takes about twice as long.\n' +
        'Nothing was done. Add --execute to do it.\n',
    );
    expect([exitCode, await onCell(2, 'SELECT FROM payments.events')]).toEqual([0, []]);
    expect(await onCell(1, 'SELECT FROM payments.leaving_shards')).toEqual([]);
  });

  it('with --execute moves everything, says what it cost, and is recorded', async () => {
    const { id } = await fixture.capturedPayment();
    const ran = await run([...MOVE.split(' '), '--execute', '--reason', 'cell 1 is full']);
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
    expect(await onCell(2, 'SELECT stream_id FROM payments.streams')).toEqual([{ stream_id: id }]);
    expect(
      await onCell(1, 'SELECT action, reason, details FROM payments.operator_actions'),
    ).toEqual([
      {
        ...{ action: 'cells move', reason: 'cell 1 is full' },
        details: { shards: '0000-ffff', from: 1, to: 2 },
      },
    ]);
    const again = await run(`${MOVE} --execute`);
    expect([again.exitCode, again.output]).toEqual([
      0,
      'Cell 2 carries 0000-ffff already. Nothing is left to do.\n',
    ]);
    expect((await run(MOVE)).output).toBe(
      'Shards 0000-ffff, from cell 1 to cell 2: the second cell carries them already. ' +
        'Nothing is left to do.\n',
    );
    const { json } = await run(`${MOVE} --json`);
    expect(json()).toMatchObject({ executed: false, phase: 'done', shards: '0000-ffff' });
  });

  it('that stands is undone', async () => {
    await fixture.capturedPayment();
    await onCell(
      1,
      `INSERT INTO payments.leaving_shards VALUES ('[0,65536)', 2, now(), now(), now())`,
    );
    await onCell(2, `INSERT INTO payments.shard_moves VALUES ('[0,65536)', 1)`);
    await onCell(1, `UPDATE payments.carried_shards SET carried = '{}'`);
    expect((await run(`${MOVE} --undo`)).output).toBe(
      'Shards 0000-ffff, from cell 1 to cell 2: an earlier command ended while no cell carried them.\n' +
        'Would let cell 1 carry them again, and delete from cell 2 what was copied.\n' +
        'Nothing was done. Add --execute to do it.\n',
    );
    const { output, exitCode } = await run(`${MOVE} --undo --execute`);
    expect([exitCode, output]).toEqual([
      0,
      'Cell 1 carries 0000-ffff as before. Deleted 0 streams that had been copied to cell 2.\n',
    ]);
    expect(await onCell(1, 'SELECT carried::text FROM payments.carried_shards')).toEqual([
      { carried: '{[0,65536)}' },
    ]);
  });

  it('that stands goes on, and says what it does not count', async () => {
    await onCell(
      1,
      `INSERT INTO payments.leaving_shards VALUES ('[0,65536)', 2, now(), now(), now())`,
    );
    await onCell(2, `INSERT INTO payments.shard_moves VALUES ('[0,65536)', 1)`);
    await onCell(1, `UPDATE payments.carried_shards SET carried = '{}'`);
    const { output, exitCode } = await run(`${MOVE} --execute`);
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
      const { exitCode, errors } = await run(`cells move ${words} --execute`);
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
      const { exitCode, errors } = await run(`cells move ${words}`);
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
        PAYMENTS_CELL_OWNER_DATABASE_URLS: `${fixture.services.payments.ownerUrl} ${secondUrl}`,
      },
      signal: stop.signal,
    });
    expect([exitCode, errors]).toEqual([130, expect.stringContaining('Interrupted.')]);
    expect(await onCell(1, 'SELECT FROM payments.leaving_shards')).toEqual([]);
  });
});

describe('erasing personal data', () => {
  const forget = (id: string, environment?: NodeJS.ProcessEnv): Promise<Ran> =>
    run(`forget ${id} --execute`, environment);

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
    expect(await onCell(1, 'SELECT FROM payments.personal_keys')).toEqual([]);
  }, 20_000);

  it('is refused where the payment has only rows left, and done in its cell', async () => {
    const { id } = await fixture.capturedPayment();
    await onCell(1, `UPDATE payments.carried_shards SET carried = '{}'`);
    const left = await forget(id);
    expect([left.exitCode, left.errors]).toEqual([
      4,
      expect.stringMatching(
        `^Payment ${id} has moved to another cell, .*PAYMENTS_OWNER_DATABASE_URL`,
      ),
    ]);
    await onCell(1, `UPDATE payments.carried_shards SET carried = '{[0,65536)}'`);
    await run(`${MOVE} --execute`);
    const cleared = await forget(id);
    expect([cleared.exitCode, cleared.errors]).toEqual([4, left.errors]);
    const there = await forget(id, { PAYMENTS_OWNER_DATABASE_URL: secondUrl });
    expect(there.output).toBe(`Payment ${id} is forgotten.\n`);
    expect(await onCell(2, 'SELECT stream_id, wrapped FROM payments.personal_keys')).toEqual([
      { stream_id: id, wrapped: null },
    ]);
  });
});

describe('finishing a restore', () => {
  const incarnations = async (): Promise<unknown[]> => [
    ...(await onCell(1, 'SELECT id FROM payments.incarnation')),
    ...(await onCell(2, 'SELECT id FROM payments.incarnation')),
  ];

  it('is refused for one of several cells', async () => {
    const before = await incarnations();
    const { exitCode, errors } = await run('restore finish --execute');
    expect([exitCode, errors]).toEqual([
      4,
      'Payments has 2 cells (PAYMENTS_CELL_OWNER_DATABASE_URLS), which must have the same ' +
        'incarnation: say --cells.\n',
    ]);
    expect(await incarnations()).toEqual(before);
  });

  it('gives all of them the same incarnation', async () => {
    await onCell(2, 'UPDATE payments.incarnation SET id = gen_random_uuid()');
    const before = await incarnations();
    const dry = await run('restore finish --cells');
    expect(dry.output).toContain('Would give all 2 cells another incarnation, the same for all.\n');
    expect(await incarnations()).toEqual(before);
    const { output, exitCode } = await run('restore finish --cells --execute');
    const [first, second] = await incarnations();
    expect([exitCode, first]).toEqual([0, second]);
    expect(before).not.toContainEqual(first);
    expect(output).toContain(`All 2 cells are ${(first as { id: string }).id} now.\n`);
  });

  it('waits for moves, and for shards that two cells carry', async () => {
    await onCell(1, `INSERT INTO payments.leaving_shards VALUES ('[0,65536)', 2)`);
    const moving = await run('restore finish --cells --execute');
    expect([moving.exitCode, moving.errors]).toEqual([
      4,
      'A move of shards from cell 1 to cell 2 is not finished; finish or undo it first ("sluice ' +
        'cells" says how).\n',
    ]);
    await onCell(1, 'DELETE FROM payments.leaving_shards');
    await onCell(2, `UPDATE payments.carried_shards SET carried = '{[0,16)}'`);
    const twice = await run('restore finish --cells --execute');
    expect([twice.exitCode, twice.errors]).toEqual([
      4,
      expect.stringContaining('Several cells carry 0000-000f: stop payments there at once.'),
    ]);
  });

  it('of cells with events of different incarnations is asked for by the list', async () => {
    await fixture.capturedPayment();
    await run('cells move --from 1 --to 2 --shards 0000-7fff --execute');
    for (const cell of [1, 2] as const) {
      await onCell(
        cell,
        `INSERT INTO payments.events (stream_id, version, event_id, command_id, type,
           schema_version, data, metadata)
         VALUES ('${'0'.repeat(32)}', ${cell + 100}, gen_random_uuid(), gen_random_uuid(), 'Any', 1, '{}', '{}')`,
      );
    }
    await onCell(2, 'UPDATE payments.incarnation SET id = gen_random_uuid()');
    const { output, exitCode } = await run('cells');
    expect(output).toContain('The cells have different incarnations: one was restored without');
    expect(exitCode).toBe(3);
    const move = await run('cells move --from 1 --to 2 --shards 8000-ffff --execute');
    expect([move.exitCode, move.errors]).toEqual([
      4,
      expect.stringContaining('"sluice restore finish --cells" gives all cells the same'),
    ]);
  });
});

describe('marks that are made anew', () => {
  const REFILL = 'marks refill';

  it('take all cells, which carry every shard', async () => {
    const payment = await fixture.capturedPayment();
    await run(`${MOVE} --execute`);
    const { output, exitCode } = await run(REFILL);
    expect([exitCode, output]).toEqual([
      0,
      'Read 0 payments. All marks are what the events say.\n',
    ]);
    expect(
      await onCell(2, `SELECT FROM payments.streams WHERE stream_id = '${payment.id}'`),
    ).toEqual([{}]);
    const unnamed = await run(REFILL, { PAYMENTS_CELL_OWNER_DATABASE_URLS: '' });
    expect([unnamed.exitCode, unnamed.errors]).toEqual([
      2,
      expect.stringContaining('Where are the cells?'),
    ]);
    const { ownerUrl } = fixture.services.payments;
    const one = await run(REFILL, { PAYMENTS_CELL_OWNER_DATABASE_URLS: ownerUrl });
    expect([one.exitCode, one.errors]).toEqual([
      4,
      'The cells carry 0 of 65536 shards: a move is not finished, or the address of a cell is missing or ' +
        'there twice. Nothing was done.\n',
    ]);
  });

  it('wait for a move in any of them', async () => {
    await run(`${MOVE} --execute`);
    const client = new pg.Client({ connectionString: secondUrl });
    await client.connect();
    await client.query(`SELECT pg_advisory_lock(hashtextextended('shards of payments', 0))`);
    const { exitCode, errors } = await run(`${REFILL} --execute --reason lost`);
    await client.end();
    expect([exitCode, errors]).toEqual([
      4,
      expect.stringMatching(/^Shards are being moved .* Nothing was done\.\n$/),
    ]);
  }, 30_000);
});
