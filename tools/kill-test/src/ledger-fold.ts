import type { PaymentEventName } from '@sluice/contracts';
import type { GivenUpAttempt, Outcome } from './records.js';

/*
 * A second reading of the events, for checking the first: it is written from the interface and
 * from R-MON-01 alone, so that one mistake is not made twice. All that it has of the gateway is the
 * names of the events, so that the compiler asks here about a new one too, and their data in today's
 * shape, which whoever reads the store passes it through.
 */

/** An event of the store, with its data in today's shape. */
export interface StoredEvent {
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  readonly data: EventData;
}

/** The fields that money depends on. */
export interface EventData {
  readonly transactionId: string;
  readonly referencedId?: string;
  readonly operation?: string;
  readonly amount?: { readonly minor: string; readonly currency: string };
  readonly releases?: { readonly minor: string };
  readonly excess?: { readonly minor: string };
  readonly final?: boolean;
  readonly numberOfCaptures?: number;
  readonly resultCode?: string;
  readonly request?: { readonly acquirerReference: string };
  /** Why the attempt before this one has booked nothing. */
  readonly reason?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** One transaction of a chain, as far as its events have told. */
export interface ChainTransaction {
  readonly id: string;
  readonly operation: string;
  readonly minor: bigint;
  readonly currency: string | undefined;
  readonly referencedId: string | undefined;
  readonly final: boolean;
  readonly releasesMinor: bigint;
  readonly excessMinor: bigint;
  readonly reference: string | undefined;
  /** Of the last attempt. */
  acquirerReference: string | undefined;
  /** The attempts before it. */
  readonly givenUp: GivenUpAttempt[];
  outcome: Outcome;
  resultCode: string | undefined;
  /** Its answer was lost at some time. */
  wasUnknown: boolean;
  /** Money moved at the acquirer after the end, until it is undone (D-27). */
  late: 'none' | 'approved' | 'undone';
}

const AUTHORIZING = new Set(['authorization', 'incrementalAuthorization', 'reauthorization']);
const CAPTURING = new Set(['capture', 'receipt']);
const TAKING = new Set(['debit', 'rebill', 'capture', 'receipt']);
const OPEN = new Set<Outcome>(['requested', 'pending', 'unknown']);

/** What an event does to its transaction: it begins it, gives it an outcome, or comes after its end. */
type Effect =
  | 'begins'
  | 'none'
  | 'reroutes'
  | 'awaits'
  | 'asks'
  | { readonly outcome: Outcome }
  | { readonly late: ChainTransaction['late'] };

/** By the type of an event as it was stored, which need not be one of these. */
const EFFECTS: Readonly<Partial<Record<string, Effect>>> = {
  PaymentInitiated: 'begins',
  TransactionRequested: 'begins',
  TransactionRerouted: 'reroutes',
  TransactionRejected: 'begins',
  RiskAssessed: 'none',
  AuthenticationPending: 'awaits',
  AuthenticationCompleted: 'none',
  AuthorizationRequested: 'asks',
  ReviewDecided: 'none',
  ChargebackReceived: 'begins',
  ChargebackReversed: 'begins',
  TransactionApproved: { outcome: 'approved' },
  StandaloneCompleted: 'none',
  TransactionDeclined: { outcome: 'declined' },
  TransactionPending: { outcome: 'pending' },
  TransactionNotPerformed: { outcome: 'notPerformed' },
  TransactionOutcomeUnknown: { outcome: 'unknown' },
  UnknownTransactionReversed: { outcome: 'reversedAfterUnknown' },
  LateApprovalReceived: { late: 'approved' },
  LateApprovalUndone: { late: 'undone' },
  LateApprovalRefundRequested: 'none',
  LateInquiryAnswered: 'none',
  CaseOpened: 'none',
} satisfies Record<PaymentEventName, Effect>;

/** The fold of one stream; `violations` grows with every event that breaks a rule of money. */
export class ChainFold {
  readonly transactions = new Map<string, ChainTransaction>();
  readonly violations: string[] = [];
  #version = 0;
  #captureLimit: number | undefined;
  #currency: string | undefined;
  #isClosed = false;

  /**
   * Takes the next event; every rule holds after every single one ("at all times"). What an
   * acquirer approves after its end (D-27) is a fact that nobody could prevent: from then on it
   * leaves less for whatever is begun, and until it is undone it may be too much by itself.
   */
  apply({ version, type, data }: StoredEvent): void {
    if (version !== this.#version + 1) {
      this.violations.push(`version ${String(version)} follows ${String(this.#version)}`);
    }
    this.#version = version;
    const effect = EFFECTS[type];
    if (effect === 'begins') this.#begin(type, data);
    else this.#continue(type, data, effect);
    const begun = this.transactions.get(data.transactionId);
    const isNew = effect === 'begins' && begun?.outcome !== 'rejected';
    this.#checkTotals(`after version ${String(version)}`, isNew ? begun : undefined);
  }

