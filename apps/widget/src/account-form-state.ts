import type {
  AccountField,
  AccountFieldName,
  AccountMode,
  AccountValues,
} from './account-form-kind.js';
import { notSent, type SubmissionState } from './submission-state.js';

/** What a form that says an account shows. */
export interface AccountFormState extends SubmissionState {
  readonly values: AccountValues;
  /** The mode that is chosen; undefined where there is one way. */
  readonly mode: AccountMode | undefined;
  /** The fields with something wrong in them. */
  readonly wrong: readonly AccountFieldName[];
}

/** As it is shown first. */
export const emptyAccount: AccountFormState = {
  ...notSent,
  ...{ values: {}, mode: undefined, wrong: [] },
};

/** The fields that are asked in a mode. */
export function fieldsInMode(
  fields: readonly AccountField[],
  mode: AccountMode | undefined,
): readonly AccountField[] {
  return fields.filter((field) => field.mode === undefined || field.mode === mode);
}

/** The fields of which something is wrong, in their order. */
export function wrongFields(
  fields: readonly AccountField[],
  values: AccountValues,
): readonly AccountFieldName[] {
  return fields.filter(({ isWrong }) => isWrong(values)).map(({ name }) => name);
}

/** The same with one field as it is now. */
export function withField(
  wrong: readonly AccountFieldName[],
  name: AccountFieldName,
  isWrong: boolean,
): readonly AccountFieldName[] {
  const others = wrong.filter((one) => one !== name);
  return isWrong ? [...others, name] : others;
}

/** The fields that parameters are typed in. */
export function fieldsOfParameters(
  fields: readonly AccountField[],
  names: readonly string[],
): readonly AccountFieldName[] {
  const meant = fields.filter(({ parameters }) => parameters.some((one) => names.includes(one)));
  return meant.map(({ name }) => name);
}

/** Where the caret stands in a text that was grouped, behind so many letters and digits of it. */
export function caretIn(text: string, before: number): number {
  let seen = 0;
  for (const [at, one] of Array.from(text).entries()) {
    if (seen === before) return at;
    if (one !== ' ') seen += 1;
  }
  return text.length;
}
