import {
  carriesEverything,
  MoveRefused,
  type RefilledMarks,
  refillMarks,
  withoutMoves,
} from '@sluice/event-store';
import { markHistory } from '@sluice/payments';
import { connectClient } from '@sluice/service';
import type { Pool } from 'pg';
import type { Answer } from './answer.js';
import { refused } from './exit-codes.js';
import { recordAction } from './operator-actions.js';
import { counted } from './progress.js';
import type { Session } from './session.js';
import { cellOwnerUrlsOf } from './settings.js';

/** The flags of `marks refill`. */
export interface RefillFlags {
  readonly reason?: string;
  readonly execute?: true;
}

/**
 * `marks refill`: makes the table of marks what the events say (page 0062). Of cells, it works on the one
 * whose database it is given, and never while shards move there, because marks move with them.
 */
export async function refillPaymentMarks(
  session: Session,
  { reason, execute = false }: { readonly reason?: string; readonly execute?: boolean },
): Promise<Answer> {
  const schema = session.schema('payments');
  const url = session.databaseUrl('payments', 'owner');
  const pool = session.database('payments', 'owner');
  const { signal } = session;
  const connect = (): ReturnType<typeof connectClient> =>
    connectClient({ connectionString: url, application_name: 'sluice-cli' });
  try {
    return await withoutMoves({ connect, schema }, async () => {
      if (execute) {
        await recordAction({ url, schema }, { action: 'refill marks', reason, details: {} });
      }
      const parts = { pool, schema, historyOf: markHistory, signal };
      const cells = (await carriesEverything({ pool, schema })) ? [] : cellsOf(session);
      const refilled = await refillMarks({ ...parts, cells, execute });
      return { data: { executed: execute, ...refilled }, text: textOf(refilled, execute) };
    });
  } catch (error) {
    if (error instanceof MoveRefused) throw refused(`${error.message} Nothing was done.`);
    throw error;
  }
}

/** All cells: what has moved is read where it is. Throws CommandEnded if they are not named. */
function cellsOf(session: Session): readonly Pool[] {
  return cellOwnerUrlsOf(session.settings).map((url) => session.databaseAt(url, 'payments'));
}

function textOf({ streams, added, changed, removed }: RefilledMarks, isDone: boolean): string {
  const read = `Read ${counted(streams, 'payment')}.`;
  if (added + changed + removed === 0) return `${read} All marks are what the events say.`;
  const [add, change, remove] = isDone
    ? ['Added', 'changed', 'removed']
    : ['Would add', 'change', 'remove'];
  const marks = `${add} ${counted(added, 'mark')}, ${change} ${changed} and ${remove} ${removed}.`;
  const lines = isDone ? [read, marks] : [read, marks, 'Nothing was done. Add --execute to do it.'];
  return lines.join('\n');
}
