// A writer of small MaxMind DB files for the specs of risk, by the format's public description
// (https://maxmind.github.io/MaxMind-DB/); what reads them was written by others.

const RECORD_BYTES = 3;
const BITS = 128;
/** IPv4 is at the end of the IPv6 tree, below ::/96. */
const IPV4_PREFIX = '0'.repeat(96);
const SEPARATOR = Buffer.alloc(16);
const MARKER = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
const [TEXT, UINT16, UINT32, MAP] = [2, 5, 6, 7] as const;

/** An entry of the tree: another node, or what is said of all addresses below. */
interface Node {
  children: [Node | Buffer | undefined, Node | Buffer | undefined];
}

/** IPv4 ranges such as `192.0.2.0/24`, and what is said of each. */
export function countryFile(
  countries: Readonly<Record<string, string>>,
  record: (code: string) => object = (code) => ({ country: { iso_code: code } }),
): Buffer {
  const root: Node = { children: [undefined, undefined] };
  for (const [range, code] of Object.entries(countries)) {
    insert(root, bitsOf(range), encoded(record(code)));
  }
  const nodes: Node[] = [];
  const number = (node: Node): void => {
    nodes.push(node);
    for (const child of node.children) if (child && !Buffer.isBuffer(child)) number(child);
  };
  number(root);
  const data: Buffer[] = [];
  let offset = 0;
  const valueOf = (child: Node | Buffer | undefined): number => {
    if (child === undefined) return nodes.length;
    if (!Buffer.isBuffer(child)) return nodes.indexOf(child);
    data.push(child);
    offset += child.length;
    return nodes.length + SEPARATOR.length + offset - child.length;
  };
  const tree = Buffer.alloc(nodes.length * 2 * RECORD_BYTES);
  for (const [at, { children }] of nodes.entries()) {
    for (const side of [0, 1] as const) {
      tree.writeUIntBE(valueOf(children[side]), (at * 2 + side) * RECORD_BYTES, RECORD_BYTES);
    }
  }
  const metadata = encoded({
    ...{ node_count: nodes.length, record_size: RECORD_BYTES * 8, ip_version: 6 },
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0 },
    ...{ build_epoch: 1_900_000_000, database_type: 'Made-Up-Country' },
  });
  return Buffer.concat([tree, SEPARATOR, ...data, MARKER, metadata]);
}

function insert(root: Node, bits: string, value: Buffer): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const side = bit === '1' ? 1 : 0;
    const next = node.children[side];
    const child = next && !Buffer.isBuffer(next) ? next : newNode();
    node.children[side] = child;
    node = child;
  }
  node.children[bits.endsWith('1') ? 1 : 0] = value;
}

const newNode = (): Node => ({ children: [undefined, undefined] });

function bitsOf(range: string): string {
  const [address = '', length = '32'] = range.split('/');
  const bits = address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return (IPV4_PREFIX + bits.join('')).slice(0, BITS - 32 + Number(length));
}

function encoded(value: unknown): Buffer {
  if (typeof value === 'string') {
    return Buffer.concat([Buffer.from([(TEXT << 5) | value.length]), Buffer.from(value)]);
  }
  if (typeof value === 'number') {
    const isShort = value <= 0xffff;
    const bytes = Buffer.alloc(isShort ? 2 : 4);
    bytes.writeUIntBE(value, 0, bytes.length);
    return Buffer.concat([Buffer.from([((isShort ? UINT16 : UINT32) << 5) | bytes.length]), bytes]);
  }
  const members = Object.entries(value as object);
  const parts = members.flatMap(([name, member]) => [encoded(name), encoded(member)]);
  return Buffer.concat([Buffer.from([(MAP << 5) | members.length]), ...parts]);
}
