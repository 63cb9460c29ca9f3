import { describe, expect, it } from '@jest/globals';
import { applePayRecipient, openApplePayToken } from './apple-pay.js';
import { AppleRoots, refusalOfSignature } from './apple-pay-signature.js';
import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { inspect } from 'node:util';
import { apple, appleRecipient, plain, refusedRows, vectors } from './vectors-fixtures.js';

const now = new Date(apple.now);
const MINUTE_MS = 60_000;

function open(token: string, at = now) {
  return openApplePayToken(token, appleRecipient, at);
}

/** What the specs change of a token. */
interface TokenFields {
  version?: string;
  signature: string;
  header?: Record<string, string>;
}

function fieldsOf(token: string): TokenFields {
  return JSON.parse(token) as TokenFields;
}

function changed(token: string, change: (fields: TokenFields) => void): string {
  const fields = fieldsOf(token);
  change(fields);
  return JSON.stringify(fields);
}

const token = apple.opened['elliptic curves']!;
const another = fieldsOf(apple.opened['elliptic curves, no holder and no indicator']!).signature;
const nested = Buffer.from('3080'.repeat(4_000), 'hex').toString('base64');
const [first, second] = apple.merchants;

describe('a token of Apple Pay', () => {
  const card = {
    number: '4111111111111111',
    numberType: 'DPAN',
    expiryMonth: '12',
    expiryYear: '2028',
    holder: 'Vector Holder',
    cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
    eci: '07',
    amount: '1999 EUR',
  };
  const { holder: _holder, eci: _eci, ...bare } = card;

  it.each([
    ['elliptic curves', card],
    ['elliptic curves, application data', card],
    ['elliptic curves, no holder and no indicator', bare],
    ['RSA', card],
  ])('is opened: %s', (name, expected) => {
    const sent = apple.opened[name]!;
    const { transactionId } = (JSON.parse(sent) as { header: { transactionId: string } }).header;
    expect(plain(open(sent))).toEqual({
      ...expected,
      tokenId: transactionId,
      goodUntil: new Date(now.getTime() + 10 * MINUTE_MS),
    });
  });

  it.each(refusedRows(apple))('is refused as %s: %s', (reason, _, sent) => {
    expect(plain(open(sent))).toBe(reason);
  });

  it('is taken within five minutes of its signing, and not after or before', () => {
    const at = (minutes: number) => {
      const opening = open(token, new Date(now.getTime() + minutes * MINUTE_MS));
      return opening.kind === 'refused' ? opening.reason : opening.kind;
    };
    // The vectors are signed within a minute before their `now`.
    expect([-6, -4, 0, 4, 6].map(at)).toEqual(['early', 'opened', 'opened', 'opened', 'expired']);
  });

  it('is for one merchant, whatever it says of the key', () => {
    const ofSecond = applePayRecipient({ merchants: [second!], roots: [apple.root] });
    expect(plain(openApplePayToken(token, ofSecond, now))).toBe('otherMerchant');
    const { publicKeyHash } = fieldsOf(apple.opened['RSA']!).header!;
    const renamed = changed(token, ({ header }) => (header!['publicKeyHash'] = publicKeyHash!));
    // The key of RSA cannot agree on anything with a curve's.
    expect(plain(open(renamed))).toBe('altered');
  });

  it.each<[string, (fields: TokenFields) => void, string]>([
    ['another version', (fields) => (fields.version = 'EC_v2'), 'unsupported'],
    ['no version', (fields) => delete fields.version, 'unreadable'],
    ['no header', (fields) => delete fields.header, 'unreadable'],
    ['another transaction', ({ header }) => (header!['transactionId'] = '00'), 'altered'],
    ['capitals in hex', ({ header }) => (header!['transactionId'] = 'AB'), 'unreadable'],
    ['added application data', ({ header }) => (header!['applicationData'] = '00'), 'altered'],
    ['no signature', (fields) => (fields.signature = ''), 'unreadable'],
    ['a signature that is not CMS', (fields) => (fields.signature = 'MAA='), 'unreadable'],
    ['a signature that is nested deeply', (fields) => (fields.signature = nested), 'unreadable'],
    ["another token's signature", (fields) => (fields.signature = another), 'altered'],
  ])('is refused with %s', (_, change, reason) => {
    expect(plain(open(changed(token, change)))).toBe(reason);
  });

  it('can be opened by whom the certificate is for alone', () => {
    const merchants = [{ ...first!, privateKey: second!.privateKey }];
    expect(() => applePayRecipient({ merchants, roots: [] })).toThrow(
      'not that of its certificate',
    );
    const withoutId = [{ ...apple.withoutId }];
    expect(() => applePayRecipient({ merchants: withoutId, roots: [] })).toThrow(
      "no merchant's id",
    );
  });

  it('shows nothing of the card', () => {
    expect(inspect(open(token), { depth: 5, showHidden: true })).not.toMatch(/4111|AgAAAAAABk4D/);
  });
});

describe('a token that Apple has signed', () => {
  const published = vectors<Record<string, string>>('published-apple-pay');
  const bytes = (name: string, encoding: BufferEncoding = 'base64') =>
    Buffer.from(published[name]!, encoding);
  const signature = {
    bytes: bytes('signature'),
    content: Buffer.concat([
      ...[bytes('ephemeralPublicKey'), bytes('data')],
      bytes('transactionId', 'hex'),
    ]),
    algorithm: 'ec' as const,
  };
  const roots = new AppleRoots([new X509Certificate(bytes('root'))]);
  const others = new AppleRoots([new X509Certificate(apple.root)]);
  const at = new Date(published['signedAt']!);

  it('is known by Apple’s root, and by no other', () => {
    expect(refusalOfSignature(signature, roots, at)).toBeUndefined();
    expect(refusalOfSignature(signature, others, at)).toBe('wrongChain');
  });

  it('is too old a minute too late', () => {
    const late = (minutes: number) => new Date(at.getTime() + minutes * MINUTE_MS);
    expect(refusalOfSignature(signature, roots, late(5))).toBeUndefined();
    expect(refusalOfSignature(signature, roots, late(6))).toBe('expired');
  });

  it('stands for its contents alone', () => {
    const content = Buffer.concat([signature.content, Buffer.from('0')]);
    expect(refusalOfSignature({ ...signature, content }, roots, at)).toBe('altered');
  });
});
