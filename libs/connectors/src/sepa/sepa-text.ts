/*
 * The texts of SEPA's files: the basic Latin characters that every bank of the area takes, and the
 * lengths of the three kinds of text. What else there is becomes something of them in the manner of
 * EPC217-08: a letter loses its marks (ä is a, not ae) or is transcribed, other signs are a full stop.
 */

/** ISO 20022's `Max35Text`: identifiers, of a file, a batch, a transaction, a mandate, a creditor. */
export const IDENTIFIER_CHARACTERS_MAX = 35;
/** SEPA's limit for a name; the schemas of ISO 20022 would take 140. */
export const NAME_CHARACTERS_MAX = 70;
/** SEPA's limit for what a payment is for, in one occurrence. */
export const REMITTANCE_CHARACTERS_MAX = 140;

const FOREIGN = /[^A-Za-z0-9/?:().,'+ -]/gu;
const IDENTIFIER = /^[A-Za-z0-9/?:().,'+ -]+$/u;
const BLANKS = /[\p{White_Space}\p{Cc}]+/gu;
const MARKS = /[\p{M}\p{Cf}]/gu;
/** What a character becomes of which nobody says more. */
const UNKNOWN = '.';

/** Characters that are no letter with a mark, in lower case; a capital's transcription is capital. */
const transcriptions: Readonly<Record<string, string>> = {
  ...{ ß: 's', æ: 'a', œ: 'o', ø: 'o', ð: 'd', đ: 'd', þ: 't', ħ: 'h', ı: 'i', ł: 'l', ŋ: 'n' },
  ...{ ŧ: 't', ĸ: 'k' },
  // Greek, by ELOT 743.
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l' },
  ...{ μ: 'm', ν: 'n', ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f' },
  ...{ χ: 'ch', ψ: 'ps', ω: 'o' },
  // Cyrillic, by Bulgaria's Transliteration Act; the last row is for letters that Bulgarian lacks.
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k' },
  ...{ л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'h' },
  ...{ ц: 'ts', ч: 'ch', ш: 'sh', щ: 'sht', ъ: 'a', ь: 'y', ю: 'yu', я: 'ya' },
  ...{ ы: 'y', э: 'e' },
  // Signs.
  ...{ '&': '+', '€': 'E', _: '-', '~': '-', '‐': '-', '‑': '-', '–': '-', '—': '-', '−': '-' },
  ...{ ';': ',', '[': '(', '{': '(', ']': ')', '}': ')', '\\': '/', '|': '/', '⁄': '/', '¿': '?' },
  ...{ '`': "'", '´': "'", '‘': "'", '’': "'", '"': "'", '“': "'", '”': "'", '„': "'" },
  ...{ '@': '(at)' },
};

const transcriptionOf: ReadonlyMap<string, string> = new Map(
  Object.entries(transcriptions).flatMap(([letter, text]) => {
    const capital = letter.toUpperCase();
    const own = [letter, text] as const;
    return capital === letter || capital.length > 1 ? [own] : [own, [capital, text.toUpperCase()]];
  }),
);

/**
 * A text in SEPA's characters, with single spaces and none at its ends, cut where it is longer than
 * a bank takes. A name or a purpose is for people: the end of a long one is missed by nobody, and a
 * bank would refuse the whole file for it. May be empty.
 */
export function sepaText(text: string, charactersMax: number): string {
  return basicLatin(text.replace(BLANKS, ' ')).trim().slice(0, charactersMax).trimEnd();
}

/**
 * Whether an identifier may stand in a file as it is. It is what answers are matched by, so nothing
 * is ever changed in it. No slash at its ends, and no two of them together (EPC130-08).
 */
export function isSepaIdentifier(text: string): boolean {
  return (
    text.length <= IDENTIFIER_CHARACTERS_MAX &&
    IDENTIFIER.test(text) &&
    text.trim() === text &&
    !text.startsWith('/') &&
    !text.endsWith('/') &&
    !text.includes('//')
  );
}

function basicLatin(text: string): string {
  return text
    .normalize('NFC')
    .replace(FOREIGN, transcribed)
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(FOREIGN, (sign) => transcribed(sign).replace(FOREIGN, UNKNOWN));
}

function transcribed(character: string): string {
  return transcriptionOf.get(character) ?? character;
}
