/** The most of an account that anybody but who has it sees. */
const SHOWN_CHARACTERS = 4;
/** Four characters of a shorter one would be nearly all of it. */
const SHOWN_FROM_CHARACTERS = 8;

/** An account, or the number of a token: stars, and its last four characters if it is long enough. */
export function maskedAccount(account: string): string {
  const isLong = account.length >= SHOWN_FROM_CHARACTERS;
  const shown = isLong ? account.slice(-SHOWN_CHARACTERS) : '';
  return '*'.repeat(account.length - shown.length) + shown;
}
