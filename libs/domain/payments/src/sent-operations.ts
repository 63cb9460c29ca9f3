import { isStandalone, type Operation, type StandaloneOperation } from '@sluice/contracts';

/** What acquirers are asked for: chargebacks are facts, and standalone requests end before. */
export type SentOperation = Exclude<
  Operation,
  'chargeback' | 'chargebackReversal' | StandaloneOperation
>;

/** Whether an acquirer is asked for it. */
export function isSent(operation: Operation): operation is SentOperation {
  const isFact = operation === 'chargeback' || operation === 'chargebackReversal';
  return !isFact && !isStandalone(operation);
}
