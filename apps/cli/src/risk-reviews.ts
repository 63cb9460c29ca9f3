import type { TransactionId } from '@sluice/identifiers';
import { type Currency, isoDecimal } from '@sluice/money';
import { type FoundReview, type Review, type ReviewDecision, Reviews } from '@sluice/risk';
import type { Answer } from './answer.js';
import { assertId } from './event-store-of.js';
import { exitCodes, failed, refused } from './exit-codes.js';
import { type ExecuteFlag, operator } from './risk-session.js';
import type { Session } from './session.js';
import { instantText, textTable } from './text-table.js';

/** The flag of `risk review approve` and `reject`, and which of them it is. */
export interface DecisionFlags extends ExecuteFlag {
  readonly decision?: ReviewDecision;
}

/** A table of more is not read by anybody. */
const LISTED_MAX = 200;

const WORDS: Readonly<Record<ReviewDecision, string>> = {
  released: 'approved',
  rejected: 'rejected',
};
const WHAT_FOLLOWS: Readonly<Record<ReviewDecision, string>> = {
  released: 'Payments hears of it within seconds; then it can be captured.',
  rejected: [
    'Payments hears of it within seconds, and gives back what is left of it: by a reversal, or by a refund where',
    'it is too late for one. Where neither works, a case is opened; "streams show" has what came of it.',
  ].join('\n'),
};

/** `risk review list`: what waits for a decision, the oldest first; no personal data. */
export async function listReviews(session: Session): Promise<Answer> {
  const found = await new Reviews(session.database('risk')).open(LISTED_MAX + 1);
  const listed = found.slice(0, LISTED_MAX);
  const table = textTable(
    listed,
    [
      { title: 'PAYMENT', cell: ({ assessmentId }) => assessmentId },
      { title: 'ENTITY', cell: ({ entityId }) => entityId },
      { title: 'SINCE (UTC)', cell: ({ assessedAt }) => instantText(assessedAt.getTime()) },
      { title: 'AMOUNT', cell: amountText, alignRight: true },
      { title: 'SCORE', cell: ({ score }) => String(score), alignRight: true },
      { title: 'RULES', cell: ({ fired }) => fired.map(({ id }) => id).join(', ') },
      { title: 'GOES ON BY ITSELF (UTC)', cell: releaseText },
    ],
    'No payment is under review.',
  );
  const more = found.length > LISTED_MAX ? '\n… and later ones.' : '';
  return { data: listed, text: `${table}${more}` };
}

/** The time begins with the approval. */
function releaseText({ releaseAt, isApproved }: Review): string {
  if (releaseAt === null) return 'never';
  return isApproved ? instantText(releaseAt.getTime()) : 'not approved yet';
}

/** `risk review approve` and `reject`: all of them or, where one cannot be, none; dry run unless told. */
export async function decideReviews(
  session: Session,
  ids: readonly string[],
  { decision = 'released', execute }: DecisionFlags,
): Promise<Answer> {
  const reviews = new Reviews(session.database('risk'));
  const found = [];
  for (const id of new Set(ids)) found.push(await openReview(reviews, id));
  const word = WORDS[decision];
  const allIds = found.map(({ assessmentId }) => assessmentId);
  if (execute !== true) {
    const lines = found.map((each) => `${nameOf(each)} would be ${word}.`);
    const text = [...lines, 'Nothing was done. Add --execute to do it.'].join('\n');
    return { data: { executed: false, decision: word, ids: allIds }, text };
  }
  const lines: string[] = [];
  const decidedIds: TransactionId[] = [];
  for (const each of found) {
    const decided = { decision, actor: operator(), nowMs: session.now() };
    const isDone = await reviews.decide(each.assessmentId, decided);
    if (isDone) decidedIds.push(each.assessmentId);
    lines.push(`${nameOf(each)} ${isDone ? `is ${word}` : 'was decided by somebody else first'}.`);
  }
  return {
    data: { executed: true, decision: word, ids: decidedIds },
    text: [...lines, WHAT_FOLLOWS[decision]].join('\n'),
    ...(decidedIds.length < allIds.length && { exitCode: exitCodes.refused }),
  };
}

/** @throws CommandEnded for one that nobody can decide about any more */
async function openReview(reviews: Reviews, id: string): Promise<FoundReview> {
  assertId(id);
  const review = await reviews.find(id);
  if (review === undefined) {
    throw failed(`${id} is no payment under review; "risk review list" shows those that are.`);
  }
  if (review.state === 'open') return review;
  const by = review.decidedBy === null ? '' : ` by ${review.decidedBy}`;
  throw refused(`${id} was ${WORDS[review.state]}${by} already. Nothing was done.`);
}

function nameOf(review: FoundReview): `${TransactionId} (${string})` {
  return `${review.assessmentId} (${amountText(review)})`;
}

function amountText({ amountMinor, currency }: Review): string {
  const amount = { minor: BigInt(amountMinor), currency: currency as Currency };
  return `${isoDecimal(amount)} ${amount.currency}`;
}
