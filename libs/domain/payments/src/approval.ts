import { checkedPair } from '@sluice/contracts';
import { codes, successCode } from '@sluice/result-codes';
import { isUnderReview } from './before-authorization.js';
import type { Outcome, RiskAssessment } from './commands.js';
import type { EventMetadata, PaymentEvent } from './events.js';
import type { Transaction } from './transaction.js';

type Approved = Extract<Outcome, { kind: 'approved' }>;

/**
 * What is recorded of an acquirer's yes. Rules may look at what the issuer found of address and security code:
 * what they say then was recorded before the acquirer was asked, so whoever hears the yes, in the call, by an
 * inquiry or after a crash, records the same. A yes that they reject is an end like a decline, and is undone as
 * an approval that came after the end is (D-27).
 */
export function approval(
  { kind: _, ...outcome }: Approved,
  transaction: Transaction,
  metadata: EventMetadata,
): readonly PaymentEvent[] {
  const { id: transactionId } = transaction;
  const assessment = assessedAfterwards(transaction, outcome);
  const before: readonly PaymentEvent[] =
    assessment === undefined
      ? []
      : [{ type: 'RiskAssessed', data: { transactionId, ...assessment }, metadata }];
  if (assessment?.decision === 'reject') {
    const resultCode = assessment.resultCode ?? codes.riskRejected;
    const { connectorTxId } = outcome;
    return [
      ...before,
      { type: 'TransactionDeclined', data: { ...outcome, transactionId, resultCode }, metadata },
      { type: 'LateApprovalReceived', data: { transactionId, connectorTxId }, metadata },
    ];
  }
  const assessed = assessment === undefined ? transaction : { ...transaction, assessment };
  const resultCode = approvalCode(assessed, outcome.resultCode, metadata);
  return [
    ...before,
    { type: 'TransactionApproved', data: { ...outcome, transactionId, resultCode }, metadata },
  ];
}

/** Undefined where the rules say of these checks what they have said before. */
function assessedAfterwards(
  { assessment, avsResponse, cvvResponse }: Transaction,
  found: Pick<Approved, 'avsResponse' | 'cvvResponse'>,
): RiskAssessment | undefined {
  const pair = checkedPair({
    avsResponse: found.avsResponse ?? avsResponse,
    cvvResponse: found.cvvResponse ?? cvvResponse,
  });
  const holding = assessment?.afterwards?.find(({ pairs }) => pairs.includes(pair));
  if (holding === undefined) return undefined;
  const { pairs: _, ...said } = holding;
  return said;
}

/**
 * What an approval is answered with: a payment under review is approved, and is to be looked at, whatever
 * the acquirer calls it.
 */
function approvalCode(
  transaction: Transaction,
  ofAcquirer: string | undefined,
  { mode }: EventMetadata,
): string {
  if (!isUnderReview(transaction)) return ofAcquirer ?? successCode(mode);
  return transaction.assessment?.resultCode ?? codes.approvedForReview;
}
