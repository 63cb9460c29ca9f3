import { EventStore } from '@sluice/event-store';
import { isTransactionId } from '@sluice/identifiers';
import type { Answer } from './answer.js';
import { parseInstant } from './durations.js';
import { failed, usage } from './exit-codes.js';
import { type HistoryEnd, historyData, historyOf, historyText } from './payment-history.js';
import type { Session } from './session.js';

/** The flags of `streams show`. */
export interface StreamFlags {
  readonly at?: string;
  readonly version?: string;
}

const VERSION = /^[1-9][0-9]{0,8}$/;

/** `streams show ID`: a payment's events, and its state at any instant. */
export async function showStream(
  session: Session,
  id: string,
  flags: StreamFlags,
): Promise<Answer> {
  if (!isTransactionId(id)) throw usage(`"${id}" is no id: an id has 32 hexadecimal digits.`);
  const end = endOf(flags);
  const store = new EventStore(session.database('payments'), {
    schema: session.schema('payments'),
  });
  const found = await store.readByTransaction(id);
  if (found === undefined) throw failed(`No payment has a transaction ${id}.`);
  const history = historyOf(found.streamId, found.events, end);
  return { data: historyData(history), text: historyText(history) };
}

function endOf({ at, version }: StreamFlags): HistoryEnd {
  if (at !== undefined && version !== undefined) {
    throw usage('Either --at or --version: both say where to end.');
  }
  if (at !== undefined) return { atMs: parseInstant(at) };
  if (version === undefined) return {};
  if (!VERSION.test(version)) throw usage(`--version: "${version}" is no number of an event.`);
  return { version: Number(version) };
}
