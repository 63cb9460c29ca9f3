import { promisedOutcome } from './compare.js';
import { grouped } from './grouped.js';
import { isWallet } from './instruments.js';
import type { MerchantRequest, RecordedTransaction, Violation } from './records.js';

const USED_BEFORE = '800.110.100';

/**
 * Where tokens of wallets were not used once (page 0057): more than one payment was begun with one, one
 * was refused although no other payment had it, and all were refused as used, so nobody has used it. A
 * request that is repeated under its key uses its token again, and is no other payment.
 */
export function tokenViolations(
  merchant: readonly MerchantRequest[],
  recorded: readonly RecordedTransaction[],
): readonly Violation[] {
  const byReference = new Map(recorded.map((each) => [each.reference ?? '', each]));
  const paying = merchant.filter(
    ({ refersTo, instrument }) => refersTo === undefined && isWallet(instrument),
  );
  return [...grouped(paying, tokenIn)].flatMap(([token, requests]) => {
    const begun = requests.flatMap(({ reference }) => {
      const transaction = byReference.get(reference);
      return transaction === undefined || transaction.outcome === 'rejected' ? [] : [transaction];
    });
    const isShared = requests.length > 1;
    const codes = requests.flatMap(codesOf);
    const isUsedByNobody =
      isShared &&
      codes.length > 0 &&
      codes.every((code) => code === USED_BEFORE) &&
      !requests.some(isLost);
    return [
      ...(begun.length > 1
        ? [violation('token used twice', token, begun.map(({ id }) => id).join(', '))]
        : []),
      ...requests
        // Nobody has refused it: a part was away, or too late.
        .filter(({ reference }) => byReference.get(reference)?.outcome !== 'notPerformed')
        .flatMap((request) => wronglyRefused(request, isShared)),
      ...(isUsedByNobody ? [violation('token used by nobody', token, USED_BEFORE)] : []),
    ];
  });
}

/** Whose token it is. */
export function tokenIn({ reference, tokenOf }: MerchantRequest): string {
  return tokenOf ?? reference;
}

function codesOf({ attempts }: MerchantRequest): readonly string[] {
  return attempts.flatMap((attempt) => (attempt.kind === 'answered' ? [attempt.code] : []));
}

/** Whether it may have used its token without an answer. */
function isLost({ attempts }: MerchantRequest): boolean {
  return attempts.some(({ kind }) => kind === 'indefinite');
}

function wronglyRefused(request: MerchantRequest, isShared: boolean): readonly Violation[] {
  const { reference, forcedCode } = request;
  return [...new Set(codesOf(request))]
    .filter((code) => promisedOutcome(code) === 'declined')
    .filter((code) => code !== forcedCode && !(isShared && code === USED_BEFORE))
    .map((code) => violation('token refused', reference, code));
}

function violation(rule: string, subject: string, sentence: string): Violation {
  return { rule, subject, sentence };
}
