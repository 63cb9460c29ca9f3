import {
  CITY_CHARACTERS,
  DIGITS,
  type Examples,
  LETTERS,
  NEAR_MISSES,
  ofList,
  ofShape,
  OTHER_LETTERS,
  inArabicDigits,
  UPPER,
  WIDE,
} from './example-shapes.js';
import { scheduleExamples } from './schedule-examples.js';

/*
 * Values of forms that are a standard, or that the words of a notation do not say: dates, countries,
 * accounts, addresses, and what D-51 widens. They are written down, not taken from the code.
 */

const dates: Examples = {
  accepted: ['2035-02-28', '2036-02-29', '1999-12-31', '2000-01-01'],
  refused: [
    ...['2035-02-29', '2035-02-30', '2035-04-31', '2035-13-01', '2035-00-10', '2035-01-00'],
    ...['2035-1-01', '2035-01-1', '35-01-01', '20350101', '2035/01/01', '01-01-2035', ''],
    ...['2035-01-01 ', ' 2035-01-01', '2035-01-01\n', '2035-01-01T00:00:00Z', '2035-01-011'],
    ...['12035-01-01', '٢٠٣٥-٠١-٠١', 'tomorrow', '2035-01-32', '2035-01-0x'],
  ],
};

const moments: Examples = {
  accepted: ['2035-02-28 00:00:00', '2036-02-29 23:59:59'],
  refused: [
    ...['2035-02-29 00:00:00', '2035-02-30 00:00:00', '2035-01-01 24:00:00', '2035-01-01'],
    ...['2035-01-01 00:60:00', '2035-01-01 00:00:60', '2035-01-01T00:00:00', '', 'now'],
    ...['2035-01-01 00:00', '2035-01-01 00:00:00Z', '2035-01-01 00:00:00\n', '2035-1-1 0:0:0'],
    ...[' 2035-01-01 00:00:00', '2035-01-01 00:00:000', '12035-01-01 00:00:00'],
    ...['٢٠٣٥-٠١-٠١ ٠٠:٠٠:٠٠', '2035-01-01 00:00:0x', '2035-01-01 00:00:0', '2035-13-01 00:00:00'],
  ],
};

/** ISO 3166-1 alpha-2, upper case. */
export const countries2: Examples = {
  accepted: ['DE', 'GB', 'US', 'AX'],
  refused: ['de', 'De', 'D', 'DEU', 'ZZ', 'XX', 'EU', 'D1', '', ' DE', 'DE\n', 'ＤＥ', '27', 'DEx'],
};

/** ISO 3166-1 alpha-3, upper case. */
export const countries3: Examples = {
  accepted: ['DEU', 'GBR', 'USA', 'ALA'],
  refused: ['deu', 'Deu', 'DE', 'DEUT', 'ZZZ', 'XXX', 'D1U', '', ' DEU', 'DEU\n', '276', 'EUR'],
};

const countryNumbers: Examples = {
  accepted: ['276', '826', '004'],
  refused: [
    '999',
    '99',
    '000',
    '4',
    '04',
    '0276',
    '2760',
    '',
    '27x',
    '276\n',
    ' 276',
    '٢٧٦',
    'DEU',
  ],
};

/** Currencies of 2, 0 and 3 decimals; metals and test codes have no minor unit. */
export const currencies: Examples = {
  accepted: ['EUR', 'USD', 'JPY', 'KWD'],
  refused: ['eur', 'Eur', 'EU', 'EURO', 'XXX', 'XTS', 'XAU', 'ZZZ', '', ' EUR', 'EUR\n', '978'],
};

const urls = (lengthMost: number): Examples => {
  const start = 'https://shop.example/';
  return {
    accepted: [
      start,
      `${start}?order=1`,
      start.padEnd(lengthMost, 'x'),
      'http://localhost:8080/a',
      ...['https://s', 'https://my_shop.example/r', 'https://s_'],
    ],
    refused: [
      ...[start.padEnd(lengthMost + 1, 'x'), '', '/result', 'shop.example', 'https://', 'x:y'],
      ...['javascript://alert(1)', 'data:text/html,x', 'file:///etc/passwd', `${start}a b`],
      ...[`${start}\n`, ` ${start}`, 'call me', 'JavaScript://x', 'vbscript://x'],
      ...NEAR_MISSES.map((each) => `${each}${start.slice(1)}`),
      ...[' ', '-', '.', '\n', '\u0007'].map((each) => `https://s${each}`),
    ],
  };
};

/** Somebody calls it: an app cannot be called, and a user is nobody's. */
const calledUrls = (): Examples => {
  const { accepted, refused } = urls(2048);
  const others = ['shop.example://result', 'ab://c', 'https://user@shop.example/told'];
  return { accepted, refused: [...refused, ...others] };
};

