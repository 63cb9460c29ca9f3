import type { EventPublisher } from '@sluice/contracts';
import { registrationDecider, registrationEventCodec } from '@sluice/domain-registrations';
import { EventStore, MoveRefused, type RecordedEvent, withoutMoves } from '@sluice/event-store';
import { chainShard, type TransactionId } from '@sluice/identifiers';
import { ForgottenPayers, PastAuthentications } from '@sluice/risk';
import { connectClient } from '@sluice/service';
import type { Answer } from './answer.js';
import { assertId, eventStoreOf } from './event-store-of.js';
import { failed, refused } from './exit-codes.js';
import { recordAction } from './operator-actions.js';
import type { Session } from './session.js';
import { instantText } from './text-table.js';

/** The flags of `forget`. */
export interface ForgetFlags {
  readonly service: EventPublisher;
  readonly reason?: string;
  readonly execute?: true;
}

/** A shard's number in its four hex digits (D-01). */
const SHARD_RADIX = 16;

/** How a service's streams are spoken of. */
interface Words {
  /** A stream. */
  readonly stream: string;
  /** What in it may have personal data. */
  readonly part: string;
  /** The name of the id in JSON. */
  readonly idName: string;
}

const WORDS: Readonly<Record<EventPublisher, Words>> = {
  payments: { stream: 'Payment', part: 'transaction', idName: 'paymentId' },
  registrations: { stream: 'Registration', part: 'request', idName: 'registrationId' },
  scheduling: { stream: 'Schedule', part: 'request', idName: 'scheduleId' },
};

/** A stream whose personal data is to be destroyed, or was. */
interface Forgotten {
  readonly id: string;
  /** Parts whose personal data is kept; nobody can read it once the stream is forgotten. */
  readonly sealedParts: number;
  /** Milliseconds since the epoch. */
  readonly forgottenAtMs: number | undefined;
}

/**
 * `forget ID…`: destroys the keys of the personal data of payments or registrations. Amounts, ids and
 * states stay as they are, in every copy; the data itself stays sealed for ever (page 0020). What rules of
 * risk saw of the shopper of a payment, and count of him, is deleted where risk keeps it. Of cells,
 * it works on the one whose database it is given, and never while shards move there: the erasure could
 * be lost. A registration that can be used is refused: its holder is part of what is charged.
 */
export async function forgetStreams(
  session: Session,
  ids: readonly string[],
  { service, reason, execute }: ForgetFlags,
): Promise<Answer> {
  ids.forEach(assertId);
  const schema = session.schema(service);
  const store = eventStoreOf(session, service, 'owner');
  if (service === 'payments') await assertHere(session, store, ids);
  const found = await streamsOf(store, service, ids);
  if (execute !== true) {
    const lines = found.map((each) => planText(service, each));
    return answer(service, false, found, [...lines, 'Nothing was done. Add --execute to do it.']);
  }
  const url = session.databaseUrl(service, 'owner');
  const connect = (): ReturnType<typeof connectClient> =>
    connectClient({ connectionString: url, application_name: 'sluice-cli' });
  try {
    return await withoutMoves({ connect, schema }, async (carries) => {
      // Asked again: a move may have ended in between.
      const carried = await carries(found.map(({ id }) => id));
      const streams = await streamsOf(store, service, ids);
      const elsewhere = streams.find(({ id }) => !carried.has(id));
      if (elsewhere !== undefined) throw refused(elsewhereText(elsewhere.id));
      return erase(session, { store, service, schema, url, reason }, streams);
    });
  } catch (error) {
    if (error instanceof MoveRefused) throw refused(`${error.message} Nothing was done.`);
    throw error;
  }
}

/** What erasing needs to know. */
interface Erasing {
  readonly store: EventStore;
  readonly service: EventPublisher;
  readonly schema: string;
  /** The owner's. */
  readonly url: string;
  readonly reason: string | undefined;
}

async function erase(
  session: Session,
  { store, service, schema, url, reason }: Erasing,
  streams: readonly Forgotten[],
): Promise<Answer> {
  const { stream, idName } = WORDS[service];
  const done: Forgotten[] = [];
  const lines: string[] = [];
  for (const each of streams) {
    session.throwIfInterrupted();
    const { id, forgottenAtMs } = each;
    if (forgottenAtMs === undefined) {
      const action = `forget ${stream.toLowerCase()}`;
      await recordAction({ url, schema }, { action, reason, details: { [idName]: id } });
    }
    // First what has no key to destroy: said again, the command does the rest.
    if (service === 'payments') {
      const ofRisk = session.database('risk', 'owner');
      await new ForgottenPayers(ofRisk).forget(id as TransactionId);
      await new PastAuthentications(ofRisk, session.schema('risk')).forget(id as TransactionId);
    }
    const { erasedAtMs, now } = await store.personalKeys.erase(id);
    done.push({ ...each, forgottenAtMs: erasedAtMs });
    lines.push(now ? `${stream} ${id} is forgotten.` : pastText(service, id, erasedAtMs));
  }
  return answer(service, true, done, lines);
}

