import { isCarried } from './cells/carried-shards.js';
import type { Database } from './database.js';
import { DueInTurn, DueOfTenant, type TenantAhead } from './tenants.js';

const MS_PER_S = 1_000;

/** Which streams a sweeper must look at, and when: a column of their heads. */
export class DueStreams {
  readonly #inTurn: DueInTurn | undefined;
  readonly #ofTenant: DueOfTenant;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly traits: { readonly hasShards: boolean; readonly hasTenants: boolean },
  ) {
    const isHere = this.#isHere();
    const { hasTenants } = traits;
    if (hasTenants) this.#inTurn = new DueInTurn(database, schema, isHere);
    this.#ofTenant = new DueOfTenant(database, schema, { isHere, hasTenants });
  }

  /**
   * Takes streams that are due. For `leaseMs`, by the database's clock, nobody else gets them; afterwards
   * they are due again, unless an append or `schedule` has said otherwise. The longest waiting come first;
   * where streams have tenants, one half goes to these in turn, so that nobody waits for all of another's.
   */
  async claim(limit: number, leaseMs: number): Promise<readonly string[]> {
    const inTurn = (await this.#inTurn?.claim(Math.ceil(limit / 2), leaseMs)) ?? [];
    if (inTurn.length >= limit) return inTurn;
    return [...inTurn, ...(await this.#claimLongest(limit - inTurn.length, leaseMs))];
  }

  /** Takes streams that are due by the clock of their tenant. */
  claimOf(ahead: TenantAhead, limit: number, leaseMs: number): Promise<readonly string[]> {
    return this.#ofTenant.claim(ahead, limit, leaseMs);
  }

  /** When the first stream of a tenant is due, by its clock; null when none will be. */
  nextOfMs(tenant: string): Promise<number | null> {
    return this.#ofTenant.nextMs(tenant);
  }

  async #claimLongest(limit: number, leaseMs: number): Promise<readonly string[]> {
    const rows = await this.database.execute<[string]>({
      name: 'claim due streams',
      // Materialized, because the planner could otherwise apply the limit more than once.
      text: `WITH due AS MATERIALIZED (
               SELECT stream_id FROM ${this.schema}.streams WHERE due_at <= now()
                 AND ${this.#isHere()}
               ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
             UPDATE ${this.schema}.streams s SET due_at = now() + make_interval(secs => $2)
             FROM due WHERE s.stream_id = due.stream_id
             RETURNING s.stream_id`,
      values: [limit, leaseMs / MS_PER_S],
    });
    return rows.map(([streamId]) => streamId);
  }

  /**
   * How long until the first stream is due, by the database's clock, in milliseconds; 0 when one is,
   * also if somebody else has it in hand; null when none will be.
   */
  async nextInMs(): Promise<number | null> {
    const [row] = await this.database.execute<[string]>({
      name: 'next due stream',
      text: `SELECT greatest(0, extract(epoch FROM due_at - now()) * 1000)::text
             FROM ${this.schema}.streams WHERE due_at IS NOT NULL AND ${this.#isHere()}
             ORDER BY due_at LIMIT 1`,
      values: [],
    });
    return row === undefined ? null : Number(row[0]);
  }

  /** What has gone to another cell is due there. */
  #isHere(): string {
    return this.traits.hasShards ? isCarried(this.schema, 'stream_id') : 'true';
  }

  /**
   * Says when to look at a stream again; null: never. With a version, only if the stream is still
   * at it: whoever has appended since has set a newer date.
   */
  async schedule(streamId: string, dueInMs: number | null, version?: number): Promise<void> {
    await this.database.execute({
      name: 'schedule',
      text: `UPDATE ${this.schema}.streams SET due_at = now() + make_interval(secs => $2)
             WHERE stream_id = $1 AND version = coalesce($3, version)`,
      values: [streamId, dueInMs === null ? null : dueInMs / MS_PER_S, version ?? null],
    });
  }
}
