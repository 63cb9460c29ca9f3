import { codes, groupOf, isKnown, outcomeOf } from '@sluice/result-codes';
import type { CryptogramFinding } from './three-d-secure/used-cryptograms.js';
import type { Mode, TransactionRequest } from './transaction-request.js';

/** What the acquirer decides about a request. */
export interface Decision {
  readonly status: 'approved' | 'declined' | 'pending';
  readonly resultCode: string;
}

/** What the book says of the transaction a request refers to. */
export type OriginalState = 'none' | 'missing' | 'approved' | 'pending' | 'closed';

const SUCCESS_CODES: Readonly<Record<Mode, string>> = {
  INTERNAL: codes.approvedInternal,
  EXTERNAL: codes.approvedExternal,
};

/** transaction declined (incorrect PIN) */
const WRONG_PIN = '800.100.166';

/** transaction declined (manipulation suspected) */
const SUSPECTED = '800.100.158';

/**
 * A proof of another card, of an attempt where an authentication is claimed, or of a payment that was made with it before. The amount of an authentication may
 * be another one than the payment's (`threeDSecure.amount`).
 */
const FORGERIES: readonly (CryptogramFinding | undefined)[] = [
  'otherCard',
  'otherOutcome',
  'usedBefore',
];

const RESULT_CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;

/** The success code of a mode (Interface 1). */
export function successCode(mode: Mode): string {
  return SUCCESS_CODES[mode];
}

/**
 * Decides by the public test inputs: `forceResultCode`, then a card holder that is a result code
 * not starting with 000, a wrong PIN, a cryptogram that proves nothing, else success (D-48). Amounts decide nothing, and totals are not checked:
 * a book that refused an excess would hide the mistake of whoever sent it.
 */
export function decide(
  request: TransactionRequest,
  original: OriginalState,
  cryptogram?: CryptogramFinding,
): Decision {
  if (original === 'missing' || original === 'closed') return declined(codes.transactionNotFound);
  if (original === 'pending') return declined(codes.referencePending);
  const wanted = request.forceResultCode ?? codeOf(request.holder, cryptogram);
  if (wanted !== undefined) return decideByCode(wanted);
  if (request.isPinWrong === true) return declined(WRONG_PIN);
  if (FORGERIES.includes(cryptogram)) return declined(SUSPECTED);
  // A test that forces a code needs no shopper; everybody else waits for one.
  if (request.shopper !== undefined) return { status: 'pending', resultCode: codes.pending };
  return { status: 'approved', resultCode: successCode(request.mode) };
}

/** An issuer declines softly for want of a proof: whoever brings one is not declined so again. */
function codeOf(
  holder: string | undefined,
  cryptogram: CryptogramFinding | undefined,
): string | undefined {
  const code = codeInHolder(holder);
  const isProven = cryptogram !== undefined && !FORGERIES.includes(cryptogram);
  return code === codes.softDecline && isProven ? undefined : code;
}

function codeInHolder(holder: string | undefined): string | undefined {
  if (holder === undefined || holder.startsWith('000')) return undefined;
  return RESULT_CODE.test(holder) ? holder : undefined;
}

function decideByCode(resultCode: string): Decision {
  if (!isKnown(resultCode) || groupOf(resultCode) === 'unclassified')
    return declined(codes.invalidReturnCode);
  switch (outcomeOf(resultCode)) {
    case 'success':
      return { status: 'approved', resultCode };
    case 'pending':
      return { status: 'pending', resultCode };
    case 'rejected':
      return declined(resultCode);
    case 'chargeback':
      // An issuer's word on a payment of the past, and no answer to this request (D-73).
      return declined(codes.invalidReturnCode);
  }
}

function declined(resultCode: string): Decision {
  return { status: 'declined', resultCode };
}
