import type { SeededRandom } from '@sluice/testing';

/** A card that exists only to be found again wherever it should not be. */
export interface CanaryCard {
  readonly number: string;
  readonly brand: 'VISA' | 'MASTER' | 'AMEX' | 'MAESTRO' | 'DINERS' | 'JCB';
  /** Four digits for AMEX, three for the others. */
  readonly securityCode: string;
}

const SECURITY_CODE_DIGITS = 4;
const OTHER_SECURITY_CODE_DIGITS = 3;

/** Known issuer ranges with the lengths in use, so that D-43 sees card numbers in all of them. */
const RANGES = [
  { brand: 'VISA', prefix: '42', length: 16 },
  { brand: 'VISA', prefix: '4916', length: 16 },
  { brand: 'VISA', prefix: '4539', length: 13 },
  { brand: 'MASTER', prefix: '51', length: 16 },
  { brand: 'MASTER', prefix: '5454', length: 16 },
  { brand: 'MASTER', prefix: '2221', length: 16 },
  { brand: 'AMEX', prefix: '34', length: 15 },
  { brand: 'AMEX', prefix: '37', length: 15 },
  { brand: 'MAESTRO', prefix: '6799', length: 16 },
  { brand: 'MAESTRO', prefix: '6761', length: 19 },
  { brand: 'DINERS', prefix: '36', length: 14 },
  { brand: 'JCB', prefix: '3569', length: 16 },
] as const;

/**
 * Unique Luhn-valid card numbers over all ranges. No two share their last eight digits, no
 * number repeats one digit so often that a table of zeros could look like it.
 */
export function canaryCards(random: SeededRandom, count: number): readonly CanaryCard[] {
  const cards: CanaryCard[] = [];
  const tails = new Set<string>();
  for (let index = 0; cards.length < count; index++) {
    const range = RANGES[index % RANGES.length] ?? RANGES[0];
    const number = luhnNumber(random, range.prefix, range.length);
    const tail = number.slice(-8);
    if (tails.has(tail) || new Set(tail).size < 5) continue;
    tails.add(tail);
    cards.push({ number, brand: range.brand, securityCode: securityCode(random, range.brand) });
  }
  return cards;
}

/** Codes that no year, HTTP status or usual port looks like; see code-contexts.ts for their limits. */
function securityCode(random: SeededRandom, brand: CanaryCard['brand']): string {
  const digits = brand === 'AMEX' ? SECURITY_CODE_DIGITS : OTHER_SECURITY_CODE_DIGITS;
  const low = digits === SECURITY_CODE_DIGITS ? 6_100 : 611;
  const high = digits === SECURITY_CODE_DIGITS ? 9_899 : 989;
  return String(random.integer(low, high));
}

function luhnNumber(random: SeededRandom, prefix: string, length: number): string {
  let body = prefix;
  while (body.length < length - 1) body += String(random.integer(0, 9));
  return body + luhnCheckDigit(body);
}

/** The digit that makes `body` pass the Luhn test. */
export function luhnCheckDigit(body: string): string {
  let sum = 0;
  for (let index = 0; index < body.length; index++) {
    const digit = Number(body[body.length - 1 - index]);
    const doubled = digit * 2;
    if (index % 2 === 0) sum += doubled > 9 ? doubled - 9 : doubled;
    else sum += digit;
  }
  return String((10 - (sum % 10)) % 10);
}
