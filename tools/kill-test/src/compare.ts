import { isApproval } from './approvals.js';
import { bankViolations, goesToBank, isReturn } from './bank-violations.js';
import { mayHaveCharged } from './checkout-violations.js';
import { grouped } from './grouped.js';
import type {
  Attempt,
  BookedEffect,
  Evidence,
  MerchantRequest,
  Operation,
  Outcome,
  ReadBack,
  RecordedTransaction,
  Violation,
} from './records.js';

type Answered = Extract<Attempt, { kind: 'answered' }>;

const PENDING = '000.200.000';
const NOT_PERFORMED = '900.100.310';
const REVERSED_AFTER_UNKNOWN = '900.100.301';
/** The acknowledgement of the command was lost: it may have happened (D-34). */
const UNCERTAIN = '900.100.300';
/** Nothing was executed: busy, throttled, infrastructure down (D-34, D-35). */
const NOTHING_HAPPENED: ReadonlySet<string> = new Set([
  '800.600.100',
  '800.120.100',
  '800.800.800',
]);
const OPEN: ReadonlySet<Outcome> = new Set(['requested', 'pending', 'unknown']);
const SERVICE_UNAVAILABLE = 503;
const SERVER_ERROR = 500;
const OK = 200;

/** What the events and the acquirer's book call the operations that merchants send. */
export const operationNames: Readonly<Record<Operation, string>> = {
  DB: 'debit',
  PA: 'authorization',
  CD: 'credit',
  CP: 'capture',
  RF: 'refund',
  RV: 'reversal',
  RB: 'rebill',
  RC: 'receipt',
  CB: 'chargeback',
  CR: 'chargebackReversal',
  INCREMENTAL_AUTH: 'incrementalAuthorization',
  REAUTHORIZATION: 'reauthorization',
};
/** Facts that an issuer made: the acquirer is not asked (D-32). */
const WITHOUT_CALL = new Set([operationNames.CB, operationNames.CR]);
/** A chargeback's reason is its code. */
const CHARGED_BACK = '000.100.2';

/**
 * The comparison of all sides: the merchant's own books, the events, the acquirer's book and the bank's
 * files, and what a read shows (R-MON-02, R-MON-03, R-CRA-01). Empty when they agree. It knows the rules from the
 * interface alone and shares no code with the gateway.
 */
export function disagreements(evidence: Evidence): Violation[] {
  const byId = new Map(evidence.recorded.map((each) => [each.id, each]));
  const byReference = grouped(evidence.recorded, (each) => each.reference ?? '');
  const repeated = repetitions(evidence, byId);
  const isOfBank = goesToBank(evidence.merchant);
  const { bank } = evidence;
  const elsewhere = evidence.recorded.filter((each) => bank === undefined || !isOfBank(each));
  return [
    ...evidence.merchant.flatMap((request) => [
      ...wrongAnswers(request),
      ...lostAcknowledgements(request, byId, repeated),
      ...keyViolations(request, repeated),
      ...wronglyRecorded(request, byReference.get(request.reference) ?? []),
      ...chargedAfterRefusal(request, byReference.get(request.reference) ?? []),
    ]),
    ...strangers(evidence),
    ...openOutcomes(evidence.recorded),
    ...bookViolations(elsewhere, evidence.book),
    ...(bank === undefined ? [] : bankViolations(evidence.recorded.filter(isOfBank), bank)),
    ...readViolations(evidence, byId, repeated),
  ];
}

/** The outcome that a definite answer promised; undefined for an answer that promised none. */
export function promisedOutcome(code: string): Outcome | undefined {
  if (isApproval(code) || code.startsWith(CHARGED_BACK)) return 'approved';
  if (code === NOT_PERFORMED) return 'notPerformed';
  if (code === REVERSED_AFTER_UNKNOWN) return 'reversedAfterUnknown';
  if (code === PENDING || code === UNCERTAIN || NOTHING_HAPPENED.has(code)) return undefined;
  return 'declined';
}

