import { type Properties, text } from './answer-properties.js';
import type { JsonObject } from './json-object.js';

/** Interface 2.17: the electronic commerce indicator. */
export const eci: JsonObject = { pattern: '^0[1-8]$' };

/** What was found out of a shopper, in the place of what was sent (Interface 2.17, wire contract 2). */
export const authenticationSchema: Properties = {
  eci: text('As sent, or of the authentication that was made here.', eci),
  verificationId: text(
    'The cryptogram (CAVV, AAV) of an authentication alone; for some 30 minutes, and in no answer to anything else.',
    { maxLength: 28 },
  ),
  version: text('The same of the version of the protocol.', {
    pattern: String.raw`^[12]\.[0-9]{1,2}\.[0-9]{1,2}$`,
  }),
  authenticationStatus: text(
    'The same of its outcome: Y authenticated, A attempted, N not, U could not be, R rejected by the issuer, I told only.',
    { enum: ['Y', 'A', 'N', 'U', 'R', 'I', 'C', 'D'] },
  ),
  flow: text('How it was made: without asking the shopper, by asking, or by asking elsewhere.', {
    enum: ['frictionless', 'challenge', 'decoupled'],
  }),
  transactionStatusReason: text('As sent, or why the issuer says so.', { pattern: '^[0-9]{2}$' }),
  dsTransactionId: text("As sent, or the directory server's id of it."),
  acsTransactionId: text("As sent, or the issuer's id of it."),
  challengeCancel: text('Why a challenge was cancelled, as the issuer says.', {
    pattern: '^[0-9]{2}$',
  }),
  cardHolderInfo: text('What the issuer has to say to the shopper: show it.', { maxLength: 128 }),
  threeDSServerTransID: text(
    "In an app whose shopper the issuer asks: our id of it, for the app's SDK.",
  ),
  sdkTransID: text("The same: the SDK's own id of it."),
  acsReferenceNumber: text("The same: the number of the issuer's server.", { maxLength: 32 }),
  acsSignedContent: text(
    'The same: where the issuer is and with which keys, signed by it (JWS), passed on as it came.',
    { maxLength: 16_000 },
  ),
  acsRenderingType: {
    type: 'object',
    description: 'The same: how the challenge looks.',
    properties: {
      acsInterface: text('01: screens of the app; 02: HTML in it.', { pattern: '^[0-9]{2}$' }),
      acsUiTemplate: text('Which screen.', { pattern: '^[0-9]{2}$' }),
      deviceUserInterfaceMode: text('Whether the device shows or speaks, since 2.3.1.', {
        pattern: '^[0-9]{2}$',
      }),
    },
    required: ['acsInterface', 'acsUiTemplate'],
  },
  liabilityShifts: {
    type: 'boolean',
    description:
      'Whether the issuer bears a fraud, by what was found out here. False where `amount` is there.',
  },
  amount: text(
    'For how much the issuer was asked, where that does not cover what is paid: it is less, or in another currency.',
    { pattern: String.raw`^[0-9]+\.[0-9]{2}$` },
  ),
  currency: text('The currency of that.', { pattern: '^[A-Z]{3}$' }),
};
