import { type EventStore, MoveRefused, withoutMoves } from '@sluice/event-store';
import { connectClient } from '@sluice/service';
import type { Answer } from './answer.js';
import { assertId, eventStoreOf } from './event-store-of.js';
import { failed, refused } from './exit-codes.js';
import { recordAction } from './operator-actions.js';
import type { Session } from './session.js';
import { instantText } from './text-table.js';

/** The flags of `forget`. */
export interface ForgetFlags {
  readonly reason?: string;
  readonly execute?: true;
}

/** A payment whose personal data is to be destroyed, or was. */
interface Forgotten {
  readonly paymentId: string;
  /** Transactions whose personal data is kept; nobody can read it once the payment is forgotten. */
  readonly sealedTransactions: number;
  /** Milliseconds since the epoch. */
  readonly forgottenAtMs: number | undefined;
}

/**
 * `forget ID…`: destroys the keys of payments' personal data. Amounts, ids and states stay as they
 * are, in every copy; the data itself stays sealed for ever (page 0020). Of cells, it works on the
 * one whose database it is given, and never while shards move there: the erasure could be lost.
 */
export async function forgetPayments(
  session: Session,
  ids: readonly string[],
  { reason, execute }: ForgetFlags,
): Promise<Answer> {
  ids.forEach(assertId);
  const schema = session.schema('payments');
  const store = eventStoreOf(session, 'payments', 'owner');
  const found = await paymentsOf(store, ids);
  if (execute !== true) {
    const lines = found.map(planText);
    return answer(false, found, [...lines, 'Nothing was done. Add --execute to do it.']);
  }
  const url = session.databaseUrl('payments', 'owner');
  const connect = (): ReturnType<typeof connectClient> =>
    connectClient({ connectionString: url, application_name: 'sluice-cli' });
  try {
    return await withoutMoves({ connect, schema }, async (carries) => {
      // Asked again: a move may have ended in between.
      const carried = await carries(found.map(({ paymentId }) => paymentId));
      const payments = await paymentsOf(store, ids);
      const elsewhere = payments.find(({ paymentId }) => !carried.has(paymentId));
      if (elsewhere !== undefined) throw refused(elsewhereText(elsewhere.paymentId));
      return erase(session, { store, schema, url, reason }, payments);
    });
  } catch (error) {
    if (error instanceof MoveRefused) throw refused(`${error.message} Nothing was done.`);
    throw error;
  }
}

/** What erasing needs to know. */
interface Erasing {
  readonly store: EventStore;
  readonly schema: string;
  /** The owner's. */
  readonly url: string;
  readonly reason: string | undefined;
}

async function erase(
  session: Session,
  { store, schema, url, reason }: Erasing,
  payments: readonly Forgotten[],
): Promise<Answer> {
  const done: Forgotten[] = [];
  const lines: string[] = [];
  for (const payment of payments) {
    session.throwIfInterrupted();
    const { paymentId, forgottenAtMs } = payment;
    if (forgottenAtMs === undefined) {
      const details = { paymentId };
      await recordAction({ url, schema }, { action: 'forget payment', reason, details });
    }
    const { erasedAtMs, now } = await store.personalKeys.erase(paymentId);
    done.push({ ...payment, forgottenAtMs: erasedAtMs });
    lines.push(now ? `Payment ${paymentId} is forgotten.` : pastText(paymentId, erasedAtMs));
  }
  return answer(true, done, lines);
}

/** A row may be left here although another cell has the payment, or is about to have it. */
function elsewhereText(paymentId: string): string {
  return (
    `Payment ${paymentId} has moved to another cell, so this database does not decide about it; nothing ` +
    'was done. "sluice cells" says which cell carries its shard (the 13th to 16th digit of the id): set ' +
    'PAYMENTS_OWNER_DATABASE_URL to the database of that one.'
  );
}

/** Each payment once, whichever of its transactions were named. */
async function paymentsOf(
  store: EventStore,
  ids: readonly string[],
): Promise<readonly Forgotten[]> {
  const payments = new Map<string, Forgotten>();
  for (const id of ids) {
    const found = await store.readByTransaction(id);
    if (found === undefined) throw failed(`No payment has a transaction ${id}; nothing was done.`);
    const { streamId: paymentId, events } = found;
    payments.set(paymentId, {
      paymentId,
      sealedTransactions: events.filter(({ data }) => hasPersonal(data)).length,
      forgottenAtMs: await store.personalKeys.erasedAtMs(paymentId),
    });
  }
  return [...payments.values()];
}

function hasPersonal(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'personal' in data;
}

function planText({ paymentId, sealedTransactions, forgottenAtMs }: Forgotten): string {
  if (forgottenAtMs !== undefined) return pastText(paymentId, forgottenAtMs);
  const what =
    sealedTransactions === 0
      ? 'has no personal data; what arrives later would not be kept.'
      : `would lose the personal data of ${sealedTransactions} ` +
        `${sealedTransactions === 1 ? 'transaction' : 'transactions'}, for ever.`;
  return `Payment ${paymentId} ${what}`;
}

function pastText(paymentId: string, atMs: number): string {
  return `Payment ${paymentId} was forgotten on ${instantText(atMs)} UTC.`;
}

function answer(
  executed: boolean,
  payments: readonly Forgotten[],
  lines: readonly string[],
): Answer {
  const data = payments.map(({ forgottenAtMs, ...payment }) => ({
    ...payment,
    forgottenAt: forgottenAtMs === undefined ? null : new Date(forgottenAtMs).toISOString(),
  }));
  return { data: { executed, payments: data }, text: lines.join('\n') };
}
