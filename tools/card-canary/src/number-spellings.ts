import { fullWidth } from './leak-forms.js';

/** The number in groups of four with this between them. */
function separated(number: string, separator: string): string {
  return (number.match(/[0-9]{1,4}/g) ?? []).join(separator);
}

function percentEncoded(number: string): string {
  return number.replaceAll(/[0-9]/g, (digit) => `%3${digit}`);
}

/**
 * A number as people type it into fields that are not for it (S-PCI-07), and as it may be written
 * so that a search for digits in a row misses it.
 */
export const spellings: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => separated(number, ' '),
  (number) => separated(number, '-'),
  fullWidth,
  (number) => `pay ${number} please`,
  (number) => `;${number}=34051011000000000?`,
  (number) => `${number}, thanks`,
  (number) => separated(number, '.'),
  (number) => separated(number, '/'),
  (number) => separated(number, ', '),
  (number) => separated(number, ' - '),
  (number) => separated(number, '\r\n'),
  (number) => separated(number, '  '),
  (number) => Array.from(number).join(' '),
  (number) => separated(number, '%20'),
  percentEncoded,
  (number) => percentEncoded(number).replaceAll('%', '%25'),
  (number) => separated(number, '-').replaceAll(/[0-9]/g, fullWidth),
];

/** The spelling that has its turn. */
export function typed(number: string, index: number): string {
  const spell = spellings[index % spellings.length] ?? String;
  return spell(number);
}

/** The same where only printable ASCII may stand: in a path or a header. */
export function typedInAscii(number: string, index: number): string {
  return typed(number, index).replaceAll(/[^!-~]+/g, (text) => encodeURIComponent(text));
}
