import type { FramedField } from './card-form-state.js';
import type { TextName } from './english.js';
import type { OfferedAccount } from './offered-accounts.js';
import type { Options } from './options.js';
import { notSent, type SubmissionState } from './submission-state.js';

/** What a form for stored accounts shows. */
export interface StoredFormState extends SubmissionState {
  /** The id of the account that is paid with; undefined where there is none to choose. */
  readonly chosen: string | undefined;
  /** What is known of the code in its frame. */
  readonly code: FramedField;
  /** Whether the code is typed into. */
  readonly isFocused: boolean;
  /** What is wrong with the code. */
  readonly fault: TextName | undefined;
}

/** As it is shown first, with the first account that can be paid with. */
export function initialState(usable: readonly OfferedAccount[]): StoredFormState {
  return {
    ...{ ...notSent, chosen: usable[0]?.id, code: { isEmpty: true, isValid: false } },
    ...{ isFocused: false, fault: undefined },
  };
}

/** What is wrong with a code that is asked for. */
export function codeFault(
  { isEmpty, isValid }: FramedField,
  { allowEmptyCvv }: Pick<Options, 'allowEmptyCvv'>,
): TextName | undefined {
  return isValid || (isEmpty && allowEmptyCvv) ? undefined : 'cvvError';
}
