import {
  anyOf,
  anywhere,
  C,
  type Facts,
  type Inclusion,
  isIn,
  isThere,
  type Presence,
  R,
  type Row,
  since,
  split,
  withShopper,
} from '../field-rows.js';
import {
  codes,
  currency,
  digits,
  type Format,
  moment,
  needed,
  number,
  object,
  oneOf,
} from '../formats.js';

/** What is no payment now, but agrees on one. */
const agreesOnPayments = anyOf(
  isIn('threeDSRequestorAuthenticationInd', '02', '03', '07', '08', '09'),
  isIn('threeRIInd', '01', '02', '06', '07', '08', '09', '11', '15'),
);
const purchase = split(
  R,
  C(
    'threeDSRequestorAuthenticationInd is 02, 03, 07, 08 or 09, or threeRIInd is 01, 02, 06, 07, 08, 09, 11 or 15',
    agreesOnPayments,
  ),
);

const isSeries = anyOf(
  isIn('threeDSRequestorAuthenticationInd', '02', '03'),
  isIn('threeRIInd', '01', '02'),
);
const isInstalment = anyOf(
  isIn('threeDSRequestorAuthenticationInd', '03'),
  isIn('threeRIInd', '02'),
);
const inSeries = C(
  'threeDSRequestorAuthenticationInd is 02 or 03, or threeRIInd is 01 or 02',
  isSeries,
);

/** A series of fixed amounts or intervals, as `recurringInd` says. */
const hasFixed =
  (part: 'amountInd' | 'frequencyInd') =>
  ({ value }: Facts): boolean => {
    const given = value('recurringInd');
    return typeof given === 'object' && given !== null && Reflect.get(given, part) === '01';
  };
const withAmount = C('recurringAmount is there', isThere('recurringAmount'));
const fixedInterval = C(
  'before 2.3.1 as recurringInd; since then where its frequencyInd is 01',
  (facts) => (facts.version === '2.3.1' ? hasFixed('frequencyInd')(facts) : isSeries(facts)),
);

/** In 2.1.0 nothing is bought without the shopper. */
function bought(
  name: string,
  meaning: string,
  format: Format,
  inclusion: Inclusion | Presence,
): readonly Row[] {
  return [
    withShopper(name, meaning, { '2.1.0': format, '2.2.0': null }, { AReq: inclusion }),
    anywhere(name, meaning, since('2.2.0', format), { AReq: inclusion }),
  ];
}

/** What is paid, and what is agreed on for later. */
export const purchaseFields: readonly Row[] = [
  ...bought('purchaseAmount', 'The amount in minor units.', digits(48, 1), purchase),
  ...bought('purchaseCurrency', 'Its currency.', currency, purchase),
  ...bought('purchaseExponent', 'How many decimals a minor unit has.', digits(1), purchase),
  ...bought('purchaseDate', 'When it is bought, in UTC.', moment('YYYYMMDDHHMMSS'), purchase),
  ...bought(
    'purchaseInstalData',
    'How many instalments there are at most.',
    number(2, 999, 3),
    C('threeDSRequestorAuthenticationInd is 03, or threeRIInd is 02', isInstalment),
  ),
  anywhere(
    'recurringInd',
    'Whether the amounts and the intervals of a series are fixed.',
    since(
      '2.3.1',
      object('what is fixed', {
        amountInd: needed(codes('01', '02')),
        frequencyInd: needed(codes('01', '02')),
      }),
    ),
    { AReq: inSeries },
  ),
  anywhere(
    'recurringAmount',
    'The amount of each, in minor units.',
    since('2.3.1', digits(48, 1)),
    {
      AReq: C(
        'it is a series, and the amountInd of recurringInd is 01',
        (facts) => isSeries(facts) && hasFixed('amountInd')(facts),
      ),
    },
  ),
  anywhere('recurringCurrency', 'Its currency.', since('2.3.1', currency), { AReq: withAmount }),
  anywhere('recurringExponent', 'Its decimals.', since('2.3.1', digits(1)), { AReq: withAmount }),
  anywhere('recurringDate', 'From when that amount is taken.', since('2.3.1', moment('YYYYMMDD')), {
    AReq: C('the frequencyInd of recurringInd is 01', hasFixed('frequencyInd')),
  }),
  ...bought(
    'recurringExpiry',
    'When the series ends.',
    moment('YYYYMMDD'),
    C(
      'before 2.3.1 as recurringInd; since then where there is an end',
      (facts) => facts.version !== '2.3.1' && isSeries(facts),
    ),
  ),
  ...bought(
    'recurringFrequency',
    'How many days are between two of them at least.',
    number(1, 9_999, 4),
    fixedInterval,
  ),
  ...bought(
    'transType',
    'What kind of purchase it is (ISO 8583); of payments alone.',
    oneOf('01', '03', '10', '11', '28'),
    C('where a market demands it'),
  ),
];
