import type { AuthenticationNetwork } from '@sluice/contracts';

/** What an ECI says: the issuer has authenticated the shopper, or was asked to, or neither. */
export type Proof = 'attempted' | 'authenticated' | 'unproven';

type EciRow = Readonly<Record<Proof, readonly string[]>>;

const mostNetworks: EciRow = { authenticated: ['05'], attempted: ['06'], unproven: ['07'] };

/**
 * What networks call it, the first of several where an issuer names none. Mastercard counts the other way round
 * (result codes, section 7), and has 07 for the series that were authenticated. For UnionPay that section has
 * Mastercard's, and public tables of other gateways have Visa's; a card of Cartes Bancaires has the brand of a
 * second network, and its table. What the issuer says is understood either way: no value of one table claims
 * what the other denies.
 */
const ecis: Readonly<Record<AuthenticationNetwork, EciRow>> = {
  visa: mostNetworks,
  mastercard: { authenticated: ['02', '07'], attempted: ['01'], unproven: ['00'] },
  amex: mostNetworks,
  diners: mostNetworks,
  jcb: mostNetworks,
  cartebancaire: { authenticated: ['05', '02'], attempted: ['06', '01'], unproven: ['07', '00'] },
  unionpay: { authenticated: ['02', '05'], attempted: ['01', '06'], unproven: ['00', '07'] },
};

/** The ECI of a network for what was found out. */
export function eciOf(network: AuthenticationNetwork, proof: Proof): string {
  const [first] = ecis[network][proof];
  if (first === undefined) throw new Error(`${network} has no ECI for ${proof}.`);
  return first;
}

/** What an issuer says by an ECI; undefined for one that has no meaning here. */
export function proofIn(network: AuthenticationNetwork, eci: string): Proof | undefined {
  const row = ecis[network];
  return (['authenticated', 'attempted', 'unproven'] as const).find((proof) =>
    row[proof].includes(eci),
  );
}

/** Whether acquirers can be told it (Interface 2.17: two digits, the first of them 0). */
export function isEci(text: string | undefined): text is string {
  return text !== undefined && /^0[0-9]$/u.test(text);
}
