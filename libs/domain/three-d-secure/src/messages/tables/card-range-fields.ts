import { anywhere, C, type Facts, isThere, O, R, type Row, since } from '../field-rows.js';
import {
  array,
  codes,
  country,
  digits,
  needed,
  object,
  oneOf,
  pattern,
  possible,
  upTo,
  url,
} from '../formats.js';

const cardNumber = digits(19, 13);
const version = pattern('three numbers with dots', /^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}$/u);
/** As many as a directory server may have (EMV 3-D Secure, table A.1). */
const RANGES_MAX = 200_000;

const rangeBefore = (actions: readonly string[]) =>
  object('a card range', {
    startRange: needed(cardNumber),
    endRange: needed(cardNumber),
    actionInd: possible(oneOf(...actions)),
    acsStartProtocolVersion: needed(version),
    acsEndProtocolVersion: needed(version),
    dsStartProtocolVersion: possible(version),
    dsEndProtocolVersion: possible(version),
    threeDSMethodURL: possible(url(256)),
    acsInfoInd: possible(array(codes('01', '04'), 99), '2.2.0'),
  });

const extensionOfIssuer = object('an extension', {
  id: needed(upTo(64)),
  version: needed(upTo(8)),
});

const rangesSince = object('card ranges', {
  ranges: needed(
    array(object('from and to', { start: needed(cardNumber), end: needed(cardNumber) }), 5_000),
  ),
  actionInd: possible(oneOf('A', 'D', 'M')),
  issuerCountryCode: possible(country),
  dsProtocolVersions: possible(array(version, 10)),
  acsProtocolVersions: needed(
    array(
      object('a version', {
        version: needed(version),
        acsInfoInd: possible(array(codes('01', '11'), 99)),
        threeDSMethodURL: possible(url(2_048)),
        supportedMsgExt: possible(array(extensionOfIssuer, 15)),
      }),
      10,
    ),
  ),
});

const isFile = isThere('cardRangeDataFileURL');
const serial = C('there is no cardRangeDataFileURL', (facts: Facts) => !isFile(facts));

/** Which cards take part, in which versions, and where their 3DS method is. */
export const cardRangeFields: readonly Row[] = [
  anywhere(
    'serialNum',
    'Which state of the card ranges we have; without it all are asked for.',
    upTo(20),
    {
      PReq: O,
    },
  ),
  anywhere(
    'serialNum',
    'Which state of the card ranges this is.',
    { '2.1.0': upTo(20), '2.3.1': null },
    {
      PRes: C('where there are card ranges'),
    },
  ),
  anywhere('serialNum', 'Which state of the card ranges this is.', since('2.3.1', upTo(20)), {
    PRes: serial,
  }),
  anywhere(
    'cardRangeDataDownloadInd',
    'We could fetch the card ranges as a file.',
    since('2.3.1', oneOf('Y')),
    {
      PReq: C('where we can'),
    },
  ),
  anywhere('cardRangeDataFileURL', 'Where that file is.', since('2.3.1', url(2_048)), {
    PRes: C('where both sides can'),
  }),
  anywhere(
    'dsStartProtocolVersion',
    'The oldest version of the directory server.',
    { '2.1.0': version, '2.3.1': null },
    { PRes: R },
  ),
  anywhere(
    'dsEndProtocolVersion',
    'Its newest version.',
    { '2.1.0': version, '2.3.1': null },
    { PRes: R },
  ),
  anywhere(
    'dsProtocolVersions',
    'The versions of the directory server.',
    since('2.3.1', array(version, 10)),
    {
      PRes: R,
    },
  ),
  anywhere(
    'readOrder',
    '01: the first of two that overlap comes first; 02: the last.',
    since('2.3.1', codes('01', '02')),
    {
      PRes: R,
    },
  ),
  anywhere(
    'dsUrlList',
    'Where AReq goes, by the issuer’s country.',
    since(
      '2.3.1',
      array(
        object('where', {
          threeDSServerToDsUrl: needed(url(2_048)),
          dsCountryCode: possible(country),
        }),
        99,
      ),
    ),
    { PRes: O },
  ),
  anywhere(
    'cardRangeData',
    'The card ranges, or what has changed of them.',
    {
      '2.1.0': array(rangeBefore(['A', 'D']), RANGES_MAX),
      '2.2.0': array(rangeBefore(['A', 'D', 'M']), RANGES_MAX),
      '2.3.1': array(rangesSince, RANGES_MAX),
    },
    { PRes: C('where something has changed') },
  ),
];
