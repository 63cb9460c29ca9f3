import { describe, expect, it } from '@jest/globals';
import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { googlePayRecipient, isSigned, openGooglePayToken, readMessage } from './google-pay.js';
import { isAuthentic, messageKeys, plainOf } from './google-pay-message.js';
import { google, googleRecipient, plain, refusedRows, vectors } from './vectors-fixtures.js';

const now = new Date(google.now);
const token = google.opened['number only']!;

describe('a token of Google Pay', () => {
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2028' };
  const cryptogram = 'AgAAAAAABk4DWZ4C28yUQAAAAAA=';
  const tokenId = expect.stringMatching(/^AH2Ejtc[0-9a-f]{32}$/);

  it.each([
    ['number only', { ...card, numberType: 'PAN' }],
    ['with a cryptogram', { ...card, numberType: 'DPAN', cryptogram, eci: '05' }],
    ['with a cryptogram and no indicator', { ...card, numberType: 'DPAN', cryptogram }],
  ])('is opened: %s', (name, expected) => {
    const opening = openGooglePayToken(google.opened[name]!, googleRecipient, now);
    expect(plain(opening)).toEqual({ ...expected, tokenId, goodUntil: expect.any(Date) });
  });

  it.each(refusedRows(google))('is refused as %s: %s', (reason, _, sent) => {
    expect(plain(openGooglePayToken(sent, googleRecipient, now))).toBe(reason);
  });

  it('is for a merchant that the gateway knows by any of these names', () => {
    const named = (...gatewayMerchantIds: readonly string[]) =>
      openGooglePayToken(token, { ...googleRecipient, gatewayMerchantIds }, now).kind;
    expect([named('shop-2', 'shop-1'), named('shop-2'), named()]).toEqual([
      ...['opened', 'refused', 'refused'],
    ]);
  });

  it('is opened by any of the recipient’s keys', () => {
    const other = google.refused['unknownKey']!['encrypted for another key']!;
    const keys = googleRecipient.privateKeys;
    const recipient = { ...googleRecipient, privateKeys: [...otherKeys, ...keys] };
    expect(openGooglePayToken(token, recipient, now).kind).toBe('opened');
    expect(plain(openGooglePayToken(other, recipient, now))).toBe('unknownKey');
  });

  it.each([
    ['of ECv1', { protocolVersion: 'ECv1' }, 'unsupported'],
    ['without a version', { protocolVersion: undefined }, 'unreadable'],
    ['without a signature', { signature: undefined }, 'unreadable'],
    ['with a signature that is none', { signature: 'AAAA' }, 'altered'],
    ['without an intermediate key', { intermediateSigningKey: undefined }, 'unreadable'],
    ['with another message', { signedMessage: '{}' }, 'altered'],
  ])('is refused %s', (_, fields, reason) => {
    const sent = JSON.stringify({ ...(JSON.parse(token) as object), ...fields });
    expect(plain(openGooglePayToken(sent, googleRecipient, now))).toBe(reason);
  });
});

const published = vectors<Record<string, string>>('published-google-pay');
const bytes = (name: string) => Buffer.from(published[name]!, 'base64');
const otherKeys = [
  createPrivateKey({ key: bytes('privateKey'), format: 'der', type: 'pkcs8' }),
] as const;

describe("Tink's token", () => {
  const sealed = readMessage(published['signedMessage']!)!;
  const signer = createPublicKey({ key: bytes('signingKey'), format: 'der', type: 'spki' });
  const words = ['Google', published['recipientId']!, 'ECv1', published['signedMessage']!];

  it('is signed for its recipient alone', () => {
    expect(isSigned(words, signer, bytes('signature'))).toBe(true);
    expect(isSigned(words.with(1, 'another'), signer, bytes('signature'))).toBe(false);
  });

  it('is decrypted, with keys of the length that ECv1 has', () => {
    const keys = messageKeys(sealed, otherKeys[0], 16)!;
    expect(isAuthentic(sealed, keys)).toBe(true);
    expect(plainOf(sealed, keys)).toBe(published['plaintext']);
    expect(isAuthentic(sealed, messageKeys(sealed, otherKeys[0])!)).toBe(false);
  });
});

describe("a recipient's settings", () => {
  it('need a root key for ECv2', () => {
    const rootSigningKeys = '{"keys":[]}';
    expect(() => googlePayRecipient({ ...google, rootSigningKeys })).toThrow('no root signing key');
  });
});
