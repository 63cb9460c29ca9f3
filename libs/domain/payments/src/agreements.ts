import {
  agreedTerms,
  type BeginningOperation,
  initialTransactionIdOf,
  type Operation,
} from '@sluice/contracts';
import { isTransactionId, type TransactionId } from '@sluice/identifiers';
import { isWithheld } from './before-authorization.js';
import { type EventMetadata, isOpen } from './events.js';
import {
  findTransaction,
  initialTransaction,
  type PaymentState,
  transactionsOf,
} from './payment.js';
import {
  agreedTermsOf,
  type AgreedTerms,
  countsUntilMs,
  termsIn,
} from './standing-instruction-terms.js';
import { authorizationRest, captureRest, ledgerOf, type Ledger } from './totals.js';
import type { Transaction } from './transaction.js';

/** An agreement as a payment has it on record: who began it, and what was agreed then. */
export interface RecordedAgreement {
  /** Or the registration, if it was agreed when that was stored and nothing was paid. */
  readonly firstPaymentId: TransactionId;
  /** Of the first payment, by wire name. */
  readonly terms: Readonly<Record<string, string>>;
}

/** An agreement as it is when another authorization is asked for. */
export interface AgreementSoFar extends RecordedAgreement {
  /** What is approved of it or may be, by transaction: when it was asked for, milliseconds since the epoch. */
  readonly authorizedAtMs: ReadonlyMap<string, number>;
}

/** What a payment tells other payments: found by its subject, and there as long as it is true. */
export interface PaymentMark<Data> {
  readonly subject: string;
  readonly transactionId: TransactionId;
  readonly data: Data;
  /** Milliseconds since the epoch: afterwards it says nothing any more. */
  readonly untilMs?: number;
}

/** What is said of an authorization under an agreement, or of the agreement by one of its names. */
export type AgreementMark = PaymentMark<AuthorizedMark | NamedMark>;

interface WithheldMark {
  /** Of a first payment under review, or rejected by it: nothing is charged under what it has begun. */
  readonly isWithheld?: true;
}

interface AuthorizedMark extends WithheldMark {
  readonly atMs: number;
  /** Of the first one. */
  readonly terms?: RecordedAgreement['terms'];
  /** Of the first one: its terms hold, and it is not counted. */
  readonly isReversed?: true;
}

interface NamedMark extends WithheldMark {
  readonly firstPaymentId: TransactionId;
  readonly atMs: number;
}

/** What takes money or reserves it under an agreement; increments and captures belong to one of these. */
const COUNTED: readonly Operation[] = ['authorization', 'debit', 'rebill'];

const PREFIX = 'standingInstruction.';
const REGISTRATION = 'registrationId';
const NAMES = [`${PREFIX}agreementId`, `${PREFIX}initialTransactionId`] as const;

/** Whether an operation is one of those that an agreement limits. */
export function isUnderAgreement(operation: BeginningOperation): boolean {
  return COUNTED.includes(operation);
}

/**
 * Whether a new payment is a later one of an agreement. Clients send one of mode, source and the names,
 * or two: what names a first payment and does not say that it is one is a later one (page 0049).
 */
export function isLater(parameters: Transaction['parameters']): boolean {
  const mode = parameters[`${PREFIX}mode`];
  if (mode !== undefined) return mode === 'REPEATED';
  return parameters[`${PREFIX}source`] === 'MIT' || NAMES.some((name) => name in parameters);
}

/** Under what an agreement is marked. */
export function subjectOfAgreement(firstPaymentId: TransactionId): string {
  return `agreement:${firstPaymentId}`;
}

/** Whose agreements are meant: tests and live payments have none in common. */
type Namer = Pick<EventMetadata, 'entityId' | 'mode'>;

/** Under what a later payment finds who began the agreement that it names; of its own entity alone. */
export function subjectsOfNames(
  namer: Namer,
  parameters: Transaction['parameters'],
): readonly string[] {
  return NAMES.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [subjectOfName(namer, name, value)];
  });
}

/**
 * Under what a later payment by a registration finds the first payments that were made by it or stored
 * it; undefined for the shopper's own, which is under no agreement unless it names one (page 0062).
 */
export function subjectOfRegistration(
  namer: Namer,
  parameters: Transaction['parameters'],
): string | undefined {
  const registrationId = parameters[REGISTRATION];
  if (registrationId === undefined || parameters[`${PREFIX}source`] === 'CIT') return undefined;
  return registrationSubject(namer, registrationId);
}

/** The ids of ours by which a later payment may name its first one, known here or not. */
export function idsNamed(parameters: Transaction['parameters']): readonly TransactionId[] {
  return NAMES.flatMap((name) => {
    const value = parameters[name] ?? '';
    return isTransactionId(value) ? [value] : [];
  });
}

/**
 * Whether a payment with this id, of the one who names it, has begun an agreement, or may have: not if it was
 * declined or refused, nor while it is under review or once somebody has rejected it. Nobody has agreed to what
 * names such a one, so it would be charged without consent. Undefined where nothing is known of it here.
 */
