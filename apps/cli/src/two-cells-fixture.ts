import { beforeAll, beforeEach } from '@jest/globals';
import { migrations } from '@sluice/event-store';
import { ensureRolesAndSchema, migrate } from '@sluice/service';
import { testDatabase } from '@sluice/testing';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';
import { PaymentsFixture } from './payments-fixture.js';

const TABLES =
  'events, streams, transactions, personal_keys, idempotency, outbox, leaving_shards, shard_moves';

/** Payments with two cells: each test begins with no payment, and all shards in the first cell. */
export class TwoCellsFixture extends PaymentsFixture {
  /** The address of the second cell's database, as its owner. */
  secondUrl = '';

  constructor() {
    super();
    const database = testDatabase();

    beforeAll(async () => {
      const { payments } = await ensureRolesAndSchema(database.url, ['payments']);
      const { ownerUrl: url, schema, appRole } = payments;
      await migrate({ url, schema, migrations: migrations({ ...payments, cell: 2 }), appRole });
      this.secondUrl = url;
    }, 60_000);

    beforeEach(async () => {
      for (const cell of [1, 2] as const) {
        const tables = TABLES.split(', ').map((table) => `payments.${table}`);
        await this.onCell(cell, `TRUNCATE ${tables.join(', ')}`);
        const carried = cell === 1 ? '{[0,65536)}' : '{}';
        await this.onCell(
          cell,
          `UPDATE payments.carried_shards SET carried = '${carried}', closing = '{}'`,
        );
      }
    });
  }

  /** The rows of a statement on one cell's database, as its owner. */
  async onCell(cell: 1 | 2, text: string): Promise<unknown[]> {
    const connectionString = cell === 1 ? this.services.payments.ownerUrl : this.secondUrl;
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs a command that knows the addresses of both cells. */
  run(line: string | readonly string[], environment?: NodeJS.ProcessEnv): Promise<Ran> {
    return sluice(line, {
      environment: {
        ...this.environment,
        PAYMENTS_CELL_OWNER_DATABASE_URLS: `${this.services.payments.ownerUrl}, ${this.secondUrl}`,
        ...environment,
      },
    });
  }
}
