/** Both kinds of addresses as numbers of their width. */
const IPV4_BITS = 32;
const IPV6_BITS = 128;
const IPV4_PARTS = 4;
const IPV6_GROUPS = 8;
/** What stands before an address of IPv4 that is written as one of IPv6 (RFC 4291, 2.5.5.2). */
const MAPPED = 0xffffn;
const MAPPED_BITS = 96n;

interface Address {
  readonly bits: typeof IPV4_BITS | typeof IPV6_BITS;
  readonly value: bigint;
}

/**
 * Finds the entries in whose range an address is. All ranges of a length are looked up at once, by the digits
 * before that length, so ten thousand of them take as many looks as there are lengths.
 */
export function rangeFinder<Entry extends { readonly value: string }>(
  entries: readonly Entry[],
): (address: string) => readonly Entry[] {
  const byLength = {
    [IPV4_BITS]: new Map() as Prefixes<Entry>,
    [IPV6_BITS]: new Map() as Prefixes<Entry>,
  };
  for (const [at, entry] of entries.entries()) {
    const range = rangeOf(entry.value);
    if (range === undefined) continue;
    const { bits, first, shift } = range;
    const prefixes = byLength[bits].get(shift) ?? new Map<bigint, Placed<Entry>[]>();
    byLength[bits].set(shift, prefixes);
    const same = prefixes.get(first >> shift);
    if (same === undefined) prefixes.set(first >> shift, [{ at, entry }]);
    else same.push({ at, entry });
  }
  return (text) => {
    const address = addressOf(text);
    if (address === undefined) return [];
    const { bits, value } = address;
    return [...byLength[bits]]
      .flatMap(([shift, prefixes]) => prefixes.get(value >> shift) ?? [])
      .sort((one, other) => one.at - other.at)
      .map(({ entry }) => entry);
  };
}

/** By the number of digits that a range leaves open, and by those before them. */
type Prefixes<Entry> = Map<bigint, Map<bigint, Placed<Entry>[]>>;

/** With its place among all, in which they are found. */
interface Placed<Entry> {
  readonly at: number;
  readonly entry: Entry;
}

interface Range extends Bounds, Pick<Address, 'bits'> {
  readonly shift: bigint;
}

function rangeOf(range: string): Range | undefined {
  const [first = '', length] = range.split('/');
  const start = addressOf(first);
  if (start === undefined) return undefined;
  const shift = BigInt(spelledBits(first)) - BigInt(length ?? spelledBits(first));
  const lowest = (start.value >> shift) << shift;
  return { bits: start.bits, shift, first: lowest, last: lowest | ((1n << shift) - 1n) };
}

/** Many ranges, to be looked through quickly. */
export interface RangeSet {
  has(address: string): boolean;
  /** How many are left where those that touch each other are one. */
  readonly size: number;
}

/** Ranges without faults. Each lookup halves what is left, so a million of them take twenty steps. */
export function rangeSet(ranges: Iterable<string>): RangeSet {
  const bounds = { [IPV4_BITS]: [] as Bounds[], [IPV6_BITS]: [] as Bounds[] };
  for (const range of ranges) {
    const found = rangeOf(range);
    if (found !== undefined) bounds[found.bits].push(found);
  }
  const merged = {
    [IPV4_BITS]: mergedBounds(bounds[IPV4_BITS]),
    [IPV6_BITS]: mergedBounds(bounds[IPV6_BITS]),
  };
  return {
    has: (text) => {
      const address = addressOf(text);
      return address !== undefined && isWithinAny(merged[address.bits], address.value);
    },
    size: merged[IPV4_BITS].length + merged[IPV6_BITS].length,
  };
}

interface Bounds {
  readonly first: bigint;
  /** Included. */
  readonly last: bigint;
}

function mergedBounds(bounds: Bounds[]): readonly Bounds[] {
  bounds.sort((one, other) => (one.first < other.first ? -1 : one.first > other.first ? 1 : 0));
  const merged: Bounds[] = [];
  for (const each of bounds) {
    const before = merged.at(-1);
    if (before === undefined || each.first > before.last + 1n) merged.push(each);
    else if (each.last > before.last) {
      merged[merged.length - 1] = { first: before.first, last: each.last };
    }
  }
  return merged;
}

function isWithinAny(bounds: readonly Bounds[], value: bigint): boolean {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle]?.first ?? 0n) <= value) low = middle + 1;
    else high = middle;
  }
  const found = bounds[low - 1];
  return found !== undefined && value <= found.last;
}

/** What is wrong with a range, in a sentence; undefined if it is one. */
export function rangeFault(range: string): string | undefined {
  const [first = '', length, ...more] = range.split('/');
  const start = addressOf(first);
  const isLength = length === undefined || /^(?:0|[1-9][0-9]{0,2})$/.test(length);
  if (start === undefined || !isLength || more.length > 0 || !isWithin(length, first, start)) {
    return 'must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32';
  }
  return undefined;
}

