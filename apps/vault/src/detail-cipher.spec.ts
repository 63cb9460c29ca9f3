import { describe, expect, it } from '@jest/globals';
import type { DetailsToHold, RevealedInstrument } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { createSecretKey, generateKeySync, randomUUID } from 'node:crypto';
import {
  type DataKey,
  detailFingerprint,
  openDetails,
  SealBrokenError,
  sealDetails,
} from './detail-cipher.js';

const PAN = '4200000000000042';
const card: DetailsToHold = {
  kind: 'card',
  details: {
    'card.number': new Detail(PAN),
    'card.expiryMonth': new Detail('05'),
    'card.expiryYear': new Detail('2034'),
  },
  inMemory: { 'card.cvv': new Detail('918') },
};

const IBAN = 'DE23100000001234567890';

function textsOf({ details }: RevealedInstrument): Record<string, string> {
  return Object.fromEntries(
    Object.entries(details).map(([name, detail]) => [name, detail.reveal()]),
  );
}

/** The same card with other details. */
function cardWith(changes: Readonly<Record<string, string>>): DetailsToHold {
  const others = Object.entries(changes).map(([name, text]) => [name, new Detail(text)] as const);
  return { ...card, details: { ...card.details, ...Object.fromEntries(others) } };
}

function dataKey(): DataKey {
  return { id: randomUUID(), key: generateKeySync('aes', { length: 256 }) };
}

describe('a sealed card', () => {
  it('opens under its reference to the same card without the security code', () => {
    const key = dataKey();
    const opened = openDetails(sealDetails(card, 'vault-0.a', key), 'vault-0.a', key.key);
    expect(opened.kind).toBe('card');
    expect(textsOf(opened)).toEqual({
      'card.number': PAN,
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
    });
  });

  it.each([
    ['a bank account', { 'bankAccount.iban': IBAN }],
    ['a transfer', { 'card.number': PAN, 'sender.accountNumber': IBAN }],
    ['an authentication', { 'card.number': PAN, 'threeDSecure.verificationId': 'AAACAgSRBkk=' }],
  ])('keeps all details of %s, whatever their names', (_what, texts) => {
    const key = dataKey();
    const details = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, new Detail(text)]),
    );
    const sealed = sealDetails({ kind: 'bankAccount', details }, 'vault-0.a', key);
    const opened = openDetails(sealed, 'vault-0.a', key.key);
    expect(opened.kind).toBe('bankAccount');
    expect(textsOf(opened)).toEqual(texts);
    for (const text of Object.values(texts)) expect(sealed.ciphertext.includes(text)).toBe(false);
  });

  it('shows nothing of the card and never the same twice', () => {
    const key = dataKey();
    const first = sealDetails(card, 'vault-0.a', key);
    const second = sealDetails(card, 'vault-0.a', key);
    expect(first.ciphertext.includes(PAN)).toBe(false);
    expect(first.ciphertext.equals(second.ciphertext)).toBe(false);
    expect(first.nonce.equals(second.nonce)).toBe(false);
  });

  it('does not open under another reference, key id or key (S-KEY-01)', () => {
    const key = dataKey();
    const sealed = sealDetails(card, 'vault-0.a', key);
    const other = dataKey();
    expect(() => openDetails(sealed, 'vault-0.b', key.key)).toThrow(SealBrokenError);
    expect(() => openDetails({ ...sealed, dataKeyId: other.id }, 'vault-0.a', key.key)).toThrow(
      SealBrokenError,
    );
    expect(() => openDetails(sealed, 'vault-0.a', other.key)).toThrow(SealBrokenError);
  });

  it('does not open with any bit of it changed', () => {
    const key = dataKey();
    const sealed = sealDetails(card, 'vault-0.a', key);
    for (const field of ['nonce', 'ciphertext'] as const) {
      for (let index = 0; index < sealed[field].length; index += 1) {
        const altered = Buffer.from(sealed[field]);
        altered[index] = altered[index]! ^ 1;
        expect(() => openDetails({ ...sealed, [field]: altered }, 'vault-0.a', key.key)).toThrow(
          SealBrokenError,
        );
      }
    }
    const short = { ...sealed, ciphertext: sealed.ciphertext.subarray(0, 8) };
    expect(() => openDetails(short, 'vault-0.a', key.key)).toThrow(SealBrokenError);
  });
});

describe('a fingerprint (S-PCI-06)', () => {
  const key = createSecretKey(Buffer.alloc(32, 7));

  it('is the same for the same details in any order, whatever is in memory alone', () => {
    const fingerprint = detailFingerprint(card, key);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const details = Object.fromEntries(Object.entries(card.details).reverse());
    const inMemory = { 'card.cvv': new Detail('111') };
    expect(detailFingerprint({ kind: 'card', details, inMemory }, key)).toBe(fingerprint);
  });

  it('differs with each detail, the instrument and the key', () => {
    const all = [
      detailFingerprint(card, key),
      detailFingerprint(cardWith({ 'card.number': '4200000000000000' }), key),
      detailFingerprint(cardWith({ 'card.expiryMonth': '06' }), key),
      detailFingerprint(cardWith({ 'card.expiryYear': '2035' }), key),
      detailFingerprint(cardWith({ 'sender.accountNumber': IBAN }), key),
      detailFingerprint({ ...card, kind: 'tokenAccount' }, key),
      detailFingerprint(card, createSecretKey(Buffer.alloc(32, 8))),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
