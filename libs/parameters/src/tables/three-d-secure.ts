import { noted } from '../format.js';
import {
  amountOfDigits,
  currencyCode,
  digits,
  flag,
  integer,
  oneOf,
  shape,
  text,
} from '../formats.js';
import { country3 } from '../registered-formats.js';
import { newPaymentKinds } from '../kinds.js';
import { ofNoCheck } from './networks.js';
import { nationalSchemeOfAuthentication, useCaseOfNationalScheme } from '../conditions.js';
import {
  channelOfShopper,
  fractionOfAuthentication,
  purposeOfShopper,
  shopOfNoAddress,
  sinceVersion22,
} from '../conflicts.js';
import {
  idOfNoAuthentication,
  indicatorOfAnotherOutcome,
  indicatorOfProof,
  statusOfNoProof,
} from '../external-proof.js';
import { conditional, optional, type Parameters, when } from '../parameter.js';

const ofMessages = {
  requirement: optional,
  kinds: [...newPaymentKinds, 'checkout', 'threeDSecure'],
  refusedIn: ofNoCheck,
  sensitivity: 'none',
  echo: false,
  kept: true,
  interface: '2.17',
  since: '0.1.0',
  cardNumbers: 'masked',
} as const;
/** What would be another one if a digit of it were masked (D-43). */
const opaque = { cardNumbers: 'refused' } as const;
const ofProofs = {
  ...ofMessages,
  kinds: [...newPaymentKinds, 'checkout'],
  refusedIn: {
    threeDSecure: 'is what a server of your own found out, and here ours is asked',
    ...ofNoCheck,
  },
  echo: true,
} as const;
/** They go to the acquirer by way of the vault, and stand nowhere else (S-PCI-03). */
const ofCryptograms = {
  requirement: optional,
  kinds: ofProofs.kinds,
  refusedIn: ofProofs.refusedIn,
  sensitivity: 'accountData',
  echo: false,
  kept: false,
  interface: '2.17',
  since: '0.1.0',
} as const;

/** What the authentication is asked with, or the payment that has to say the same. */
const ofBoth = { ...ofMessages, echo: true } as const;

/** The most that EMV 3-D Secure allows for the encrypted data of an app's SDK. */
const DEVICE_INFO_CHARACTERS_MAX = 64_000;

