import { DELIVERY_LIFE_MS } from '@sluice/domain-webhooks';
import type { Clock } from '@sluice/service';
import type { Pool } from 'pg';

/** As long as a notification may be tried: whoever looks for the reason finds every attempt. */
const KEPT_MS = DELIVERY_LIFE_MS;
/** Others have their turn in between. */
const FORGOTTEN_AT_ONCE = 5_000;
const MS_PER_SECOND = 1_000;

const FORGET = [
  ['attempts', 'ended_at < to_timestamp($1)'],
  ['deliveries', "ended_at < to_timestamp($1) AND standing <> 'waiting'"],
  ['queues', 'due_at IS NULL AND changed_at < to_timestamp($1)'],
  ['tests', 'asked_at < to_timestamp($1)'],
  ['mails', 'made_at < to_timestamp($1)'],
].map(
  ([table = '', isOld = '']) =>
    `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${isOld} LIMIT $2)`,
);

/** Forgets what became of notifications, 30 days after. */
export class Retention {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly machine: Pick<Clock, 'now'>,
  ) {}

  async forget(): Promise<void> {
    const before = (this.machine.now() - KEPT_MS) / MS_PER_SECOND;
    for (const text of FORGET) {
      for (let more = true; more;) {
        const { rowCount } = await this.pool.query(text, [before, FORGOTTEN_AT_ONCE]);
        more = rowCount === FORGOTTEN_AT_ONCE;
      }
    }
  }
}