/** Notations whose words are a standard or a form of their own. */
export const byNotation: Readonly<Record<string, Examples>> = {
  '4 digits starting 19 or 20': {
    accepted: ['1900', '1999', '2000', '2035', '2099'],
    refused: ['1899', '2100', '35', '203', '20355', '', '203x', '2035\n', ' 2035', '٢٠٣٥', '12035'],
  },
  '2 uppercase letters': ofShape({ least: 2, most: 2, characters: UPPER }),
  '36 characters': ofShape({ least: 36, most: 36 }),
  'AN28, exactly 28': ofShape({ least: 28, most: 28 }),
  'A2 letters or N3 digits': {
    accepted: [...countries2.accepted, ...countryNumbers.accepted],
    refused: [...countries2.refused, ...countryNumbers.refused],
  },
  'N3, ISO 3166-1 numeric': countryNumbers,
  'N5 (up to 12 digits, optional fraction of up to 3 digits)': {
    accepted: ['0', '2', '2.5', '2.50', '2.500', '9'.repeat(12), `${'9'.repeat(12)}.999`],
    refused: [
      ...['9'.repeat(13), `${'9'.repeat(13)}.9`, '2.5000', '2.', '.5', '', '-2', '+2', '2,5'],
      ...['2e1', '٢', 'two', ' 2', '2 ', '2\n', '2.5x', '2.5.5'],
    ],
  },
  'AN6; percentage 0 to 100 with up to 2 decimals': {
    accepted: ['0', '19', '19.5', '19.00', '99.99', '100', '100.0', '100.00'],
    refused: [
      ...['100.01', '101', '100.000', '19.000', '-1', '+1', '19%', '', '.5', '19.', '19,0'],
      ...['019', '1e1', '١٩', ' 19', '19\n', '199.99', 'x', '19.5x'],
    ],
  },
  'AN11, 8 or 11 alphanumerics': {
    accepted: ['MARKDEFF', 'MARKDEF1100', 'BNPAFRPPXXX'],
    refused: [
      ...['MARKDEF', 'MARKDEFF1', 'MARKDEF11', 'MARKDEFF11', 'MARKDEF11000', '', 'MARKDEF1\n'],
      ...['1ARKDEFF', 'MARKZZFF', 'MARK-EFF', ' MARKDEFF', 'markdeff', 'MÄRKDEFF'],
      inArabicDigits('MARKDEF1100'),
    ],
  },
  'AN31: 2 letters, 2 digits, 11-27 alphanumerics': {
    accepted: [
      ...['DE23100000001234567890', 'GB82WEST12345698765432', 'NO9386011117947'],
      // From countries that joined the registry late, or that have IBANs outside of it.
      ...['BY13NBRB3600900000002Z00AB00', 'LY83002048000020100120361'],
      ...['BI4210000100010000332045181', 'MN121234123456789123', 'NI45BAPR00000013000003558124'],
    ],
    refused: [
      ...['DE24100000001234567890', 'DE2310000000123456789', 'DE231000000012345678901', '', 'DE23'],
      ...['DE23 1000 0000 1234 5678 90', 'de23100000001234567890', 'ZZ23100000001234567890'],
      ...[
        'DE23100000001234567890\n',
        ' DE23100000001234567890',
        '1234567890',
        'DE٢٣100000001234567890',
      ],
      ...['DE2310000000123456789x', 'xDE23100000001234567890', 'GB82WESTX12345698765432'],
    ],
  },
  'AN12, alphanumeric': ofShape({ least: 1, most: 12, characters: LETTERS + DIGITS }),
  'AN256, letters and hyphen, len 0-256': ofShape({
    least: 0,
    most: 256,
    characters: `-${LETTERS}`,
  }),
  'A128, len 3-128': {
    accepted: [
      'Jim',
      'J'.repeat(128),
      WIDE.repeat(128),
      "Zoë O'Neill-Łukasz Jr.",
      'Jane 12345678901',
      // With a joiner that does not join, as Persian is spelled.
      'مهدی\u200cپور',
    ],
    refused: [
      ...['Ji', '', 'J'.repeat(129), WIDE.repeat(2), WIDE.repeat(129), 'Jane\nJones', 'Jane\u0007'],
      ...['Jane\u2028Jones', '123456789012', 'Jane 4200 0000 0000 0000', '4200-0000-0000'],
      ...[
        'Jane Jones\n',
        'Jane\tJones',
        'Jane\u202eJones',
        'Jane\u200bJones',
        'Ja\u00adne',
        'Jane\ue000',
      ],
      ...[
        'Jane\u{f0000}',
        'Jane\u{e0041}',
        'Jane\u2066',
        '   ',
        ' \u00a0\u3000',
        '\u200d\u200c\u200d',
      ],
    ],
  },
  'base64, len 28-32': {
    accepted: [`${'A'.repeat(27)}=`, 'A+/9'.repeat(7), `${'A'.repeat(30)}==`, 'A'.repeat(32)],
    refused: [
      ...['A'.repeat(24), 'A'.repeat(27), 'A'.repeat(36), 'A'.repeat(33), '*'.repeat(28), ''],
      ...[`${'A'.repeat(27)}-`, `${'A'.repeat(27)}é`, `${'A'.repeat(28)}\n`, `=${'A'.repeat(27)}`],
      ...[...NEAR_MISSES, '*', '@'].map((each) => `${each}${'A'.repeat(27)}`),
    ],
  },
  'date yyyy-MM-dd': dates,
  'date yyyy-MM-dd, year 19xx or 20xx': {
    accepted: [...dates.accepted, '1900-01-01', '2099-12-31'],
    refused: [...dates.refused, '1899-12-31', '2100-01-01'],
  },
  'yyyy-mm-dd': dates,
  'yyyy-MM-dd HH:mm:ss': moments,
  'AN19, yyyy-MM-dd HH:mm:ss': moments,
  'AN19, yyyy-MM-dd HH:mm:ss form': moments,
  'AN19, yyyy-MM-dd hh:mm:ss 24-hour': moments,
  'form 1.x.x or 2.x.x': {
    accepted: ['1.0.2', '2.1.0', '2.2.0', '2.99.99'],
    refused: [
      ...[
        '3.0.0',
        '0.1.0',
        '2.2',
        '2',
        '',
        '2.2.0.0',
        '2.x.x',
        '2.2.0\n',
        ' 2.2.0',
        '2.2.',
        '2..0',
      ],
      ...['22.2.0', '2.100.0', '2.1.100', '2.-1.0', '2,2,0', '2.2.0x', '٢.٢.٠'],
    ],
  },
  'pattern 000.100.2xx (three digits after 2 position: 2 then two digits)': {
    accepted: ['000.100.200', '000.100.203', '000.100.211', '000.100.250', '000.100.299'],
    refused: [
      ...['000.100.110', '000.100.199', '000.100.2', '000.100.20', '000.100.2000'],
      ...['000.100.300', '000.100.2x3', '000-100-203', '', '000.100.203\n', ' 000.100.203'],
      ...['800.100.203', '000.100.20٣'],
    ],
  },
  'valid URL': {
    accepted: urls(2048).accepted,
    refused: [...urls(2048).refused, 'shop.example://article', 'ftp://shop.example/a'],
  },
  'AN2048, len 6-2048, absolute URL, URL-encoded': appUrls(),
  'AN2048, len 6-2048, URL-encoded': calledUrls(),
  'encrypted token as defined by the provider': {
    accepted: ['{"data":"QUJD"}', 'x', 'é'],
    refused: [''],
  },
  'encrypted device data from the mobile SDK': ofShape({ least: 1, most: 64_000 }),
  'AN25, starts with + or a digit, then digits, space . ( ) / -': ofShape({
    least: 1,
    most: 25,
    first: `+${DIGITS}`,
    characters: ` .()/-${DIGITS}`,
  }),
  'AN25, starts with + or digit, len 6-26': ofShape({
    least: 6,
    most: 26,
    first: `+${DIGITS}`,
    characters: ` .()/-${DIGITS}`,
  }),
  'AN25, starts with + or digit, then digits space . ( ) - , len 8-26': ofShape({
    least: 8,
    most: 26,
    first: `+${DIGITS}`,
    characters: ` .()-${DIGITS}`,
  }),
  A50: ofShape({ least: 1, most: 50, characters: CITY_CHARACTERS, others: OTHER_LETTERS }),
  'AN80, letters only': ofShape({
    least: 1,
    most: 80,
    characters: CITY_CHARACTERS,
    others: OTHER_LETTERS,
  }),
  'AN50, chars a-z A-Z 0-9 .': ofShape({
    least: 1,
    most: 50,
    characters: CITY_CHARACTERS + DIGITS,
    others: [...OTHER_LETTERS, '٣'],
  }),
  'AN16, alphanumeric': postcodes(),
  'AN16, alphanumeric and hyphen': postcodes(),
  NS20: coordinates(),
  'NS20, latitude and longitude': coordinates(),
  'AN32, 32 lowercase hex characters': {
    ...ofShape({ least: 32, most: 32, characters: '0123456789abcdef' }),
  },
  'brand AN32 (chars a-z A-Z 0-9 _), value A2': codes(),
};