/** Interface 2.17: 3-D Secure. The networks of `threeDSecure.v2.<network>` stand in a table below. */
export const threeDSecure = {
  'threeDSecure.amount': {
    ...ofMessages,
    format: amountOfDigits(9),
    conflict: fractionOfAuthentication,
    example: '92.00',
    description:
      'Amount of the authentication; `risk.amount` comes before it. A payment of more, or in another currency, shifts no liability.',
  },
  'threeDSecure.currency': {
    ...ofMessages,
    format: noted('A3', currencyCode),
    example: 'EUR',
    description:
      'Currency of the authentication, ISO 4217. Without `threeDSecure.amount`, as much of it as is paid.',
  },
  'threeDSecure.deviceInfo': {
    ...ofMessages,
    ...opaque,
    format: noted(
      'encrypted device data from the mobile SDK',
      text({ max: DEVICE_INFO_CHARACTERS_MAX }),
    ),
    requirement: conditional('expected for authentication in an app'),
    sensitivity: 'personal',
    example:
      '{"messageVersion":"2.2.0","sdkTransID":"6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0002","sdkAppID":"6f2d5f9c-8d5e-4f9c-9d1c-2f6a4a3f0001","sdkReferenceNumber":"3DS_LOA_SDK_EXAMPLE_020200_00001","sdkEncData":"eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMTI4R0NNIn0.a.b.c.d","sdkEphemPubKey":{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},"sdkMaxTimeout":"05"}',
    description:
      'What the SDK of an app made for this payment, a JSON object in text or base64url: `sdkTransID`, `sdkAppID`, `sdkReferenceNumber`, `sdkEncData`, `sdkEphemPubKey` and others, as EMV has them.',
  },
  'threeDSecure.merchant.name': {
    ...ofMessages,
    format: text({ max: 100 }),
    example: 'Example Bookshop',
    description: 'Name of the merchant as the directory server has it.',
  },
  'threeDSecure.merchant.url': {
    ...ofMessages,
    ...opaque,
    format: { ...text({ max: 2048 }), accepted: 'https://shop.example' },
    conflict: shopOfNoAddress,
    example: 'https://shop.example',
    description: "Address of the merchant's website.",
  },
  'threeDSecure.merchant.country': {
    ...ofMessages,
    format: country3,
    example: 'DEU',
    description: 'Country of the merchant, ISO 3166-1 alpha-3.',
  },
  'threeDSecure.channel': {
    ...ofMessages,
    format: { ...noted('N2, 1-99', integer(2, 1, 99)), accepted: '3' },
    conflict: channelOfShopper,
    example: '3',
    description:
      'The device channel of an authentication that the merchant begins (3RI), which is 3; of no other one.',
  },
  'threeDSecure.npa': {
    ...ofMessages,
    format: flag(),
    description: 'Whether this is an authentication without payment.',
  },
  'threeDSecure.decoupled': {
    ...ofMessages,
    format: flag(),
    description: 'Whether the shopper may authenticate later and elsewhere.',
  },
  'threeDSecure.threeRIInd': {
    ...ofMessages,
    format: oneOf('RECURRING', 'SPLIT_SHIPMENT', 'DELAYED_SHIPMENT'),
    description: 'Why the merchant begins the authentication.',
  },
  'threeDSecure.authenticationInd': {
    ...ofMessages,
    format: oneOf(
      'PAYMENT',
      'RECURRING',
      'INSTALLMENT',
      'ADD_CARD',
      'MAINTAIN_CARD',
      'EMV_ID',
      'BILLING_AGREEMENT',
      'SPLIT_SHIPMENT',
      '_DELAYED_SHIPMENT',
      'SPLIT_PAYMENT',
    ),
    conflict: purposeOfShopper,
    description:
      'What the authentication is for. BILLING_AGREEMENT, SPLIT_SHIPMENT, _DELAYED_SHIPMENT and SPLIT_PAYMENT are told to issuers that speak version 2.3.1; to others they are a PAYMENT.',
  },
  'threeDSecure.disable': {
    ...ofMessages,
    format: flag(),
    description: 'With true, the payment is made without 3-D Secure even where it is configured.',
  },
  'threeDSecure.eci': {
    ...ofProofs,
    format: noted('N2, 01 to 08', {
      ...oneOf('01', '02', '03', '04', '05', '06', '07', '08'),
      // Of most networks.
      accepted: '05',
    }),
    requirement: conditional('expected where an external server authenticated'),
    conflict: indicatorOfAnotherOutcome,
    example: '05',
    description: 'The electronic commerce indicator of an external server.',
  },
  'threeDSecure.verificationId': {
    ...ofCryptograms,
    format: noted('AN28, exactly 28', {
      // By either alphabet of base64.
      ...shape('[A-Za-z0-9+/_-]{27}=', 'AAACAgSRBklmQCFgMpEGAAAAAAA=', '!'.repeat(28)),
      message: 'must be 20 bytes in base64, which are exactly 28 characters',
    }),
    requirement: when(indicatorOfProof),
    example: 'AAACAgSRBklmQCFgMpEGAAAAAAA=',
    description:
      'The cryptogram of an external server, CAVV or AAV. Held with the card until the outcome, and returned in no answer.',
  },
  'threeDSecure.authenticationStatus': {
    ...ofProofs,
    format: noted('one of Y, A, U, N', oneOf('Y', 'A', 'U', 'N')),
    requirement: conditional('expected where an external server authenticated'),
    conflict: statusOfNoProof,
    description: 'The outcome of the authentication.',
  },
  'threeDSecure.dsTransactionId': {
    ...ofProofs,
    ...opaque,
    format: noted('36 characters', text({ min: 36, max: 36 })),
    conflict: idOfNoAuthentication,
    example: 'c75f23af-9454-43f6-ba17-130ed529507e',
    description: "The directory server's id of the authentication.",
  },
  'threeDSecure.acsTransactionId': {
    ...ofProofs,
    ...opaque,
    format: noted('36 characters', text({ min: 36, max: 36 })),
    example: '2c42c553-176f-4f08-af6c-f9364ecbd0e8',
    description: "The issuer's id of the authentication.",
  },
  'threeDSecure.challengeMandatedIndicator': {
    ...ofBoth,
    format: noted('Y or N', oneOf('Y', 'N')),
    description: 'Whether a challenge is mandated.',
  },
  'threeDSecure.version': {
    ...ofProofs,
    format: noted(
      'form 1.x.x or 2.x.x',
      shape(String.raw`[12]\.[0-9]{1,2}\.[0-9]{1,2}`, '2.2.0', '3.0.0'),
    ),
    example: '2.2.0',
    description: 'Version of the protocol.',
  },
  'threeDSecure.flow': {
    ...ofProofs,
    format: oneOf('challenge', 'frictionless'),
    onlyWith: 'threeDSecureFlow',
    interface: 'wire contract 2',
    description: 'Whether the authentication at an external server had a challenge.',
  },
  'threeDSecure.authType': {
    ...ofProofs,
    format: noted('01 to 04', oneOf('01', '02', '03', '04')),
    description: 'How the shopper authenticated.',
  },
  'threeDSecure.transactionStatusReason': {
    ...ofProofs,
    format: digits(2),
    example: '01',
    description: 'Why the authentication has its status.',
  },
  'threeDSecure.challengeIndicator': {
    ...ofBoth,
    format: noted('01 to 09', oneOf('01', '02', '03', '04', '05', '06', '07', '08', '09')),
    conflict: sinceVersion22,
    description: 'The preferred challenge; needs version 2.2.',
  },
  'threeDSecure.exemptionFlag': {
    ...ofBoth,
    format: noted('01 to 04', oneOf('01', '02', '03', '04')),
    conflict: sinceVersion22,
    description: 'Which exemption is asked for; needs version 2.2.',
  },
  'threeDSecure.schemeData[CB-ITEMSNB]': {
    ...ofBoth,
    format: digits(2),
    requirement: conditional('recommended for the national scheme'),
    example: '3',
    description: 'Number of articles or services, for the national scheme.',
  },
  'threeDSecure.schemeData[CB-SCORE_MERCHANT]': {
    ...ofBoth,
    format: noted('len 1-20', text({ min: 1, max: 20 })),
    requirement: conditional('recommended for the national scheme'),
    example: '87',
    description: "The merchant's score, for the national scheme.",
  },
  'threeDSecure.schemeData[CB-USECASE]': {
    ...ofBoth,
    format: digits(2),
    requirement: when(useCaseOfNationalScheme),
    requirementIn: { threeDSecure: when(nationalSchemeOfAuthentication) },
    example: '01',
    description: 'The use case, for the national scheme.',
  },
} as const satisfies Parameters;
