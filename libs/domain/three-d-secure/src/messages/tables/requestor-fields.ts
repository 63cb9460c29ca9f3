import {
  anywhere,
  browser,
  byRules,
  C,
  isIn,
  O,
  R,
  type Row,
  since,
  withoutShopper,
  withShopper,
} from '../field-rows.js';
import {
  anyObject,
  array,
  codes,
  either,
  moment,
  number,
  object,
  oneOf,
  possible,
  transactionId,
  upTo,
  url,
} from '../formats.js';

const FALLBACK_AFTER_DECOUPLED = '19';
const isDecoupledFallback = isIn('threeRIInd', FALLBACK_AFTER_DECOUPLED);

const shopperKnownBy = (methodLast: string, dataCharactersMax: number) =>
  object('how the shopper was known', {
    threeDSReqAuthMethod: possible(codes('01', methodLast)),
    threeDSReqAuthTimestamp: possible(moment('YYYYMMDDHHMM')),
    threeDSReqAuthData: possible(
      either(upTo(dataCharactersMax), anyObject('an object', dataCharactersMax)),
    ),
    dsAuthInfVerifInd: possible(codes('01', '03'), '2.3.1'),
  });

const earlierAuthentication = (methodLast: string, dataCharactersMax: number) =>
  object('an earlier authentication', {
    threeDSReqPriorRef: possible(transactionId),
    threeDSReqPriorDsTransId: possible(transactionId, '2.3.1'),
    threeDSReqPriorAuthMethod: possible(codes('01', methodLast)),
    threeDSReqPriorAuthTimestamp: possible(moment('YYYYMMDDHHMM')),
    threeDSReqPriorAuthData: possible(upTo(dataCharactersMax)),
  });

const WISH = 'Whether the merchant wants a challenge, or an exemption from it.';

/** Who asks, and what for. */
export const requestorFields: readonly Row[] = [
  anywhere(
    'threeDSServerRefNumber',
    'The number under which EMVCo approved our server.',
    upTo(32),
    {
      ...{ AReq: R, PReq: R },
    },
  ),
  anywhere(
    'threeDSServerOperatorID',
    'Who runs our server, as the directory server calls it.',
    upTo(32),
    {
      ...{ AReq: byRules, PReq: byRules },
    },
  ),
  anywhere('threeDSServerURL', 'Where results go after a challenge (RReq).', url(2_048), {
    AReq: R,
  }),
  anywhere('threeDSRequestorID', 'The merchant’s id at the directory server.', upTo(35), {
    AReq: R,
  }),
  anywhere('threeDSRequestorName', 'The merchant’s name at the directory server.', upTo(40), {
    AReq: R,
  }),
  anywhere(
    'threeDSRequestorURL',
    'The merchant’s shop, or where its customers are helped.',
    url(2_048),
    {
      AReq: R,
    },
  ),
  anywhere(
    'deviceChannel',
    'Where the shopper is: 01 app, 02 browser, 03 not there.',
    codes('01', '03'),
    {
      AReq: R,
    },
  ),
  anywhere('messageCategory', '01: a payment; 02: none.', codes('01', '02'), { AReq: R, RReq: R }),
  withShopper(
    'threeDSRequestorAuthenticationInd',
    'What the shopper is authenticated for: a payment, a series of them, to keep a card.',
    { '2.1.0': codes('01', '06'), '2.3.1': codes('01', '10') },
    { AReq: R },
  ),
  withoutShopper(
    'threeRIInd',
    'What is asked for without the shopper.',
    { '2.1.0': codes('01', '05'), '2.2.0': codes('01', '11'), '2.3.1': codes('01', '19') },
    { AReq: R },
  ),
  anywhere(
    'threeDSRequestorAuthenticationInfo',
    'How the merchant knew the shopper before: by a login, as a guest.',
    {
      '2.1.0': shopperKnownBy('06', 2_048),
      '2.2.0': shopperKnownBy('08', 20_000),
      '2.3.1': array(shopperKnownBy('10', 50_000), 3),
    },
    { AReq: O },
  ),
  anywhere(
    'threeDSRequestorPriorAuthenticationInfo',
    'How the shopper was authenticated for an earlier transaction.',
    {
      '2.1.0': earlierAuthentication('04', 2_048),
      '2.3.1': array(earlierAuthentication('05', 20_000), 3),
    },
    {
      AReq: C(
        '3RI after a decoupled authentication that was tried first',
        (facts) => facts.version === '2.3.1' && isDecoupledFallback(facts),
      ),
    },
  ),
  withShopper(
    'threeDSRequestorChallengeInd',
    WISH,
    { '2.1.0': codes('01', '04'), '2.2.0': null },
    {
      AReq: O,
    },
  ),
  anywhere(
    'threeDSRequestorChallengeInd',
    WISH,
    { '2.2.0': codes('01', '09'), '2.3.1': array(codes('01', '14'), 2) },
    { AReq: O },
  ),
  anywhere(
    'threeDSRequestorDecReqInd',
    'Whether the issuer may ask the shopper without the browser (decoupled).',
    { '2.2.0': oneOf('Y', 'N'), '2.3.1': oneOf('Y', 'N', 'F', 'B') },
    { AReq: O },
  ),
  anywhere(
    'threeDSRequestorDecMaxTime',
    'How many minutes the merchant waits for a decoupled authentication.',
    since('2.2.0', number(1, 10_080, 5, 5)),
    {
      AReq: C(
        'threeDSRequestorDecReqInd is Y, F or B',
        isIn('threeDSRequestorDecReqInd', 'Y', 'F', 'B'),
      ),
    },
  ),
  withShopper(
    'threeDSReqAuthMethodInd',
    'Whether the directory server could verify how the merchant knew the shopper.',
    { '2.2.0': codes('01', '03'), '2.3.1': null },
    { AReq: C('from the directory server to the issuer alone') },
  ),
  browser(
    'threeDSRequestorSpcSupport',
    'The merchant’s page can ask the shopper by Secure Payment Confirmation.',
    since('2.3.1', oneOf('Y')),
    { AReq: C('where it can') },
  ),
  browser(
    'spcIncompInd',
    'Why Secure Payment Confirmation came to nothing.',
    since('2.3.1', oneOf('01', '02', '03')),
    { AReq: C('where it was tried and failed') },
  ),
  browser(
    'payeeOrigin',
    'The origin of the merchant’s page, which Secure Payment Confirmation shows.',
    since('2.3.1', url(2_048)),
    { AReq: C('threeDSRequestorSpcSupport is Y', isIn('threeDSRequestorSpcSupport', 'Y')) },
  ),
  browser(
    'threeDSCompInd',
    'Whether the page of the 3DS method ran: Y, N, or U where the card’s range has none.',
    oneOf('Y', 'N', 'U'),
    { AReq: R },
  ),
  browser(
    'threeDSMethodId',
    'The transaction for which the page of the 3DS method ran, where an earlier one is used again.',
    since('2.3.1', transactionId),
    { AReq: C('where an earlier run is used again') },
  ),
];