export function hasBegun(
  state: PaymentState,
  namer: Namer,
  named: TransactionId,
): boolean | undefined {
  const transaction = findTransaction(state, named);
  if (transaction === undefined || !COUNTED.includes(transaction.operation)) return undefined;
  const { entityId, mode } = transaction.metadata;
  if (entityId !== namer.entityId || mode !== namer.mode) return undefined;
  return mayHaveAuthorized(transaction) && !isWithheld(transaction);
}

/** The agreement that a payment begins or belongs to, as far as it has terms that are known here. */
export function agreementOf(state: PaymentState): RecordedAgreement | undefined {
  if (state.kind === 'none') return undefined;
  const initial = initialTransaction(state);
  if (initial.agreement !== undefined) return initial.agreement;
  const { parameters, operation } = initial;
  if (!COUNTED.includes(operation) || isEmpty(agreedTermsOf(parameters))) return undefined;
  return { firstPaymentId: state.paymentId, terms: agreedTerms(parameters) };
}

/** Everything that a payment in this state tells other payments of its agreement. */
export function agreementMarks(state: PaymentState): readonly AgreementMark[] {
  const withheld = withheldFirst(state);
  if (withheld !== undefined) return withheldMarks(withheld, ledgerOf(state));
  const agreement = agreementOf(state);
  if (agreement === undefined) return marksWithoutTerms(state);
  const initial = initialTransaction(state);
  const { firstPaymentId } = agreement;
  const isFirst = initial.id === firstPaymentId;
  // Without the first payment there is no agreement.
  if (isFirst && !mayHaveAuthorized(initial)) return [];
  const counted = countedAuthorizations(state);
  const marks = counted.flatMap((transaction) => authorizedMark(transaction, agreement));
  // What was agreed outlives the money: a first payment is often reversed that only asked for the card.
  if (isFirst && !counted.includes(initial)) marks.unshift(reversedFirstMark(initial, agreement));
  return isFirst ? [...marks, ...namedMarks(initial)] : marks;
}

/**
 * Of first payments that agreed nothing, those by registration have to be known: what comes after one is
 * not under the terms of an older one. So have those under a name that is an id of ours, for a payment
 * that was declined may have it (`hasBegun`).
 */
function marksWithoutTerms(state: PaymentState): readonly AgreementMark[] {
  if (state.kind === 'none') return [];
  const initial = initialTransaction(state);
  const { parameters, operation } = initial;
  const isFirst = COUNTED.includes(operation) && parameters[`${PREFIX}mode`] === 'INITIAL';
  const hasToBeKnown = REGISTRATION in parameters || isTransactionId(parameters[NAMES[0]] ?? '');
  return isFirst && hasToBeKnown ? namedMarks(initial) : [];
}

/** The beginning of a payment that may be the first of an agreement, approved and yet withheld. */
function withheldFirst(state: PaymentState): Transaction | undefined {
  if (state.kind === 'none') return undefined;
  const initial = initialTransaction(state);
  const { operation, status, agreement, parameters } = initial;
  const isFirst = COUNTED.includes(operation) && agreement === undefined && !isLater(parameters);
  return isFirst && status === 'approved' && isWithheld(initial) ? initial : undefined;
}

/**
 * Whatever leads to it says that it is withheld. Once it is rejected, or was given back before anybody looked,
 * that is what nobody else can have: its own id, under which what it has stored is found as well, and its
 * acquirer's. As after a decline, the merchant's name may be used again, and other agreements of a registration
 * go on.
 */
function withheldMarks(first: Transaction, ledger: Ledger): readonly AgreementMark[] {
  const { id: transactionId, metadata, parameters, review } = first;
  const data = { atMs: metadata.recordedAtMs, isWithheld: true } as const;
  const named = { ...data, firstPaymentId: transactionId };
  const [agreementId] = NAMES;
  const { [agreementId]: _, ...ofAcquirer } = namesGivenBy(first);
  const begins = parameters[`${PREFIX}mode`] === 'INITIAL';
  const isOver = review === 'rejected' || isGivenBack(first, ledger);
  const subjects = isOver
    ? subjectsOfNames(metadata, ofAcquirer)
    : [
        ...subjectsOfNames(metadata, namesGivenBy(first)),
        ...(begins ? registrationSubjects(first) : []),
      ];
  return [
    { subject: subjectOfAgreement(transactionId), transactionId, data },
    ...subjects.map((subject) => ({ subject, transactionId, data: named })),
  ];
}

function isGivenBack({ id, operation }: Transaction, ledger: Ledger): boolean {
  if (operation === 'authorization') return authorizationRest(ledger) <= 0n;
  const capture = ledger.captures.get(id);
  return capture !== undefined && captureRest(capture) <= 0n;
}

/** Approved, or perhaps: until an open one has its outcome, it counts (R-UNK-02). */
export function mayHaveAuthorized({ operation, status }: Transaction): boolean {
  return COUNTED.includes(operation) && (status === 'approved' || isOpen(status));
}

