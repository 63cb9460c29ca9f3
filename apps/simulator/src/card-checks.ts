/** What the issuer finds about the holder of a card; letters of the gateway's interface. */
export interface CardChecks {
  /** A, Z, N, U or F. */
  readonly avs?: string;
  /** M, N, P, S or U. */
  readonly cvv?: string;
}

const AVS = /^[AZNUF]$/;
const CVV = /^[MNPSU]$/;

/** What a wish for the address check must be. */
export const AVS_FORM = 'must be A, Z, N, U or F';
/** What a wish for the check of the security code must be. */
export const CVV_FORM = 'must be M, N, P, S or U';

/** Whether a request may wish for this answer of the address check. */
export function isAvs(value: unknown): value is string {
  return typeof value === 'string' && AVS.test(value);
}

/** Whether a request may wish for this answer of the check of the security code. */
export function isCvv(value: unknown): value is string {
  return typeof value === 'string' && CVV.test(value);
}

/** Codes that say themselves what the address check found; N = neither street nor postcode fit. */
const AVS_OF_CODE: ReadonlyMap<string, string> = new Map([
  ['000.400.010', 'N'],
  ['800.400.100', 'N'],
  ['800.400.101', 'Z'],
  ['800.400.102', 'Z'],
  ['800.400.104', 'A'],
  ['800.400.110', 'N'],
]);

/** Codes that say themselves that the security code is wrong. */
const WRONG_CVV: ReadonlySet<string> = new Set(['000.400.020', '800.100.153']);

/** What is known of a card that came with a request. */
export interface CheckedCard {
  readonly securityCodeSent: boolean;
  /** A street or a postcode of the bill. */
  readonly addressSent: boolean;
  readonly wished: CardChecks;
}

/**
 * What is answered about a card: the wish, else what the result code says itself. Address and
 * security code match otherwise where they were sent; of what was not sent there is no answer.
 */
export function checksOf(card: CheckedCard, resultCode: string): CardChecks {
  const { securityCodeSent, addressSent, wished } = card;
  const avs = wished.avs ?? AVS_OF_CODE.get(resultCode) ?? (addressSent ? 'F' : undefined);
  const cvv = wished.cvv ?? (securityCodeSent ? cvvOfCode(resultCode) : undefined);
  return { ...(avs !== undefined && { avs }), ...(cvv !== undefined && { cvv }) };
}

function cvvOfCode(resultCode: string): string {
  return WRONG_CVV.has(resultCode) ? 'N' : 'M';
}
