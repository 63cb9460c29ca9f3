import type { RenderableProps, VNode } from 'preact';
import type { newContainer } from './form-container.js';
import type { Jsx } from './lent-elements.js';
import type { PayButtonParts } from './pay-button-view.js';
import type { sentFromPage } from './sent-from-page.js';
import type { Submission, SubmittingForm } from './submission.js';

/** What other forms have in the widget is lent to those with a script of their own, so that it comes once. */
export interface LentParts {
  readonly newContainer: typeof newContainer;
  readonly newSubmission: (of: SubmittingForm) => Submission;
  readonly send: typeof sentFromPage;
}

/** What those are lent that have a view: Preact's, and what is made of it. */
export interface LentView {
  readonly jsx: Jsx;
  readonly render: (view: VNode, container: HTMLElement) => void;
  readonly removeContainer: (container: HTMLDivElement) => void;
  readonly PayButton: (of: RenderableProps<PayButtonParts>) => VNode;
}