/** A row may be left here although another cell has the payment, or is about to have it. */
function elsewhereText(paymentId: string): string {
  return (
    `Payment ${paymentId} has moved to another cell, so this database does not decide about it; nothing ` +
    'was done. "sluice cells" says which cell carries its shard (the 13th to 16th digit of the id): set ' +
    'PAYMENTS_OWNER_DATABASE_URL to the database of that one.'
  );
}

/** What has moved away is not unknown. Throws CommandEnded. */
async function assertHere(
  session: Session,
  store: EventStore,
  ids: readonly string[],
): Promise<void> {
  const pool = session.database('payments', 'owner');
  const ofCell = new EventStore(pool, { schema: session.schema('payments'), hasShards: true });
  const { carried } = await ofCell.carriedShards();
  for (const id of ids) {
    const shard = parseInt(chainShard(id as TransactionId), SHARD_RADIX);
    if (carried.some(([first, last]) => first <= shard && shard <= last)) continue;
    if ((await store.streamOf(id)) === undefined) throw refused(elsewhereText(id));
  }
}

/** Each stream once, whichever of its parts were named. */
async function streamsOf(
  store: EventStore,
  service: EventPublisher,
  ids: readonly string[],
): Promise<readonly Forgotten[]> {
  const streams = new Map<string, Forgotten>();
  for (const named of ids) {
    const found = await store.readByTransaction(named);
    if (found === undefined) throw failed(unknownText(service, named));
    const { streamId: id, events } = found;
    if (service === 'registrations' && isUsable(events)) throw refused(usableText(id));
    streams.set(id, {
      id,
      sealedParts: events.filter(({ data }) => hasPersonal(data)).length,
      forgottenAtMs: await store.personalKeys.erasedAtMs(id),
    });
  }
  return [...streams.values()];
}

/** It can be used, or may become so. */
function isUsable(events: readonly RecordedEvent[]): boolean {
  const state = events
    .map((event) => registrationEventCodec.decode(event))
    .reduce(registrationDecider.evolve, registrationDecider.initialState);
  return state?.state === 'kept' || state?.state === 'requested';
}

function unknownText(service: EventPublisher, id: string): string {
  const isElsewhere =
    service === 'payments' ? ' Of a registration it is with --service registrations.' : '';
  const { stream, part } = WORDS[service];
  return `No ${stream.toLowerCase()} has a ${part} ${id}; nothing was done.${isElsewhere}`;
}

function usableText(id: string): string {
  return (
    `Registration ${id} can be used, and payments with it have its personal data; nothing was done. ` +
    `Have the merchant delete it first: DELETE /v1/registrations/${id}.`
  );
}

function hasPersonal(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'personal' in data;
}

function planText(service: EventPublisher, { id, sealedParts, forgottenAtMs }: Forgotten): string {
  if (forgottenAtMs !== undefined) return pastText(service, id, forgottenAtMs);
  const { stream, part } = WORDS[service];
  const what =
    sealedParts === 0
      ? 'has no personal data; what arrives later would not be kept.'
      : `would lose the personal data of ${sealedParts} ` +
        `${sealedParts === 1 ? part : `${part}s`}, for ever.`;
  return `${stream} ${id} ${what}`;
}

function pastText(service: EventPublisher, id: string, atMs: number): string {
  return `${WORDS[service].stream} ${id} was forgotten on ${instantText(atMs)} UTC.`;
}

function answer(
  service: EventPublisher,
  executed: boolean,
  streams: readonly Forgotten[],
  lines: readonly string[],
): Answer {
  const { part, idName } = WORDS[service];
  const sealedName = `sealed${part.charAt(0).toUpperCase()}${part.slice(1)}s`;
  const data = streams.map(({ id, sealedParts, forgottenAtMs }) => ({
    ...{ [idName]: id, [sealedName]: sealedParts },
    forgottenAt: forgottenAtMs === undefined ? null : new Date(forgottenAtMs).toISOString(),
  }));
  return { data: { executed, [service]: data }, text: lines.join('\n') };
}
