import { operationNames, promisedOutcome } from './compare.js';
import type { MerchantRequest, RecordedTransaction, Violation } from './records.js';

/** What the terms of an agreement forbid (Interface 2.18). */
const TERM_IS_BROKEN = '600.200.501';

/**
 * Where an agreement does not hold what its first payment was answered. A merchant pays under it only
 * once that is approved: so no later payment of it may be refused, but with the code by which the
 * simulator was told to decline, and what its terms allow no more. And of those that are approved there are
 * never more than its terms allow.
 */
export function agreementViolations(
  merchant: readonly MerchantRequest[],
  recorded: readonly RecordedTransaction[],
): readonly Violation[] {
  const byReference = new Map(recorded.map((each) => [each.reference ?? '', each]));
  const reversed = new Set(
    recorded
      .filter(({ operation, outcome }) => operation === operationNames.RV && outcome === 'approved')
      .map(({ referencedId }) => referencedId),
  );
  return merchant.flatMap((first) => {
    if (first.begins === undefined) return [];
    const later = merchant.filter(({ continues }) => continues === first.reference);
    const transactions = [first, ...later].flatMap(
      ({ reference }) => byReference.get(reference) ?? [],
    );
    const { authorizationsMax = Infinity } = first.begins;
    // One that has an outcome now was open once, and counted.
    const begun = transactions.filter(({ outcome }) => outcome !== 'rejected');
    const isUsedUp = begun.length >= authorizationsMax;
    const counted = transactions.filter(
      ({ id, outcome }) => outcome === 'approved' && !reversed.has(id),
    );
    const sentence = `${counted.length} of ${authorizationsMax} are approved`;
    return [
      ...later.flatMap((request) =>
        wronglyRefused(request, byReference.get(request.reference), isUsedUp),
      ),
      ...(counted.length > authorizationsMax
        ? [violation('more than agreed', first.reference, sentence)]
        : []),
    ];
  });
}

function wronglyRefused(
  { reference, continues, attempts, forcedCode }: MerchantRequest,
  recorded: RecordedTransaction | undefined,
  isUsedUp: boolean,
): readonly Violation[] {
  // Nobody has refused it: a part was away, or too late.
  if (recorded?.outcome === 'notPerformed') return [];
  const answered = attempts.flatMap((attempt) =>
    attempt.kind === 'answered' ? [attempt.code] : [],
  );
  const said = new Set([...answered, recorded?.resultCode ?? '']);
  return [...said]
    .filter((code) => code !== '' && promisedOutcome(code) === 'declined')
    .filter((code) => code !== forcedCode && !(isUsedUp && code === TERM_IS_BROKEN))
    .map((code) => violation('agreed and refused', reference, `${code}, of ${String(continues)}`));
}

function violation(rule: string, subject: string, sentence: string): Violation {
  return { rule, subject, sentence };
}