/**
 * Our refusal and the acquirer's decline share codes; to the merchant both are a no. What was not
 * performed because its time was over is recorded as a refusal with that code, if it would have
 * been refused anyway (D-17); what an acquirer would not do is not performed, with a code that says no.
 */
function keeps(promised: Outcome, { outcome, resultCode }: RecordedTransaction): boolean {
  if (outcome === 'rejected') {
    return promised === (resultCode === NOT_PERFORMED ? 'notPerformed' : 'declined');
  }
  if (outcome !== 'notPerformed') return promised === outcome;
  return promised === (promisedOutcome(resultCode ?? NOT_PERFORMED) ?? outcome);
}

function answersOf(request: MerchantRequest): Answered[] {
  return request.attempts.filter((attempt): attempt is Answered => attempt.kind === 'answered');
}

/**
 * A repetition under a key that nobody replied to in time was answered pending with an id of its
 * own, which shows the transaction that the key has made (D-36): here by that id. Only an id that
 * was answered to a keyed request, and shows what was recorded for the same request, counts.
 */
function repetitions(
  { merchant, readBack }: Evidence,
  byId: ReadonlyMap<string, RecordedTransaction>,
): ReadonlyMap<string, RecordedTransaction> {
  const reads = new Map(readBack.map((each) => [each.id, each]));
  const found = new Map<string, RecordedTransaction>();
  for (const request of merchant) {
    if (request.idempotencyKey === undefined) continue;
    for (const { id, code } of answersOf(request)) {
      if (id === undefined || byId.has(id) || promisedOutcome(code) !== undefined) continue;
      const read = reads.get(id);
      const first = read?.status === OK ? byId.get(read.shownId ?? '') : undefined;
      if (first?.reference === request.reference) found.set(id, first);
    }
  }
  return found;
}

function wrongAnswers(request: MerchantRequest): Violation[] {
  return answersOf(request).flatMap(({ status, code }) => {
    if (status >= SERVER_ERROR && status !== SERVICE_UNAVAILABLE) {
      return [violation('defect answered', request.reference, `HTTP ${status} ${code}`)];
    }
    return code === '' ? [violation('answer without code', request.reference, `${status}`)] : [];
  });
}

/** Nothing acknowledged is lost, and what was said finally stays so (R-MON-03). */
function lostAcknowledgements(
  request: MerchantRequest,
  byId: ReadonlyMap<string, RecordedTransaction>,
  repeated: ReadonlyMap<string, RecordedTransaction>,
): Violation[] {
  return answersOf(request).flatMap(({ code, id }) => {
    if (id === undefined) {
      return isApproval(code) || code === PENDING
        ? [violation('success without id', request.reference, code)]
        : [];
    }
    const recorded = byId.get(id);
    const promised = promisedOutcome(code);
    if (recorded === undefined) {
      return promised === undefined && (code !== PENDING || repeated.has(id))
        ? []
        : [violation('acknowledged and lost', id, `${request.reference} was answered ${code}`)];
    }
    if (promised === undefined || keeps(promised, recorded)) return [];
    const sentence = `${request.reference} was answered ${code} and is ${recorded.outcome}`;
    return [violation('answer and events differ', id, sentence)];
  });
}

/** The same key gives the same transaction, however often and whenever it is sent (R-IDEM-02). */
function keyViolations(
  request: MerchantRequest,
  repeated: ReadonlyMap<string, RecordedTransaction>,
): Violation[] {
  const ids = new Set(
    answersOf(request).flatMap(({ id }) => (id === undefined ? [] : [repeated.get(id)?.id ?? id])),
  );
  if (request.idempotencyKey === undefined || ids.size <= 1) return [];
  return [violation('one key, two transactions', request.reference, [...ids].join(', '))];
}

