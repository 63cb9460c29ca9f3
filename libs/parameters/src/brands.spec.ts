import { describe, expect, it } from '@jest/globals';
import { brandNamed, cardBrands, detectedBrand, detectedRanges, isOfBrand } from './brands.js';
import { passesLuhn } from './luhn.js';

/** Public test cards of the interface family with the brand they are listed under. */
const testCards: readonly (readonly [string, string])[] = [
  ['4200000000000000', 'VISA'],
  ['4111111111111111', 'VISA'],
  ['4012001036275556', 'VISA'],
  ['4200000000000091', 'VISA'],
  ['5454545454545454', 'MASTER'],
  ['5105105105105100', 'MASTER'],
  ['5200000000000007', 'MASTER'],
  ['2223000048400011', 'MASTER'],
  ['377777777777770', 'AMEX'],
  ['374500262001008', 'AMEX'],
  ['343434343434343', 'AMEX'],
  ['6799851000000032', 'MAESTRO'],
  ['6761301000993772', 'MAESTRO'],
  ['6706981111111113', 'MAESTRO'],
  ['6007930123456780', 'MAESTRO'],
  ['6799998900000060018', 'MAESTRO'],
  ['67034200554565015', 'MAESTRO'],
  ['36177580677072', 'DINERS'],
  ['36259600000004', 'DINERS'],
  ['6011000400001008', 'DISCOVER'],
  ['6510000000001248', 'DISCOVER'],
  ['3530111333300000', 'JCB'],
  ['3096023363379943', 'JCB'],
  ['6250947000000014', 'UNIONPAY'],
  ['6062825624254001', 'HIPERCARD'],
  ['5019717010103742', 'DANKORT'],
];

describe('brand detection', () => {
  it.each(testCards)('%s is a %s', (number, brand) => {
    expect(detectedBrand(number)?.name).toBe(brand);
    expect(passesLuhn(number)).toBe(true);
  });

  it.each([
    '',
    '0000000000000000',
    '1',
    '42',
    '9999999999999999',
    '4'.repeat(20),
    'x200000000000000',
  ])('%s is of no brand', (number) => {
    expect(detectedBrand(number)).toBeUndefined();
  });
});

describe('a brand that is named', () => {
  it.each([
    ...testCards,
    ['4917300800000000', 'VISAELECTRON'],
    ['4464040000000007', 'MADA'],
    ['4464040000000007', 'VISA'],
    ['4200000000000000', 'CARTEBANCAIRE'],
    ['4200000000000000', 'visa'],
  ] as const)('takes %s as %s', (number, name) => {
    const brand = brandNamed(name);
    expect(brand !== undefined && isOfBrand(number, brand)).toBe(true);
  });

  it.each([
    ...['ASYACARD', 'AXESS', 'BONUS', 'WORLD'].map((name) => ['4111111111111111', name] as const),
    ...['ASYACARD', 'AXESS', 'BONUS', 'WORLD'].map((name) => ['9792030000000000', name] as const),
    ['5105105105105100', 'CARTEBLEUE'],
    ['6362970000457013', 'ELO'],
    ['4514160000000000', 'ELO'],
    ['5058780000000000', 'ALIA'],
    ['6010300000000000', 'ALIADEBIT'],
    ['122000000000003', 'AIRPLUS'],
    ['5011050000000000', 'ARGENCARD'],
    ['5062210000000009', 'CARNET'],
    ['6034930000000000', 'CENCOSUD'],
    ['5895620000000000', 'NARANJA'],
    ['5465530000000000', 'NATIVA'],
    ['4111111111111111', 'SERVIRED'],
    ['6034880000000000', 'TARJETASHOPPING'],
    ['2799500000000', 'TARJETASHOPPING'],
    ['5105105105105100', 'MERCADOLIVRE'],
    ['6250947000000014', 'UNIONPAY_SMS'],
    ['4111111111111111', 'TCARD'],
    ['9999999999999995', 'TCARDDEBIT'],
  ] as const)('takes %s as %s, a brand of clients', (number, name) => {
    const brand = brandNamed(name);
    expect(brand !== undefined && isOfBrand(number, brand)).toBe(true);
  });

  it('has any number of its length where its ranges are not public, and is never detected', () => {
    const open = cardBrands.filter(({ ranges }) => ranges.length === 0);
    expect(open.map(({ name }) => name)).toEqual(['TCARD', 'TCARDDEBIT']);
    for (const brand of open) {
      expect(brand.detected).toBe(false);
      expect(['1'.repeat(11), '1'.repeat(20)].some((each) => isOfBrand(each, brand))).toBe(false);
    }
    expect(detectedBrand('9999999999999995')).toBeUndefined();
  });

  it.each([
    ['5454545454545454', 'VISA'],
    ['4200000000000000', 'MASTER'],
    ['420000000000000', 'AMEX'],
    ['3777777777777700', 'AMEX'],
    ['4200000000000000', 'MADA'],
    ['54545454545454540', 'MASTER'],
    ['4200000000000000', 'ELO'],
    ['4200000000000000', 'ALIA'],
    ['4200000000000000', 'AIRPLUS'],
    ['5454545454545454', 'NARANJA'],
    ['6011000400001008', 'SERVIRED'],
  ])('does not take %s as %s', (number, name) => {
    const brand = brandNamed(name);
    expect(brand !== undefined && isOfBrand(number, brand)).toBe(false);
  });

  it.each(['', 'PAYPAL', '__proto__', 'constructor'])('%j is no card brand', (name) => {
    expect(brandNamed(name)).toBeUndefined();
  });
});

