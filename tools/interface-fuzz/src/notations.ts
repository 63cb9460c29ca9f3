import type { InterfaceRow } from './interface-rows.js';
import {
  amount,
  anyText,
  characters,
  digits,
  joined,
  oneOf,
  type Reading,
  text,
  values,
  wholeNumber,
} from './reading.js';
import { scheduleReadings } from './schedule-readings.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALPHANUMERIC = `${LETTERS}0123456789`;
/** D-51: letters of any script, and what names and places are written with. */
const NAME_LETTERS = `${LETTERS}äßçŁøñéΩяЖ漢字한글 '’.-`;
const DIGITS = '0123456789';

const dateFaults = {
  'on the calendar': ['2035-02-30', '2035-13-01', '2035-00-10', '2035-04-31', '2023-02-29'],
  'yyyy-MM-dd': ['2035-2-3', '03.02.2035', '2035/02/03', '20350203', '2035-02-03 ', 'tomorrow'],
};
const date = values(['2035-02-28', '2024-02-29', '1999-12-31', '2000-01-01'], dateFaults);
const dateTime = values(['2035-02-28 23:59:59', '2024-02-29 00:00:00', '2026-11-21 12:30:45'], {
  'on the calendar': ['2035-02-30 00:00:00', '2035-13-01 00:00:00', '2035-02-03 24:00:00'],
  'yyyy-MM-dd HH:mm:ss': [
    ...['2035-02-28', '2035-02-28T23:59:59', '2035-02-28 23:59', '2035-02-28 23:59:60'],
    ...['2035-02-28 23:59:59Z', '28.02.2035 23:59:59'],
  ],
});
const currency = values(['EUR', 'USD', 'GBP', 'PLN', 'JPY', 'KWD', 'CHF'], {
  'of ISO 4217': ['ZZZ', 'AAA', 'ABC'],
  'with a minor unit': ['XAU'],
  'three capitals': ['eur', 'EU', 'EURO', 'E1R', '978', 'EUR '],
});
const country2 = values(['DE', 'FR', 'US', 'GB', 'JP', 'BR', 'ZA'], {
  'of ISO 3166-1': ['ZZ', 'QQ', 'D1'],
  'two capitals': ['de', 'De', 'D', 'DEU', '276', 'DE '],
});
const country3 = values(['DEU', 'FRA', 'USA', 'GBR', 'JPN', 'BRA', 'ZAF'], {
  'of ISO 3166-1': ['ZZZ', 'QQQ', 'D1U'],
  'three capitals': ['deu', 'Deu', 'DE', 'DEUT', '276', 'DEU '],
});
const countryNumber = values(['276', '250', '840', '826', '392', '004'], {
  'of ISO 3166-1': ['999', '000'],
  'three digits': ['27', '0276', 'DEU', '4'],
});
const month = values(['01', '05', '09', '10', '12'], {
  '01 to 12': ['00', '13', '1', '012', 'May', '12 '],
});
const cardYear = values(['2034', '1999', '2000', '2099', '1900'], {
  'starts with 19 or 20': ['1899', '2100', '3034'],
  'four digits': ['34', '20345', '203', '2O34'],
});
const hexId = values(['0123456789abcdef0123456789abcdef', '00000000000000000000000000000000'], {
  '32 characters': ['0123456789abcdef0123456789abcde', '0123456789abcdef0123456789abcdef0'],
  'lowercase hex': ['0123456789ABCDEF0123456789ABCDEF', '0123456789abcdef0123456789abcdeg'],
});
const iban = values(
  [
    ...['DE89370400440532013000', 'GB82WEST12345698765432', 'FR1420041010050500013M02606'],
    ...['NO9386011117947', 'MT84MALT011000012345MTLCAST001S'],
    'BY13NBRB3600900000002Z00AB00',
  ],
  {
    'right check digits': ['DE88370400440532013000', 'GB83WEST12345698765432'],
    "the country's length": ['DE8937040044053201300', 'DE893704004405320130000'],
    'electronic form': ['DE89 3704 0044 0532 0130 00', 'de89370400440532013000', 'DE'],
    'at most 31': ['MT84MALT011000012345MTLCAST001SX'],
  },
);
const bic = values(['DEUTDEFF', 'DEUTDEFF500', 'MARKDEF1100', 'BNPAFRPP'], {
  '8 or 11': ['DEUTDEF', 'DEUTDEFF5', 'DEUTDEFF50', 'DEUTDEFF5000'],
  alphanumeric: ['DEUT-DEF', 'DEUTDE F'],
  'a country': ['DEUTZZFF', 'DEUT12FF'],
});
const webUrl = values(
  ['https://shop.example/article/1', 'http://shop.example', 'https://a.de/?b=c&d=%20'],
  {
    'absolute, of the web': ['article/1', '/article/1', 'shop.example', 'ftp://shop.example/1'],
    'without spaces': ['https://shop example/1'],
    'at most 2048': [`https://shop.example/${'a'.repeat(2048)}`],
  },
);
const resultUrl = values(
  [
    ...[
      'https://shop.example/result?order=1',
      'http://a.b',
      'shop.example://result',
      'https://my_shop.example/r',
    ],
    `https://shop.example/${'a'.repeat(2048 - 'https://shop.example/'.length)}`,
  ],
  {
    absolute: ['/result', 'result.html', 'shop.example/result'],
    'at least 6': ['a://b'],
    'at most 2048': [`https://shop.example/${'a'.repeat(2049 - 'https://shop.example/'.length)}`],
    'not one that runs': ['javascript://alert(1)', 'data://text', 'file:///etc/passwd'],
  },
);
/** Somebody calls it: that is no app. */
const calledUrl = values(
  ['https://shop.example/told?order=1', 'http://a.b', 'https://my_shop.example/r'],
  {
    'absolute, of the web': ['/told', 'told.html', 'shop.example/told', 'shop.example://told'],
    'at most 2048': [`https://shop.example/${'a'.repeat(2049 - 'https://shop.example/'.length)}`],
    'not one that runs': ['javascript://alert(1)', 'data://text', 'file:///etc/passwd'],
  },
);
const coordinates = values(['48.1372,11.5755', '-33.86, 151.21', '48.1;11.5', '+48.1+011.5/'], {
  'latitude and longitude': ['Munich', '48.1N', ',', '48.1_11.5'],
  'at most 20': ['48.137250001,-11.57501'],
});
/** Never of one letter alone, as addresses of the greatest length are: what has the text in it is refused. */
const base64 = values(
  [
    ...['AgAAAAAABk4DWZ4C28yUQAAAAAA=', 'QUJDREVGR0hJSktMTU5PUFFSU1Q='],
    'QUJDREVGR0hJSktMTU5PUFFSU1RVVldY',
  ],
  {
    'at least 28': ['QUJDREVGR0hJSktMTU5PUFE=', 'QUJDREVGR0hJSktMTU5PUFFSU1Q'],
    'at most 32': ['QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVph', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYW'],
    base64: ['*'.repeat(28), 'QUJDREVGR0hJSktMTU5PUFFSU1Q-', 'Q=JDREVGR0hJSktMTU5PUFFSU1QX'],
  },
);
const phone = joined(
  values(['+49 (89) 123-456', '0049891234', '7', '+49.89/123', '1'.repeat(25)], {
    'starts with + or a digit': ['-49 89', '(89) 123', ' 49', 'call me'],
    'no letters': ['+49 89 12a', '089 CALL'],
    'at most 25': ['1'.repeat(26), `+${'1'.repeat(25)}`],
  }),
);
const longPhone = (least: number, slash: boolean): Reading =>
  values(['+49 89 123456', '0049 (89) 12.34-5', '1'.repeat(least), '1'.repeat(26)], {
    [`at least ${least}`]: ['1'.repeat(least - 1), `+${'1'.repeat(least - 2)}`],
    'at most 26': ['1'.repeat(27)],
    'starts with + or a digit': ['-49 89 123456', '(089) 123456'],
    'no letters': ['+49 89 12345a'],
    ...(!slash && { 'no slash': ['+49 89/123456'] }),
  });
const cardHolder: Reading = joined(
  characters(3, 128, NAME_LETTERS, ['\u0007', '\n', '\u202e', '\u200b', '\ue000']),
  values(["Zoë O'Neill-Łukasz Jr.", 'Jane Jones 3'], {
    'no card number': ['4200 0000 0000 0000', 'Jane 123456789012'],
    'not blank': ['   ', '\u00a0\u00a0\u00a0'],
  }),
);
const languageTag = values(
  ['de', 'de-DE', 'en-US', 'zh-Hant', 'en_US', 'zh-Hant-TW', 'de-DE-1996'],
  {
    'BCP 47': ['d', '-', 'de-', 'de--DE', 'german language', 'x'.repeat(9)],
  },
);
const timezone = values(['-60', '0', '60', '-840', '840', '+120', '-1440', '-9999', '99999'], {
  minutes: ['CET', '1.5', '-', '--60', '6O'],
  'at most 5': ['100000', '-10000'],
});
const quantity = values(['1', '2.5', '2.500', '999999999999', '999999999999.999', '0.001'], {
  'at most 12 digits': ['9999999999999'],
  'at most 3 decimals': ['2.5000'],
  'a number': ['two', '2,5', '-1', '2.', '.5', '1e3'],
});
const percentage = values(['0', '19', '19.0', '19.00', '100', '100.00', '7.5'], {
  'at most 100': ['100.01', '101', '1000'],
  'at most 2 decimals': ['19.000'],
  'a number': ['19%', '-1', '19,00', 'x', '19.'],
});
const version = values(['2.2.0', '2.1.0', '1.0.2', '2.10.11'], {
  '1.x.x or 2.x.x': ['3.0.0', '2.2', '2.2.0.1', '0.1.0', 'v2.2.0', '2.x.x'],
});
const chargebackCode = values(['000.100.200', '000.100.203', '000.100.250', '000.100.299'], {
  'in the range': ['000.100.110', '000.100.300', '000.200.000'],
  'its pattern': ['000.100.2', '000.100.2xx', '000100200', '000.100.2000'],
});
const PAYMENT_TOKEN_BYTES_MAX = 32 * 1024;
/** What wallets give: any text, of a limited length. */
export const walletToken: Reading = {
  // Of a letter that no other text consists of: what has the token in it is refused.
  accepted: values(['{"data":"QUJD"}', 'x', 't'.repeat(PAYMENT_TOKEN_BYTES_MAX)], {}).accepted,
  broken: [
    {
      rule: 'at most 32 KiB',
      value: () => 'x'.repeat(PAYMENT_TOKEN_BYTES_MAX + 1),
      byParser: true,
    },
  ],
};

/**
 * Notations that stand for more than their words say, by the parameter (D-50 to D-53): the
 * interface gives screens a length and means digits.
 */
const byKey: Readonly<Record<string, Reading>> = {
  ...scheduleReadings,
  'customer.browser.language': languageTag,
  'customer.browser.screenHeight': digits(1, 6),
  'customer.browser.screenWidth': digits(1, 6),
  'customer.browser.timezone': timezone,
  sequence: oneOf(['FINAL']),
  'sender.sourceOfFunds': oneOf(['01', '02', '03', '04', '05', '06', '07', '08', '09']),
  'bankAccount.country': country2,
  'threeDSecure.currency': currency,
  // Of the card in the requests, which is of VISA: the others are of other networks.
  'threeDSecure.eci': oneOf(['03', '05', '06', '07', '08']),
  'threeDSecure.verificationId': values(['AAACAgSRBklmQCFgMpEGAAAAAAA=', `${'z'.repeat(27)}=`], {
    'exactly 28': [`${'A'.repeat(26)}=`, `${'A'.repeat(28)}=`],
    'base64 of twenty bytes': ['A'.repeat(28), `${'A'.repeat(26)}==`, `${'!'.repeat(27)}=`],
  }),
  // Versions from 2.0 on have UUIDs.
  'threeDSecure.dsTransactionId': values(['c75f23af-9454-43f6-ba17-130ed529507e'], {
    '36 characters': ['x'.repeat(35), 'x'.repeat(37)],
  }),
  'cart.payments[n].currency': currency,
};

const keyedValue: Reading = text(0, 2048);

const twoCapitals = values(['PA'], { 'two characters': ['P', 'PAX'], capitals: ['pa', 'P-'] });

/** Notations by their words. */
const byNotation: Readonly<Record<string, Reading>> = {
  AN: anyText,
  'AN, any': anyText,
  // Which payment types there are is for the kind of request to say, not for the notation.
  A2: twoCapitals,
  A5: oneOf(['true', 'false']),
  A50: characters(1, 50, NAME_LETTERS, ['1', '@', '_', '!']),
  NS20: coordinates,
  'NS20, latitude and longitude': coordinates,
  'A3, uppercase': currency,
  'A3 ISO 4217': currency,
  A3: country3,
  'AN3, ISO 3166-1 alpha-3': country3,
  'A2, uppercase, ISO 3166-1': country2,
  'A2, ISO 3166-1': country2,
  'A2, ISO 3166-1 alpha-2': country2,
  'N3, ISO 3166-1 numeric': countryNumber,
  'A2 letters or N3 digits': values(['DE', 'FR', '276', '004'], {
    'of ISO 3166-1': ['ZZ', '999', 'Germany', 'de', 'DEU', '27'],
  }),
  'AN32, 32 lowercase hex characters': hexId,
  '2 uppercase letters': values(['DE', 'EN', 'FR'], { 'two capitals': ['de', 'D', 'DEU', 'D1'] }),
  'A128, len 3-128': cardHolder,
  '01-12': month,
  '4 digits starting 19 or 20': cardYear,
  '4 digits, 19xx or 20xx': cardYear,
  'encrypted token as defined by the provider': walletToken,
  'encrypted device data from the mobile SDK': joined(
    values(['{"kty":"EC"}', 'x'.repeat(64_000)], { 'at most 64,000': ['x'.repeat(64_001)] }),
  ),
  "card network taken from the token's payment method network": text(1, 255),
  "card type taken from the token's payment method type": text(1, 255),
  'AN31: 2 letters, 2 digits, 11-27 alphanumerics': iban,
  'AN11, 8 or 11 alphanumerics': bic,
  'AN12, alphanumeric': characters(1, 12, ALPHANUMERIC, ['-', ' ', 'ä']),
  AN4: text(1, 4),
  'AN256, letters and hyphen, len 0-256': characters(0, 256, `${LETTERS}-`, ['1', ' ', '_']),
  'date yyyy-MM-dd, year 19xx or 20xx': joined(
    date,
    values([], { 'year 19xx or 20xx': ['1899-12-31', '2100-01-01'] }),
  ),
  'date yyyy-MM-dd': date,
  'yyyy-mm-dd': date,
  'yyyy-MM-dd HH:mm:ss': dateTime,
  'AN19, yyyy-MM-dd HH:mm:ss': dateTime,
  'AN19, yyyy-MM-dd HH:mm:ss form': dateTime,
  'AN19, yyyy-MM-dd hh:mm:ss 24-hour': dateTime,
  'base64, len 28-32': base64,
  'AN25, starts with + or a digit, then digits, space . ( ) / -': phone,
  'AN25, starts with + or digit, len 6-26': longPhone(6, true),
  'AN25, starts with + or digit, then digits space . ( ) - , len 8-26': longPhone(8, false),
  'AN80, letters only': characters(1, 80, NAME_LETTERS, ['1', '@', '_', '!']),
  'AN50, chars a-z A-Z 0-9 .': characters(1, 50, NAME_LETTERS + DIGITS, ['@', '_', '!', '+']),
  'AN16, alphanumeric': characters(1, 16, `${LETTERS}${DIGITS} -`, ['!', '_', '/']),
  'AN16, alphanumeric and hyphen': characters(1, 16, `${LETTERS}${DIGITS} -`, ['!', '_', '/']),
  'N5 (up to 12 digits, optional fraction of up to 3 digits)': quantity,
  'AN6; percentage 0 to 100 with up to 2 decimals': percentage,
  'form 1.x.x or 2.x.x': version,
  'pattern 000.100.2xx (three digits after 2 position: 2 then two digits)': chargebackCode,
  'valid URL': webUrl,
  'AN2048, len 6-2048, absolute URL, URL-encoded': resultUrl,
  'AN2048, len 6-2048, URL-encoded': calledUrl,
  'AN or N, format depends on the acquirer': text(1, 255),
  'AN28, exactly 28': text(28, 28),
  '36 characters': text(36, 36),
  'name AN64 (chars a-z A-Z 0-9 . _, len 3-64), value AN2048 (len 0-2048)': keyedValue,
  'key AN64 (chars a-z A-Z 0-9 . _, len 3-64), value AN2048 (len 0-2048)': keyedValue,
  'name AN64, value AN2048': keyedValue,
  'brand AN32 (chars a-z A-Z 0-9 _), value A2': twoCapitals,
  'N10.N2: 1-10 digits, optional dot and exactly 2 decimals': amount(10, 'optional'),
  'N10.N2': amount(10, 'optional'),
  'N9.N2': amount(9, 'optional'),
  'N8.N2': amount(8, 'optional'),
  N13: amount(10, 'optional'),
  'N13, 1-10 digits, dot, 2 decimals': amount(10, 'required'),
  'N13 (1-10 digits, dot, 2 decimals)': amount(10, 'required'),
  'number 100 to 500': wholeNumber(3, 100, 500),
  'N25 digits': digits(1, 25),
  'N25, digits': digits(1, 25),
  'AN11, len 0-11': text(0, 11),
};

/** Notations that say their bounds, as patterns. */
const patterns: readonly (readonly [
  RegExp,
  (...bounds: readonly (string | undefined)[]) => Reading,
])[] = [
  [/^AN([0-9]+)$/, (most) => text(1, Number(most))],
  [/^AN[0-9]+, days to departure$/, () => text(1, 10)],
  [/^(?:AN[0-9]+, )?len ([0-9]+)-([0-9]+)$/, (least, most) => text(Number(least), Number(most))],
  [
    /^AN([0-9]+), chars a-z A-Z 0-9( _| \. _)?(?:, len ([0-9]+)-[0-9]+)?$/,
    (most, more, least) =>
      characters(
        Number(least ?? 1),
        Number(most),
        ALPHANUMERIC + (more ?? '').replaceAll(' ', ''),
        [...['-', ' ', 'ä', '€'], ...(more === undefined ? ['_'] : [])],
      ),
  ],
  [
    /^AN([0-9]+), letters digits whitespace$/,
    (most) => characters(1, Number(most), NAME_LETTERS + DIGITS, ['@', '_', '!']),
  ],
  [/^N[0-9]+, ([0-9]+)-([0-9]+) digits$/, (least, most) => digits(Number(least), Number(most))],
  [
    /^N([0-9]+), ([0-9]+) to ([0-9]+)$/,
    (digitsMost, least, most) => wholeNumber(Number(digitsMost), Number(least), Number(most)),
  ],
  [
    /^N([0-9]+), ([0-9]+)-([0-9]+)$/,
    (digitsMost, least, most) => wholeNumber(Number(digitsMost), Number(least), Number(most)),
  ],
  [/^N([0-9]+)$/, (most) => digits(1, Number(most))],
];

const TWO_DIGITS = /^(0[0-9])(?:-| to )(0[0-9])$/;

/** A list of the interface: `A|B`, or one word; bounds and sentences are none. */
function listOf({
  notation,
  allowed,
}: Pick<InterfaceRow, 'notation' | 'allowed'>): readonly string[] | undefined {
  if (allowed.includes('|')) return allowed.split('|');
  if (/^[A-Z][A-Za-z]+$/.test(allowed)) return [allowed];
  const bounds = TWO_DIGITS.exec(allowed);
  if (bounds === null || notation === '01-12') return undefined;
  const least = Number(bounds[1]);
  return Array.from({ length: Number(bounds[2]) - least + 1 }, (_, index) => `0${least + index}`);
}

function someOf(list: readonly string[]): Reading {
  const [one = '', two = ''] = list;
  return joined(
    values([list.join(','), `${one},${two}`, ...list], {
      'of the list': [`${one},SOMETHING_ELSE`, one.toLowerCase(), 'XX'],
      'commas alone between': [`${one};${two}`, `${one}, ${two}`, `${one},`, `,${one}`],
    }),
  );
}

/** What a parameter's notation means; undefined for one that nobody has read yet. */
export function readingOf(
  row: Pick<InterfaceRow, 'key' | 'notation' | 'allowed'>,
): Reading | undefined {
  const own = byKey[row.key] ?? byKey[row.key.replace(/^(?:shipping|merchant)\./, '')];
  if (own !== undefined) return own;
  const list = listOf(row);
  if (list !== undefined)
    return row.notation === 'comma-separated list' ? someOf(list) : oneOf(list);
  const named = byNotation[row.notation];
  if (named !== undefined) return named;
  for (const [pattern, read] of patterns) {
    const bounds = pattern.exec(row.notation);
    if (bounds !== null) return read(...bounds.slice(1));
  }
  return undefined;
}
