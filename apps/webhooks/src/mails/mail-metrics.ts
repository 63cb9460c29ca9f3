import { counter, gauge, gaugeOf, type Metrics } from '@sluice/service';
import type { Pool } from 'pg';
import type { MailStanding } from './mail-outbox.js';

const STANDINGS: readonly MailStanding[] = ['sent', 'failed', 'gaveUp'];

const mails = counter(
  'sluice_webhook_mails_total',
  'Mails about receivers that fail, by what came of handing them to the relay; failed ones are tried again for a day.',
  { outcome: [...STANDINGS] },
);
const oldest = gauge(
  'sluice_webhook_mails_oldest_seconds',
  'How long the mail has waited for its relay that should have been sent first.',
);

/** What is counted of mails. */
export const mailMetricDeclarations = [mails, oldest];

const OLDEST = `SELECT coalesce(extract(epoch FROM now() - min(made_at))::float8, 0) AS oldest
  FROM mails WHERE due_at IS NOT NULL`;

/** Where mails are counted. */
export class MailMetrics {
  readonly #mails;

  constructor(private readonly metrics: Metrics) {
    this.#mails = metrics.counter(mails);
    for (const outcome of STANDINGS) this.#mails.of({ outcome });
  }

  /** Somebody tried to send one. */
  tried(outcome: MailStanding): void {
    this.#mails.add({ outcome });
  }

  /** Shows what waits. */
  watch(pool: Pick<Pool, 'query'>): void {
    this.metrics.look(
      async () => (await pool.query<{ oldest: number }>(OLDEST)).rows[0] ?? { oldest: 0 },
      [gaugeOf(oldest, (waiting) => Math.max(0, waiting.oldest))],
    );
  }
}
