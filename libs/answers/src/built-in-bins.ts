import { cardBrands, detectedRanges } from '@sluice/parameters';
import { type BinRow, BinTable, type CardDetails } from './bin-table.js';

/**
 * The table that is used unless an operator provides one: what the brands' ranges tell, and on a
 * test installation the made-up issuers of the public test cards (wire contract 7).
 */
export function builtInBins(environment: 'test' | 'live'): BinTable {
  const known = [...brandRows(), ...nationalRows()];
  return new BinTable(environment === 'test' ? [...known, ...testRows()] : known);
}

/**
 * The greatest number of digits of the brand, which is all that a brand alone tells about a card.
 */
function brandRows(): BinRow[] {
  return cardBrands.flatMap((brand) => {
    const [, maxPanLength] = brand.digits;
    return detectedRanges(brand)
      .flatMap(prefixesIn)
      .map((prefix) => ({ prefix, maxPanLength }));
  });
}

/** Schemes of one country, by the ranges that are theirs alone; co-badged debit cards for MADA. */
const NATIONAL: readonly (readonly [brand: string, range: RegExp, details: CardDetails])[] = [
  ['MADA', /^/u, { type: 'DEBIT', country: 'SA' }],
  ['DANKORT', /^5019$/u, { type: 'DEBIT', country: 'DK' }],
  ['BCMC', /^6703$/u, { type: 'DEBIT', country: 'BE' }],
  ['TROY', /^/u, { country: 'TR' }],
  ['MIR', /^/u, { country: 'RU' }],
];

function nationalRows(): BinRow[] {
  return NATIONAL.flatMap(([name, range, details]) => {
    const brand = cardBrands.find((each) => each.name === name);
    const prefixes = (brand?.ranges ?? []).filter((each) => range.test(each)).flatMap(prefixesIn);
    const maxPanLength = brand?.digits[1];
    return prefixes.map((prefix) => ({
      ...{ prefix, brands: [name, ...besides(prefix)] },
      ...details,
      ...(maxPanLength !== undefined && { maxPanLength }),
    }));
  });
}

/** A card of a national scheme may be one of the world's as well: MADA's are. */
function besides(prefix: string): readonly string[] {
  const worldwide = cardBrands.filter(({ name }) => name === 'VISA' || name === 'MASTER');
  const found = worldwide.filter((brand) =>
    detectedRanges(brand)
      .flatMap(prefixesIn)
      .some((range) => prefix.startsWith(range)),
  );
  return found.map(({ name }) => name);
}

/** `2221-2720` as its five hundred prefixes. */
function prefixesIn(range: string): string[] {
  const [from = '', to = from] = range.split('-');
  const first = Number(from);
  return Array.from({ length: Number(to) - first + 1 }, (_, index) =>
    String(first + index).padStart(from.length, '0'),
  );
}

/**
 * An invented issuer: a name that says so, and a phone number and an address that are reserved for
 * examples.
 */
const TEST_ISSUER = {
  bank: 'Sluice Test Bank',
  phone: '+1 202 555 0100',
  website: 'https://bank.example',
};
const CREDIT: CardDetails = { type: 'CREDIT', level: 'CLASSIC', country: 'DE', regulated: false };
const DEBIT: CardDetails = { type: 'DEBIT', level: 'CLASSIC', country: 'DE', regulated: true };

const PREPAID: CardDetails = { type: 'PREPAID', level: 'CORPORATE', country: 'FR' };

/** The first six digits of the public test cards, by what we say of them. */
const TEST_BINS: readonly (readonly [
  bins: string,
  brands: string,
  details: CardDetails,
  maxPanLength: number,
])[] = [
  ['420000 401200 401203 453249', 'VISA', CREDIT, 16],
  ['411111', 'VISA VISADEBIT', DEBIT, 16],
  ['545454 520000 543458 545735 549726', 'MASTER', CREDIT, 16],
  ['510510', 'MASTER CARTEBANCAIRE', { ...PREPAID, regulated: false }, 16],
  [
    ...(['377777 374500 377277 375987 373953 343923 343434 371449', 'AMEX'] as const),
    ...([{ ...CREDIT, country: 'US' }, 15] as const),
  ],
  ['679985 676130 670698 600793 676125 679999 677367 670342 675988', 'MAESTRO', DEBIT, 19],
  ['491730', 'VISAELECTRON VISA', DEBIT, 16],
  ['446404', 'MADA VISA', { ...DEBIT, country: 'SA' }, 16],
  ['361775 362596', 'DINERS', { ...CREDIT, country: 'US' }, 14],
  ['601100 651000', 'DISCOVER', { ...CREDIT, country: 'US' }, 16],
  ['353011 309602', 'JCB', { ...CREDIT, country: 'JP' }, 16],
  ['625094', 'UNIONPAY', { ...CREDIT, country: 'CN' }, 16],
];

function testRows(): BinRow[] {
  return TEST_BINS.flatMap(([bins, brands, details, maxPanLength]) =>
    bins.split(' ').map((prefix) => ({
      ...{ prefix, brands: brands.split(' ') },
      ...details,
      issuer: TEST_ISSUER,
      maxPanLength,
      binType: details.level === 'CORPORATE' ? 'COMMERCIAL' : 'PERSONAL',
    })),
  );
}
