import { brandTitle } from './brand-titles.js';

/** What is drawn of a brand: a plain card with its name on it, and nothing of anybody's logo. */
export interface BrandMark {
  /** The name, or what people shorten it to. */
  readonly letters: string;
  /** Of the card; white letters are read on it. */
  readonly color: string;
}

const OTHER = '#4b5563';

const MARKS: ReadonlyMap<string, readonly [letters: string, color: string]> = new Map([
  ['VISA', ['VISA', '#2b4a8b']],
  ['VISADEBIT', ['VISA', '#2b6a8b']],
  ['VISAELECTRON', ['Electron', '#2f5f9e']],
  ['VPAY', ['V PAY', '#46548c']],
  ['MASTER', ['MC', '#8a3b12']],
  ['MASTERDEBIT', ['MC Debit', '#75401f']],
  ['MAESTRO', ['Maestro', '#6b3f8f']],
  ['AMEX', ['AMEX', '#1f6f78']],
  ['DINERS', ['Diners', '#3f5568']],
  ['DISCOVER', ['Discover', '#99480a']],
  ['JCB', ['JCB', '#2f6b3a']],
  ['UNIONPAY', ['UnionPay', '#0f6466']],
  ['UNIONPAY_SMS', ['UnionPay', '#0f6466']],
  ['MADA', ['mada', '#3f6b1f']],
  ['CARTEBANCAIRE', ['CB', '#23508c']],
  ['CARTEBLEUE', ['C. Bleue', '#2457a6']],
  ['BCMC', ['BC', '#1d4f91']],
  ['DANKORT', ['Dankort', '#8f2430']],
]);

/** The mark of a brand; of one that is seldom met its name in gray. */
export function brandMark(brand: string): BrandMark {
  const [letters = brandTitle(brand), color = OTHER] = MARKS.get(brand) ?? [];
  return { letters, color };
}

/** Letters in the units of the drawing, in which a card is 60 wide. */
const SIZES = [
  { charactersMax: 4, size: 15 },
  { charactersMax: 6, size: 12 },
] as const;
const SMALLEST = 10.5;
/** Of small letters, which more than this would not fit in. */
const CHARACTERS_MAX = 8;
const WIDTH_MAX = 52;

/** How large its letters are, and how wide where they have to be pressed to fit. */
export function lettersFit(letters: string): {
  readonly size: number;
  readonly width: number | undefined;
} {
  const fitting = SIZES.find(({ charactersMax }) => letters.length <= charactersMax);
  const width = letters.length > CHARACTERS_MAX ? WIDTH_MAX : undefined;
  return { size: fitting?.size ?? SMALLEST, width };
}
