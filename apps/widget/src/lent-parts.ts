import type { newContainer } from './form-container.js';
import type { sentFromPage } from './sent-from-page.js';
import type { Submission, SubmittingForm } from './submission.js';

/** What other forms have in the widget is lent to those with a script of their own, so that it comes once. */
export interface LentParts {
  readonly newContainer: typeof newContainer;
  readonly newSubmission: (of: SubmittingForm) => Submission;
  readonly send: typeof sentFromPage;
}
