/**
 * Whether a shopper's browser may be sent to an address that a card network or an issuer names: https, and
 * nothing that runs a script or says who he is. The simulator's pages may be without certificates. Nothing of
 * ours ever calls such an address, so it leads into no network of ours.
 */
export function isBrowserAddress(address: string, isLive: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (!isLive && protocol === 'http:');
}