function wronglyRecorded(
  request: MerchantRequest,
  recorded: readonly RecordedTransaction[],
): Violation[] {
  const { reference, amountMinor, currency } = request;
  const found: Violation[] = [];
  // A merchant repeats only under a key, so each request may be recorded once. The shopper of a checkout
  // tries again what came to nothing.
  const counted = request.isByCheckout === true ? recorded.filter(mayHaveCharged) : recorded;
  if (counted.length > 1) {
    found.push(violation('recorded twice', reference, recorded.map(({ id }) => id).join(', ')));
  }
  for (const { id, operation, ...as } of recorded) {
    if (operation !== operationNames[request.operation]) {
      found.push(violation('other operation', id, `${reference} is recorded as ${operation}`));
    }
    if (amountMinor !== undefined && as.amountMinor !== amountMinor) {
      const sentence = `${reference}: ${amountMinor} sent, ${String(as.amountMinor)} recorded`;
      found.push(violation('other amount', id, sentence));
    }
    if (amountMinor !== undefined && as.currency !== currency) {
      const sentence = `${reference}: ${currency} sent, ${String(as.currency)} recorded`;
      found.push(violation('other currency', id, sentence));
    }
  }
  return found;
}

/** Who was told each time that nothing was executed must not have paid (D-34, D-35). */
function chargedAfterRefusal(
  request: MerchantRequest,
  recorded: readonly RecordedTransaction[],
): Violation[] {
  const isRefused = request.attempts.every(
    (attempt) =>
      attempt.kind === 'notSent' ||
      (attempt.kind === 'answered' &&
        (attempt.status < SERVER_ERROR || attempt.status === SERVICE_UNAVAILABLE) &&
        (attempt.id === undefined || NOTHING_HAPPENED.has(attempt.code)) &&
        promisedOutcome(attempt.code) !== 'approved'),
  );
  if (!isRefused || answersOf(request).length === 0) return [];
  return recorded
    .filter(({ outcome }) => outcome === 'approved' || OPEN.has(outcome))
    .map(({ id, outcome }) =>
      violation('refused and charged', id, `${request.reference} was refused and is ${outcome}`),
    );
}

/** Transactions that nobody has asked for: no merchant, and no bank. */
function strangers({ merchant, recorded, bank }: Evidence): Violation[] {
  const sent = new Set(
    merchant
      .filter(({ attempts }) => attempts.some(({ kind }) => kind !== 'notSent'))
      .map(({ reference }) => reference),
  );
  return recorded
    .filter((each) => bank === undefined || !isReturn(each))
    .filter(({ reference }) => reference === undefined || !sent.has(reference))
    .map(({ id, reference }) => violation('nobody asked for it', id, String(reference)));
}

function openOutcomes(recorded: readonly RecordedTransaction[]): Violation[] {
  return recorded
    .filter(({ outcome }) => OPEN.has(outcome))
    .map(({ id, outcome }) => violation('left open', id, `is still ${outcome}`));
}

/** Every approved effect has its approved event, once, and the other way round (R-MON-02). */
function bookViolations(
  recorded: readonly RecordedTransaction[],
  book: readonly BookedEffect[],
): Violation[] {
  const effects = grouped(
    book.filter(({ status }) => status === 'approved' || status === 'pending'),
    (effect) => effect.acquirerReference,
  );
  const owners = grouped(
    recorded.filter((each) => each.acquirerReference !== undefined),
    (each) => each.acquirerReference ?? '',
  );
  const givenUp = new Map(
    recorded.flatMap(({ id, givenUp: attempts = [] }) =>
      attempts.map(({ acquirerReference, reason }) => [acquirerReference, `${id}: ${reason}`]),
    ),
  );
  const found: Violation[] = [];
  for (const [reference, several] of effects) {
    if (several.length > 1) {
      found.push(violation('booked twice', reference, `${several.length} approved bookings`));
    }
    if (owners.has(reference)) continue;
    const booked = describeEffect(several[0]);
    // Another acquirer was asked because this one was sure to have booked nothing (page 0054).
    const attempt = givenUp.get(reference);
    found.push(
      attempt === undefined
        ? violation('booked without event', reference, booked)
        : violation('given up and booked', reference, `${booked}, for ${attempt}`),
    );
  }
  for (const [reference, several] of owners) {
    if (several.length > 1) {
      found.push(violation('one reference, two transactions', reference, idsOf(several)));
    }
    const effect = effects.get(reference)?.[0];
    for (const each of several) found.push(...ownerViolations(each, effect));
  }
  for (const each of recorded) {
    const isCall = !WITHOUT_CALL.has(each.operation);
    if (isCall && each.outcome === 'approved' && each.acquirerReference === undefined) {
      found.push(violation('approved without a call', each.id, each.operation));
    }
  }
  return found;
}

