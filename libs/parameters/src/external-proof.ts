import type { Form } from './form.js';
import type { Conflict } from './parameter.js';

/** What networks call an outcome: authenticated, attempted. */
interface Indicators {
  readonly authenticated: string;
  readonly attempted: string;
}

const MOST: Indicators = { authenticated: '05', attempted: '06' };
const MASTERCARD: Indicators = { authenticated: '02', attempted: '01' };

/** By `paymentBrand` (result codes, section 7); those of national networks are left to the acquirer. */
const indicators: Readonly<Record<string, Indicators>> = {
  ...Object.fromEntries(
    [...['VISA', 'VISADEBIT', 'VISAELECTRON', 'VPAY', 'AMEX', 'DINERS', 'DISCOVER', 'JCB']].map(
      (brand) => [brand, MOST],
    ),
  ),
  ...Object.fromEntries(
    ['MASTER', 'MASTERDEBIT', 'MAESTRO', 'UNIONPAY'].map((brand) => [brand, MASTERCARD]),
  ),
};

/**
 * Interface 2.17: what an external server found out agrees with itself. Y is full and A attempted
 * authentication, and N and U are neither; other values (03, 04, 07, 08, and 06 of Mastercard) are a network's
 * own and left to the acquirer.
 */
export const indicatorOfAnotherOutcome: Conflict = {
  message: 'says something else than threeDSecure.authenticationStatus does for this paymentBrand',
  rule: 'It has to agree with `threeDSecure.authenticationStatus`: of VISA, AMEX, DINERS, DISCOVER and JCB, 05 is said with Y alone and 06 with A alone; of MASTER, MAESTRO and UNIONPAY, 02 with Y alone and 01 with A alone. That of the other brands is refused.',
  keys: ['threeDSecure.eci', 'threeDSecure.authenticationStatus', 'paymentBrand'],
  holds: (form: Form) => {
    const brand = form.get('paymentBrand') ?? '';
    const known = Object.hasOwn(indicators, brand) ? indicators[brand] : undefined;
    const status = form.get('threeDSecure.authenticationStatus');
    const eci = form.get('threeDSecure.eci') ?? '';
    if (known === undefined || status === undefined) return false;
    return refused(known, status).includes(eci);
  },
};

function refused({ authenticated, attempted }: Indicators, status: string): readonly string[] {
  const ofOthers = authenticated === MOST.authenticated ? ['01', '02'] : ['05'];
  switch (status) {
    case 'Y':
      return [...ofOthers, attempted];
    case 'A':
      return [...ofOthers, authenticated];
    default:
      return [...ofOthers, authenticated, attempted];
  }
}
