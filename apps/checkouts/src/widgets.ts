import type { KeepWidgetQuery, WidgetAnswer, WidgetQuery } from '@sluice/contracts';
import type { Clock } from '@sluice/service';
import type { Pool } from 'pg';

/** Longer than any checkout lives whose instance has said within hours that it has its script. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

const KEEP = `
  INSERT INTO widgets (version, bundle, announced_at) VALUES ($1, $2, $3)
  ON CONFLICT (version) DO UPDATE SET announced_at = $3`;
const DROP = 'DELETE FROM widgets WHERE announced_at < $1';
/** No version is at or behind `g`, which follows on the last digit. */
const FIND = `SELECT bundle FROM widgets WHERE version >= $1 AND version < $1 || 'g' LIMIT 1`;

/**
 * Builds of the payment widget, which instances of edge leave here for one another: while a deployment
 * rolls, and for as long as checkouts live that were made before it (page 0065).
 */
export class Widgets {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly machine: Pick<Clock, 'now'>,
  ) {}

  /** Keeps one for another day; those that no instance has had for a day are dropped. */
  async keep({ version, bundle }: KeepWidgetQuery): Promise<void> {
    const nowMs = this.machine.now();
    await this.pool.query(KEEP, [version, bundle, new Date(nowMs)]);
    await this.pool.query(DROP, [new Date(nowMs - KEPT_MS)]);
  }

  /** The one whose version begins like this. */
  async find({ version }: WidgetQuery): Promise<WidgetAnswer> {
    const { rows } = await this.pool.query<{ bundle: string }>(FIND, [version]);
    return rows[0] ?? {};
  }
}
