import { codes } from '@sluice/result-codes';
import type { InquiryOutcome } from '../connector.js';
import { codeIn, type Fields, type GatewayAnswer, isFields, verdictOf } from './gateway-answer.js';
import { type Asked, decisionIn, transactionIdIn } from './transaction-answer.js';
import { paymentTypes } from './transaction-message.js';

/** What the list of a query says about a reference. */
export type Found =
  | { readonly kind: 'notFound' }
  /** No answer, or none that says one thing about this reference. */
  | { readonly kind: 'unavailable' }
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly code: string;
      readonly fields: Fields;
      /** Whether a reversal of it has succeeded, or may succeed. */
      readonly reversal: 'none' | 'done' | 'open';
    };

const OK = 200;
const NOT_FOUND = 404;
const UNAVAILABLE = { kind: 'unavailable' } as const;

/** Reads the list of `GET /v1/query` with linked transactions (wire contract 6). */
export function foundIn(answer: GatewayAnswer, acquirerReference: string): Found {
  const { statusCode, code, fields } = answer;
  if (statusCode === NOT_FOUND && code === codes.transactionNotFound) return { kind: 'notFound' };
  const list = fields['payments'] ?? fields['records'];
  if (statusCode !== OK || verdictOf(code) !== 'approved' || !Array.isArray(list)) {
    return UNAVAILABLE;
  }
  const entries = (list as readonly unknown[]).filter(isFields);
  const [ours, another] = entries.filter(
    (each) => each['merchantTransactionId'] === acquirerReference,
  );
  // Two under one reference: nobody can say which of them is meant.
  if (ours === undefined || another !== undefined) return UNAVAILABLE;
  const id = transactionIdIn(ours);
  const said = codeIn(ours);
  if (id === undefined || said === undefined) return UNAVAILABLE;
  return { kind: 'found', id, code: said, fields: ours, reversal: reversalOf(ours, id, entries) };
}

/** What an inquiry learns from it; what cannot be taken for what was asked is no answer. */
export function inquiryOutcome(found: Found, asked: Asked): InquiryOutcome {
  if (found.kind !== 'found') return found;
  const { id: connectorTxId, code, fields, reversal } = found;
  if (verdictOf(code) === 'approved' && reversal !== 'none') {
    return reversal === 'open'
      ? UNAVAILABLE
      : {
          kind: 'found',
          outcome: { kind: 'declined', resultCode: codes.timeoutReversed, connectorTxId },
        };
  }
  const outcome = decisionIn(fields, code, asked);
  return outcome === undefined ? UNAVAILABLE : { kind: 'found', outcome };
}

/** A reversal of a part leaves the rest of an authorization open. */
function reversalOf(
  ours: Fields,
  id: string,
  entries: readonly Fields[],
): 'none' | 'done' | 'open' {
  let isOpen = false;
  for (const each of entries) {
    if (each['paymentType'] !== paymentTypes.reversal || each['referencedId'] !== id) continue;
    const verdict = verdictOf(codeIn(each) ?? codes.undefinedError);
    const isWhole = each['amount'] === undefined || each['amount'] === ours['amount'];
    if (verdict === 'approved' && isWhole) return 'done';
    isOpen ||= verdict === 'pending' || verdict === 'uncertain';
  }
  return isOpen ? 'open' : 'none';
}
