/** The networks that have a directory server here, as its path names them. */
export const networks = [
  ...(['visa', 'mastercard', 'amex', 'diners', 'jcb', 'unionpay', 'cartebancaire'] as const),
] as const;

/** One of them. */
export type Network = (typeof networks)[number];

/** What an authentication found out (EMV `transStatus`). */
export const statuses = ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'] as const;

/** One of them. */
export type Status = (typeof statuses)[number];

/** Whether a text names a network. */
export function isNetwork(text: string): text is Network {
  return networks.some((network) => network === text);
}

/** Y and A have a cryptogram. */
export function isProven(status: Status): status is 'Y' | 'A' {
  return status === 'Y' || status === 'A';
}

/** As most networks have it: authenticated, attempted, neither. */
const MOST = { full: '05', attempted: '06', none: '07' };
const MASTERCARD = { full: '02', attempted: '01', none: '00' };

/** Whether an ECI says, in some network, that the shopper was authenticated, and not only tried to be. */
export function claimsAuthentication(eci: string | undefined): boolean {
  return eci === MOST.full || eci === MASTERCARD.full;
}

/** What the networks call the outcome; absent while there is none. */
export function eciOf(network: Network, number: string, status: Status): string | undefined {
  // A card of Cartes Bancaires has the brand of a second network.
  const isMastercard =
    network === 'mastercard' ||
    network === 'unionpay' ||
    (network === 'cartebancaire' && !number.startsWith('4'));
  const { full, attempted, none } = isMastercard ? MASTERCARD : MOST;
  switch (status) {
    case 'Y':
      return full;
    case 'A':
      return attempted;
    case 'N':
    case 'U':
    case 'R':
    case 'I':
      return none;
    case 'C':
    case 'D':
      return undefined;
  }
}