  #begin(type: string, data: EventData): void {
    const { transactionId: id, amount } = data;
    if (this.transactions.has(id)) this.violations.push(`${id} begins twice`);
    if ((type === 'PaymentInitiated') !== (this.#version === 1) && type !== 'TransactionRejected') {
      this.violations.push(`${type} as version ${String(this.#version)}`);
    }
    const transaction = transactionOf(type, data);
    this.transactions.set(id, transaction);
    if (type === 'PaymentInitiated') this.#captureLimit = data.numberOfCaptures;
    if (type === 'TransactionRejected') return;
    if (transaction.minor <= 0n)
      this.violations.push(`${id} has the amount ${amount?.minor ?? ''}`);
    this.#currency ??= amount?.currency;
    if (amount?.currency !== this.#currency) this.violations.push(`${id} is in another currency`);
    this.#checkReference(id, data.referencedId);
    if (CAPTURING.has(transaction.operation)) {
      if (this.#isClosed) this.violations.push(`${id} captures after sequence=FINAL`);
    }
  }

  /** Only what the acquirer has approved can be referred to (D-29). */
  #checkReference(id: string, referencedId: string | undefined): void {
    if (referencedId === undefined) return;
    const outcome = this.transactions.get(referencedId)?.outcome ?? 'not of this chain';
    if (outcome !== 'approved') {
      this.violations.push(`${id} refers to ${referencedId}, which is ${outcome}`);
    }
  }

  #continue(type: string, data: EventData, effect: Exclude<Effect, 'begins'> | undefined): void {
    const transaction = this.transactions.get(data.transactionId);
    if (transaction === undefined) {
      this.violations.push(`${type} of ${data.transactionId}, which never began`);
      return;
    }
    if (effect === undefined) this.violations.push(`the event ${type} is not known`);
    else if (effect === 'none') return;
    else if (effect === 'reroutes') this.#reroute(transaction, data);
    else if (effect === 'awaits') this.#await(transaction);
    else if (effect === 'asks') this.#ask(transaction, data);
    else if ('late' in effect) transaction.late = effect.late;
    else this.#settle(transaction, effect.outcome, data.resultCode);
  }

  /** Only what has no outcome is tried elsewhere, and under no reference that was sent before. */
  #reroute(transaction: ChainTransaction, { request, reason = '' }: EventData): void {
    const { id, outcome, acquirerReference: before = '', givenUp } = transaction;
    const reference = request?.acquirerReference;
    givenUp.push({ acquirerReference: before, reason });
    const isSent = givenUp.some(({ acquirerReference }) => acquirerReference === reference);
    if (outcome !== 'requested' || isSent) {
      this.violations.push(`${id} was ${outcome} and is tried again`);
    }
    transaction.acquirerReference = reference;
  }

