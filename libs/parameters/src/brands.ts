/** How the cards of one brand look. */
export interface CardBrand {
  /** The `paymentBrand` literal. */
  readonly name: string;
  /**
   * Leading digits, `4` or inclusive ranges of equal length, `2221-2720`. None where they are not
   * public: any number of such a length may then be of the brand, if it is named.
   */
  readonly ranges: readonly string[];
  /** Allowed numbers of digits, inclusive. */
  readonly digits: readonly [least: number, most: number];
  readonly securityCodeDigits: 3 | 4;
  /** Whether a shopper's payment without security code is refused (100.100.600). */
  readonly securityCodeRequired: boolean;
  /** Co-badged and national brands share ranges; they are used when named, not detected. */
  readonly detected: boolean;
  /** Of a brand that is detected, the ranges that it shares: there another one is. */
  readonly shared?: readonly string[];
}

const cvv3 = { securityCodeDigits: 3, securityCodeRequired: false, detected: true } as const;
const international = { ...cvv3, securityCodeRequired: true } as const;
const coBadged = { ...cvv3, detected: false } as const;

/** Ranges that the Saudi scheme shares with the international brands, and its own 9682xx. */
const madaRanges =
  `400861 401757 406996 407197 407395 409201 410685 412565 417633 419593 422817-422819 428331
  428671-428673 431361 432328 434107 439954 440533 440647 440795 445564 446393 446404 446672 455036
  455708 457865 458456 462220 468540-468543 483010-483012 484783 486094-486096 489318-489319 493428
  504300 508160 513213 521076 524130 524514 529415 529741 530060 530906 531095 531196 532013 535825
  535989 536023 537767 539931 543085 543357 549760 554180 557606 558848 585265 588845-588848
  588850-588851 588982-588983 589005 589206 604906 605141 636120 968201-968211`.split(/\s+/u);

/** Brands of banks whose cards are VISA or MASTER cards as well. */
const worldwide = ['4', '51-55', '2221-2720'] as const;
/** Turkish programmes of instalments, whose cards may be of the national scheme too. */
const turkish = {
  ranges: [...worldwide, '9792'],
  digits: [16, 16],
  ...coBadged,
} as const;
const notPublic = { ranges: [], digits: [12, 19], ...coBadged } as const;

const unionPay = { ranges: ['62', '81'], digits: [13, 19] } as const;
const alia = {
  ranges: ['504997', '505874', '505878', '601030', '601073'],
  digits: [16, 16],
} as const;
const cabal = {
  ranges: ['589657', '603522', '604201-604400', '627170'],
  digits: [16, 16],
} as const;

/** Those that are VISA cards too, and the Brazilian scheme's own. */
const eloOfVisa = ['401178-401179', '431274', '438935', '451416', '457393', '457631-457632'];
const eloRanges = [
  ...['504175', '506699-506778', '509000-509999', '627780', '636297', '636368', '650031-650033'],
  ...['650035-650051', '650057-650081', '650405-650439', '650485-650538', '650541-650598'],
  ...['650700-650718', '650720-650727', '650901-650978', '651652-651704', '655000-655019'],
  '655021-655058',
];

/**
 * The card brands by issuer ranges as they are publicly known. Detection takes the longest range
 * that fits, so a narrow brand wins over a wide one.
 */
