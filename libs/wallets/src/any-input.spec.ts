import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { openApplePayToken } from './apple-pay.js';
import { openClickToPayToken } from './click-to-pay.js';
import { openGooglePayToken } from './google-pay.js';
import { openSamsungPayToken } from './samsung-pay.js';
import { TOKEN_LENGTH_MAX } from './token-text.js';
import {
  apple,
  appleRecipient,
  clickToPay,
  dpaRecipient,
  google,
  googleRecipient,
  samsung,
  samsungRecipient,
} from './vectors-fixtures.js';

const now = new Date(apple.now);
const openers = {
  'Apple Pay': (text: string) => openApplePayToken(text, appleRecipient, now),
  'Google Pay': (text: string) => openGooglePayToken(text, googleRecipient, now),
  'Samsung Pay': (text: string) => openSamsungPayToken(text, samsungRecipient, now),
  'Click to Pay': (text: string) => openClickToPayToken(text, dpaRecipient, now),
};
const tokens = [apple, google, samsung, clickToPay].flatMap(({ opened }) => Object.values(opened));

/** Objects of JSON with the names that tokens have, and anything behind them. */
const likeTokens = fc
  .record(
    {
      version: fc.constantFrom('EC_v1', 'RSA_v1'),
      protocolVersion: fc.constant('ECv2'),
      data: fc.base64String(),
      signature: fc.oneof(fc.base64String(), fc.jsonValue()),
      header: fc.oneof(
        fc.dictionary(
          fc.constantFrom('ephemeralPublicKey', 'wrappedKey', 'publicKeyHash', 'transactionId'),
          fc.base64String(),
        ),
        fc.jsonValue(),
      ),
      signedMessage: fc.oneof(fc.string(), fc.json()),
      intermediateSigningKey: fc.oneof(
        fc.record({ signedKey: fc.json(), signatures: fc.array(fc.base64String()) }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));

/** Real tokens with a piece of them replaced by something else. */
const damaged = fc
  .tuple(fc.constantFrom(...tokens), fc.nat(), fc.nat({ max: 40 }), fc.string())
  .map(([token, from, length, text]) => {
    const at = from % token.length;
    return token.slice(0, at) + text + token.slice(at + length + 1);
  });

describe.each(Object.entries(openers))('%s', (_, open) => {
  it('answers whatever is sent by a refusal', () => {
    const anything = fc.oneof(fc.string(), fc.json(), likeTokens, damaged);
    // An insertion may put back just what was cut out.
    fc.assert(
      fc.property(anything, (text) => open(text).kind === 'refused' || tokens.includes(text)),
      { numRuns: 500 },
    );
  });

  it('reads no token that is too long', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokens), (token) => {
        const opening = open(token.padEnd(TOKEN_LENGTH_MAX + 1));
        return opening.kind === 'refused' && opening.reason === 'unreadable';
      }),
      { numRuns: 20 },
    );
  });
});
