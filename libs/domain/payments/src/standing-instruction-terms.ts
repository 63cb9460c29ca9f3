import { isDayOver } from '@sluice/contracts';
import { codes, describeResult } from '@sluice/result-codes';
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

const DAY_MS = 86_400_000;

/** What the parameters of a payment say; nothing unless they begin an agreement. */
export function agreedTermsOf(parameters: Transaction['parameters']): AgreedTerms {
  return parameters['standingInstruction.mode'] === 'INITIAL' ? termsIn(parameters) : {};
}

/** The terms among parameters. */
export function termsIn(parameters: Transaction['parameters']): AgreedTerms {
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

interface AgreementRefusal {
  readonly resultCode: string;
  readonly resultDescription: string;
}

/** The refusal of what would break a term. */
export function brokenTermRefusal(broken: BrokenTerm): AgreementRefusal {
  return refusal(`${broken} of the first payment`);
}

/** The refusal of what has a first payment that has begun no agreement. */
export function noAgreementRefusal(): AgreementRefusal {
  return refusal(
    'the first payment that it names or its registration has was declined, refused or rejected, or is under review',
  );
}

function refusal(reason: string): AgreementRefusal {
  const resultCode = codes.recurringNotAllowed;
  return { resultCode, resultDescription: `${describeResult(resultCode)} - ${reason}` };
}

/**
 * Until when an authorization of an instant has a part in the decision about later ones, in
 * milliseconds since the epoch: for ever if they are counted, else while it forbids the next one.
 */
export function countsUntilMs(
  { authorizationsMax, frequencyDays }: AgreedTerms,
  atMs: number,
): number | undefined {
  if (authorizationsMax !== undefined) return undefined;
  // Four digits of days, and no money.
  return atMs + parseInt(String(frequencyDays ?? 0n), 10) * DAY_MS;
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}
