const ARABIC_ZERO = 0x0660;
const PERSIAN_ZERO = 0x06f0;

/** The digits of a text, those of Arabic and Persian keyboards included; nothing else of it. */
export function digitsOf(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - PERSIAN_ZERO))
    .replace(/[^0-9]/g, '');
}

/** After how many digits a gap is, as cards of these brands have it printed; others: after each four. */
const GAPS: ReadonlyMap<string | undefined, readonly number[]> = new Map([
  ['AMEX', [4, 10]],
  ['DINERS', [4, 10]],
]);
const EACH_FOUR = [4, 8, 12, 16, 20, 24, 28] as const;
/** Diners cards of more digits have gaps after each four. */
const DINERS_DIGITS = 14;

/** The gaps of a number of this brand. */
export function gapsOf(brand: string | undefined, digits: string): readonly number[] {
  if (brand === 'DINERS' && digits.length > DINERS_DIGITS) return EACH_FOUR;
  return GAPS.get(brand) ?? EACH_FOUR;
}

/** The digits with a space in each gap that is reached. */
export function grouped(digits: string, gaps: readonly number[]): string {
  return [...digits].map((digit, at) => (gaps.includes(at) ? ` ${digit}` : digit)).join('');
}

/** Where the caret stands in the grouped text, behind so many digits. */
export function caretBehind(digitsBefore: number, gaps: readonly number[]): number {
  return digitsBefore + gaps.filter((gap) => gap < digitsBefore).length;
}
