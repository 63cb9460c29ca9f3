/**
 * How many characters the number of an account has, filled up with zeros, at the end of the IBANs of a
 * country (registry of ISO 13616). Other countries have something behind it, or write it otherwise.
 */
export const ACCOUNT_CHARACTERS: ReadonlyMap<string, number> = new Map([
  ...([
    ['AT', 11],
    ['CH', 12],
    ['DE', 10],
    ['GB', 8],
    ['IE', 8],
  ] as const),
  ...([
    ['IT', 12],
    ['LI', 12],
    ['NL', 10],
    ['SM', 12],
  ] as const),
]);
const COUNTRY_LETTERS = 2;
/** The first one of an account, which many leave out. */
const SUBACCOUNT = /^(?:00)?$/;

/**
 * Whether an IBAN can be that of an account with this number (Interface 2.7). The number may be the
 * account's own or have its bank in front, as countries write it, up to the IBAN itself; an IBAN has
 * zeros besides, in front of the parts that a country's numbers have.
 */
export function isAccountOf(iban: string, number: string): boolean {
  const text = iban.toUpperCase();
  const account = number.toUpperCase().replace(/^0+/, '');
  const characters = ACCOUNT_CHARACTERS.get(text.slice(0, COUNTRY_LETTERS));
  for (let start = 0; start < text.length; start += 1) {
    const end = endOf(account, text, start);
    if (end === undefined) continue;
    if (characters === undefined) return true;
    const [before, behind] = [text.slice(text.length - characters, start), text.slice(end)];
    if (/^0*$/.test(before) && SUBACCOUNT.test(behind)) return true;
  }
  return false;
}

/** Where a number ends in an IBAN that begins there; undefined where it is another one. */
function endOf(account: string, text: string, start: number): number | undefined {
  let at = start;
  for (const character of account) {
    while (text[at] === '0' && character !== '0') at += 1;
    if (text[at] !== character) return undefined;
    at += 1;
  }
  return at;
}
