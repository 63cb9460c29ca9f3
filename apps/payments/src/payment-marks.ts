import {
  agreementMarks,
  attemptReferenceOf,
  initialTransaction,
  type PaymentMark,
  type PaymentState,
  type Transaction,
  transactionsOf,
} from '@sluice/domain-payments';
import { advisedBlock, type EarlierAttempt } from '@sluice/domain-routing';
import type { MarkChanges, NewMark } from '@sluice/event-store';
import { accountOf, declinedAttempt, subjectOfAccount } from './payment-attempts.js';

/**
 * What an append tells other payments: of an agreement, and of declines with an advice. It follows from
 * the events alone, so that a table that is made anew from them is the same (page 0062).
 */
export function paymentMarks(before: PaymentState, after: PaymentState): MarkChanges | undefined {
  const cleared = approvedSubjects(before, after);
  const [was, is] = [marksOf(before), marksOf(after)];
  if (cleared.length + was.length + is.length === 0) return undefined;
  const named = new Map(was.map((mark) => [nameOf(mark), mark]));
  const left = is.filter((mark) => !isSame(named.get(nameOf(mark)), mark));
  const stays = new Set(is.map(nameOf));
  const withdrawn = was
    .filter((mark) => !stays.has(nameOf(mark)))
    .map(({ subject, transactionId }) => ({ subject, transactionId }));
  return { left, withdrawn, cleared };
}

/** All marks of a payment in this state, except that others may have cleared them. */
export function marksOf(state: PaymentState): readonly NewMark[] {
  if (state.kind === 'none') return [];
  const ofAgreement = agreementMarks(state).map((mark) => newMark(mark, false));
  return [...ofAgreement, ...advisedMarks(state)];
}

function advisedMarks(state: PaymentState): readonly NewMark[] {
  const first = initialTransaction(state);
  if (first.accountFingerprint === undefined) return [];
  return [...transactionsOf(state).values()].flatMap((transaction) =>
    declinesOf(state, first, transaction).flatMap(({ name, data }) =>
      advisedMark(first, name, data),
    ),
  );
}

/** A decline by the name of its mark. */
interface NamedDecline {
  readonly name: string;
  readonly data: EarlierAttempt;
}

/**
 * What issuers have said of a transaction: of its last attempt under its own id, and of each that was
 * followed by another one under that attempt's number. An approval by the next acquirer ends them.
 */
function declinesOf(
  state: PaymentState,
  first: Transaction,
  transaction: Transaction,
): readonly NamedDecline[] {
  const { id, status, failedAttempts = [] } = transaction;
  if (status === 'approved') return [];
  const before = failedAttempts.flatMap(({ decline, endedAtMs, route }, index) => {
    if (decline === undefined) return [];
    const attempt = {
      ...transaction,
      ...{ ...decline, changedAtMs: endedAtMs, failedAttempts: failedAttempts.slice(0, index) },
    };
    const { route: _, ...withoutRoute } = first;
    const begun = { ...withoutRoute, ...(route && { route }) };
    const data = declinedAttempt(state, begun, attempt);
    return [{ name: attemptReferenceOf(id, index + 1), data }];
  });
  if (status !== 'declined') return before;
  return [...before, { name: id, data: declinedAttempt(state, first, transaction) }];
}

function advisedMark(
  first: Transaction,
  transactionId: string,
  data: EarlierAttempt,
): readonly NewMark[] {
  const isAdvised = data.adviceCode !== undefined;
  const subject = isAdvised ? subjectOfAccount(accountOf(first), data.operation) : undefined;
  const block = subject === undefined ? undefined : advisedBlock(data);
  if (subject === undefined || block === undefined) return [];
  const { untilMs, endsWithApproval } = block;
  const until = untilMs === undefined ? {} : { untilMs };
  return [newMark({ subject, transactionId, data, ...until }, !endsWithApproval)];
}

/** An approval ends what was advised of the account before it. */
function approvedSubjects(before: PaymentState, after: PaymentState): readonly string[] {
  if (after.kind === 'none') return [];
  const account = accountOf(initialTransaction(after));
  if (account.accountFingerprint === undefined) return [];
  const known = transactionsOf(before);
  const subjects = [...transactionsOf(after).values()]
    .filter(({ id, status }) => status === 'approved' && known.get(id)?.status !== 'approved')
    .flatMap(({ operation }) => subjectOfAccount(account, operation) ?? []);
  return [...new Set(subjects)];
}

type MarkToLeave = Omit<PaymentMark<unknown>, 'transactionId'> & Pick<NewMark, 'transactionId'>;

function newMark({ data, ...mark }: MarkToLeave, lasting: boolean): NewMark {
  return { ...mark, data: JSON.stringify(data), lasting };
}

/** What tells a mark from all others. */
export function nameOf({
  subject,
  transactionId,
}: Pick<NewMark, 'subject' | 'transactionId'>): string {
  return `${subject} ${transactionId}`;
}

function isSame(one: NewMark | undefined, other: NewMark): boolean {
  return one?.data === other.data && one.untilMs === other.untilMs && one.lasting === other.lasting;
}
