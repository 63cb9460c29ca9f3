import { promisedOutcome } from './compare.js';
import { grouped } from './grouped.js';
import type { InstrumentName } from './instruments.js';
import type { MerchantRequest, RecordedTransaction, Violation } from './records.js';
import { type AskedTransaction, NOT_SET_UP } from './unwilling-acquirer.js';

/** What merchants sent, what the events have of it, and what the first acquirer of routes was asked. */
interface RouteSides {
  readonly merchant: readonly MerchantRequest[];
  readonly recorded: readonly RecordedTransaction[];
  readonly asked: readonly AskedTransaction[];
}

/** What is paid by routes, and what its first acquirer may say to the merchant in the end. */
const LAST_WORDS: Readonly<Partial<Record<InstrumentName, readonly string[]>>> = {
  failoverCard: [],
  // A decline whose answer was lost is found out by inquiry, and then nothing else is tried.
  declinedCard: [NOT_SET_UP],
};
const DECLINED = 'declined';

/**
 * Where payments did not go as their routes say (page 0054). Their first acquirer takes nothing: so what
 * is approved went on to another, after a decline only where the first one has declined with an advice;
 * and nobody is refused while a route is left. It was asked once, and about nothing that no event has.
 */
export function routeViolations({ merchant, recorded, asked }: RouteSides): readonly Violation[] {
  const byReference = new Map(recorded.map((each) => [each.reference ?? '', each]));
  const declined = new Set(
    asked.filter(({ answer }) => answer === DECLINED).map(({ reference }) => reference),
  );
  const known = new Set(recorded.flatMap(attemptsOf));
  return [
    ...merchant.flatMap((request) => {
      const { refersTo, instrument = 'card' } = request;
      const lastWords = refersTo === undefined ? LAST_WORDS[instrument] : undefined;
      if (lastWords === undefined) return [];
      const transaction = byReference.get(request.reference);
      return [
        ...wayViolations(transaction, declined),
        ...wronglyRefused(request, transaction, lastWords),
      ];
    }),
    ...[...grouped(asked, ({ reference }) => reference)].flatMap(([reference, several]) => [
      ...(several.length > 1
        ? [violation('asked twice', reference, `${several.length} times`)]
        : []),
      ...(known.has(reference)
        ? []
        : [violation('asked without event', reference, 'no event has it')]),
    ]),
  ];
}

function attemptsOf({ acquirerReference, givenUp = [] }: RecordedTransaction): readonly string[] {
  const before = givenUp.map((attempt) => attempt.acquirerReference);
  return acquirerReference === undefined ? before : [...before, acquirerReference];
}

function wayViolations(
  transaction: RecordedTransaction | undefined,
  declined: ReadonlySet<string>,
): readonly Violation[] {
  if (transaction === undefined) return [];
  const { id, outcome, givenUp = [] } = transaction;
  const isTakenAtFirst = outcome === 'approved' && givenUp.length === 0;
  const undeclined = givenUp.filter(
    ({ reason, acquirerReference }) => reason === DECLINED && !declined.has(acquirerReference),
  );
  return [
    ...(isTakenAtFirst ? [violation('approved by who takes nothing', id, 'at the first try')] : []),
    ...undeclined.map(({ acquirerReference }) =>
      violation('declined by nobody', id, `${acquirerReference}, which is no advised decline`),
    ),
  ];
}

function wronglyRefused(
  { reference, attempts, forcedCode }: MerchantRequest,
  transaction: RecordedTransaction | undefined,
  lastWords: readonly string[],
): readonly Violation[] {
  // Nobody has refused it: a part was away, or too late.
  if (transaction?.outcome === 'notPerformed') return [];
  const answered = attempts.flatMap((attempt) =>
    attempt.kind === 'answered' ? [attempt.code] : [],
  );
  return [...new Set(answered)]
    .filter((code) => promisedOutcome(code) === 'declined')
    .filter((code) => code !== forcedCode && !lastWords.includes(code))
    .map((code) => violation('refused with a route left', reference, code));
}

function violation(rule: string, subject: string, sentence: string): Violation {
  return { rule, subject, sentence };
}
