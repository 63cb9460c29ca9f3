import type { Database } from './database.js';

const MS_PER_S = 1_000;

/**
 * One relay's share of the slots (D-21). Every relay reports that it is alive, keeps its fair
 * share, gives back the rest, and takes slots that are free or were not renewed. So a relay that
 * joins has its share after two rounds, and one that dies is replaced when its leases expire. All
 * times are by the database's clock.
 */
export class RelayLeases {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
    /** UUID of this relay, a new one at each start. */
    private readonly relay: string,
    private readonly leaseMs: number,
  ) {}

  /**
   * Renews, gives back and takes; returns how many slots are held now. Never call it while a batch
   * is under way: a slot that is given back must have nothing in flight.
   */
  async renew(): Promise<number> {
    const { schema } = this;
    const rows = await this.database.execute<[boolean]>({
      name: 'relay leases',
      text: `WITH alive AS MATERIALIZED (
               INSERT INTO ${schema}.relays AS r (relay, alive_until)
               VALUES ($1, now() + make_interval(secs => $2))
               ON CONFLICT (relay) DO UPDATE SET alive_until = excluded.alive_until
               RETURNING alive_until),
             dead AS (DELETE FROM ${schema}.relays WHERE relay <> $1 AND alive_until <= now()),
             share AS MATERIALIZED (
               SELECT ceil((SELECT count(*) FROM ${schema}.relay_slots)::float8 /
                           (1 + count(*)))::int AS slots
               FROM ${schema}.relays WHERE relay <> $1 AND alive_until > now()),
             held AS MATERIALIZED (
               SELECT slot, row_number() OVER (ORDER BY slot) AS place
               FROM ${schema}.relay_slots WHERE holder = $1),
             free AS MATERIALIZED (
               SELECT slot FROM ${schema}.relay_slots
               WHERE holder IS NULL OR (holder <> $1 AND leased_until <= now())
               ORDER BY slot
               LIMIT greatest(0, (SELECT slots FROM share) - (SELECT count(*) FROM held))
               FOR UPDATE SKIP LOCKED),
             wanted AS (
               SELECT slot, place <= (SELECT slots FROM share) AS kept FROM held
               UNION ALL SELECT slot, true FROM free)
             UPDATE ${schema}.relay_slots s
             SET holder = CASE WHEN w.kept THEN $1::uuid END,
                 leased_until = CASE WHEN w.kept THEN (SELECT alive_until FROM alive) END
             FROM wanted w
             WHERE s.slot = w.slot
               AND (s.holder = $1 OR s.holder IS NULL OR s.leased_until <= now())
             RETURNING w.kept`,
      values: [this.relay, this.leaseMs / MS_PER_S],
    });
    return rows.filter(([kept]) => kept).length;
  }

  /** Leaves all slots to the others at once; relays are locked before slots, as everywhere. */
  async release(): Promise<void> {
    const { schema } = this;
    await this.database.execute({
      name: 'relay leaves',
      text: `WITH gone AS MATERIALIZED (DELETE FROM ${schema}.relays WHERE relay = $1 RETURNING relay)
             UPDATE ${schema}.relay_slots SET holder = NULL, leased_until = NULL
             WHERE holder = $1 AND (SELECT count(*) FROM gone) >= 0`,
      values: [this.relay],
    });
  }
}
