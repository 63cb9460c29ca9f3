import { BlockList, isIP, isIPv4 } from 'node:net';

/** More is a mistake: an installation has a proxy or two, in a handful of networks. */
const NETWORKS_MAX = 50;
const IPV4_BITS = 32;
const IPV6_BITS = 128;
const MAPPED = /^::ffff:([0-9.]{7,15})$/i;
/** A host may use any address of its network of 64 bits. */
const IPV6_NETWORK_GROUPS = 4;
const IPV6_GROUPS = 8;

/** Networks whose `X-Forwarded-For` is believed. */
export interface TrustedProxies {
  /** As Fastify takes them. */
  readonly networks: readonly string[];
  has(address: string): boolean;
}

/** No proxy between clients and edge. */
export const noProxies: TrustedProxies = { networks: [], has: () => false };

/** Reads addresses and networks, with commas between; for `@Variable`. */
export function trustedProxies(text: string): TrustedProxies {
  const networks = text.split(',').map((entry) => entry.trim());
  const list = new BlockList();
  if (networks.length > NETWORKS_MAX || !networks.every((network) => addNetwork(list, network))) {
    throw new Error('must be addresses or networks like 10.0.0.0/8, with commas between');
  }
  return {
    networks,
    has: (address) => {
      const shown = withoutMapping(address);
      return isIP(shown) !== 0 && list.check(shown, isIPv4(shown) ? 'ipv4' : 'ipv6');
    },
  };
}

function addNetwork(list: BlockList, network: string): boolean {
  const [address = '', bits, ...more] = network.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  const kind = version === 4 ? 'ipv4' : 'ipv6';
  const bitsMax = version === 4 ? IPV4_BITS : IPV6_BITS;
  if (bits === undefined) {
    list.addAddress(address, kind);
    return true;
  }
  if (!/^[0-9]{1,3}$/.test(bits) || Number(bits) > bitsMax) return false;
  list.addSubnet(address, Number(bits), kind);
  return true;
}

/** What limits are counted by: an IPv4 address, or the IPv6 network that one host has to itself. */
export function countedAddress(address: string): string {
  const shown = withoutMapping(address);
  if (isIP(shown) !== 6) return shown;
  const [head = '', tail] = shown.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: IPV6_GROUPS - before.length - after.length }, () => '0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return `${groups.slice(0, IPV6_NETWORK_GROUPS).join(':')}::/64`;
}

function withoutMapping(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address;
}