function ownerViolations(
  transaction: RecordedTransaction,
  effect: BookedEffect | undefined,
): Violation[] {
  const { id, outcome, operation, amountMinor, currency } = transaction;
  if (outcome !== 'approved') {
    return effect === undefined
      ? []
      : [violation('charged and not approved', id, `${describeEffect(effect)}, here ${outcome}`)];
  }
  if (effect === undefined) return [violation('approved and not booked', id, operation)];
  const isSame =
    effect.operation === operation &&
    effect.amountMinor === amountMinor &&
    effect.currency === currency;
  if (isSame) return [];
  const sentence = `here ${operation} of ${String(amountMinor)} ${String(currency)}, there ${describeEffect(effect)}`;
  return [violation('booked otherwise', id, sentence)];
}

/** A read shows what the events say, and what was once answered finally. */
function readViolations(
  { merchant, recorded, readBack }: Evidence,
  byId: ReadonlyMap<string, RecordedTransaction>,
  repeated: ReadonlyMap<string, RecordedTransaction>,
): Violation[] {
  const reads = new Map(readBack.map((each) => [each.id, each]));
  const unread = recorded.filter(({ id }) => !reads.has(id));
  const finalCodes = merchant.flatMap((request) =>
    answersOf(request).flatMap(({ id, code }) =>
      id !== undefined && promisedOutcome(code) !== undefined ? [{ id, code }] : [],
    ),
  );
  return [
    ...unread.map(({ id }) => violation('not read', id, 'the test did not ask for it')),
    ...readBack.flatMap((read) => wrongRead(read, byId.get(read.id) ?? repeated.get(read.id))),
    ...finalCodes
      .filter(({ id, code }) => reads.has(id) && reads.get(id)?.code !== code)
      .map(({ id, code }) =>
        violation('answer changed', id, `answered ${code}, later ${String(reads.get(id)?.code)}`),
      ),
  ];
}

function wrongRead(read: ReadBack, recorded: RecordedTransaction | undefined): Violation[] {
  if (recorded === undefined) {
    return read.status === OK ? [violation('read without event', read.id, read.code)] : [];
  }
  if (read.status !== OK) return [violation('not readable', read.id, `HTTP ${read.status}`)];
  const { id, outcome } = recorded;
  if (read.shownId !== id) {
    return [violation('another is read', read.id, `GET shows ${String(read.shownId)}, not ${id}`)];
  }
  const shown = promisedOutcome(read.code);
  const agrees = OPEN.has(outcome)
    ? read.code === PENDING
    : (shown !== undefined && keeps(shown, recorded)) ||
      (outcome === 'notPerformed' && NOTHING_HAPPENED.has(read.code));
  if (agrees) return [];
  const sentence = `GET says ${read.code}, the events ${outcome}`;
  return [violation('read and events differ', read.id, sentence)];
}

function violation(rule: string, subject: string, sentence: string): Violation {
  return { rule, subject, sentence };
}

function describeEffect(effect: BookedEffect | undefined): string {
  if (effect === undefined) return 'nothing';
  return `${effect.operation} of ${effect.amountMinor} ${effect.currency}`;
}

function idsOf(transactions: readonly RecordedTransaction[]): string {
  return transactions.map(({ id }) => id).join(', ');
}
