import type { PaymentEvents } from '@sluice/contracts';

/** An event of a payment, as payments publishes it. */
export type PaymentStep = {
  readonly [Type in keyof PaymentEvents]: {
    readonly type: Type;
    readonly data: PaymentEvents[Type];
  };
}[keyof PaymentEvents];

/**
 * The events of which an outcome is made, and what of each beside its transaction: who reads a million payments
 * asks for no more. The rest of an assessment is carried along, and decides nothing.
 */
export const outcomeFields = {
  PaymentInitiated: ['amount'],
  RiskAssessed: ['decision'],
  ReviewDecided: ['decision'],
  AuthenticationCompleted: ['goesOn'],
  StandaloneCompleted: [],
  TransactionRequested: ['operation', 'amount'],
  TransactionApproved: [],
  TransactionDeclined: [],
  TransactionRejected: [],
  TransactionNotPerformed: [],
  UnknownTransactionReversed: [],
  ChargebackReceived: ['amount'],
  ChargebackReversed: ['amount'],
} as const satisfies {
  readonly [Type in keyof PaymentEvents]?: readonly (keyof PaymentEvents[Type])[];
};

/** What became of a payment that rules have judged. */
export interface PaymentOutcome {
  /**
   * `open`: nobody knows yet; `declined`: an acquirer's no; `ended`: no acquirer was asked, what it had approved was
   * not wanted, or the shopper was not authenticated.
   */
  readonly outcome: 'open' | 'approved' | 'declined' | 'ended';
  /** Whether the issuer has taken back more than it has given back again. */
  readonly chargedBack: boolean;
  /** Whether somebody has to look at it. */
  readonly isUnderReview: boolean;
  /** Whether all of it was given back before anybody had looked: then there is nothing to decide. */
  readonly isGivenBack: boolean;
  /** Whether somebody has looked at it, and did not want it. */
  readonly isRejectedByReview: boolean;
  /** The last word of the rules. */
  readonly assessment?: PaymentEvents['RiskAssessed'];
}

interface Seen extends Omit<PaymentOutcome, 'chargedBack' | 'isGivenBack'> {
  /** The payment ends because of its shopper, who has cancelled, say. */
  readonly isNotAuthenticated: boolean;
  readonly takenBack: bigint;
  /** What the first transaction was about, in minor units. */
  readonly wholeMinor: bigint;
  /** What reversals and refunds of it are about, by their ids. */
  readonly givingBack: ReadonlyMap<string, bigint>;
  readonly givenBack: bigint;
}

const NOTHING_YET: Seen = {
  ...{
    outcome: 'open',
    isUnderReview: false,
    isRejectedByReview: false,
    isNotAuthenticated: false,
  },
  ...{ takenBack: 0n, wholeMinor: 0n, givingBack: new Map(), givenBack: 0n },
};

/**
 * What became of a payment, of all of its events: of its first transaction alone, for that is what rules judge.
 * Pure, so the same is found however often it is looked up.
 */
export function paymentOutcome(paymentId: string, steps: readonly PaymentStep[]): PaymentOutcome {
  const seen = steps.reduce(
    (before, step) => after(before, step, step.data.transactionId === paymentId),
    NOTHING_YET,
  );
  const {
    takenBack,
    wholeMinor,
    givingBack: _,
    givenBack,
    isNotAuthenticated: __,
    ...outcome
  } = seen;
  const isGivenBack = outcome.isUnderReview && wholeMinor > 0n && givenBack >= wholeMinor;
  const isUnderReview = outcome.isUnderReview && !isGivenBack;
  return { ...outcome, isUnderReview, isGivenBack, chargedBack: takenBack > 0n };
}

function after(seen: Seen, step: PaymentStep, isOfFirst: boolean): Seen {
  switch (step.type) {
    case 'ChargebackReceived':
      return { ...seen, takenBack: seen.takenBack + BigInt(step.data.amount.minor) };
    case 'ChargebackReversed':
      return { ...seen, takenBack: seen.takenBack - BigInt(step.data.amount.minor) };
    case 'RiskAssessed':
      return isOfFirst ? { ...seen, assessment: step.data } : seen;
    case 'PaymentInitiated':
      return { ...seen, wholeMinor: BigInt(step.data.amount.minor) };
    case 'TransactionRequested':
      return requested(seen, step.data);
    case 'TransactionApproved':
      if (!isOfFirst) {
        const more = seen.givingBack.get(step.data.transactionId) ?? 0n;
        return { ...seen, givenBack: seen.givenBack + more };
      }
      return {
        ...{ ...seen, outcome: 'approved' },
        isUnderReview: seen.assessment?.decision === 'review',
      };
    case 'TransactionDeclined': {
      if (!isOfFirst) return seen;
      // An approval that the rules did not want is no no of an issuer, nor is a challenge that came to nothing.
      const isOurs = seen.assessment?.decision === 'reject' || seen.isNotAuthenticated;
      return { ...seen, outcome: isOurs ? 'ended' : 'declined' };
    }
    case 'ReviewDecided': {
      if (!isOfFirst) return seen;
      const isRejected = step.data.decision === 'rejected';
      // What somebody did not want is no good payment, whatever the acquirer has said.
      const outcome = isRejected && seen.outcome === 'approved' ? 'ended' : seen.outcome;
      return { ...seen, outcome, isUnderReview: false, isRejectedByReview: isRejected };
    }
    // Nobody has said yes or no to money.
    case 'StandaloneCompleted':
    case 'TransactionRejected':
    case 'TransactionNotPerformed':
    case 'UnknownTransactionReversed':
      return isOfFirst ? { ...seen, outcome: 'ended' } : seen;
    case 'AuthenticationCompleted':
      return isOfFirst ? { ...seen, isNotAuthenticated: !step.data.goesOn } : seen;
    case 'AuthenticationPending':
    case 'AuthorizationRequested':
    case 'TransactionRerouted':
    case 'TransactionPending':
    case 'TransactionOutcomeUnknown':
    case 'LateApprovalReceived':
    case 'LateApprovalRefundRequested':
    case 'LateApprovalUndone':
    case 'LateInquiryAnswered':
    case 'CaseOpened':
      // What comes after the end is undone, and changes nothing of it.
      return seen;
  }
}

/** A reversal or a refund; while it is under way, nothing has come back. */
function requested(seen: Seen, { transactionId, operation, amount }: Requested): Seen {
  if (operation !== 'reversal' && operation !== 'refund') return seen;
  const givingBack = new Map(seen.givingBack).set(transactionId, BigInt(amount.minor));
  return { ...seen, givingBack };
}

type Requested = PaymentEvents['TransactionRequested'];
