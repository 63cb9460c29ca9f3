import { type AnswerStamp, resultOf, stampFields } from '@sluice/answers';
import type { OfferedClickToPay, OfferedWalletsAnswer } from '@sluice/contracts';
import type { CheckoutId } from '@sluice/identifiers';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { Answer } from './answer.js';

/** The wallets of a checkout's page. */
export interface WalletsOfCheckout extends Omit<OfferedWalletsAnswer, 'clickToPay'> {
  readonly id: CheckoutId;
  /** Absent where nothing is paid, and so by no wallet. */
  readonly amount?: string;
  readonly currency?: string;
  readonly clickToPay?: OfferedClickToPay & {
    /** How the page calls its transaction with SRC systems. */
    readonly srciTransactionId: string;
  };
}

/** The answer to a page that asks for its wallets: anybody's who knows the checkout's id. */
export function walletsAnswer({ id, ...wallets }: WalletsOfCheckout, stamp: AnswerStamp): Answer {
  return answerOf({ ...wallets }, { ...stamp, ndc: id });
}

/** The answer to a page that Apple has confirmed; only the wallet reads the session. */
export function applePaySessionAnswer(session: string, stamp: AnswerStamp): Answer {
  return answerOf({ merchantSession: JSON.parse(session) as object }, stamp);
}

function answerOf(fields: object, stamp: AnswerStamp): Answer {
  const code = codes.requestSuccessful;
  const body = JSON.stringify({ ...fields, result: resultOf(code), ...stampFields(stamp) });
  return { status: httpStatusOf(code), resultCode: code, ndc: stamp.ndc, body };
}
