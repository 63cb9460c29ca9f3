import { meaningOf, type NameMeaning, structureOf } from './catalogue.js';

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * The parameters of a request, flat and by wire name. It may hold a card number, so it never prints
 * its values.
 */
export class Form {
  // A map, never an object: no name of a request becomes a property (S-INP-01, S-INP-04).
  readonly #parameters: ReadonlyMap<string, string>;
  readonly #meanings: readonly NameMeaning[];
  #structures: ReadonlyMap<string, readonly string[]> | undefined;

  /**
   * What of a sort was too many, said of the body. The form then is to be refused, and has the names
   * without brackets that are known, and no others.
   */
  readonly excess: string | undefined;

  /** `meanings`: of the names in their order, where they are known already. */
  constructor(
    parameters: ReadonlyMap<string, string>,
    meanings: readonly NameMeaning[] = [],
    excess?: string,
  ) {
    this.#parameters = parameters;
    this.#meanings = meanings;
    this.excess = excess;
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

  /** The same with one parameter more, or with another value for it. */
  with(name: string, value: string): Form {
    return new Form(new Map([...this.#parameters, [name, value]]), [], this.excess);
  }

  /** Names and values in the order in which they were sent. */
  entries(): IterableIterator<[name: string, value: string]> {
    return this.#parameters.entries();
  }

  /** Looks at each parameter with the meaning of its name, in the order in which they were sent. */
  forEach(look: (name: string, value: string, meaning: NameMeaning) => void): void {
    let at = 0;
    for (const [name, value] of this.#parameters) {
      look(name, value, this.#meanings[at] ?? meaningOf(name));
      at += 1;
    }
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
    return (this.#structures ??= namesByStructure(this));
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

function namesByStructure(form: Form): ReadonlyMap<string, readonly string[]> {
  const structures = new Map<string, string[]>();
  form.forEach((name, _, meaning) => {
    const structure = meaning.kind === 'row' ? meaning.entry.structure : structureOf(name);
    if (structure === undefined) return;
    const others = structures.get(structure);
    if (others === undefined) structures.set(structure, [name]);
    else others.push(name);
  });
  return structures;
}

/** A form without parameters. */
export const emptyForm = new Form(new Map());

/** A form of parameters that are kept somewhere, by wire name. */
export function formOfParameters(parameters: Readonly<Record<string, string>>): Form {
  return new Form(new Map(Object.entries(parameters)));
}
