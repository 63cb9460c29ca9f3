import type { Demands, DirectoryAnswer } from '@sluice/contracts';
import type { Pool } from 'pg';

/** Five times the interval at which edge asks, so that an instance may miss a few. */
const STILL_THERE = "asked_at > clock_timestamp() - interval '10 s'";
/** More than twice that interval. When an instance has gone, its load soon shows at the others. */
const FRESH = "asked_at > clock_timestamp() - interval '5 s'";

/** One statement for all, because every instance asks every two seconds, also at rest. */
const NOTE_AND_LIST = `WITH noted AS (
    INSERT INTO askers (asker, asked_at, demands) VALUES ($1, clock_timestamp(), $2)
    ON CONFLICT (asker) DO UPDATE SET asked_at = excluded.asked_at, demands = excluded.demands
    RETURNING asker, demands),
  long_gone AS (
    DELETE FROM askers WHERE asked_at < clock_timestamp() - interval '1 hour' AND asker <> $1)
  SELECT asker, demands, true AS fresh FROM noted
  UNION ALL
  SELECT asker, demands, ${FRESH} FROM askers WHERE ${STILL_THERE} AND asker <> $1`;

/** What an instance reported when it last asked. */
interface Report {
  readonly asker: string;
  readonly demands: Demands;
  readonly fresh: boolean;
}

/** The instances of edge that ask for the directory; they share the limits of merchants (D-40). */
export class Askers {
  /** How many were counted last; undefined before the first time. */
  last: number | undefined;

  /** The pool's search path leads to their table. */
  constructor(private readonly pool: Pool) {}

  /**
   * Notes that an instance has asked, and how many requests it got per key; returns how many
   * instances there are, and how many requests the others got for the same keys. A merchant's limit
   * holds for all of them together.
   */
  async shareLimits(
    asker: string,
    demands: Demands,
  ): Promise<Required<Pick<DirectoryAnswer, 'askers' | 'others'>>> {
    const values = [asker, JSON.stringify(demands)];
    const { rows } = await this.pool.query<Report>(NOTE_AND_LIST, values);
    this.last = rows.length;
    const reports = rows.filter((row) => row.fresh && row.asker !== asker);
    return {
      askers: rows.length,
      others: othersOf(
        Object.keys(demands),
        reports.map((row) => row.demands),
      ),
    };
  }
}

function othersOf(
  keys: readonly string[],
  reports: readonly Demands[],
): Record<string, readonly number[]> {
  const others: Record<string, readonly number[]> = {};
  for (const key of keys) {
    const demands = reports.flatMap((report) => report[key] ?? []);
    if (demands.length > 0) others[key] = demands;
  }
  return others;
}
