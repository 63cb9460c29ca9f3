import {
  anywhere,
  app,
  browser,
  byRules,
  C,
  type Facts,
  isIn,
  O,
  R,
  type Row,
  since,
  split,
} from '../field-rows.js';
import {
  array,
  codes,
  anyObject,
  base64url,
  needed,
  number,
  object,
  oneOf,
  pattern,
  possible,
  upTo,
  url,
} from '../formats.js';

/** A challenge follows, at the browser or without it. */
export const isChallenge = isIn('transStatus', 'C', 'D');
const hasProof = isIn('transStatus', 'Y', 'A');
const needsReason = isIn('transStatus', 'N', 'U', 'R');
const isDecoupled = ({ value }: Facts): boolean => value('acsDecConInd') === 'Y';

/** Which values each message has is said of it; what a request allows is checked beside the table. */
const statusText = (...statuses: readonly string[]) => oneOf(...statuses);

const image = (lengthMax: number) =>
  object('pictures', {
    default: needed(upTo(lengthMax)),
    dark: possible(upTo(lengthMax)),
    monochrome: possible(upTo(lengthMax)),
  });

const rendering = (last: string) =>
  object('how the challenge looks', {
    acsInterface: needed(oneOf('01', '02')),
    acsUiTemplate: needed(codes('01', last)),
    deviceUserInterfaceMode: { ...needed(oneOf('01', '02', '03', '04')), since: '2.3.1' },
  });

