import type { ChallengeAnswer } from './challenge-answers.js';
import { answerFields } from './challenge-pages.js';

/** What the form of a challenge says. */
export function answerIn(body: URLSearchParams): ChallengeAnswer {
  switch (body.get(answerFields.action)) {
    case 'cancel':
      return { kind: 'cancelled' };
    case 'approve':
      return { kind: 'approved' };
    case 'decline':
      return { kind: 'declined' };
    default:
      return { kind: 'answered', values: body.getAll(answerFields.value) };
  }
}
