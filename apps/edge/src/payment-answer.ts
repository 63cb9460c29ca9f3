import {
  type AnswerStamp,
  type BinTable,
  codeOf,
  type PaymentFields,
  paymentFields,
  resultOf,
  type ShownTransaction,
  stampFields,
} from '@sluice/answers';
import type { TransactionId } from '@sluice/identifiers';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { Answer } from './answer.js';

/**
 * The answer to the request that made a transaction: HTTP 200 when it succeeded or is pending, 400
 * when it failed (Interface 4 and 7, D-34).
 */
export function paymentAnswer(shown: ShownTransaction, stamp: AnswerStamp, bins: BinTable): Answer {
  const code = codeOf(shown.outcome);
  return answerOf(paymentFields(shown, bins, code), code, httpStatusOf(code), stamp);
}

/** The answer to a read: HTTP 200 whatever became of the transaction (D-34). */
export function readAnswer(shown: ShownTransaction, stamp: AnswerStamp, bins: BinTable): Answer {
  const code = codeOf(shown.outcome);
  return answerOf(paymentFields(shown, bins, code), code, 200, stamp);
}

/** The command may have left and nobody knows: query, do not repeat (D-34). */
export function uncertainAnswer(
  shown: ShownTransaction,
  stamp: AnswerStamp,
  bins: BinTable,
): Answer {
  const code = codes.timeoutUncertain;
  return answerOf(paymentFields(shown, bins, code), code, 400, stamp);
}

/** A transaction of which nothing but its id is known yet (D-04, D-72). */
export function pendingAnswer(id: TransactionId, stamp: AnswerStamp): Answer {
  const body = JSON.stringify({ id, result: resultOf(codes.pending), ...stampFields(stamp) });
  return { status: 200, resultCode: codes.pending, ndc: stamp.ndc, body, transactionId: id };
}

function answerOf(
  fields: PaymentFields,
  code: string,
  status: 200 | 400,
  stamp: AnswerStamp,
): Answer {
  const body = JSON.stringify({ ...fields, ...stampFields(stamp) });
  return { status, resultCode: code, ndc: stamp.ndc, body, transactionId: fields.id };
}
