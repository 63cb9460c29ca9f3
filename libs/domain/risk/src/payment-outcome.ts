import type { PaymentEvents } from '@sluice/contracts';

/** An event of a payment, as payments publishes it. */
export type PaymentStep = {
  readonly [Type in keyof PaymentEvents]: {
    readonly type: Type;
    readonly data: PaymentEvents[Type];
  };
}[keyof PaymentEvents];

/** What became of a payment that rules have judged. */
export interface PaymentOutcome {
  /** `open`: nobody knows yet; `ended`: no acquirer was asked, or what it had approved was undone. */
  readonly outcome: 'open' | 'approved' | 'declined' | 'ended';
  /** Whether the issuer has taken back more than it has given back again. */
  readonly chargedBack: boolean;
  /** Whether somebody has to look at it. */
  readonly isUnderReview: boolean;
  /** The last word of the rules. */
  readonly assessment?: PaymentEvents['RiskAssessed'];
}

interface Seen extends Omit<PaymentOutcome, 'chargedBack'> {
  readonly takenBack: bigint;
}

const NOTHING_YET: Seen = { outcome: 'open', takenBack: 0n, isUnderReview: false };

/**
 * What became of a payment, of all of its events: of its first transaction alone, for that is what rules judge.
 * Pure, so the same is found however often it is looked up.
 */
export function paymentOutcome(paymentId: string, steps: readonly PaymentStep[]): PaymentOutcome {
  const seen = steps.reduce(
    (before, step) => after(before, step, step.data.transactionId === paymentId),
    NOTHING_YET,
  );
  const { takenBack, ...outcome } = seen;
  return { ...outcome, chargedBack: takenBack > 0n };
}

function after(seen: Seen, step: PaymentStep, isOfFirst: boolean): Seen {
  switch (step.type) {
    case 'ChargebackReceived':
      return { ...seen, takenBack: seen.takenBack + BigInt(step.data.amount.minor) };
    case 'ChargebackReversed':
      return { ...seen, takenBack: seen.takenBack - BigInt(step.data.amount.minor) };
    case 'RiskAssessed':
      return isOfFirst ? { ...seen, assessment: step.data } : seen;
    case 'TransactionApproved':
      if (!isOfFirst) return seen;
      return {
        ...{ ...seen, outcome: 'approved' },
        isUnderReview: seen.assessment?.decision === 'review',
      };
    case 'TransactionDeclined': {
      if (!isOfFirst) return seen;
      // An approval that the rules did not want is no no of an issuer.
      const outcome = seen.assessment?.decision === 'reject' ? 'ended' : 'declined';
      return { ...seen, outcome };
    }
    case 'ReviewDecided':
      return isOfFirst ? { ...seen, isUnderReview: false } : seen;
    // Nobody has said yes or no to money.
    case 'StandaloneCompleted':
    case 'TransactionRejected':
    case 'TransactionNotPerformed':
    case 'UnknownTransactionReversed':
      return isOfFirst ? { ...seen, outcome: 'ended' } : seen;
    case 'PaymentInitiated':
    case 'AuthenticationPending':
    case 'AuthenticationCompleted':
    case 'AuthorizationRequested':
    case 'TransactionRequested':
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
