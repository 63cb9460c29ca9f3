import type { ModelOperation, OperationType } from './payment-model.js';

/** An answer, as far as it concerns a history. */
export interface Answer {
  readonly status: number;
  readonly code: string;
  readonly id?: string;
  readonly minor?: number;
}

/** One exchange, on the clock of `performance.now()`. */
export interface Observed {
  readonly fromMs: number;
  readonly toMs: number;
  /** Absent where the connection broke or stayed silent: nobody knows. */
  readonly answer?: Answer;
}

/** A request of a merchant with every try of it; only under its key is it sent twice. */
export interface SentRequest extends Omit<ModelOperation, 'on'> {
  /** `merchantTransactionId`, unique. */
  readonly reference: string;
  readonly type: OperationType;
  readonly on?: SentRequest;
  readonly key?: string;
  readonly fault?: string;
  readonly forcedCode?: string;
  readonly attempts: Observed[];
  /** Looks at it, by its id or its reference. */
  readonly reads: Observed[];
}

/** All requests about one payment, in the order in which they were first sent. */
export interface ObservedPayment {
  readonly name: string;
  readonly requests: SentRequest[];
}

/** Busy, throttled, infrastructure down: nothing was executed (D-34, D-35). */
const NOTHING_HAPPENED = new Set(['800.600.100', '800.120.100', '800.800.800']);
const UNCERTAIN = '900.100.300';
const PENDING = '000.200.000';
const NOT_PERFORMED = '900.100.310';
const NOT_FOUND = '700.400.580';
const APPROVED = /^000\.(?:000|100)\./;
const REFUSED = /^(?:700\.|100\.550\.301$)/;

/** What an answer to a payment says of it; undefined where it says nothing that binds. */
export type Meaning = 'open' | 'approved' | 'failed' | 'notPerformed' | 'refused' | 'absent';

/** What an answer says of the transaction that it is about. */
export function meaningOf({ status, code }: Answer, isRead: boolean): Meaning | undefined {
  if (code === PENDING) return 'open';
  if (APPROVED.test(code)) return 'approved';
  if (isRead && code === NOT_FOUND) return 'absent';
  if (code === NOT_PERFORMED) return 'notPerformed';
  // A read that succeeds shows what became of the transaction, any other that the gateway is busy.
  if (NOTHING_HAPPENED.has(code)) return isRead && status === 200 ? 'notPerformed' : undefined;
  if (code === UNCERTAIN || code === '' || status >= 500) return undefined;
  return REFUSED.test(code) ? 'refused' : 'failed';
}

/** The id under which a merchant knows his request, if an answer has told it. */
export function idOf(request: SentRequest): string | undefined {
  for (const { answer } of request.attempts) {
    if (answer?.id !== undefined && meaningOf(answer, false) !== undefined) return answer.id;
  }
  return request.reads.find(({ answer }) => answer?.id !== undefined)?.answer?.id;
}
