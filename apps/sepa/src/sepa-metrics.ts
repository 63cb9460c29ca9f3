import {
  counter,
  databaseMetrics,
  gauge,
  gaugeOf,
  internalServerMetrics,
  type Metrics,
  noMetrics,
  type ServiceMetrics,
} from '@sluice/service';
import type { Pool } from 'pg';
import { caseKinds, IS_SENDABLE } from './schema.js';

const FILE_OUTCOMES = ['written', 'unwritable', 'read', 'repeated', 'refused'] as const;
const ENTRY_OUTCOMES = ['nothing', 'moved', 'takenBack', ...caseKinds] as const;

const files = counter(
  'sluice_bank_files_total',
  'Files for the bank that were written, or could not be; files of the bank that were read, were read before, or were refused.',
  { outcome: FILE_OUTCOMES },
);
const entries = counter(
  'sluice_bank_file_entries_total',
  'What files of the bank say of orders, by what followed: nothing, a new state, a chargeback (takenBack), or a case for a person.',
  { outcome: ENTRY_OUTCOMES },
);
const waiting = gauge(
  'sluice_bank_orders_waiting_seconds',
  'How long the oldest order has waited for a file although it was due; 0 if none waits.',
);
const unwritten = gauge(
  'sluice_bank_files_unwritten',
  'Files for the bank whose orders are fixed and which are not in the folder yet.',
);
const unreported = gauge(
  'sluice_bank_returns_unreported',
  'Payments that the bank took back, and that payments has not recorded as charged back yet.',
);

/** What sepa emits. */
export const sepaMetrics: ServiceMetrics = {
  service: 'sepa',
  declarations: [
    ...[files, entries, waiting, unwritten, unreported],
    ...[...databaseMetrics, ...internalServerMetrics],
  ],
};

interface Backlog {
  readonly waiting: number;
  readonly unwritten: number;
  readonly unreported: number;
}

const BACKLOG = `
  SELECT coalesce(extract(epoch FROM now() - (SELECT min(greatest(placed_at, due_on::timestamptz))
           FROM orders WHERE state = 'waiting' AND ${IS_SENDABLE})), 0)::float AS waiting,
         (SELECT count(*) FROM files WHERE written_at IS NULL)::int AS unwritten,
         (SELECT count(*) FROM orders
          WHERE chargeback_id IS NOT NULL AND reported_at IS NULL)::int AS unreported`;

/** Where sepa counts. */
export class SepaMetrics {
  readonly #files;
  readonly #entries;

  constructor(private readonly metrics: Metrics = noMetrics) {
    this.#files = metrics.counter(files);
    this.#entries = metrics.counter(entries);
  }

  /** What became of a file. */
  files(outcome: (typeof FILE_OUTCOMES)[number]): void {
    this.#files.add({ outcome });
  }

  /** What the bank's word about an order came to. */
  entries(outcome: (typeof ENTRY_OUTCOMES)[number]): void {
    this.#entries.add({ outcome });
  }

  /** Shows what is left to do. */
  watch(pool: Pick<Pool, 'query'>): void {
    this.metrics.look(async () => {
      const { rows } = await pool.query<Backlog>(BACKLOG);
      return rows[0] ?? { waiting: 0, unwritten: 0, unreported: 0 };
    }, [
      gaugeOf(waiting, (backlog) => Math.max(0, backlog.waiting)),
      gaugeOf(unwritten, (backlog) => backlog.unwritten),
      gaugeOf(unreported, (backlog) => backlog.unreported),
    ]);
  }
}
