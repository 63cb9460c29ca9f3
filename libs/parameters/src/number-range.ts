/**
 * The inside of a regular expression for whole numbers from `least` to `most` in at most so many
 * digits, leading zeros included: a schema of texts knows no bounds of numbers.
 */
export function numbersPattern(digitsMax: number, least: number, most: number): string {
  const patterns: string[] = [];
  for (let digits = 1; digits <= digitsMax; digits += 1) {
    const greatest = Math.min(most, 10 ** digits - 1);
    if (least > greatest) continue;
    const bounds = [least, greatest].map((bound) => String(bound).padStart(digits, '0'));
    patterns.push(between(bounds[0] ?? '', bounds[1] ?? ''));
  }
  return patterns.join('|');
}

/** Digits from one text to another of the same length. */
function between(least: string, most: string): string {
  if (least === most) return least;
  const rest = least.length - 1;
  if (rest === 0) return oneDigit(Number(least), Number(most));
  let from = Number(least[0]);
  let to = Number(most[0]);
  if (from === to) return `${from}${grouped(between(least.slice(1), most.slice(1)))}`;
  const patterns: string[] = [];
  if (!/^0*$/.test(least.slice(1))) {
    patterns.push(`${from}${grouped(between(least.slice(1), '9'.repeat(rest)))}`);
    from += 1;
  }
  const isWhole = /^9*$/.test(most.slice(1));
  if (!isWhole) to -= 1;
  if (from <= to) patterns.push(`${oneDigit(from, to)}${rest === 1 ? '[0-9]' : `[0-9]{${rest}}`}`);
  if (!isWhole) patterns.push(`${to + 1}${grouped(between('0'.repeat(rest), most.slice(1)))}`);
  return patterns.join('|');
}

function oneDigit(from: number, to: number): string {
  return from === to ? String(from) : `[${from}-${to}]`;
}

function grouped(pattern: string): string {
  return pattern.includes('|') ? `(?:${pattern})` : pattern;
}
