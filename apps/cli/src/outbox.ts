import { EventStore, type ParkedEvent } from '@sluice/event-store';
import { isTransactionId } from '@sluice/identifiers';
import type { Answer } from './answer.js';
import { failed, usage } from './exit-codes.js';
import { withoutPersonal } from './hidden-data.js';
import { recordAction } from './operator-actions.js';
import { counted } from './progress.js';
import type { Session } from './session.js';
import { instantText, textTable } from './text-table.js';

/** The flags of `outbox release`. */
export interface ReleaseFlags {
  readonly all?: true;
  readonly reason?: string;
  readonly execute?: true;
}

/** Read at once; after a release of these the others are listed. */
const READ_MAX = 10_000;
/** Said after so many; a table of more is not read by anybody. */
const LISTED_MAX = 200;

/** `outbox list`: what the broker refused, and what waits behind it. */
export async function listOutbox(session: Session): Promise<Answer> {
  const parked = await storeOf(session).outbox.parked(READ_MAX);
  const text = textTable(
    parked.slice(0, LISTED_MAX),
    [
      { title: 'PAYMENT', cell: ({ streamId }) => streamId },
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

/** `outbox show PAYMENT`: its parked events with their content, personal data left out. */
export async function showOutbox(session: Session, id: string): Promise<Answer> {
  const store = storeOf(session);
  const [paymentId] = await paymentsOf(store, [id]);
  const parked = (await store.outbox.parked(READ_MAX)).filter(
    ({ streamId }) => streamId === paymentId,
  );
  if (parked.length === 0) throw failed(`Payment ${id} has no parked event; see "outbox list".`);
  const events = await store.read(parked[0]?.streamId ?? '');
  const data = parked.map((one) => {
    const event = events.find(({ version }) => version === one.version);
    return { ...summary(one), type: event?.type, content: withoutPersonal(event?.data) };
  });
  return { data, text: JSON.stringify(data, undefined, 2) };
}

/** `outbox release`: payments go on where they stopped; dry run unless told. */
export async function releaseOutbox(
  session: Session,
  ids: readonly string[],
  { all, reason, execute }: ReleaseFlags,
): Promise<Answer> {
  if (ids.length > 0 === (all === true)) {
    throw usage('Say which: either payments that "outbox list" shows, or --all.');
  }
  const store = storeOf(session);
  const parked = await store.outbox.parked(READ_MAX);
  const stopped = new Set(parked.map(({ streamId }) => streamId));
  const payments = all === true ? [...stopped] : await paymentsOf(store, ids);
  const unknown = payments.find((id) => !stopped.has(id));
  if (unknown !== undefined) {
    throw failed(`Payment ${unknown} has no parked event; see "outbox list".`);
  }
  const step = `${counted(payments.length, 'payment')} to go on with publishing.`;
  if (payments.length === 0) return answer(true, [], 'Nothing to release.');
  if (execute !== true) {
    return answer(false, payments, `${step}\nNothing was done. Add --execute to do it.`);
  }
  let events = 0;
  const schema = session.schema('payments');
  const url = session.databaseUrl('payments', 'owner');
  for (const paymentId of payments) {
    session.throwIfInterrupted();
    const details = { paymentId };
    await recordAction({ url, schema }, { action: 'outbox release', reason, details });
    events += await store.outbox.release(paymentId);
  }
  const after =
    'Done. What the broker still refuses is parked again at once: see "outbox list" in a minute.';
  return answer(
    true,
    payments,
    `${step}\n${counted(events, 'event')} wait for the relay.\n${after}`,
  );
}

function storeOf(session: Session): EventStore {
  return new EventStore(session.database('payments', 'owner'), {
    schema: session.schema('payments'),
  });
}

/** Each payment once, whichever of its transactions were named. */
async function paymentsOf(store: EventStore, ids: readonly string[]): Promise<readonly string[]> {
  const payments = new Set<string>();
  for (const id of ids) {
    if (!isTransactionId(id)) throw usage(`"${id}" is no id: an id has 32 hexadecimal digits.`);
    const found = await store.readByTransaction(id);
    if (found === undefined) throw failed(`No payment has a transaction ${id}; nothing was done.`);
    payments.add(found.streamId);
  }
  return [...payments];
}

function summary({ streamId, version, reason, parkedAtMs }: ParkedEvent): object {
  const since = new Date(parkedAtMs).toISOString();
  return { paymentId: streamId, version, reason: reason ?? null, since };
}

function answer(done: boolean, payments: readonly string[], text: string): Answer {
  return { data: { done, payments }, text };
}
