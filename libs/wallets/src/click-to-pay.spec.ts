import { describe, expect, it } from '@jest/globals';
import { Buffer } from 'node:buffer';
import { generateKeyPairSync } from 'node:crypto';
import { clickToPayRecipient, openClickToPayToken, srcSystems } from './click-to-pay.js';
import { clickToPay, dpaRecipient, google, plain, refusedRows } from './vectors-fixtures.js';

const now = new Date(clickToPay.now);
const open = (token: string, recipient = dpaRecipient) =>
  plain(openClickToPayToken(token, recipient, now));
const ofNetwork = clickToPay.opened['RS256 and a token of a network']!;

/** What is in every one of them. */
const CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2028' };
const TOKEN = {
  ...{ ...CARD, numberType: 'DPAN', cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eci: '05' },
  ...{ amount: '1999 EUR', transaction: '5c54b8e8-7f0f-4a3e-9d3e-000000000002' },
  tokenId: expect.stringMatching(/^[0-9a-f]{64}$/),
  goodUntil: new Date(now.getTime() + 10 * 60_000),
};

describe('a checkout response of Click to Pay', () => {
  it.each(['RS256 and a token of a network', 'PS256', 'ES256'])('is opened: %s', (name) => {
    expect(open(clickToPay.opened[name]!)).toEqual(TOKEN);
  });

  it("has the card's own number, its holder, and no amount where none is said", () => {
    expect(open(clickToPay.opened['its own number, for another amount']!)).toEqual({
      ...{ ...CARD, numberType: 'PAN', holder: 'Jane Jones', transaction: TOKEN.transaction },
      ...{ tokenId: TOKEN.tokenId, goodUntil: TOKEN.goodUntil },
    });
  });

  it('is for whom it is addressed to, where it names no DPA', () => {
    const { transaction: _, ...others } = TOKEN;
    expect(open(clickToPay.opened['for an audience, of no transaction']!)).toEqual(others);
  });

  it('has an id of its own, whatever its signature is written like', () => {
    const ids = Object.values(clickToPay.opened).map((token) => {
      const opening = openClickToPayToken(token, dpaRecipient, now);
      return opening.kind === 'opened' ? opening.card.tokenId : '';
    });
    expect(new Set(ids).size).toBe(ids.length);
    // r and n - s of a curve sign the same.
    const es256 = clickToPay.opened['ES256']!;
    const other = openClickToPayToken(withOtherSignature(es256), dpaRecipient, now);
    const one = openClickToPayToken(es256, dpaRecipient, now);
    const [first, second] = [one, other].map((each) =>
      each.kind === 'opened' ? each.card.tokenId : each.reason,
    );
    expect(withOtherSignature(es256)).not.toBe(es256);
    expect(second).toBe(first);
  });

  it.each(refusedRows(clickToPay))('is refused as %s: %s', (reason, _, token) => {
    expect(open(token)).toBe(reason);
  });

  it.each([
    ['no parts', 'token', 'unreadable'],
    ['a part too many', `${ofNetwork}.`, 'unreadable'],
    ['JSON around it', JSON.stringify({ checkoutResponse: ofNetwork }), 'unreadable'],
    ['another payload', ofNetwork.replace(/\.[^.]+\./, '.e30.'), 'altered'],
    ['its signature left out', ofNetwork.replace(/[^.]+$/, ''), 'altered'],
  ])('is refused with %s', (_, token, reason) => {
    expect(open(token)).toBe(reason);
  });

  it('is of any issuer where the system has no name', () => {
    const systems = srcSystems(clickToPay.systems.map(({ keys }) => ({ keys })));
    const noIssuer = clickToPay.refused['wrongChain']!['no issuer']!;
    expect(open(noIssuer, { ...dpaRecipient, systems })).toEqual(TOKEN);
  });
});

describe("a recipient's settings", () => {
  it('may have keys beside, to which others write', () => {
    const [first, ...others] = clickToPay.systems;
    const set = setOf(published(), { ...published(), kid: '2', use: 'enc' });
    expect(srcSystems([first!, set, ...others])[1]?.keys.map(({ keyId }) => keyId)).toEqual([
      'RS256',
    ]);
  });

  const { keyId } = clickToPay.keys[0]!;
  const systems = srcSystems(clickToPay.systems);

  it('need keys of RSA', () => {
    const keys = [{ keyId, privateKey: google.privateKeys[0]! }];
    expect(() => clickToPayRecipient({ srcDpaId: 'x', keys, systems })).toThrow('of RSA');
  });

  it.each([
    ['no system', [], 'no SRC system'],
    ['no set', [{ keys: {} }], 'a JWK set with a key that signs'],
    ['nothing but a key to write to', [setOf({ ...published(), use: 'enc' })], 'that signs'],
    ['an algorithm that is not taken', [setOf({ ...published(), alg: 'RS512' })], 'RS256 or PS256'],
    ['the algorithm of a curve', [setOf({ ...published(), alg: 'ES256' })], 'RS256 or PS256'],
    ['another curve', [setOf(otherCurve())], 'of the curve P-256'],
    ['a key without an id', [{ keys: { keys: [{ kty: 'RSA' }] } }], 'needs a kid'],
    ['a secret', [{ keys: { keys: [{ kid: '1', kty: 'oct', k: 'AA' }] } }], ''],
    [
      'a curve that signs otherwise',
      [{ keys: { keys: [{ kid: '1', kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }] } }],
      'are of RSA',
    ],
  ])('are refused with %s', (_, settings, reason) => {
    expect(() => srcSystems(settings)).toThrow(reason);
  });
});

/** The first key of the system of the vectors. */
function published(): object {
  const { keys } = clickToPay.systems[1]!.keys as { keys: readonly object[] };
  return keys[0]!;
}

function otherCurve(): object {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
  return { ...publicKey.export({ format: 'jwk' }), kid: '1' };
}

function setOf(...keys: readonly object[]) {
  return { keys: { keys } };
}

/** The other of the two signatures that a curve has for one text. */
function withOtherSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  const bytes = Buffer.from(token.slice(at), 'base64url');
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex');
  return token.slice(0, at) + Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url');
}