  /** The shopper is authenticated: of an acquirer that wanted it so, nothing is expected any more. */
  #await(transaction: ChainTransaction): void {
    const { id, outcome, acquirerReference } = transaction;
    if (outcome !== 'requested') this.violations.push(`${id} was ${outcome} and is authenticated`);
    if (acquirerReference !== undefined) {
      transaction.givenUp.push({ acquirerReference, reason: 'declined' });
    }
    transaction.acquirerReference = undefined;
    transaction.outcome = 'pending';
  }

  /** Once an authentication is done, and nothing else is with an acquirer. */
  #ask(transaction: ChainTransaction, { request }: EventData): void {
    const { id, outcome, acquirerReference, givenUp } = transaction;
    const reference = request?.acquirerReference;
    const isSent = givenUp.some((attempt) => attempt.acquirerReference === reference);
    if (outcome !== 'pending' || acquirerReference !== undefined || isSent) {
      this.violations.push(`${id} was ${outcome} and is asked of an acquirer again`);
    }
    transaction.acquirerReference = reference;
    transaction.outcome = 'requested';
  }

  #settle(transaction: ChainTransaction, outcome: Outcome, resultCode: string | undefined): void {
    if (!OPEN.has(transaction.outcome)) {
      this.violations.push(`${transaction.id} was ${transaction.outcome} and becomes ${outcome}`);
    }
    transaction.outcome = outcome;
    transaction.wasUnknown ||= outcome === 'unknown';
    transaction.resultCode = resultCode;
    if (outcome === 'approved' && transaction.final && CAPTURING.has(transaction.operation)) {
      this.#isClosed = true;
    }
  }

  #checkTotals(when: string, begun: ChainTransaction | undefined): void {
    const isUsed = counted(begun !== undefined && this.#usesAuthorization(begun));
    let authorized = 0n;
    let used = 0n;
    let captures = 0;
    for (const each of this.transactions.values()) {
      if (AUTHORIZING.has(each.operation) && each.outcome === 'approved') {
        authorized += each.minor - each.releasesMinor;
      }
      if (CAPTURING.has(each.operation) && isUsed(each)) {
        used += each.minor;
        captures += isTaken(each) ? 1 : 0;
      }
      if (each.operation === 'reversal' && isUsed(each) && this.#refersTo(each, AUTHORIZING)) {
        used += each.minor;
      }
      if (TAKING.has(each.operation) && each.outcome === 'approved') {
        this.#checkTaken(each, when, counted(begun?.referencedId === each.id));
      }
    }
    if (used > authorized) {
      this.violations.push(`${when}: ${used} captured and released of ${authorized}`);
    }
    if (this.#captureLimit !== undefined && captures > this.#captureLimit) {
      this.violations.push(`${when}: ${captures} captures of ${this.#captureLimit}`);
    }
  }

  /** What was given back of one capture or debit, open outcomes included. */
  #checkTaken(taken: ChainTransaction, when: string, isUsed: Counted): void {
    let refunded = 0n;
    let reversed = 0n;
    let chargedBack = 0n;
    for (const each of this.transactions.values()) {
      if (each.operation === 'chargebackReversal' && this.#chargesBack(each, taken)) {
        chargedBack -= each.minor;
      }
      if (each.referencedId !== taken.id || !isUsed(each)) continue;
      if (each.operation === 'refund') refunded += each.minor;
      else if (each.operation === 'reversal') reversed += each.minor;
      else if (each.operation === 'chargeback') chargedBack += each.minor - each.excessMinor;
    }
    if (refunded + reversed + chargedBack > taken.minor) {
      const parts = `${refunded} refunded, ${reversed} reversed, ${chargedBack} charged back`;
      this.violations.push(`${when}: ${parts} of ${taken.minor} captured in ${taken.id}`);
    }
  }

  #usesAuthorization(transaction: ChainTransaction): boolean {
    if (CAPTURING.has(transaction.operation)) return true;
    return transaction.operation === 'reversal' && this.#refersTo(transaction, AUTHORIZING);
  }

  #refersTo(transaction: ChainTransaction, operations: ReadonlySet<string>): boolean {
    const referenced = this.transactions.get(transaction.referencedId ?? '');
    return referenced !== undefined && operations.has(referenced.operation);
  }

  #chargesBack(reversal: ChainTransaction, taken: ChainTransaction): boolean {
    return this.transactions.get(reversal.referencedId ?? '')?.referencedId === taken.id;
  }
}

function transactionOf(type: string, data: EventData): ChainTransaction {
  const isChargeback = type === 'ChargebackReceived' || type === 'ChargebackReversed';
  const chargeback = type === 'ChargebackReceived' ? 'chargeback' : 'chargebackReversal';
  return {
    id: data.transactionId,
    operation: isChargeback ? chargeback : (data.operation ?? ''),
    minor: BigInt(data.amount?.minor ?? '0'),
    currency: data.amount?.currency,
    referencedId: data.referencedId,
    final: data.final === true,
    releasesMinor: BigInt(data.releases?.minor ?? '0'),
    excessMinor: BigInt(data.excess?.minor ?? '0'),
    reference: data.parameters?.['merchantTransactionId'],
    acquirerReference: data.request?.acquirerReference,
    givenUp: [],
    outcome: type === 'TransactionRejected' ? 'rejected' : isChargeback ? 'approved' : 'requested',
    resultCode: data.resultCode,
    wasUnknown: false,
    late: 'none',
  };
}

/** Approved, or perhaps approved: both use up an amount (R-MON-01). */
function isTaken({ outcome }: ChainTransaction): boolean {
  return outcome === 'approved' || OPEN.has(outcome);
}

/** Whether a transaction uses up an amount. */
type Counted = (transaction: ChainTransaction) => boolean;

/** Late approvals count against what is begun after them. */
function counted(withLate: boolean): Counted {
  return (transaction) => isTaken(transaction) || (withLate && transaction.late === 'approved');
}
