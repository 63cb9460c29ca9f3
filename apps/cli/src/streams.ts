import { type EventPublisher, SERVICE_OF_CELLS } from '@sluice/contracts';
import { chainShard, type TransactionId } from '@sluice/identifiers';
import type { Answer } from './answer.js';
import type { StoreFlags } from './command-parts.js';
import { parseInstant } from './durations.js';
import { assertId, eventStoreOf, findStream, type FoundStream } from './event-store-of.js';
import { failed, usage } from './exit-codes.js';
import { historyData, historyOf, historyText } from './payment-history.js';
import { counted } from './progress.js';
import type { Session } from './session.js';
import { type HistoryEnd, streamData, streamText } from './stream-events.js';
import { findInCells, type FoundInCell } from './streams-in-cells.js';

/** The flags of `streams show`. */
export interface StreamFlags extends StoreFlags {
  readonly at?: string;
  readonly version?: string;
}

const VERSION = /^[1-9][0-9]{0,8}$/;

/** Shows a stream up to an end. */
type View = (stream: FoundStream, end: HistoryEnd) => Answer;

/** Services whose streams are shown with the state that their events add up to. */
const VIEWS: Readonly<Partial<Record<EventPublisher, View>>> = {
  payments: ({ streamId, events }, end) => {
    const history = historyOf(streamId, events, end);
    return { data: historyData(history), text: historyText(history) };
  },
};

/** Any other service's streams are shown event by event. */
const plainView: View = (stream, end) => ({
  data: streamData(stream, end),
  text: streamText(stream, end),
});

/** `streams show ID`: a stream's events, and its state at any instant; of cells, all are looked into. */
export async function showStream(
  session: Session,
  id: string,
  { service, ...flags }: StreamFlags,
): Promise<Answer> {
  assertId(id);
  const end = endOf(flags);
  const view = VIEWS[service] ?? plainView;
  const { cellOwnerUrls: cells = [] } = session.settings;
  if (service === SERVICE_OF_CELLS && cells.length > 0) {
    const found = await findInCells(session, cells, id);
    if (found !== undefined) return inCell(view(found.stream, end), id, found);
    throw failed(
      `There is no stream or transaction ${id} in any of ${counted(cells.length, 'cell')} of ${service}.`,
    );
  }
  const found = await findStream(eventStoreOf(session, service, 'app'), id);
  if (found === undefined) throw failed(`There is no stream or transaction ${id} in ${service}.`);
  return view(found, end);
}

/** Says where the stream was, because the database to look at further is that of this cell. */
function inCell(
  { data, text }: Answer,
  id: TransactionId,
  { cell, isCarried }: FoundInCell,
): Answer {
  const carrying = isCarried
    ? 'which carries its shard'
    : 'which does not carry its shard now: "sluice cells" says why';
  return {
    data: { ...(data as object), cell },
    text: `In cell ${cell}, ${carrying} (${chainShard(id)}).\n${text}`,
  };
}

function endOf({ at, version }: Omit<StreamFlags, 'service'>): HistoryEnd {
  if (at !== undefined && version !== undefined) {
    throw usage('Either --at or --version: both say where to end.');
  }
  if (at !== undefined) return { atMs: parseInstant(at) };
  if (version === undefined) return {};
  if (!VERSION.test(version)) throw usage(`--version: "${version}" is no number of an event.`);
  return { version: Number(version) };
}
