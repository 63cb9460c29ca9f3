import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrations } from '@sluice/event-store';
import { chainShard } from '@sluice/identifiers';
import { ensureRolesAndSchema, migrate } from '@sluice/service';
import { testDatabase } from '@sluice/testing';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';
import { type CapturedPayment, PaymentsFixture } from './payments-fixture.js';

const fixture = new PaymentsFixture();
const database = testDatabase();
let secondUrl = '';
let payment: CapturedPayment;

beforeAll(async () => {
  const { payments } = await ensureRolesAndSchema(database.url, ['payments']);
  const { ownerUrl: url, schema, appRole } = payments;
  await migrate({ url, schema, migrations: migrations({ ...payments, cell: 2 }), appRole });
  secondUrl = url;
  payment = await fixture.capturedPayment();
}, 60_000);

beforeEach(async () => {
  await carry('{[0,65536)}', '{}');
});

async function onCell(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

async function carry(first: string, second: string): Promise<void> {
  const text = (carried: string): string =>
    `UPDATE payments.carried_shards SET carried = '${carried}'`;
  await onCell(fixture.services.payments.ownerUrl, text(first));
  await onCell(secondUrl, text(second));
}

function run(line: string, urls = [fixture.services.payments.ownerUrl, secondUrl]): Promise<Ran> {
  const environment = {
    ...fixture.environment,
    PAYMENTS_CELL_OWNER_DATABASE_URLS: urls.join(' '),
  };
  return sluice(line, { environment });
}

const NOBODY = 'postgres://nobody@127.0.0.1:1/nothing';

describe('a payment of an installation with several cells', () => {
  it('is found where its shard is, whichever of its transactions is named', async () => {
    const { id, refundId } = payment;
    const { output, exitCode } = await run(`streams show ${refundId}`);
    expect(output).toMatch(
      new RegExp(`^In cell 1, which carries its shard \\(${chainShard(id)}\\)\\.\nPayment ${id}\n`),
    );
    expect(exitCode).toBe(0);
    expect((await run(`streams show ${id} --json`)).json()).toMatchObject({
      ...{ paymentId: id, cell: 1, version: 6 },
    });
  });

  it('is shown although another cell does not answer', async () => {
    const { output } = await run(`streams show ${payment.id}`, [
      fixture.services.payments.ownerUrl,
      NOBODY,
    ]);
    expect(output).toContain('In cell 1, which carries its shard');
  });

  it('is found where it has been left, which is said', async () => {
    await carry('{}', '{[0,65536)}');
    const { output } = await run(`streams show ${payment.id}`);
    expect(output).toContain(
      'In cell 1, which does not carry its shard now: "sluice cells" says why',
    );
    const { exitCode, errors } = await run(`streams show ${payment.id}`, [
      fixture.services.payments.ownerUrl,
      NOBODY,
    ]);
    expect([exitCode, errors]).toEqual([
      1,
      'The database of cell 2 does not answer (ECONNREFUSED).\n',
    ]);
  });

  it('is shown as the cell has it that has more of it, while nobody carries it', async () => {
    await carry('{}', '{}');
    await onCell(
      secondUrl,
      `INSERT INTO payments.events (stream_id, version, event_id, command_id, type,
         schema_version, data, metadata)
       VALUES ('${payment.id}', 1, gen_random_uuid(), gen_random_uuid(), 'Any', 1, '{}', '{}')`,
    );
    const { output } = await run(`streams show ${payment.id}`);
    expect(output).toContain('In cell 1, which does not carry its shard now');
    expect(output).toContain('event 6 of 6\n');
    await onCell(secondUrl, 'TRUNCATE payments.events');
  });

  it('that no cell has is said so', async () => {
    const { exitCode, errors } = await run(`streams show ${'f'.repeat(32)}`);
    expect([exitCode, errors]).toEqual([
      1,
      `There is no stream or transaction ${'f'.repeat(32)} in any of 2 cells of payments.\n`,
    ]);
  });
});

describe('a payment that has moved', () => {
  it('is found in the cell that it moved to', async () => {
    const moved = await run('cells move --from 1 --to 2 --shards 0000-ffff --execute');
    expect(moved.exitCode).toBe(0);
    await carry('{}', '{[0,65536)}');
    expect((await run(`streams show ${payment.captureId}`)).output).toMatch(
      /^In cell 2, which carries its shard/,
    );
  });
});
