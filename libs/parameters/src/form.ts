const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * The parameters of a request, flat and by wire name. It may hold a card number, so it never prints
 * its values: what may be logged comes from `redact`.
 */
export class Form {
  // A map, never an object: no name of a request becomes a property (S-INP-01, S-INP-04).
  readonly #parameters: ReadonlyMap<string, string>;
  #structures: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(parameters: ReadonlyMap<string, string>) {
    this.#parameters = parameters;
  }

  /** How many parameters there are. */
  get size(): number {
    return this.#parameters.size;
  }

  /** The value sent under this name; an empty value is a value. */
  get(name: string): string | undefined {
    return this.#parameters.get(name);
  }

  /** Whether the name was sent, with any value. */
  has(name: string): boolean {
    return this.#parameters.has(name);
  }

  /** Names and values in the order in which they were sent. */
  entries(): IterableIterator<[name: string, value: string]> {
    return this.#parameters.entries();
  }

  /** The structures of which something was sent, in that order: `card`, `cart`. */
  structures(): IterableIterator<string> {
    return this.#namesByStructure().keys();
  }

  /** The names of a structure, `customer` for `customer.email`; conditions look at no others. */
  namesOf(structure: string): readonly string[] {
    return this.#namesByStructure().get(structure) ?? [];
  }

  #namesByStructure(): ReadonlyMap<string, readonly string[]> {
    return (this.#structures ??= namesByStructure(this.#parameters.keys()));
  }

  toString(): string {
    return `Form of ${this.size} parameters`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspectSymbol](): string {
    return this.toString();
  }
}

function namesByStructure(names: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const structures = new Map<string, string[]>();
  for (const name of names) {
    const dot = name.indexOf('.');
    if (dot === -1) continue;
    const structure = name.slice(0, dot);
    const others = structures.get(structure);
    if (others === undefined) structures.set(structure, [name]);
    else others.push(name);
  }
  return structures;
}

/** A form without parameters. */
export const emptyForm = new Form(new Map());
