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
  /** What is left of what the merchant offers. */
  readonly accounts: readonly OfferedAccount[];
  readonly deletion: Deletion | undefined;
  /** Whether one was deleted, which is said until something else is done. */
  readonly isDeleted: boolean;
}

/** What becomes of an account that the shopper wants to have deleted. */
export interface Deletion {
  readonly id: string;
  /** `asked`: whether that is meant; `sent`: it is, and the gateway has not answered. */
  readonly step: 'asked' | 'sent';
}

/** Of a code of which nothing is typed. */
export const noCode = {
  ...{ code: { isEmpty: true, isValid: false }, fault: undefined, message: undefined },
} as const satisfies Partial<StoredFormState>;

/** As it is shown first, with the first account that can be paid with. */
export function initialState(
  accounts: readonly OfferedAccount[],
  isUsable: (account: OfferedAccount) => boolean,
): StoredFormState {
  return {
    ...{ ...notSent, ...noCode, accounts, chosen: accounts.find(isUsable)?.id },
    ...{ isFocused: false, deletion: undefined, isDeleted: false },
  };
}

/** Without an account that was deleted; where it was chosen, the first that can be paid with is. */
export function withoutDeleted(
  { accounts, chosen, ...state }: StoredFormState,
  deleted: string,
  isUsable: (account: OfferedAccount) => boolean,
): StoredFormState {
  const left = accounts.filter(({ id }) => id !== deleted);
  const shown = { ...state, accounts: left, deletion: undefined, isDeleted: true };
  return chosen === deleted
    ? { ...shown, ...noCode, chosen: left.find(isUsable)?.id }
    : { ...shown, chosen, message: undefined };
}

/** Where the keyboard goes on: to what stands in the place of the one that was deleted, or before it. */
export function besideDeleted(
  accounts: readonly OfferedAccount[],
  deleted: string,
): string | undefined {
  const at = accounts.findIndex(({ id }) => id === deleted);
  return (accounts[at + 1] ?? accounts[at - 1])?.id;
}

/** What is wrong with a code that is asked for. */
export function codeFault(
  { isEmpty, isValid }: FramedField,
  { allowEmptyCvv }: Pick<Options, 'allowEmptyCvv'>,
): TextName | undefined {
  return isValid || (isEmpty && allowEmptyCvv) ? undefined : 'cvvError';
}
