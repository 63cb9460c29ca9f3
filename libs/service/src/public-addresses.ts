import ipaddr from 'ipaddr.js';
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Where the internet's own addresses of IPv6 are; everything else is for special uses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Of the internet by its number, and of the machine below by what answers: the metadata of Azure. */
const HOSTS_OF_PLATFORMS: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an address is one of the internet: not of this machine, a private network, a link, a carrier,
 * a group or documentation, an IPv6 address with such a one inside, or a cloud's own (S-SSRF-02).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || HOSTS_OF_PLATFORMS.has(address.toString())) return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_UNICAST) : true;
}

/** A connection would go to an address that is not public; no byte has left. */
export class AddressNotPublic extends Error {
  override readonly name = 'AddressNotPublic';
  readonly code = 'ENOTPUBLIC';

  constructor(host: string) {
    super(`${host} has an address that is not public`);
  }
}

/**
 * Looks names up for sockets which connect to what this answers and ask nobody again: so an address
 * cannot change between the check and the call. One address that is not public refuses them all:
 * whoever has it in a name has no honest use for it.
 */
export function publicLookup(lookup: typeof systemLookup = systemLookup): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      const arePublic = addresses.every(({ address }) => isPublicAddress(address));
      if (first === undefined || !arePublic) return callback(new AddressNotPublic(host), '');
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
