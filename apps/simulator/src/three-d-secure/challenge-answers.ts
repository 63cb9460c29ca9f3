import type { ChallengeKind } from './test-cards.js';

/** What a shopper did on the page of a challenge. */
export type ChallengeAnswer =
  | { readonly kind: 'cancelled' }
  /** In the app that is not there. */
  | { readonly kind: 'approved' | 'declined' }
  | { readonly kind: 'answered'; readonly values: readonly string[] };

/** The code that is right; the page says so. */
export const RIGHT_CODE = '123456';

/** A choice with what it is called, and whether it is right. */
export interface ChallengeOption {
  readonly value: string;
  readonly label: string;
  readonly isRight: boolean;
}

/** The choices of both kinds; each page says which are right. */
export const options: readonly ChallengeOption[] = [
  { value: 'bakery', label: 'The bakery', isRight: true },
  { value: 'airline', label: 'The airline', isRight: false },
  { value: 'bookshop', label: 'The bookshop', isRight: true },
  { value: 'theatre', label: 'The theatre', isRight: false },
];

/** Of the single select, one of the right ones is left out. */
export function optionsOf(kind: ChallengeKind): readonly ChallengeOption[] {
  return kind === 'singleSelect' ? options.filter(({ value }) => value !== 'bookshop') : options;
}

/** Whether these values are the right answer. */
export function isRight(kind: ChallengeKind, values: readonly string[]): boolean {
  const given = values.map((value) => value.trim()).filter((value) => value !== '');
  switch (kind) {
    case 'oneTimePassword':
      return given.length === 1 && given[0] === RIGHT_CODE;
    case 'singleSelect':
    case 'multiSelect': {
      const right = optionsOf(kind).filter((option) => option.isRight);
      return given.length === right.length && right.every(({ value }) => given.includes(value));
    }
    case 'outOfBand':
      return false;
  }
}