export const cardBrands: readonly CardBrand[] = [
  { name: 'VISA', ranges: ['4'], digits: [13, 19], ...international },
  { name: 'MASTER', ranges: ['51-55', '2221-2720'], digits: [16, 16], ...international },
  {
    name: 'AMEX',
    ranges: ['34', '37'],
    digits: [15, 15],
    ...international,
    securityCodeDigits: 4,
  },
  {
    name: 'VISAELECTRON',
    ranges: ['4026', '4175', '4405', '4508', '4844', '4913', '4917'],
    digits: [16, 16],
    ...cvv3,
    detected: false,
  },
  { name: 'VISADEBIT', ranges: ['4'], digits: [13, 19], ...coBadged },
  { name: 'VPAY', ranges: ['4'], digits: [13, 19], ...coBadged },
  { name: 'MASTERDEBIT', ranges: ['51-55', '2221-2720'], digits: [16, 16], ...coBadged },
  {
    name: 'MAESTRO',
    ranges: ['50', '56-58', '60', '61', '63', '66-69'],
    digits: [12, 19],
    ...cvv3,
  },
  {
    name: 'DINERS',
    ranges: ['300-305', '3095', '36', '38-39'],
    digits: [14, 19],
    ...cvv3,
  },
  { name: 'DISCOVER', ranges: ['6011', '644-649', '65'], digits: [16, 19], ...cvv3 },
  {
    name: 'JCB',
    ranges: [...['3528-3589', '3088-3094', '3096-3102', '3112-3120', '3158-3159', '3337-3349']],
    digits: [16, 19],
    ...cvv3,
  },
  { name: 'UNIONPAY', ...unionPay, ...cvv3 },
  { name: 'UNIONPAY_SMS', ...unionPay, ...coBadged },
  { name: 'MADA', ranges: madaRanges, digits: [16, 16], ...coBadged },
  {
    name: 'CARTEBANCAIRE',
    ranges: ['4', '50', '51-55', '56-58', '2221-2720'],
    digits: [13, 19],
    ...coBadged,
  },
  { name: 'CARTEBLEUE', ranges: worldwide, digits: [13, 19], ...coBadged },
  { name: 'BCMC', ranges: ['4796', '4871', '6060', '6703'], digits: [13, 19], ...coBadged },
  // With 4571 a Dankort is a Visa card as well.
  { name: 'DANKORT', ranges: ['5019', '4571'], shared: ['4571'], digits: [16, 16], ...cvv3 },
  // In the wide ranges its cards are taken for those of DISCOVER, UNIONPAY and MAESTRO.
  {
    name: 'RUPAY',
    ranges: ['60', '65', '81', '82', '508', '508500-508999'],
    shared: ['60', '65', '81', '508'],
    digits: [16, 16],
    ...cvv3,
  },
  { name: 'HIPERCARD', ranges: ['606282'], digits: [13, 19], ...cvv3 },
  { name: 'MIR', ranges: ['2200-2204'], digits: [16, 19], ...cvv3 },
  { name: 'TROY', ranges: ['9792'], digits: [16, 16], ...cvv3 },
  { name: 'ASYACARD', ...turkish },
  { name: 'AXESS', ...turkish },
  { name: 'BONUS', ...turkish },
  { name: 'CARDFINANS', ...turkish },
  { name: 'MAXIMUM', ...turkish },
  { name: 'WORLD', ...turkish },
  {
    name: 'ELO',
    ranges: [...eloOfVisa, ...eloRanges],
    shared: eloOfVisa,
    digits: [16, 16],
    ...cvv3,
  },
  { name: 'ALIA', ...alia, ...cvv3 },
  { name: 'ALIADEBIT', ...alia, ...coBadged },
  // The scheme of the airlines, by the numbers of this issuer.
  { name: 'AIRPLUS', ranges: ['1220', '1920'], digits: [15, 15], ...cvv3 },
  { name: 'ARGENCARD', ranges: ['501105'], digits: [16, 16], ...coBadged },
  { name: 'CABAL', ...cabal, ...cvv3 },
  { name: 'CABALDEBIT', ...cabal, ...coBadged },
  {
    name: 'CARNET',
    ranges: [
      ...['286900', '502275', '506199-506499', '588772', '606333', '627535', '636318', '636379'],
      ...['639388', '639484', '639559'],
    ],
    digits: [16, 16],
    ...cvv3,
  },
  { name: 'CENCOSUD', ranges: ['603493'], digits: [16, 16], ...cvv3 },
  { name: 'NARANJA', ranges: ['589562'], digits: [16, 16], ...cvv3 },
  { name: 'NATIVA', ranges: ['487017', '520053', '546553'], digits: [16, 16], ...coBadged },
  { name: 'TARJETASHOPPING', ranges: ['27995', '603488'], digits: [13, 16], ...cvv3 },
  { name: 'MERCADOLIVRE', ranges: worldwide, digits: [16, 16], ...coBadged },
  { name: 'POSTEPAY', ranges: worldwide, digits: [16, 16], ...coBadged },
  { name: 'SERVIRED', ranges: worldwide, digits: [13, 19], ...coBadged },
  { name: 'TCARD', ...notPublic },
  { name: 'TCARDDEBIT', ...notPublic },
];

/** The ranges by which a brand is found, in the order of the table. */
export function detectedRanges({ detected, ranges, shared = [] }: CardBrand): readonly string[] {
  return detected ? ranges.filter((range) => !shared.includes(range)) : [];
}

interface Range {
  readonly brand: CardBrand;
  readonly detected: boolean;
  readonly from: string;
  readonly to: string;
}

/** Longest leading digits first; within a length the order of the table. */
const rangesLongestFirst: readonly Range[] = cardBrands
  .flatMap((brand) => {
    const found = detectedRanges(brand);
    return brand.ranges.map((range) => {
      const [from = '', to = from] = range.split('-');
      return { brand, detected: found.includes(range), from, to };
    });
  })
  .sort((left, right) => right.from.length - left.from.length);

const rangesByFirstDigit: ReadonlyMap<string, readonly Range[]> = new Map(
  ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => [
    digit,
    rangesLongestFirst.filter(({ from }) => from.startsWith(digit)),
  ]),
);

const brandsByName: ReadonlyMap<string, CardBrand> = new Map(
  cardBrands.map((brand) => [brand.name, brand]),
);

/** `leading` are as many digits of the number as the range's bounds have. */
function isWithin(number: string, leading: string, { brand, from, to }: Range): boolean {
  return leading >= from && leading <= to && hasLengthOf(number, brand);
}

function hasLengthOf(number: string, { digits: [least, most] }: CardBrand): boolean {
  return number.length >= least && number.length <= most;
}

/** The brand of this `paymentBrand` literal, in any case, if it is a card brand we know. */
export function brandNamed(name: string): CardBrand | undefined {
  return brandsByName.get(name.toUpperCase());
}

/** The brand a card number belongs to, by its issuer range and length, if any. */
export function detectedBrand(number: string): CardBrand | undefined {
  let coBadgedBrand: CardBrand | undefined;
  let leading = '';
  for (const range of rangesByFirstDigit.get(number.charAt(0)) ?? []) {
    // Ranges of one length stand together, so the digits are cut four times and not per range.
    if (leading.length !== range.from.length) leading = number.slice(0, range.from.length);
    if (!isWithin(number, leading, range)) continue;
    if (range.detected) return range.brand;
    coBadgedBrand ??= range.brand;
  }
  return coBadgedBrand;
}

/** Whether a card number can be one of the brand: issuer range and length. */
export function isOfBrand(number: string, brand: CardBrand): boolean {
  if (brand.ranges.length === 0) return hasLengthOf(number, brand);
  return rangesLongestFirst.some(
    (range) => range.brand === brand && isWithin(number, number.slice(0, range.from.length), range),
  );
}
