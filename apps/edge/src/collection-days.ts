import type { Instrument, ShownInstrument } from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import {
  collectingReferences,
  DUE_DATE,
  type Form,
  type Kind,
  OF_NO_DEBIT,
} from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { Refused } from './answer.js';
import { findTransaction } from './find-transaction.js';
import { invalidParameters, UNAVAILABLE } from './refusals.js';

/*
 * Interface 2.7: on a day of its own a bank collects, and nobody else. The catalogue says so where the
 * request tells what is paid with; here that is known to others.
 */

/** Refuses a day with a payment by what is stored, unless that is a bank account. @throws Refused */
export function refuseIdleDay({ kind }: Instrument | ShownInstrument, form: Form): void {
  if (kind === 'bankAccount' || !form.has(DUE_DATE)) return;
  throw new Refused(invalidParameters({ name: DUE_DATE, message: OF_NO_DEBIT }));
}

/**
 * Refuses a day with a capture of anything but a bank account. The day is sealed for payments, so it is
 * compared here; whoever sends none, as nearly everybody, costs no read. @throws Refused
 */
export async function refuseIdleDayOf(
  referencedId: string,
  admitted: AdmittedRequest,
  { kind, queries }: { readonly kind: Kind; readonly queries: Queries },
): Promise<void> {
  const isCollecting = collectingReferences.some((each) => each === kind);
  if (!isCollecting || !admitted.form.has(DUE_DATE)) return;
  const instrument = await instrumentOf(referencedId, admitted, queries);
  if (instrument !== undefined) refuseIdleDay(instrument, admitted.form);
}

/** What the payment is made with that a transaction is of; undefined for an unknown or a foreign one. */
async function instrumentOf(
  transactionId: string,
  admitted: AdmittedRequest,
  queries: Queries,
): Promise<ShownInstrument | undefined> {
  if (!isTransactionId(transactionId)) return undefined;
  const found = await findTransaction(queries, admitted, transactionId).catch((error: unknown) => {
    if (error instanceof QueryUnavailable) throw new Refused(UNAVAILABLE);
    throw error;
  });
  if (found?.referencedId === undefined) return found?.instrument;
  return instrumentOf(found.referencedId, admitted, queries);
}
