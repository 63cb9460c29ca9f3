/** What becomes of an answer of the host: digits 11 and 12 of the card number. */
const deliveries = {
  answered: '00',
  droppedBeforeBooking: '01',
  droppedAfterBooking: '02',
  answeredTwice: '03',
  answeredLate: '04',
  closedAfterBooking: '05',
  killedAfterBooking: '06',
} as const;

/** How the host of jPOS answers to a card. */
export interface ToldHost {
  /** Its response code, field 39; absent: approved. */
  readonly code?: string;
  readonly delivery?: keyof typeof deliveries;
}

/** What happens to few payments of many, each with its share. */
const TROUBLES: readonly (readonly [share: number, told: ToldHost])[] = [
  [0.02, { delivery: 'droppedBeforeBooking' }],
  [0.04, { delivery: 'droppedAfterBooking' }],
  [0.06, { delivery: 'answeredTwice' }],
  [0.03, { delivery: 'answeredLate' }],
  [0.005, { delivery: 'closedAfterBooking' }],
  [0.08, { code: '51' }],
  [0.02, { code: '10' }],
  [0.02, { code: '96' }],
];

/** What the host does to a payment, by a fraction in [0, 1): nothing to most of them. */
export function troubleAt(draw: number): ToldHost {
  let from = 0;
  for (const [share, told] of TROUBLES) {
    from += share;
    if (draw < from) return told;
  }
  return {};
}

/** Whatever tells nothing. With small numbers these are cards for 3-D Secure, which are refused. */
const REST = '800';

/** The number of a card that tells the host what to do; its last digit is the check digit. */
export function cardTelling({ code = '00', delivery = 'answered' }: ToldHost = {}): string {
  const digits = `42000000${code}${deliveries[delivery]}${REST}`;
  const sum = [...digits].reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/**
 * An amount of so many units that tells the host what becomes of its answer to a message without a
 * card: a capture, a refund or, of deliveries dropped after booking alone, a reversal.
 */
export function amountTelling(units: number, { delivery = 'answered' }: ToldHost = {}): string {
  return `${units}.${deliveries[delivery]}`;
}
