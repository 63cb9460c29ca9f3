const WORD = /(?<![0-9A-Za-z])[0-9]{4}(?![0-9A-Za-z])/g;
/** `[1234]` is a process id in PostgreSQL's log, `"pid":1234` in ours, `1234ms` a duration. */
const NUMBER_OF_THE_LOG = /(?:\[|pid["'=: ]{1,4}|port["'=: ]{1,4}|:|\.)$/i;
const LOOK_BACK_CHARACTERS = 8;

/** A four-digit code that stands in a text as a word of its own. */
export interface CodeWord {
  readonly code: string;
  readonly at: number;
}

/**
 * Four-digit codes among the words of a log or of printed output. Process ids, ports, times and
 * fractions are no words; callers choose codes that no other number in their texts equals.
 */
export function codeWords(text: string, codes: ReadonlySet<string>): CodeWord[] {
  const words: CodeWord[] = [];
  for (const match of text.matchAll(WORD)) {
    const before = text.slice(Math.max(0, match.index - LOOK_BACK_CHARACTERS), match.index);
    if (codes.has(match[0]) && !NUMBER_OF_THE_LOG.test(before)) {
      words.push({ code: match[0], at: match.index });
    }
  }
  return words;
}

/** Whether a JSON answer has the code as a value of its own, as text or as a number. */
export function hasCodeValue(body: unknown, code: string): boolean {
  if (typeof body === 'string') return body === code;
  if (typeof body === 'number') return String(body) === code;
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(body).some(
    ([name, value]) => !LAST_FOUR.has(name) && hasCodeValue(value, code),
  );
}

/** The card's own last four digits may equal a code by chance. */
const LAST_FOUR: ReadonlySet<string> = new Set(['last4Digits']);
