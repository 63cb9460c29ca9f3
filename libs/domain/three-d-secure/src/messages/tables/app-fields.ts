import { app, C, ifLawful, isIn, R, type Row, since } from '../field-rows.js';
import {
  address,
  anyObject,
  array,
  base64url,
  codes,
  needed,
  number,
  object,
  oneOf,
  possible,
  transactionId,
  upTo,
} from '../formats.js';

const challengeKinds = array(codes('01', '11'), 99);
const screens = (last: string, kindsMax: number) => array(codes('01', last), kindsMax);

const renderOptions = (last: string, kindsMax: number) =>
  object('what it can show', {
    sdkInterface: needed(oneOf('01', '02', '03')),
    sdkUiType: needed(screens(last, kindsMax)),
    sdkAuthenticationType: possible(challengeKinds, '2.3.1'),
  });

/** A JWK of P-256 has about 150 characters. */
const publicKey = anyObject('a JWK', 256);

/** What the merchant's app and the 3-D Secure software in it are. */
export const appFields: readonly Row[] = [
  app('sdkAppID', 'The installation of the app.', transactionId, { AReq: R }),
  app('sdkEphemPubKey', 'The key of the app for this transaction.', publicKey, { AReq: R }),
  app('sdkMaxTimeout', 'How many minutes a challenge may last.', number(5, 99, 2, 2), { AReq: R }),
  app('sdkReferenceNumber', 'The number under which EMVCo approved the software.', upTo(32), {
    AReq: R,
  }),
  app(
    'sdkEncData',
    'What the software says of the device, for the directory server.',
    upTo(64_000),
    {
      AReq: C('to the directory server; it is not passed on'),
    },
  ),
  app('deviceInfo', 'The same, decrypted for the issuer.', base64url(64_000), {
    AReq: C('from the directory server to the issuer alone'),
  }),
  app(
    'deviceRenderOptions',
    'What kinds of challenges the device can show.',
    { '2.1.0': renderOptions('05', 5), '2.3.1': renderOptions('07', 7) },
    { AReq: R },
  ),
  app('appIp', 'The address of the device.', since('2.3.1', address), {
    AReq: ifLawful,
  }),
  app(
    'sdkType',
    '01: the software is in the app; 02: half of it is on a server.',
    since('2.3.1', codes('01', '02')),
    {
      AReq: R,
    },
  ),
  app(
    'defaultSdkType',
    'How the software is built into the app.',
    since(
      '2.3.1',
      object('how', { sdkVariant: needed(codes('01', '01')), wrappedInd: possible(oneOf('Y')) }),
    ),
    { AReq: C('sdkType is 01', isIn('sdkType', '01')) },
  ),
  app(
    'splitSdkType',
    'What the half in the app is.',
    since(
      '2.3.1',
      object('what', { sdkVariant: needed(codes('01', '03')), limitedInd: possible(oneOf('Y')) }),
    ),
    { AReq: C('sdkType is 02', isIn('sdkType', '02')) },
  ),
  app(
    'sdkServerSignedContent',
    'What the half on the server signed (JWS).',
    since('2.3.1', upTo(16_000)),
    {
      AReq: C('sdkType is 02', isIn('sdkType', '02')),
    },
  ),
];