/** Two upper-case letters or digits, of a list that is not published. */
export function codes(): Examples {
  return ofShape({ least: 2, most: 2, characters: UPPER + DIGITS });
}

function appUrls(): Examples {
  const { accepted, refused } = urls(2048);
  return { accepted: [...accepted, 'shop.example://result', 'ab://c'], refused };
}

function postcodes(): Examples {
  const characters = CITY_CHARACTERS + DIGITS;
  return ofShape({ least: 1, most: 16, characters, others: [...OTHER_LETTERS, '٣'] });
}

function coordinates(): Examples {
  return {
    accepted: [
      ...['48.1372,11.5755', '48.1372;11.5755', '48.1372/11.5755', '-33.86, 151.2', '+1 -2', '0'],
      ...['+48.1372+011.5755/', '12345678901234567890', '48:08:14,11:34:32'],
    ],
    refused: [
      ...['Munich', '', '123456789012345678901', ',', '48.1372,11.5755\n', '٤٨,١١', '48.1,11.5x'],
      ...['48.1372\t11.5755', '48.1_11.5', '48°N', '48.1;DROP', '(48.1,11.5)'],
    ],
  };
}

/** Rows whose notation is short for something that their rule or values say. */
export const byKey: Readonly<Record<string, Examples>> = {
  // Interface 2.3: FINAL is the only value with a meaning.
  sequence: ofList(['FINAL']),
  // Interface 2.17: a cryptogram, which networks have twenty bytes of.
  'threeDSecure.verificationId': {
    accepted: ['AAACAgSRBklmQCFgMpEGAAAAAAA=', `${'-_/+09azAZ'.repeat(3).slice(0, 27)}=`],
    refused: [
      ...['', 'A'.repeat(28), 'a1'.repeat(20), `${'A'.repeat(26)}=`, `${'A'.repeat(26)}==`],
      `${'A'.repeat(28)}=`,
      ...['==', '= ', '=\n', '=A'].map((end) => `${'A'.repeat(27)}${end}`),
      ...[' ', '.', '!', '\n', '\u0007', 'é', '€', '٢', '='].flatMap((each) =>
        ['A'.repeat(26), 'A'.repeat(27)].map((rest) => `${each}${rest}=`),
      ),
    ],
  },
  paymentType: codes(),
  // Wire contract 4: what a payment is, by any of its brands.
  'overridePaymentType[brand]': ofList(['PA', 'DB', 'CD']),
  'standingInstruction.initialTransactionId': ofShape({ least: 1, most: 255 }),
  'applePay.cardNetwork': ofShape({ least: 1, most: 255 }),
  'applePay.cardType': ofShape({ least: 1, most: 255 }),
  'customer.browser.language': languages(),
  'customer.browser.screenHeight': ofShape({ least: 1, most: 6, characters: DIGITS }),
  'customer.browser.screenWidth': ofShape({ least: 1, most: 6, characters: DIGITS }),
  'customer.browser.timezone': {
    // Interface 2.9 limits the minutes by their length alone.
    accepted: ['0', '60', '-60', '+60', '-840', '1439', '-2000', '+9999', '99999'],
    refused: [
      'CET',
      '',
      '-10000',
      '+10000',
      '100000',
      '+',
      '1.5',
      '--60',
      '60 ',
      ' 60',
      '60\n',
      '٦٠',
      '60x',
    ],
  },
  ...scheduleExamples,
};

