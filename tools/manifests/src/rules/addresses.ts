import { BlockList, isIP, isIPv4 } from 'node:net';
import { isRecord } from '../json-schema.js';

/** What is nobody's on the internet: private, shared, loopback and link-local ranges (D-58). */
const PRIVATE_RANGES = [
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8'],
  ...['169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10'],
];
/** Where hosts of clusters are (RFC 1918, RFC 6598, RFC 4193). */
const CLUSTER_RANGES = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
];
/**
 * Nor is an acquirer here: this network, multicast and what is reserved; of IPv6 the loopback with addresses
 * of IPv4 in another dress, and multicast.
 */
const NO_HOSTS = ['0.0.0.0/8', '224.0.0.0/3', '::/8', 'ff00::/8'];

/** Where the internet's own addresses of IPv6 are. */
const GLOBAL_UNICAST = '2000::/3';

/** Wider blocks than these are no list of somebody's addresses. */
const NAMED_PREFIX_MIN = { ipv4: 24, ipv6: 64 } as const;

/** One block of addresses. */
interface Block {
  readonly address: string;
  readonly prefix: number;
  readonly version: 'ipv4' | 'ipv6';
}

/** Undefined for what is no block. */
function blockOf(cidr: unknown): Block | undefined {
  const [address = '', prefix = ''] = String(cidr).split('/');
  if (isIP(address) === 0 || !/^[0-9]{1,3}$/.test(prefix)) return undefined;
  return { address, prefix: Number(prefix), version: isIPv4(address) ? 'ipv4' : 'ipv6' };
}

/** Whether the second block lies in the first one, or is the same. */
function contains(outer: Block, inner: Block): boolean {
  if (outer.version !== inner.version || outer.prefix > inner.prefix) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.prefix, outer.version);
  return list.check(inner.address, inner.version);
}

function isWithin(block: Block, ranges: readonly string[]): boolean {
  return ranges.map(blockOf).some((range) => range !== undefined && contains(range, block));
}

/** Addresses that somebody has written down: no part of the internet, and nothing inside. */
export function isNamed(ipBlock: unknown): boolean {
  const block = isRecord(ipBlock) ? blockOf(ipBlock['cidr']) : undefined;
  if (block === undefined || block.prefix < NAMED_PREFIX_MIN[block.version]) return false;
  return !isWithin(block, [...PRIVATE_RANGES, ...NO_HOSTS]);
}

/** The same of hosts inside, as an API server is one. */
export function isNamedInside(ipBlock: unknown): boolean {
  const block = isRecord(ipBlock) ? blockOf(ipBlock['cidr']) : undefined;
  if (block === undefined || block.prefix < NAMED_PREFIX_MIN[block.version]) return false;
  return isWithin(block, CLUSTER_RANGES);
}

/** The whole internet, and nothing that is private or nobody's. */
export function isInternet(ipBlock: unknown): boolean {
  if (!isRecord(ipBlock)) return false;
  const { cidr, except, ...others } = ipBlock;
  if (Object.keys(others).length > 0) return false;
  if (cidr === GLOBAL_UNICAST) return except === undefined;
  const taken: readonly unknown[] = Array.isArray(except) ? except : [];
  const inside = [...PRIVATE_RANGES, ...NO_HOSTS].filter((range) => !range.includes(':'));
  return cidr === '0.0.0.0/0' && inside.every((range) => taken.includes(range));
}
