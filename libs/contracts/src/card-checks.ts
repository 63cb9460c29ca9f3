/**
 * What an acquirer may say of the address (Interface 2.2): A = it matches, the postcode does not;
 * Z = the other way round; N = neither; U = it cannot be checked; F = both match.
 */
export const avsResponses = ['A', 'Z', 'N', 'U', 'F'] as const;

/** One of them. */
export type AvsResponse = (typeof avsResponses)[number];

/**
 * What an acquirer may say of the security code (wire contract 2): M = match, N = no match,
 * P = not processed, S = it should be on the card and was not sent, U = the issuer cannot check it.
 */
export const cvvResponses = ['M', 'N', 'P', 'S', 'U'] as const;

/** One of them. */
export type CvvResponse = (typeof cvvResponses)[number];

/** What the issuer found about the card's holder; absent if nothing was checked. */
export interface CardChecks {
  readonly avsResponse?: AvsResponse;
  readonly cvvResponse?: CvvResponse;
}

/**
 * Both as one short text, `NM` say, with a hyphen for what was not checked: the name of a row of what rules
 * decide by them.
 */
export function checkedPair({ avsResponse = '-', cvvResponse = '-' }: CheckedResponses): string {
  return `${avsResponse}${cvvResponse}`;
}

/** What either was, or that nothing was checked. */
interface CheckedResponses {
  readonly avsResponse?: AvsResponse | '-' | undefined;
  readonly cvvResponse?: CvvResponse | '-' | undefined;
}

/** Everything that an acquirer may say of both: 36 pairs. */
export const everyCheck: readonly CardChecks[] = [undefined, ...avsResponses].flatMap((avs) =>
  [undefined, ...cvvResponses].map((cvv) => ({
    ...(avs !== undefined && { avsResponse: avs }),
    ...(cvv !== undefined && { cvvResponse: cvv }),
  })),
);
