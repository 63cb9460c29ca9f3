/** The first digits of a card number that an answer shows, and that events keep (Interface 2.2). */
export const BIN_DIGITS = 6;

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
}

/** One row: leading digits, at most six, and what they tell. */
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

/** Details of cards by their leading digits; only the longest matching prefix counts. */
export class BinTable {
  readonly #fields = new Map<string, CardDetailFields>();

  /** Of two rows with one prefix the later one counts. */
  constructor(rows: Iterable<BinRow>) {
    for (const row of rows) this.#fields.set(row.prefix, fieldsOf(row));
  }

  /** What is known of a card, by the six digits that are kept of its number. */
  fieldsOf(bin: string): CardDetailFields | undefined {
    for (let digits = Math.min(bin.length, BIN_DIGITS); digits > 0; digits -= 1) {
      const fields = this.#fields.get(bin.slice(0, digits));
      if (fields !== undefined) return fields;
    }
    return undefined;
  }

  /** How many rows it has. */
  get size(): number {
    return this.#fields.size;
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
