import type { EventStore, ParkedEvent } from '@sluice/event-store';
import type { Answer } from './answer.js';
import type { StoreFlags } from './command-parts.js';
import { assertId, eventStoreOf, findStream } from './event-store-of.js';
import { failed, usage } from './exit-codes.js';
import { withoutPersonal } from './hidden-data.js';
import { recordAction } from './operator-actions.js';
import { counted } from './progress.js';
import type { Session } from './session.js';
import { instantText, textTable } from './text-table.js';

/** The flags of `outbox release`. */
export interface ReleaseFlags extends StoreFlags {
  readonly all?: true;
  readonly reason?: string;
  readonly execute?: true;
}

/** Read at once; after a release of these the others are listed. */
const READ_MAX = 10_000;
/** Said after so many; a table of more is not read by anybody. */
const LISTED_MAX = 200;

/** `outbox list`: what the broker refused, and what waits behind it. */
export async function listOutbox(session: Session, { service }: StoreFlags): Promise<Answer> {
  const parked = await eventStoreOf(session, service, 'owner').outbox.parked(READ_MAX);
  const text = textTable(
    parked.slice(0, LISTED_MAX),
    [
      { title: 'STREAM', cell: ({ streamId }) => streamId },
      { title: 'EVENT', cell: ({ version }) => String(version) },
      { title: 'SINCE (UTC)', cell: ({ parkedAtMs }) => instantText(parkedAtMs) },
      { title: 'REASON', cell: ({ reason }) => reason ?? 'behind an earlier one' },
    ],
    'No event is parked in the outbox.',
  );
  const more = parked.length - LISTED_MAX;
  const note = more > 0 ? `\n… and ${more} later ones; --json lists them all.` : '';
  return { data: parked.map(summary), text: `${text}${note}` };
}

/** `outbox show ID`: a stream's parked events with their content, personal data left out. */
export async function showOutbox(session: Session, id: string, flags: StoreFlags): Promise<Answer> {
  const store = eventStoreOf(session, flags.service, 'owner');
  const streams = await streamsOf(store, flags, [id]);
  const parked = (await store.outbox.parked(READ_MAX)).filter(({ streamId }) =>
    streams.has(streamId),
  );
  const [first] = parked;
  if (first === undefined) throw notParked(id);
  const events = await store.read(first.streamId);
  const data = parked.map((one) => {
    const event = events.find(({ version }) => version === one.version);
    return { ...summary(one), type: event?.type, content: withoutPersonal(event?.data) };
  });
  return { data, text: JSON.stringify(data, undefined, 2) };
}

/** `outbox release`: streams go on where they stopped; dry run unless told. */
export async function releaseOutbox(
  session: Session,
  ids: readonly string[],
  flags: ReleaseFlags,
): Promise<Answer> {
  const { service, all } = flags;
  if (ids.length > 0 === (all === true)) {
    throw usage('Say which: either streams that "outbox list" shows, or --all.');
  }
  const store = eventStoreOf(session, service, 'owner');
  const parked = await store.outbox.parked(READ_MAX);
  const stopped = new Set(parked.map(({ streamId }) => streamId));
  const streams = [...(all === true ? stopped : await streamsOf(store, flags, ids))];
  const unknown = streams.find((id) => !stopped.has(id));
  if (unknown !== undefined) throw notParked(unknown);
  if (streams.length === 0) return answer(true, [], 'Nothing to release.');
  const step = `${counted(streams.length, 'stream')} to go on with publishing.`;
  if (flags.execute !== true) {
    return answer(false, streams, `${step}\nNothing was done. Add --execute to do it.`);
  }
  const events = await release(session, store, { ...flags, streams });
  const after =
    'Done. What the broker still refuses is parked again at once: see "outbox list" in a minute.';
  return answer(
    true,
    streams,
    `${step}\n${counted(events, 'event')} wait for the relay.\n${after}`,
  );
}

/** Releases each stream after it was recorded who did so. Returns how many events wait now. */
async function release(
  session: Session,
  store: EventStore,
  { service, reason, streams }: ReleaseFlags & { readonly streams: readonly string[] },
): Promise<number> {
  const place = { url: session.databaseUrl(service, 'owner'), schema: session.schema(service) };
  let events = 0;
  for (const streamId of streams) {
    session.throwIfInterrupted();
    await recordAction(place, { action: 'outbox release', reason, details: { streamId } });
    events += await store.outbox.release(streamId);
  }
  return events;
}

/** Each stream once, whichever of its transactions were named. */
async function streamsOf(
  store: EventStore,
  { service }: StoreFlags,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const streams = new Set<string>();
  for (const id of ids) {
    assertId(id);
    const found = await findStream(store, id);
    if (found === undefined) {
      throw failed(`There is no stream or transaction ${id} in ${service}; nothing was done.`);
    }
    streams.add(found.streamId);
  }
  return streams;
}

function notParked(id: string): Error {
  return failed(`Stream ${id} has no parked event; see "outbox list".`);
}

function summary({ streamId, version, reason, parkedAtMs }: ParkedEvent): object {
  const since = new Date(parkedAtMs).toISOString();
  return { streamId, version, reason: reason ?? null, since };
}

function answer(done: boolean, streams: readonly string[], text: string): Answer {
  return { data: { done, streams }, text };
}
