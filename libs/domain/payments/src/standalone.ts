import type { BeginningOperation } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { codes, successCode } from '@sluice/result-codes';
import type { RiskAssessment } from './commands.js';
import type { EventMetadata, PaymentEvent } from './events.js';

/** What of a request that asks no acquirer decides what its success is called. */
interface Alone {
  readonly operation: BeginningOperation;
  readonly assessment?: RiskAssessment;
  readonly metadata: EventMetadata;
}

/**
 * The code of an authentication or a risk check alone that has succeeded (wire contract 6). A check whose rules
 * want a person to look at it says so, and nobody here waits for that: no money does.
 */
export function standaloneCode({ operation, assessment, metadata }: Alone): string {
  if (operation === 'authentication') return successCode(metadata.mode);
  if (assessment?.decision !== 'review') return codes.riskCheckSuccessful;
  return assessment.resultCode ?? codes.approvedForReview;
}

/** The end of one. */
export function standaloneCompleted(
  transactionId: TransactionId,
  resultCode: string,
  metadata: EventMetadata,
): PaymentEvent {
  return { type: 'StandaloneCompleted', data: { transactionId, resultCode }, metadata };
}