/** A number of so many digits that begins so. */
const numberOf = (leading: string, length: number): string => leading.padEnd(length, '0');

describe('a narrow range in a wide one', () => {
  const detected = cardBrands.flatMap((brand) =>
    detectedRanges(brand).map((range) => {
      const [from = '', to = from] = range.split('-');
      return { brand, range, from, to };
    }),
  );

  it.each(detected.map(({ brand, range }) => [range, brand.name] as const))(
    '%s is %s, but for what is narrower still',
    (range, name) => {
      const brand = brandNamed(name);
      for (const leading of range.split('-')) {
        for (const length of brand?.digits ?? []) {
          const number = numberOf(leading, length);
          const narrower = detected.some(
            ({ brand: other, from, to }) =>
              from.length > leading.length &&
              from <= number.slice(0, from.length) &&
              to >= number.slice(0, to.length) &&
              isOfBrand(number, other),
          );
          if (!narrower) expect([number, detectedBrand(number)?.name]).toEqual([number, name]);
        }
      }
    },
  );

  it('is of one brand alone among those of its length', () => {
    for (const { brand, from, to } of detected) {
      const rivals = detected.filter(
        (other) =>
          other.brand !== brand &&
          other.from.length === from.length &&
          other.from <= to &&
          other.to >= from,
      );
      expect(rivals.map(({ range }) => range)).toEqual([]);
    }
  });

  it.each([
    ['6062820000000000', 'HIPERCARD'],
    ['6062819999999999', 'MAESTRO'],
    ['6062830000000000', 'MAESTRO'],
    ['5019000000000000', 'DANKORT'],
    ['4571000000000000', 'VISA'],
    ['5085000000000000', 'RUPAY'],
    ['5084990000000000', 'MAESTRO'],
    ['5089990000000000', 'RUPAY'],
    ['8200000000000000', 'RUPAY'],
    ['8100000000000000', 'UNIONPAY'],
    ['6011000000000000', 'DISCOVER'],
    ['6010000000000000', 'MAESTRO'],
    ['3095000000000000', 'DINERS'],
    ['3094000000000000', 'JCB'],
    ['3096000000000000', 'JCB'],
    ['9682010000000000', 'MADA'],
    ['9792000000000000', 'TROY'],
    ['2204000000000000', 'MIR'],
    ['6362970000000000', 'ELO'],
    ['4011780000000000', 'VISA'],
    ['6042010000000000', 'CABAL'],
    ['5061990000000000', 'CARNET'],
    ['5895620000000000', 'NARANJA'],
    ['6034880000000000', 'TARJETASHOPPING'],
  ])('%s is %s', (number, name) => {
    expect(detectedBrand(number)?.name).toBe(name);
  });

  it('of a brand that is not detected is that of the brand it is shared with', () => {
    const others = cardBrands.flatMap((brand) => {
      const own = detectedRanges(brand);
      const names = brand.ranges
        .filter((range) => !own.includes(range))
        .flatMap((range) => range.split('-'))
        .map((leading) => detectedBrand(numberOf(leading, 16))?.name ?? 'none');
      return names.length === 0 ? [] : [[brand.name, [...new Set(names)].sort()] as const];
    });
    const worldwide = ['MASTER', 'VISA'];
    const turkish = ['MASTER', 'TROY', 'VISA'];
    expect(Object.fromEntries(others)).toEqual({
      VISAELECTRON: ['VISA'],
      VISADEBIT: ['VISA'],
      VPAY: ['VISA'],
      MASTERDEBIT: ['MASTER'],
      UNIONPAY_SMS: ['UNIONPAY'],
      MADA: ['MADA', 'MAESTRO', 'MASTER', 'VISA'],
      CARTEBANCAIRE: ['MAESTRO', 'MASTER', 'VISA'],
      CARTEBLEUE: worldwide,
      BCMC: ['MAESTRO', 'VISA'],
      DANKORT: ['VISA'],
      RUPAY: ['DISCOVER', 'MAESTRO', 'UNIONPAY'],
      ASYACARD: turkish,
      AXESS: turkish,
      BONUS: turkish,
      CARDFINANS: turkish,
      MAXIMUM: turkish,
      WORLD: turkish,
      ELO: ['VISA'],
      ALIADEBIT: ['ALIA'],
      ARGENCARD: ['MAESTRO'],
      CABALDEBIT: ['CABAL'],
      NATIVA: worldwide,
      MERCADOLIVRE: worldwide,
      POSTEPAY: worldwide,
      SERVIRED: worldwide,
    });
  });
});

describe('the table', () => {
  it('has ranges of equal length that begin with one digit', () => {
    for (const range of cardBrands.flatMap(({ ranges }) => ranges)) {
      expect(range).toMatch(/^[0-9]{1,6}(-[0-9]{2,6})?$/);
      const [from = '', to = from] = range.split('-');
      expect(to).toHaveLength(from.length);
      expect(to >= from && to.startsWith(from.charAt(0))).toBe(true);
    }
  });

  it('names each brand once', () => {
    const names = cardBrands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the Luhn test', () => {
  it.each(['4200000000000001', '4444444444444444', '6250947000000052'])('fails %s', (number) => {
    expect(passesLuhn(number)).toBe(false);
  });

  it('finds every single wrong digit', () => {
    const number = '4200000000000000';
    for (let at = 0; at < number.length; at += 1) {
      for (const digit of '0123456789') {
        const changed = number.slice(0, at) + digit + number.slice(at + 1);
        expect(passesLuhn(changed)).toBe(changed === number);
      }
    }
  });
});
