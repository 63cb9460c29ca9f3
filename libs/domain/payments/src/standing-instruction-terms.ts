import { isDayOver, type Operation } from '@sluice/contracts';
import { isOpen } from './events.js';
import { initialTransaction, type PaymentState, transactionsOf } from './payment.js';
import type { Transaction } from './transaction.js';

/** What a first payment has agreed about later authorizations, as far as it said (Interface 2.18). */
export interface AgreedTerms {
  /** `yyyy-mm-dd`: no authorization after this day. */
  readonly expiry?: string;
  /** The least number of days from one authorization to the next. */
  readonly frequencyDays?: bigint;
  /** The most authorizations, the first one among them. */
  readonly authorizationsMax?: bigint;
}

/** Which of the terms allows no further authorization. */
export type BrokenTerm = 'expiry' | 'frequency' | 'numberOfInstallments';

/** What takes money or reserves it under an agreement; increments and captures belong to one of these. */
const COUNTED: readonly Operation[] = ['authorization', 'debit', 'rebill'];

const DAY_MS = 86_400_000;

/** What the parameters of a payment say; nothing unless they begin an agreement. */
export function agreedTermsOf(parameters: Transaction['parameters']): AgreedTerms {
  if (parameters['standingInstruction.mode'] !== 'INITIAL') return {};
  const {
    'standingInstruction.expiry': expiry,
    'standingInstruction.frequency': frequency,
    'standingInstruction.numberOfInstallments': number,
  } = parameters;
  return {
    ...(expiry !== undefined && { expiry }),
    ...(frequency !== undefined && { frequencyDays: BigInt(frequency) }),
    ...(number !== undefined && { authorizationsMax: BigInt(number) }),
  };
}

/**
 * The first term that another authorization would break. `authorizedAtMs`: when each of the earlier
 * ones was asked for, milliseconds since the epoch. Days between are days of the calendar in UTC, so
 * that a schedule may run some minutes earlier than last time (page 0049).
 */
export function brokenTerm(
  { expiry, frequencyDays, authorizationsMax }: AgreedTerms,
  authorizedAtMs: readonly number[],
  nowMs: number,
): BrokenTerm | undefined {
  if (expiry !== undefined && isDayOver(expiry, nowMs)) return 'expiry';
  if (authorizationsMax !== undefined && authorizedAtMs.length >= authorizationsMax) {
    return 'numberOfInstallments';
  }
  const isTooEarly =
    frequencyDays !== undefined &&
    authorizedAtMs.some((atMs) => BigInt(dayOf(nowMs) - dayOf(atMs)) < frequencyDays);
  return isTooEarly ? 'frequency' : undefined;
}

/** The same of a payment whose first transaction begins the agreement, and of its rebills. */
export function brokenTermOfPayment(state: PaymentState, nowMs: number): BrokenTerm | undefined {
  const terms = agreedTermsOf(initialTransaction(state).parameters);
  const counted = [...transactionsOf(state).values()].filter(mayHaveAuthorized);
  return brokenTerm(
    terms,
    counted.map(({ metadata }) => metadata.recordedAtMs),
    nowMs,
  );
}

/** Approved, or perhaps: until an open one has its outcome, it counts (R-UNK-02). */
function mayHaveAuthorized({ operation, status }: Transaction): boolean {
  return COUNTED.includes(operation) && (status === 'approved' || isOpen(status));
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}
