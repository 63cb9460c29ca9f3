import { detectedBrand } from './brands.js';
import type { Form } from './form.js';
import { cardBrandSent } from './instruments/wallet.js';
import type { Condition, Conflict } from './parameter.js';
import type { ParameterError } from './parameter-error.js';
import { isOfSeries } from './standing-instruction.js';

const ECI = 'threeDSecure.eci';
const STATUS = 'threeDSecure.authenticationStatus';
const CRYPTOGRAM = 'threeDSecure.verificationId';
const DIRECTORY_ID = 'threeDSecure.dsTransactionId';
const VERSION = 'threeDSecure.version';

/** What networks call an outcome. */
interface Indicators {
  readonly authenticated: readonly string[];
  readonly attempted: readonly string[];
  /** Those that are other networks' alone, whatever the outcome. */
  readonly foreign: readonly string[];
}

/** Mastercard's, of a series whose shopper was authenticated before. */
const OF_SERIES = '07';

const MOST: Indicators = {
  authenticated: ['05'],
  attempted: ['06'],
  foreign: ['01', '02', '04'],
};
/** 04 and 06: data only, and an exemption, which are no outcome. */
const MASTERCARD: Indicators = {
  authenticated: ['02', OF_SERIES],
  attempted: ['01'],
  foreign: ['05', '08'],
};
/** Public tables have Mastercard's for UnionPay, or Visa's; each is understood. */
const EITHER: Indicators = {
  authenticated: ['02', '05'],
  attempted: ['01', '06'],
  foreign: [],
};

/** By `paymentBrand` (result codes, section 7); those of other national networks are left to the acquirer. */
const indicators: Readonly<Record<string, Indicators>> = {
  ...of(MOST, 'VISA VISADEBIT VISAELECTRON VPAY AMEX DINERS DISCOVER JCB'),
  ...of(MASTERCARD, 'MASTER MASTERDEBIT MAESTRO'),
  ...of(EITHER, 'UNIONPAY UNIONPAY_SMS'),
};

/** Of a card of which nothing is known, one of them is meant, and of another national network the same. */
const NETWORKS: readonly Indicators[] = [MOST, MASTERCARD, EITHER];

/** Their cards have the brand of a second network, and its indicators. */
const CO_BADGED: readonly string[] = ['CARTEBANCAIRE', 'CARTEBLEUE'];

/** What is known of a card that the form does not have: of what is stored, and of what was in a wallet. */
export interface FoundCard {
  readonly brand?: string;
  /** Its first digits, which tell the second network of a brand. */
  readonly bin?: string;
}

/** As many digits as numbers of every network that brands are co-badged with may have. */
const CO_BADGED_DIGITS = 16;

/**
 * Interface 2.17: what an external server found out agrees with itself and with the network. Y is full and A
 * attempted authentication, and N and U are neither; what else networks have (03, 04, 07, 08, and 06 of
 * Mastercard) is left to the acquirer where nobody claims an authentication beside it.
 */
export const indicatorOfAnotherOutcome: Conflict = {
  message: `is not what the network of the card has, or says something else than ${STATUS}`,
  rule: 'It has to agree with `threeDSecure.authenticationStatus` and the brand, which is that of `card.number` where no `paymentBrand` or that of a wallet is sent, and of a stored card and of one out of a wallet its own: of VISA, AMEX, DINERS, DISCOVER and JCB, Y is said by 05 alone and A by 06 alone; of MASTER and MAESTRO, Y by 02, or 07 for a series, and A by 01; of UNIONPAY in either way, and of CARTEBANCAIRE as the number has it. That of the other brands is refused, also without a status; of a brand that is none of them, what none of them has.',
  keys: [ECI, STATUS, 'paymentBrand', 'card.number'],
  holds: (form: Form) => contradicts(form),
};

/** What is wrong with the indicator once it is known what is paid with; undefined if nothing is. */
export function indicatorFault(form: Form, found: FoundCard): ParameterError | undefined {
  const { message } = indicatorOfAnotherOutcome;
  return contradicts(form, found) ? { name: ECI, message } : undefined;
}

/** Of a card of an unknown network, that no network could have said it. */
function contradicts(form: Form, found?: FoundCard): boolean {
  const eci = form.get(ECI);
  if (eci === undefined) return false;
  const status = form.get(STATUS);
  const indicators = indicatorsIn(form, found);
  const possible = indicators === undefined ? NETWORKS : [indicators];
  return possible.every((one) => one.foreign.includes(eci) || !agrees(eci, status, one));
}

/** Interface 2.17: no indicator makes an authentication without its cryptogram. */
export const indicatorOfProof: Condition = {
  text: '`threeDSecure.eci` says that the shopper was authenticated, or that it was attempted (01, 02, 05, 06; of MASTER and MAESTRO 01, 02)',
  keys: [ECI, 'paymentBrand', 'card.number'],
  holds: (form: Form) => {
    const eci = form.get(ECI) ?? '';
    const { authenticated, attempted } = indicatorsIn(form) ?? EITHER;
    // What follows the first payment of a series may have no cryptogram of its own.
    return [...authenticated, ...attempted].includes(eci) && eci !== OF_SERIES;
  },
};

