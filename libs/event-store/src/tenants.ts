import type { Database } from './database.js';
import { type Migration, SQL_IDENTIFIER, type SchemaNames } from './schema.js';

const MS_PER_S = 1_000;

/**
 * Tenants with any date that one claim looks at: a look is one step down an index, so all of them take some
 * milliseconds. Where there are more, the next claim goes on with the others.
 */
const LOOKED_AT_MAX = 500;
/** Streams of one tenant in its turn: so few that many tenants have theirs in one claim. */
const IN_A_TURN = 4;

/**
 * The step that lets a service say whose its streams are, for stores with `hasTenants`. A service takes it
 * up beside `migrations`: what nobody else waits for, such as payments under way, needs no turns.
 */
export function tenantsOfStreams({ schema }: Pick<SchemaNames, 'schema'>): Migration {
  if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
  return {
    name: 'event-store-tenants',
    statements: [
      `ALTER TABLE ${schema}.streams ADD COLUMN tenant text COLLATE "C"`,
      `COMMENT ON COLUMN ${schema}.streams.tenant IS 'Whose it is: what is due is claimed in turn'`,
      `CREATE INDEX streams_due_of_tenants ON ${schema}.streams (tenant, due_at)
         WHERE due_at IS NOT NULL AND tenant IS NOT NULL`,
    ],
  };
}

/** A tenant whose clock is ahead of the database's: a date of its streams is one of that clock. */
export interface TenantAhead {
  readonly tenant: string;
  readonly aheadMs: number;
}

/**
 * What is due of one tenant by its own clock. Where streams do not say whose they are, the metadata of their
 * first event does: that costs a look into each stream that is due, and needs no index that others keep up.
 */
export class DueOfTenant {
  readonly #isTheirs: string;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    { isHere, hasTenants }: { readonly isHere: string; readonly hasTenants: boolean },
  ) {
    const theirs = hasTenants
      ? 'tenant = $1'
      : `(SELECT metadata->>'entityId' FROM ${schema}.events e
          WHERE e.stream_id = streams.stream_id AND e.version = 1) = $1`;
    this.#isTheirs = `${theirs} AND ${isHere}`;
  }

  /** Up to so many, the earliest first, for the caller alone until the lease ends by that clock. */
  async claim(
    { tenant, aheadMs }: TenantAhead,
    limit: number,
    leaseMs: number,
  ): Promise<readonly string[]> {
    const streams = `${this.schema}.streams`;
    const rows = await this.database.execute<[string]>({
      name: 'claim due streams of a tenant',
      text: `WITH due AS MATERIALIZED (
               SELECT stream_id FROM ${streams}
               WHERE due_at <= now() + make_interval(secs => $2::float8) AND ${this.#isTheirs}
               ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
             UPDATE ${streams} s SET due_at = now() + make_interval(secs => $2::float8 + $4::float8)
             FROM due WHERE s.stream_id = due.stream_id
             RETURNING s.stream_id`,
      values: [tenant, aheadMs / MS_PER_S, limit, leaseMs / MS_PER_S],
    });
    return rows.map(([streamId]) => streamId);
  }

  /** When the first of its streams is due, milliseconds since the epoch; null when none will be. */
  async nextMs(tenant: string): Promise<number | null> {
    const [row] = await this.database.execute<[string]>({
      name: 'next due stream of a tenant',
      text: `SELECT (extract(epoch FROM due_at) * 1000)::text FROM ${this.schema}.streams
             WHERE due_at IS NOT NULL AND ${this.#isTheirs} ORDER BY due_at LIMIT 1`,
      values: [tenant],
    });
    return row === undefined ? null : Number(row[0]);
  }
}

/**
 * Takes a few due streams of each tenant in turn, however many others have, and however long theirs have
 * been waiting.
 */
export class DueInTurn {
  /** Whose turn it was last; empty: a round begins. */
  #after = '';

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly isHere: string,
  ) {}

  /** Up to so many, for the caller alone until the lease ends. */
  async claim(limit: number, leaseMs: number): Promise<readonly string[]> {
    const rows = await this.database.execute<[string | null, string, boolean]>({
      name: 'claim due streams in turn',
      text: this.#text(),
      values: [limit, leaseMs / MS_PER_S, this.#after],
    });
    const taken = rows.filter(([streamId]) => streamId !== null);
    const [lookedAt] = rows.filter(([streamId]) => streamId === null);
    const isFull = taken.length === limit;
    const last = taken
      .map(([, tenant]) => tenant)
      .sort()
      .at(-1);
    if (isFull && last !== undefined) this.#after = last;
    else this.#after = lookedAt?.[2] === true ? lookedAt[1] : '';
    return taken.map(([streamId]) => streamId ?? '');
  }

  /** The last row says whom it has looked at last, and whether there may be others behind. */
  #text(): string {
    const streams = `${this.schema}.streams`;
    const nextAfter = (tenant: string): string => `
      SELECT tenant FROM ${streams} WHERE due_at IS NOT NULL AND tenant > ${tenant}
      ORDER BY tenant LIMIT 1`;
    return `WITH RECURSIVE looked_at AS (
        (SELECT tenant, 1 AS number FROM (${nextAfter('$3')}) AS first)
        UNION ALL
        SELECT (${nextAfter('l.tenant')}), l.number + 1
        FROM looked_at l WHERE l.tenant IS NOT NULL AND l.number < ${LOOKED_AT_MAX}),
      due AS MATERIALIZED (
        SELECT d.stream_id, l.tenant FROM looked_at l CROSS JOIN LATERAL (
          SELECT s.stream_id FROM ${streams} s
          WHERE s.tenant = l.tenant AND s.due_at <= now() AND ${this.isHere}
          ORDER BY s.due_at LIMIT ${IN_A_TURN} FOR UPDATE SKIP LOCKED) d
        LIMIT $1),
      claimed AS (
        UPDATE ${streams} s SET due_at = now() + make_interval(secs => $2)
        FROM due WHERE s.stream_id = due.stream_id
        RETURNING s.stream_id, due.tenant)
      SELECT stream_id, tenant, false FROM claimed
      UNION ALL SELECT NULL, max(tenant), bool_and(tenant IS NOT NULL) FROM looked_at`;
  }
}