/** What an issuer and a directory server answer, at once or after a challenge. */
export const acsFields: readonly Row[] = [
  anywhere(
    'transStatus',
    'Whether the shopper is authenticated: Y yes, A tried, N no, U it could not be found out, R rejected, C and D and S a challenge follows, I told only.',
    {
      '2.1.0': statusText('Y', 'N', 'U', 'A', 'C', 'R'),
      '2.2.0': statusText('Y', 'N', 'U', 'A', 'C', 'D', 'R', 'I'),
      '2.3.1': statusText('Y', 'N', 'U', 'A', 'C', 'D', 'R', 'I', 'S'),
    },
    { ARes: split(R, byRules) },
  ),
  anywhere(
    'transStatus',
    'Whether the shopper is authenticated, after the challenge.',
    {
      '2.1.0': statusText('Y', 'N', 'U', 'A', 'R'),
      '2.3.1': statusText('Y', 'N', 'U', 'A', 'R', 'D'),
    },
    { RReq: split(R, byRules) },
  ),
  anywhere(
    'transStatusReason',
    'Why it has that value.',
    { '2.1.0': codes('01', '21'), '2.2.0': codes('01', '26'), '2.3.1': codes('01', '30') },
    {
      ARes: split(C('transStatus is N, U or R', needsReason), byRules),
      RReq: split(C('transStatus is N, U or R', needsReason), byRules),
    },
  ),
  anywhere('transStatusReasonInfo', 'The same in words.', since('2.3.1', upTo(256)), {
    ...{ ARes: O, RReq: O },
  }),
  anywhere(
    'authenticationValue',
    'The cryptogram that proves it to the issuer.',
    {
      '2.1.0': pattern('20 bytes in base64: 28 characters', /^[0-9A-Za-z+/]{27}=$/u),
      '2.3.1': upTo(4_000),
    },
    {
      ARes: split(C('transStatus is Y or A', hasProof), byRules),
      RReq: split(C('transStatus is Y or A', hasProof), byRules),
    },
  ),
  anywhere('eci', 'What acquirers are told of it, by network.', upTo(2, 2), {
    ...{ ARes: byRules, RReq: byRules },
  }),
  anywhere(
    'acsReferenceNumber',
    'The number under which EMVCo approved the issuer’s server.',
    upTo(32),
    {
      ARes: R,
    },
  ),
  anywhere('acsOperatorID', 'Who runs it, as the directory server calls it.', upTo(32), {
    ARes: byRules,
  }),
  anywhere(
    'dsReferenceNumber',
    'The number under which EMVCo approved the directory server.',
    upTo(32),
    {
      AReq: C('from the directory server to the issuer alone'),
      ARes: R,
    },
  ),
  anywhere('dsURL', 'Where the issuer sends results.', url(2_048), {
    AReq: C('from the directory server to the issuer alone'),
  }),
  anywhere('acsChallengeMandated', 'Whether a law demands the challenge.', oneOf('Y', 'N'), {
    ARes: C('transStatus is C, or D since 2.3.1', (facts) =>
      facts.version === '2.3.1' ? isChallenge(facts) : isIn('transStatus', 'C')(facts),
    ),
  }),
  browser('acsURL', 'Where the browser takes CReq.', url(2_048), {
    ARes: C('transStatus is C', isIn('transStatus', 'C')),
  }),
  app(
    'acsSignedContent',
    'The same for an app, with both keys, signed by the issuer (JWS).',
    upTo(16_000),
    {
      ARes: C('transStatus is C', isIn('transStatus', 'C')),
    },
  ),
  app(
    'acsRenderingType',
    'How the challenge looks in an app.',
    { '2.1.0': rendering('05'), '2.3.1': rendering('07') },
    {
      ARes: C('transStatus is C', isIn('transStatus', 'C')),
      RReq: C('where the shopper was asked in the app'),
    },
  ),
  anywhere(
    'acsDecConInd',
    'Whether the issuer asks the shopper without the browser.',
    since('2.2.0', oneOf('Y', 'N')),
    {
      ARes: C('transStatus is D', isIn('transStatus', 'D')),
    },
  ),
  anywhere(
    'authenticationType',
    'How the issuer asks: 01 static, 02 dynamic, 03 out of band, 04 decoupled.',
    { '2.1.0': codes('01', '03'), '2.2.0': codes('01', '04'), '2.3.1': null },
    {
      ARes: C('transStatus is C or D', isChallenge),
      RReq: C('transStatus is Y or N', isIn('transStatus', 'Y', 'N')),
    },
  ),
  anywhere(
    'authenticationMethod',
    'How the issuer asked: 02 a code by SMS, 07 biometrics, 09 out of band, and so on.',
    { '2.1.0': codes('01', '10'), '2.2.0': codes('01', '11'), '2.3.1': null },
    { RReq: C('from the issuer to the directory server alone') },
  ),
  anywhere(
    'authenticationMethod',
    'How the issuer asks or asked: 02 a code by SMS, 07 biometrics, 09 out of band, and so on.',
    since('2.3.1', array(codes('01', '16'), 99)),
    {
      ARes: C('transStatus is C or D', isChallenge),
      RReq: C('transStatus is Y or N', isIn('transStatus', 'Y', 'N')),
    },
  ),
  anywhere(
    'cardholderInfo',
    'What the issuer has to say to the shopper.',
    {
      '2.1.0': upTo(128),
      '2.3.1': object('what', {
        text: needed(upTo(128)),
        issuerImage: possible(url(256)),
        paymentSystemImage: possible(url(256)),
      }),
    },
    { ARes: C('acsDecConInd is Y; else as the issuer likes', isDecoupled) },
  ),
  anywhere(
    'cardholderInfo',
    'What the issuer has to say to the shopper.',
    since(
      '2.3.1',
      object('what', {
        text: needed(upTo(128)),
        issuerImage: possible(url(256)),
        paymentSystemImage: possible(url(256)),
      }),
    ),
    { RReq: O },
  ),
  anywhere(
    'transChallengeExemption',
    'For which exemption no challenge was asked for.',
    since('2.3.1', codes('05', '05', '08', '10', '11', '79')),
    { ARes: O },
  ),
  app(
    'deviceInfoRecognisedVersion',
    'Which words about devices the issuer knows.',
    since('2.3.1', upTo(8, 3)),
    {
      ARes: R,
    },
  ),
  app(
    'threeDSRequestorAppURLInd',
    'Whether the issuer’s app can open the merchant’s.',
    since('2.3.1', oneOf('Y', 'N')),
    {
      ARes: R,
    },
  ),
  browser(
    'webAuthnCredList',
    'The shopper’s credentials for Secure Payment Confirmation.',
    since(
      '2.3.1',
      array(
        object('a credential', {
          rpID: needed(upTo(2_048)),
          credentialIds: needed(base64url(1_000, 16)),
        }),
        10,
      ),
    ),
    { ARes: C('transStatus is S', isIn('transStatus', 'S')) },
  ),
  browser(
    'spcTransData',
    'What Secure Payment Confirmation shows.',
    since(
      '2.3.1',
      object('the payment', {
        challenge: needed(base64url(100, 43)),
        currency: needed(pattern('3 letters, ISO 4217', /^[A-Z]{3}$/u)),
        value: needed(upTo(40)),
        displayName: needed(upTo(40)),
        icon: needed(upTo(4_096)),
        timeout: needed(number(60_000, 500_000, 6, 5)),
        payeeName: possible(upTo(40)),
        payeeOrigin: possible(url(2_048)),
        challengeInfoText: possible(upTo(350)),
        issuerImageSpc: possible(image(30_000)),
        psImageSpc: possible(image(30_000)),
        extInd: possible(oneOf('Y')),
        additionalData: possible(anyObject('more', 90_000)),
      }),
    ),
    { ARes: C('transStatus is S', isIn('transStatus', 'S')) },
  ),
];
