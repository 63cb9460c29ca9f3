import { kafkaHandlerMetrics, kafkaProducerMetrics, kafkaReaderMetrics } from '@sluice/messaging';
import {
  counter,
  type CounterSeries,
  databaseMetrics,
  gauge,
  gaugeOf,
  internalServerMetrics,
  type Metrics,
  type ServiceMetrics,
} from '@sluice/service';
import type { Pool } from 'pg';
import { projections } from './projections.js';

const byProjection = { projection: projections.map(({ name }) => name) };

const lag = gauge(
  'sluice_projection_lag_seconds',
  'How long ago the oldest event was recorded that has arrived and is not in the rows; 0 when none waits.',
  byProjection,
);
const position = gauge(
  'sluice_projection_position',
  "Messages of the topic that are in the rows that are read: the sum of all partitions' positions.",
  byProjection,
);
const parked = gauge(
  'sluice_projection_parked_events',
  'Events that could not be applied to the rows that are read, and those behind them; counted to 10000.',
  byProjection,
);

const rebuild = gauge(
  'sluice_projection_rebuild_seconds',
  'How long ago the filling of new tables began that has not ended; 0 when none are being filled.',
  byProjection,
);

/** What rebuilds read. A rebuild by the command line is not counted: it ends before a scrape. */
export const replayedEvents = counter(
  'sluice_replay_events_total',
  'Events of the store that this process has put into new tables by itself; those of an earlier try are not counted again.',
  byProjection,
);

/** Queries that found the rows behind. */
const queriesBehind = counter(
  'sluice_queries_behind_total',
  'Queries whose rows were not as new as the question within a second: by merchantTransactionId they were answered from the payments themselves, by time as far as the rows were.',
  { by: ['merchantTransactionId', 'time'] },
);

/** What reporting emits. */
export const reportingMetrics: ServiceMetrics = {
  service: 'reporting',
  declarations: [
    ...[lag, position, parked, rebuild, replayedEvents, queriesBehind],
    ...[...databaseMetrics, ...internalServerMetrics],
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics, ...kafkaHandlerMetrics],
  ],
};

/** Both from the start: a rate is known only for a series that existed before it grew. */
export function behindOf(
  metrics: Metrics,
): Readonly<Record<'merchantTransactionId' | 'time', CounterSeries>> {
  const behind = metrics.counter(queriesBehind);
  return {
    merchantTransactionId: behind.of({ by: 'merchantTransactionId' }),
    time: behind.of({ by: 'time' }),
  };
}

/** What the feeding of a projection looks like to a scrape. */
export interface FedRows {
  readonly projection: string;
  readonly schema: string;
  /** The table set that queries read; undefined before there is one. */
  readonly live: { readonly id: number } | undefined;
  /** When the oldest event was recorded that is in hand, milliseconds since the epoch. */
  readonly oldestInHandMs: number | undefined;
}

/** Shows how far the rows are behind. */
export function watchFeeding(
  metrics: Metrics,
  pool: Pick<Pool, 'query'>,
  fed: readonly FedRows[],
  now: () => number = Date.now,
): void {
  metrics.gauge(lag, () =>
    fed.map(({ projection, oldestInHandMs }) => {
      const ageMs = oldestInHandMs === undefined ? 0 : now() - oldestInHandMs;
      return { labels: { projection }, value: Math.max(0, ageMs) / 1_000 };
    }),
  );
  const valueOf =
    (name: 'position' | 'parked' | 'rebuildSeconds') => (found: readonly Progress[]) =>
      found.map((progress) => ({
        labels: { projection: progress.projection },
        value: progress[name],
      }));
  metrics.look(
    () => progressOfAll(pool, fed),
    [
      gaugeOf(position, valueOf('position')),
      gaugeOf(parked, valueOf('parked')),
      gaugeOf(rebuild, valueOf('rebuildSeconds')),
    ],
  );
}

/** A scrape counts no further; more is just as bad. */
const COUNTED_MAX = 10_000;

interface Progress {
  readonly projection: string;
  readonly position: number;
  readonly parked: number;
  readonly rebuildSeconds: number;
}

async function progressOfAll(
  pool: Pick<Pool, 'query'>,
  fed: readonly FedRows[],
): Promise<readonly Progress[]> {
  const found = await Promise.all(fed.map((rows) => progressOf(pool, rows)));
  // A projection without rows reports nothing, and does not hide the others.
  const known = found.filter((progress) => progress !== undefined);
  if (known.length === 0) throw new Error('There are no rows to be read yet.');
  return known;
}

async function progressOf(
  pool: Pick<Pool, 'query'>,
  { schema, live, projection }: FedRows,
): Promise<Progress | undefined> {
  if (live === undefined) return undefined;
  // A position is beyond the last message; both are found by the first column of a primary key.
  const text = `SELECT
      (SELECT coalesce(sum("offset" + 1), 0) FROM ${schema}.checkpoints
       WHERE table_set = $1)::float8 AS position,
      (SELECT count(*)::int FROM (SELECT FROM ${schema}.parked WHERE table_set = $1
                                  LIMIT ${COUNTED_MAX}) p) AS parked,
      (SELECT coalesce(max(extract(epoch FROM now() - created_at)), 0)
       FROM ${schema}.table_sets WHERE projection = $2 AND state = 'filling')::float8
        AS "rebuildSeconds"`;
  const { rows } = await pool.query<Omit<Progress, 'projection'>>(text, [live.id, projection]);
  return { projection, ...(rows[0] ?? { position: 0, parked: 0, rebuildSeconds: 0 }) };
}