/** What counts of a payment under its agreement: not what a reversal has given back as a whole. */
export function countedAuthorizations(state: PaymentState): readonly Transaction[] {
  const ledger = ledgerOf(state);
  return [...transactionsOf(state).values()].filter(
    (transaction) => mayHaveAuthorized(transaction) && !isReversed(transaction, ledger),
  );
}

/** A reversal counts once it is approved; until then the money may stay. */
function isReversed({ id, operation }: Transaction, ledger: Ledger): boolean {
  if (operation === 'authorization') {
    const { authorized, released } = ledger.authorization;
    return authorized > 0n && released === authorized;
  }
  const capture = ledger.captures.get(id);
  return capture !== undefined && capture.captured > 0n && capture.reversed === capture.captured;
}

function reversedFirstMark(
  { id: transactionId, metadata }: Transaction,
  { firstPaymentId, terms }: RecordedAgreement,
): AgreementMark {
  const data = { atMs: metadata.recordedAtMs, terms, isReversed: true } as const;
  return { subject: subjectOfAgreement(firstPaymentId), transactionId, data };
}

function authorizedMark(
  transaction: Transaction,
  { firstPaymentId, terms }: RecordedAgreement,
): readonly AgreementMark[] {
  const { id: transactionId, metadata } = transaction;
  const atMs = metadata.recordedAtMs;
  const subject = subjectOfAgreement(firstPaymentId);
  // The terms hold for ever, so that an agreement that is over stays over.
  if (transactionId === firstPaymentId) return [{ subject, transactionId, data: { atMs, terms } }];
  const untilMs = countsUntilMs(termsIn(terms), atMs);
  if (untilMs === undefined) return [{ subject, transactionId, data: { atMs } }];
  return untilMs > atMs ? [{ subject, transactionId, data: { atMs }, untilMs }] : [];
}

/** Its names are given once it is approved, with the answer (Interface 2.18). */
function namedMarks(first: Transaction): readonly AgreementMark[] {
  const { id: transactionId, status, metadata } = first;
  if (status !== 'approved') return [];
  const { recordedAtMs: atMs } = metadata;
  const subjects = [
    ...subjectsOfNames(metadata, namesGivenBy(first)),
    ...registrationSubjects(first),
  ];
  return subjects.map((subject) => ({
    ...{ subject, transactionId },
    data: { firstPaymentId: transactionId, atMs },
  }));
}

/** By what later payments name an approved first one: as its answer says, by wire name. */
export function namesGivenBy(
  first: Pick<Transaction, 'id' | 'parameters' | 'connectorTxId' | 'resultDetails'>,
): Readonly<Record<string, string>> {
  const [agreementId, initialTransactionId] = NAMES;
  const ofAcquirer = initialTransactionIdOf(first);
  return {
    [agreementId]: first.parameters[agreementId] ?? first.id,
    ...(ofAcquirer !== undefined && { [initialTransactionId]: ofAcquirer }),
  };
}

/** Whether a mark is not one of a first payment that is withheld. */
export function isStanding({ data }: { readonly data: unknown }): boolean {
  return (data as WithheldMark).isWithheld !== true;
}

/** Which first payments the names lead to, the latest first: several may have been given one name. */
export function firstPaymentsNamed(
  marks: readonly { readonly data: unknown }[],
): readonly TransactionId[] {
  const named = marks.filter(isStanding).map(({ data }) => data as NamedMark);
  return [...named]
    .sort((one, other) => other.atMs - one.atMs)
    .map(({ firstPaymentId }) => firstPaymentId);
}

/**
 * The agreement that a payment has begun, by the marks of its subject; undefined if there is none.
 * @param agreed the terms, if no payment has begun it
 */
export function agreementMarked(
  firstPaymentId: TransactionId,
  marks: readonly { readonly transactionId: string; readonly data: unknown }[],
  agreed?: RecordedAgreement['terms'],
): AgreementSoFar | undefined {
  const authorized = marks.map(({ transactionId, data }) => {
    return [transactionId, data as AuthorizedMark] as const;
  });
  const terms = authorized.find(([id]) => id === firstPaymentId)?.[1].terms ?? agreed;
  if (terms === undefined) return undefined;
  const counted = authorized.filter(([, { isReversed }]) => isReversed !== true);
  const authorizedAtMs = new Map(counted.map(([id, { atMs }]) => [id, atMs]));
  return { firstPaymentId, terms, authorizedAtMs };
}

/** Under what it is found by the registration that it was made with. */
function registrationSubjects({ metadata, parameters }: Transaction): readonly string[] {
  const registrationId = parameters[REGISTRATION];
  return registrationId === undefined ? [] : [registrationSubject(metadata, registrationId)];
}

function registrationSubject({ entityId, mode }: Namer, registrationId: string): string {
  return `registration:${entityId}:${mode}:${registrationId}`;
}

function subjectOfName(
  { entityId, mode }: Namer,
  name: (typeof NAMES)[number],
  value: string,
): string {
  return `${name.slice(PREFIX.length)}:${entityId}:${mode}:${value}`;
}

function isEmpty(terms: AgreedTerms): boolean {
  return Object.keys(terms).length === 0;
}
