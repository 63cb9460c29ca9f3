/** The first digits of a card number that an answer shows, and that events keep (Interface 2.2). */
export const BIN_DIGITS = 6;

/** The most that a row may tell ranges apart by: issuers have them of eight digits (ISO/IEC 7812). */
export const RANGE_DIGITS = 8;

/** Who issued a card, as far as it is known. */
export interface CardIssuer {
  readonly bank?: string;
  readonly phone?: string;
  readonly website?: string;
}

/** What is known of the cards whose numbers begin with some digits. */
export interface CardDetails {
  /** CREDIT, DEBIT, PREPAID, … */
  readonly type?: string;
  /** CLASSIC, GOLD, … */
  readonly level?: string;
  /** Of the issuer, ISO 3166-1. */
  readonly country?: string;
  readonly issuer?: CardIssuer;
  /** Whether the issuer's fees are capped by law. */
  readonly regulated?: boolean;
  /** The greatest number of digits of such card numbers. */
  readonly maxPanLength?: number;
  /** PERSONAL or COMMERCIAL. */
  readonly binType?: string;
  /** The brands of such cards by their `paymentBrand` literals, the usual one first. */
  readonly brands?: readonly string[];
}

/** One row: leading digits, at most eight, and what they tell. */
export interface BinRow extends CardDetails {
  readonly prefix: string;
}

/** What an answer's `card` says beyond what was sent; texts only, as clients expect. */
export interface CardDetailFields {
  readonly binCountry?: string;
  readonly issuer?: CardIssuer;
  readonly type?: string;
  readonly level?: string;
  readonly country?: string;
  readonly maxPanLength?: string;
  readonly binType?: string;
  readonly regulatedFlag?: 'true' | 'false';
}

/** What a shopper's form is told of a card while its number is typed. */
export interface CardRange {
  readonly brands: readonly string[];
  readonly country?: string;
  readonly type?: string;
}

interface Row {
  readonly fields: CardDetailFields;
  readonly brands: readonly string[];
}

const NONE: readonly string[] = [];

/** Details of cards by their leading digits; only the longest matching prefix counts. */
export class BinTable {
  readonly #rows = new Map<string, Row>();

  /** Of two rows with one prefix the later one counts. */
  constructor(rows: Iterable<BinRow>) {
    for (const row of rows) {
      this.#rows.set(row.prefix, { fields: fieldsOf(row), brands: row.brands ?? NONE });
    }
  }

  /** What is known of a card, by the six digits that are kept of its number. */
  fieldsOf(bin: string): CardDetailFields | undefined {
    return this.#rowOf(bin, BIN_DIGITS)?.fields;
  }

  /** What is known of a card while it is typed, by the first eight digits of its number. */
  rangeOf(digits: string): CardRange {
    const { fields, brands } = this.#rowOf(digits, RANGE_DIGITS) ?? { brands: NONE };
    const { country, type } = fields ?? {};
    return {
      brands,
      ...(country !== undefined && { country }),
      ...(type !== undefined && { type }),
    };
  }

  #rowOf(number: string, digitsMax: number): Row | undefined {
    for (let digits = Math.min(number.length, digitsMax); digits > 0; digits -= 1) {
      const row = this.#rows.get(number.slice(0, digits));
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** How many rows it has. */
  get size(): number {
    return this.#rows.size;
  }
}

function fieldsOf(row: BinRow): CardDetailFields {
  const { type, level, country, issuer, regulated, maxPanLength, binType } = row;
  return Object.freeze({
    ...(country !== undefined && { binCountry: country }),
    ...(issuer !== undefined && { issuer: Object.freeze(issuer) }),
    ...(type !== undefined && { type }),
    ...(level !== undefined && { level }),
    ...(country !== undefined && { country }),
    ...(maxPanLength !== undefined && { maxPanLength: String(maxPanLength) }),
    ...(binType !== undefined && { binType }),
    ...(regulated !== undefined && { regulatedFlag: regulated ? 'true' : 'false' }),
  });
}