/** Whether there are so many bits, in the address itself; without a length, it is one address. */
function isWithin(length: string | undefined, first: string, { bits }: Address): boolean {
  if (length === undefined) return true;
  const spelled = spelledBits(first);
  const least = spelled === bits ? 0n : MAPPED_BITS;
  return BigInt(length) >= least && BigInt(length) <= BigInt(spelled);
}

/** Of the way in which it is written, in which the length of its range is told. */
function spelledBits(text: string): Address['bits'] {
  return text.includes(':') ? IPV6_BITS : IPV4_BITS;
}

/**
 * An address as it is written shortest (RFC 5952), one of IPv4 that is written as one of IPv6 as what it is:
 * the same text for the same address, however it was spelt. What servers write beside addresses is left out: a
 * port, the brackets before it, the zone of IPv6 (RFC 4007), which names a network card of whoever wrote it, a
 * length that leaves nothing open, quotation marks and a final dot. Undefined for what is no address.
 */
export function canonicalAddress(text: string): string | undefined {
  const address = addressOf(bare(text));
  if (address === undefined) return undefined;
  const { bits, value } = address;
  return bits === IPV4_BITS ? ipv4Text(value) : ipv6Text(value);
}

/** Every address in a list such as proxies write (`X-Forwarded-For`), in its order; what is none is left out. */
export function addressesIn(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .split(BETWEEN)
    .flatMap((part) => canonicalAddress(part.replace(LENGTH, '')) ?? []);
}

const BETWEEN = /[\s,;]+/u;
/** The address is the one before it, whichever network it is in. */
const LENGTH = /\/[0-9]{1,3}(?=["']?$)/;

/** `[address]`, `[address]:port`, and an address of IPv4 with a port. */
const BESIDE_PORT = /^(?:\[([^\]]*)\]|([0-9.]*))(?::[0-9]{1,5})?$/;
/** What the zone of IPv6 begins with. */
const ZONE = '%';
/** Every part of three digits; where one alone begins with 0, some read it as octal: that is no address. */
const FILLED = /^[0-9]{3}(?:\.[0-9]{3}){3}$/;
const FILLERS = /(?<![0-9])0{1,2}(?=[0-9])/g;

/** A range of one address, of each kind. */
const WHOLE = /^([0-9.]+)\/32$|^([^:]*:.*)\/128$/;
/** Characters that nobody sees, and what stands around an address that was cut out of something. */
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu;
const AROUND = /^["']|[.,;"']{1,3}$/g;

function bare(spelt: string): string {
  const said = spelt.normalize('NFKC').replace(INVISIBLE, '').trim().replace(AROUND, '');
  const [, ofIpv4, ofIpv6] = WHOLE.exec(said) ?? [];
  const text = ofIpv4 ?? ofIpv6 ?? said;
  const [, bracketed, plain] = BESIDE_PORT.exec(text) ?? [];
  const [address = ''] = (bracketed ?? plain ?? text).split(ZONE, 1);
  return FILLED.test(address) ? address.replace(FILLERS, '') : address;
}

function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
}

/** The platform knows the shortest spelling. */
function ipv6Text(value: bigint): string {
  const groups =
    value
      .toString(16)
      .padStart(IPV6_BITS / 4, '0')
      .match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function addressOf(text: string): Address | undefined {
  const address = text.includes(':') ? ipv6Of(text) : ipv4Of(text);
  return address !== undefined && isMapped(address)
    ? { bits: IPV4_BITS, value: address.value & ((1n << 32n) - 1n) }
    : address;
}

function isMapped({ bits, value }: Address): boolean {
  return bits === IPV6_BITS && value >> 32n === MAPPED;
}

function ipv4Of(text: string): Address | undefined {
  const parts = text.split('.');
  if (parts.length !== IPV4_PARTS) return undefined;
  if (!parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && BigInt(part) <= 255n)) {
    return undefined;
  }
  const value = parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  return { bits: IPV4_BITS, value };
}

function ipv6Of(spelt: string): Address | undefined {
  const text = withoutDots(spelt);
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...(head ?? []), ...(tail ?? [])];
  const isShortened = tail !== undefined;
  if (isShortened ? groups.length >= IPV6_GROUPS : groups.length !== IPV6_GROUPS) return undefined;
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  const zeros = Array<string>(IPV6_GROUPS - groups.length).fill('0');
  const all = [...(head ?? []), ...zeros, ...(tail ?? [])];
  const value = all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
  return { bits: IPV6_BITS, value };
}

/** The last 32 bits may be written as an address of IPv4. */
function withoutDots(text: string): string {
  if (!text.includes('.')) return text;
  const at = text.lastIndexOf(':') + 1;
  const last = ipv4Of(text.slice(at));
  if (last === undefined) return text;
  const groups = [last.value >> 16n, last.value & 0xffffn].map((group) => group.toString(16));
  return `${text.slice(0, at)}${groups.join(':')}`;
}
