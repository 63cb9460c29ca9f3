import type { TextName } from './english.js';

/** What every form shows of its sending. */
export interface SubmissionState {
  /** What is said of the payment as a whole. */
  readonly message: TextName | undefined;
  readonly isSending: boolean;
  /** Whether nothing can be sent any more. */
  readonly isOver: boolean;
}

/** As it is shown first. */
export const notSent: SubmissionState = { message: undefined, isSending: false, isOver: false };
