import {
  carriesEverything,
  MoveRefused,
  type RefilledMarks,
  refillMarks,
  withoutMoves,
} from '@sluice/event-store';
import { markHistory } from '@sluice/payments';
import { connectClient } from '@sluice/service';
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
 * whose database it is given, and never while shards move in any of them, because marks move with them.
 */
export async function refillPaymentMarks(
  session: Session,
  { reason, execute = false }: { readonly reason?: string; readonly execute?: boolean },
): Promise<Answer> {
  const schema = session.schema('payments');
  const url = session.databaseUrl('payments', 'owner');
  const pool = session.database('payments', 'owner');
  const { signal } = session;
  const work = async (cellUrls: readonly string[]): Promise<Answer> => {
    if (execute) {
      await recordAction({ url, schema }, { action: 'refill marks', reason, details: {} });
    }
    const parts = { pool, schema, historyOf: markHistory, signal };
    const cells = cellUrls.map((each) => session.databaseAt(each, 'payments'));
    const refilled = await refillMarks({ ...parts, cells, execute });
    return { data: { executed: execute, ...refilled }, text: textOf(refilled, execute) };
  };
  try {
    return await withoutMovesIn([url], schema, async () => {
      if (await carriesEverything({ pool, schema })) return work([]);
      // What has moved is read where it is, so nothing may move there either.
      const cellUrls = cellOwnerUrlsOf(session.settings);
      return withoutMovesIn(cellUrls, schema, () => work(cellUrls));
    });
  } catch (error) {
    if (error instanceof MoveRefused) throw refused(`${error.message} Nothing was done.`);
    throw error;
  }
}

/** While no move of shards works in any of these databases. */
function withoutMovesIn(
  [url, ...others]: readonly string[],
  schema: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (url === undefined) return work();
  const connect = (): ReturnType<typeof connectClient> =>
    connectClient({ connectionString: url, application_name: 'sluice-cli' });
  return withoutMoves({ connect, schema }, () => withoutMovesIn(others, schema, work));
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