/** Interface 2.17: nor does its word alone. N and U claim nothing, and are refused for what they say (D-70). */
export const statusOfNoProof: Conflict = {
  message: `proves nothing by itself: it needs ${ECI} or ${CRYPTOGRAM}`,
  rule: 'Y and A are refused without `threeDSecure.eci` and `threeDSecure.verificationId`, since they prove nothing by themselves.',
  keys: [STATUS, ECI, CRYPTOGRAM],
  holds: (form: Form) => {
    const claims = ['Y', 'A'].includes(form.get(STATUS) ?? '');
    return claims && !form.has(ECI) && !form.has(CRYPTOGRAM);
  },
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** Interface 2.17: the id of an authentication is of one, and is as its version has it. */
export const idOfNoAuthentication: Conflict = {
  message: `is no id of an authentication: it needs ${ECI} or ${CRYPTOGRAM}, and of version 2 it is a UUID`,
  rule: 'Refused without `threeDSecure.eci` and `threeDSecure.verificationId`, since it proves nothing by itself; with a `threeDSecure.version` of 2 it has to be a UUID.',
  keys: [DIRECTORY_ID, ECI, CRYPTOGRAM, VERSION],
  holds: (form: Form) => {
    const isOfVersion2 = form.get(VERSION)?.startsWith('2.') ?? false;
    const isAlone = !form.has(ECI) && !form.has(CRYPTOGRAM);
    return isAlone || (isOfVersion2 && !UUID.test(form.get(DIRECTORY_ID) ?? ''));
  },
};

function agrees(
  eci: string,
  status: string | undefined,
  { authenticated, attempted }: Indicators,
): boolean {
  switch (status) {
    case undefined:
      return true;
    case 'Y':
      return authenticated.includes(eci);
    case 'A':
      return attempted.includes(eci);
    default:
      return ![...authenticated, ...attempted].includes(eci);
  }
}

/**
 * Undefined where nothing is known of the network. What a card turned out to be comes before what the form says:
 * it is what is charged.
 */
function indicatorsIn(form: Form, { brand, bin = '' }: FoundCard = {}): Indicators | undefined {
  const number = form.get('card.number');
  const sent = cardBrandSent(form)?.toUpperCase() ?? detectedBrand(number ?? '')?.name;
  return (
    indicatorsOf(brand, number ?? bin.padEnd(CO_BADGED_DIGITS, '0')) ??
    indicatorsOf(sent, number ?? '')
  );
}

function indicatorsOf(brand: string | undefined, number: string): Indicators | undefined {
  if (brand === undefined || !CO_BADGED.includes(brand)) return known(brand);
  return known(detectedBrand(number)?.name) ?? EITHER;
}

function known(brand: string | undefined): Indicators | undefined {
  return brand !== undefined && Object.hasOwn(indicators, brand) ? indicators[brand] : undefined;
}

function of(network: Indicators, brands: string): Readonly<Record<string, Indicators>> {
  return Object.fromEntries(brands.split(' ').map((brand) => [brand, network]));
}

/** With these an external server proves an authentication by version 2 (Interface 2.17). */
const PROOF = [ECI, CRYPTOGRAM, DIRECTORY_ID, VERSION] as const;

/**
 * What lacks to the proof that an external server has authenticated the shopper, or tried to; undefined if nothing
 * does.
 * @param found what it is paid with, where the form does not say it
 */
export function lackOfProof(form: Form, found?: FoundCard): string | undefined {
  const missing = PROOF.filter((key) => (form.get(key) ?? '') === '');
  if (missing.length > 0) {
    const verb = missing.length > 1 ? 'are' : 'is';
    return `the values of an external server are not all there: ${missing.join(', ')} ${verb} missing`;
  }
  const eci = form.get(ECI) ?? '';
  const { authenticated, attempted } = indicatorsIn(form, found) ?? EITHER;
  return [...authenticated, ...attempted].includes(eci)
    ? undefined
    : `${ECI} ${eci} says that the shopper was not authenticated`;
}

/**
 * Whether a whole proof says of the shopper that he was authenticated, and not that it was tried. What version 1
 * proved is no longer recognized by networks, and what was said of a series says nothing of another payment.
 */
export function provesShopper(form: Form, found?: FoundCard): boolean {
  const { authenticated } = indicatorsIn(form, found) ?? EITHER;
  const isOfVersion2 = form.get(VERSION)?.startsWith('2.') ?? false;
  const eci = form.get(ECI) ?? '';
  const isOfPayment = eci !== OF_SERIES || isOfSeries(form);
  const isSaid = (form.get(STATUS) ?? 'Y') === 'Y' && authenticated.includes(eci);
  return isOfVersion2 && isOfPayment && isSaid;
}
