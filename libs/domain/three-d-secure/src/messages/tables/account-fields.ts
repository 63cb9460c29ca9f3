import {
  anywhere,
  byRules,
  C,
  type FormatByVersion,
  isThere,
  O,
  type Row,
  since,
} from '../field-rows.js';
import {
  anyObject,
  codes,
  digits,
  moment,
  number,
  object,
  oneOf,
  onlyTrue,
  possible,
  upTo,
} from '../formats.js';

const day = possible(moment('YYYYMMDD'));
const fourAges = possible(oneOf('01', '02', '03', '04'));
const fiveAges = possible(oneOf('01', '02', '03', '04', '05'));
const yesOrNo = possible(oneOf('01', '02'));

/** The shopper's account at the merchant, and the token that stands for a card. */
export const accountFields: readonly Row[] = [
  anywhere('acctID', 'The shopper’s account at the merchant.', upTo(64), { AReq: O }),
  anywhere(
    'acctInfo',
    'How old that account is and how it is used.',
    object('the account', {
      chAccAgeInd: fiveAges,
      chAccDate: day,
      chAccChangeInd: fourAges,
      chAccChange: day,
      chAccPwChangeInd: fiveAges,
      chAccPwChange: day,
      shipAddressUsageInd: fourAges,
      shipAddressUsage: day,
      txnActivityDay: possible(digits(3, 1)),
      txnActivityYear: possible(digits(3, 1)),
      provisionAttemptsDay: possible(digits(3, 1)),
      nbPurchaseAccount: possible(number(0, 9_999, 4)),
      suspiciousAccActivity: yesOrNo,
      shipNameIndicator: yesOrNo,
      paymentAccInd: fiveAges,
      paymentAccAge: day,
      chAccReqID: possible(upTo(64), '2.3.1'),
    }),
    { AReq: O },
  ),
  anywhere('payTokenInd', 'A token stood for the card, and was replaced by its number.', onlyTrue, {
    AReq: C('where it was'),
  }),
  anywhere(
    'payTokenSource',
    'Who replaced it: 01 our server, 02 the directory server.',
    since('2.2.0', codes('01', '02')),
    { AReq: C('payTokenInd is true', ({ value }) => value('payTokenInd') === true) },
  ),
  anywhere(
    'payTokenInfo',
    'What is known of that token.',
    since(
      '2.3.1',
      object('the token', {
        token: possible(digits(19, 13)),
        tokenAdditionalData: possible(anyObject('what its service says', 500)),
        tokenAssuranceMethod: possible(digits(2)),
        tokenRequestorId: possible(digits(11)),
        tokenCryptogram: possible(upTo(4_000)),
        tokenCryptogramValidityIndicator: possible(codes('01', '03')),
        tokenStatusIndicator: possible(upTo(40)),
      }),
    ),
    { AReq: O },
  ),
];

/** What is known of the shopper's trust, by the name of its element. */
function known(
  name: string,
  meaning: string,
  format: FormatByVersion,
  // What a merchant can say of it.
  asked = format,
): readonly Row[] {
  const isKnown = C(`${name} is there`, isThere(name));
  const source = Object.fromEntries(
    Object.entries(format).map(([version, each]) => [version, each && codes('01', '03')]),
  ) as FormatByVersion;
  return [
    anywhere(name, meaning, asked, { AReq: O }),
    anywhere(name, meaning, format, { ARes: O, RReq: O }),
    anywhere(`${name}Source`, WHO, source, { AReq: isKnown, ARes: isKnown, RReq: isKnown }),
  ];
}

const WHO = 'Who says so: 01 our server, 02 the directory server, 03 the issuer.';
const TRUSTED = 'Whether the shopper trusts the merchant.';
const trust = oneOf('Y', 'N', 'E', 'P', 'R', 'U');
/** Of more the issuer alone knows. */
const isTrusted = oneOf('Y', 'N');
const isCodeKnown = C('cardSecurityCodeStatus is there', isThere('cardSecurityCodeStatus'));

/** Whether the shopper trusts merchant and device, and whether the security code was right. */
export const trustFields: readonly Row[] = [
  ...known(
    'whiteListStatus',
    TRUSTED,
    { '2.2.0': trust, '2.3.1': null },
    { '2.2.0': isTrusted, '2.3.1': null },
  ),
  ...known('trustListStatus', TRUSTED, since('2.3.1', trust), since('2.3.1', isTrusted)),
  ...known(
    'deviceBindingStatus',
    'Whether the device is bound to the card.',
    since('2.3.1', codes('01', '05', '11', '12', '13', '14', '15')),
  ),
  anywhere(
    'cardSecurityCodeStatus',
    'Whether the security code was right.',
    since('2.3.1', oneOf('Y', 'N', 'U')),
    { AReq: byRules, ARes: byRules },
  ),
  anywhere(
    'cardSecurityCodeStatusSource',
    'Who says so: 01 the directory server, 02 the issuer.',
    since('2.3.1', codes('01', '02')),
    { AReq: isCodeKnown, ARes: isCodeKnown },
  ),
];
