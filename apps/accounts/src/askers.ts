import type { Demands, DirectoryAnswer } from '@sluice/contracts';
import type { Pool } from 'pg';

/** Five times the interval at which edge asks: one that missed a few is still there. */
const STILL_THERE = "asked_at > clock_timestamp() - interval '10 s'";
/** More than twice that interval; what one that is gone was asked for is soon asked of the others. */
const FRESH = "asked_at > clock_timestamp() - interval '5 s'";

const NOTE = `INSERT INTO askers (asker, asked_at, demands) VALUES ($1, clock_timestamp(), $2)
  ON CONFLICT (asker) DO UPDATE SET asked_at = excluded.asked_at, demands = excluded.demands`;
const FORGET_LONG_GONE =
  "DELETE FROM askers WHERE asked_at < clock_timestamp() - interval '1 hour'";
const LIST = `SELECT asker, demands, ${FRESH} AS fresh FROM askers WHERE ${STILL_THERE}`;

/** What an instance said when it last asked. */
interface Report {
  readonly asker: string;
  readonly demands: Demands;
  readonly fresh: boolean;
}

/** The instances of edge that ask for the directory: they share what a merchant may send (D-40). */
export class Askers {
  /** How many were counted last; undefined before the first. */
  last: number | undefined;

  /** The pool's search path leads to their table. */
  constructor(private readonly pool: Pool) {}

  /**
   * Notes that an instance has asked and what it was asked for, and says how many there are and what
   * the others were asked for of the same keys: a merchant's limit holds for all of them together.
   */
  async shareLimits(
    asker: string,
    demands: Demands,
  ): Promise<Required<Pick<DirectoryAnswer, 'askers' | 'others'>>> {
    await this.pool.query(NOTE, [asker, JSON.stringify(demands)]);
    await this.pool.query(FORGET_LONG_GONE);
    const { rows } = await this.pool.query<Report>(LIST);
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
