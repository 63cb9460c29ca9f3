import {
  type AnswerStamp,
  type BinTable,
  codeOf,
  paymentFields,
  registrationFields,
  resultOf,
  scheduleEntryFields,
  stampFields,
  timestampOf,
} from '@sluice/answers';
import {
  isRegistrationOperation,
  isScheduleEntry,
  paymentMethodOf,
  type RecordedTransaction,
  type RecordedTransactions,
  type RegistrationTransaction,
  type ScheduleTransaction,
  type TransactionView,
} from '@sluice/contracts';
import { mintedAtMs } from '@sluice/identifiers';
import { registrationTypeOf } from '@sluice/parameters';
import { codes, describeResult, outcomeOf } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { TRANSACTION_NOT_FOUND, UNAVAILABLE } from './refusals.js';

/** The name of the list, which tells the two versions of the query apart (wire contract D5). */
export type QueryVersion = 'v1' | 'v3';

const listNames = { v1: 'payments', v3: 'records' } as const;

/** The description of a list that may be older than its query. */
const BEHIND = `${describeResult(codes.requestSuccessful)} - the newest transactions may be missing: ask again`;

/** One transaction by itself: the body of `GET /v1/query/{id}`. */
export function queriedPaymentAnswer(
  view: RecordedTransaction,
  stamp: AnswerStamp,
  bins: BinTable,
): Answer {
  const { resultCode } = view;
  const body = JSON.stringify({ ...entry(view, stamp, bins), ...stampFields(stamp) });
  return { status: 200, resultCode, ndc: stamp.ndc, body };
}

/** The lists that queries are answered with. */
export class QueriedLists {
  constructor(private readonly bins: BinTable) {}

  /** Throws Refused when there is nothing in it; `limit`: how many of what was found fit a page. */
  answer(
    version: QueryVersion,
    { form, stamp }: AdmittedRequest,
    { transactions, total, isBehind }: RecordedTransactions,
    limit: number,
  ): Answer {
    // "Not found" would be believed, and the shopper would pay twice.
    if (total === 0) throw new Refused(isBehind ? UNAVAILABLE : TRANSACTION_NOT_FOUND);
    const pages = Math.ceil(total / limit);
    const isPaginated = version === 'v3' && (pages > 1 || form.has('pageNo'));
    const body = JSON.stringify({
      result: resultOf(codes.requestSuccessful, isBehind && BEHIND),
      ...stampFields(stamp),
      [listNames[version]]: transactions.map((view) => entry(view, stamp, this.bins)),
      ...(isPaginated && { pages }),
    });
    return { status: 200, resultCode: codes.requestSuccessful, ndc: stamp.ndc, body };
  }
}

/**
 * Like the answer to its own request, with that answer's timestamp and ndc; but failed transactions
 * have no amount here (wire contract 2).
 */
function entry(view: RecordedTransaction, { buildNumber }: AnswerStamp, bins: BinTable): object {
  const fields = entryFields(view, bins);
  const timestamp = timestampOf(mintedAtMs(view.id));
  return { ...fields, ...stampFields({ buildNumber, timestamp, ndc: view.ndc }) };
}

function entryFields(view: RecordedTransaction, bins: BinTable): object {
  if (isOfSchedule(view)) return scheduleEntryFields(view);
  return isOfRegistration(view) ? registrationEntry(view, bins) : paymentEntry(view, bins);
}

function paymentEntry(view: TransactionView, bins: BinTable): object {
  const code = codeOf(view);
  const { amount, ...fields } = paymentFields({ ...view, outcome: view }, bins, code);
  return { ...fields, ...(outcomeOf(code) !== 'rejected' && { amount }) };
}

/** What was done to a registration is found by its own id, a change too. */
function registrationEntry(view: RegistrationTransaction, bins: BinTable): object {
  const { id, referencedId, operation, instrument } = view;
  return {
    ...{ id, referencedId, paymentType: registrationTypeOf(operation) },
    paymentMethod: instrument && paymentMethodOf(instrument),
    ...registrationFields({ ...view, outcome: view }, bins),
  };
}

function isOfRegistration(view: RecordedTransaction): view is RegistrationTransaction {
  return isRegistrationOperation(view.operation);
}

function isOfSchedule(view: RecordedTransaction): view is ScheduleTransaction {
  return isScheduleEntry(view.operation);
}
