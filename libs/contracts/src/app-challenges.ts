import { closed, described, oneOf, text, type ValueOf } from './schema.js';

/** How a challenge looks in an app (EMV `acsRenderingType`). */
export const challengeRendering = closed(
  {
    acsInterface: described(text, '01: screens of the app; 02: HTML in it.'),
    acsUiTemplate: described(
      text,
      'Which screen: 01 a text, 02 one choice, 03 several, and so on.',
    ),
  },
  { deviceUserInterfaceMode: described(text, 'Whether the device shows or speaks, since 2.3.1.') },
);

/** What the SDK of an app needs to go through a challenge with the issuer (Interface 2.17). */
export const appChallenge = closed({
  version: oneOf(['2.1.0', '2.2.0', '2.3.1'], 'The version in which the SDK speaks.'),
  serverTransactionId: described(text, 'EMV `threeDSServerTransID`.'),
  dsTransactionId: described(text, 'EMV `dsTransID`.'),
  acsTransactionId: described(text, 'EMV `acsTransID`.'),
  sdkTransactionId: described(text, 'EMV `sdkTransID`.'),
  acsReferenceNumber: described(text, "The number under which EMVCo approved the issuer's server."),
  acsSignedContent: described(text, 'Where the issuer is and with which keys, signed by it (JWS).'),
  acsRenderingType: challengeRendering,
});

/** One of them. */
export type AppChallenge = ValueOf<typeof appChallenge>;
