import {
  anywhere,
  byRules,
  C,
  ifLawful,
  isThere,
  O,
  R,
  type Row,
  since,
  split,
  withShopper,
} from '../field-rows.js';
import { codes, country, digits, needed, object, oneOf, pattern, upTo } from '../formats.js';

const phone = object('a phone', { cc: needed(digits(3, 1)), subscriber: needed(digits(15, 1)) });
const line = upTo(50);
const postCode = upTo(16);
const state = upTo(3);
const billing = split(C('always, unless a law forbids to tell'), ifLawful);

/** Who the shopper is and where they live. */
export const cardholderFields: readonly Row[] = [
  anywhere('acctNumber', 'The card number, or the token for it.', digits(19, 13), { AReq: R }),
  anywhere(
    'cardExpiryDate',
    'When the card expires, YYMM.',
    pattern('YYMM', /^[0-9]{2}(?:0[1-9]|1[0-2])$/u),
    { AReq: byRules },
  ),
  anywhere('cardSecurityCode', 'The security code of the card.', since('2.3.1', digits(4, 3)), {
    AReq: byRules,
  }),
  anywhere(
    'acctType',
    'Which account of the card is used: 02 credit, 03 debit.',
    codes('01', '03'),
    { AReq: C('where the shopper was asked, or a market demands it') },
  ),
  anywhere(
    'cardholderName',
    'The name on the card.',
    { '2.1.0': upTo(45, 2), '2.3.1': upTo(45) },
    { AReq: C('always, unless a law forbids to tell') },
  ),
  anywhere(
    'email',
    'The shopper’s e-mail address.',
    pattern('an e-mail address, at most 254 characters', /^[^@\s]{1,64}@[^@\s]{1,189}$/u),
    {
      AReq: ifLawful,
    },
  ),
  anywhere('homePhone', 'The shopper’s phone at home.', phone, { AReq: ifLawful }),
  anywhere('mobilePhone', 'The shopper’s mobile phone.', phone, { AReq: ifLawful }),
  anywhere('workPhone', 'The shopper’s phone at work.', phone, { AReq: ifLawful }),
  anywhere('billAddrLine1', 'The first line of the card’s address.', line, { AReq: billing }),
  anywhere('billAddrLine2', 'Its second line.', line, { AReq: ifLawful }),
  anywhere('billAddrLine3', 'Its third line.', line, { AReq: ifLawful }),
  anywhere('billAddrCity', 'Its city.', line, { AReq: billing }),
  anywhere('billAddrPostCode', 'Its post code.', postCode, { AReq: billing }),
  anywhere('billAddrState', 'Its state (ISO 3166-2 without the country).', state, {
    AReq: billing,
  }),
  anywhere('billAddrCountry', 'Its country.', country, {
    AReq: C(
      'billAddrState is there; else always, unless a law forbids to tell',
      isThere('billAddrState'),
    ),
  }),
  anywhere('shipAddrLine1', 'The first line of where the goods go.', line, { AReq: ifLawful }),
  anywhere('shipAddrLine2', 'Its second line.', line, { AReq: ifLawful }),
  anywhere('shipAddrLine3', 'Its third line.', line, { AReq: ifLawful }),
  anywhere('shipAddrCity', 'Its city.', line, { AReq: ifLawful }),
  anywhere('shipAddrPostCode', 'Its post code.', postCode, { AReq: ifLawful }),
  anywhere('shipAddrState', 'Its state (ISO 3166-2 without the country).', state, {
    AReq: ifLawful,
  }),
  anywhere('shipAddrCountry', 'Its country.', country, {
    AReq: C('shipAddrState is there; else where it is known', isThere('shipAddrState')),
  }),
  withShopper('addrMatch', 'Whether both addresses are the same.', oneOf('Y', 'N'), { AReq: O }),
  anywhere('taxId', 'The shopper’s tax number.', since('2.3.1', upTo(45)), { AReq: byRules }),
];