function languages(): Examples {
  return {
    // Clients write `en_US`, and BCP 47 has tags that are longer than 8.
    accepted: [
      ...['de', 'de-DE', 'en-US', 'fil', 'zh-Hans', 'sl-rozaj', 'en_US', 'zh-Hans-CN', 'es-419'],
      ...['zh-yue', 'zh-cmn-Hans-CN', 'zh_yue_HK', 'ar-abc-def-ghi-EG'],
      ...['zh_Hant_TW', 'de-CH-1996', `de-x-12345678-${'a'.repeat(8)}-${'b'.repeat(8)}-123`],
    ],
    refused: [
      ...[
        '',
        'd',
        'de-',
        'de_',
        'zh-Hans-',
        'de-de-de',
        'de-DE\n',
        ' de',
        'de__DE',
        '_de',
        'de DE',
      ],
      ...[
        'abcd-cmn',
        'zh-aaa-bbb-ccc-ddd',
        'zh-Hans-cmn',
        'zh-CN-cmn',
        'en-rozajazzz',
        `de-x-12345678-${'a'.repeat(8)}-${'b'.repeat(8)}-12345`,
      ],
      ...[...NEAR_MISSES.filter((each) => each !== '_'), '1'].flatMap((each) => [
        ...[`${each}e`, `d${each}`],
      ]),
    ],
  };
}
