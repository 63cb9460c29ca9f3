import { describe, expect, it } from '@jest/globals';
import { AccountNumber, Cryptogram, Cvv, Pan } from '@sluice/secrets';
import { createSecretKey, generateKeySync, randomUUID } from 'node:crypto';
import {
  cardFingerprint,
  type DataKey,
  openCard,
  SealBrokenError,
  sealCard,
} from './card-cipher.js';

const PAN = '4200000000000042';
const card = {
  number: new Pan(PAN),
  expiryMonth: '05',
  expiryYear: '2034',
  holder: 'Jane Jones',
  cvv: new Cvv('918'),
};

function dataKey(): DataKey {
  return { id: randomUUID(), key: generateKeySync('aes', { length: 256 }) };
}

describe('a sealed card', () => {
  it('opens under its reference to the same card without the security code', () => {
    const key = dataKey();
    const opened = openCard(sealCard(card, 'vault-0.a', key), 'vault-0.a', key.key);
    expect(opened.number.reveal()).toBe(PAN);
    expect(opened).toMatchObject({ expiryMonth: '05', expiryYear: '2034', holder: 'Jane Jones' });
    expect(opened).not.toHaveProperty('cvv');
  });

  it.each([{ holder: 'Jane Jones' }, {}])('keeps the accounts of a transfer, %j', (named) => {
    const key = dataKey();
    const { holder: _, ...nameless } = card;
    const accounts = {
      senderAccount: new AccountNumber('4111111111111111'),
      recipientAccount: new AccountNumber('DE23100000001234567890'),
    };
    const sealed = sealCard({ ...nameless, ...named, ...accounts }, 'vault-0.a', key);
    const opened = openCard(sealed, 'vault-0.a', key.key);
    expect(opened.senderAccount?.reveal()).toBe('4111111111111111');
    expect(opened.recipientAccount?.reveal()).toBe('DE23100000001234567890');
    expect(opened.holder).toBe(named.holder);
    expect(opened.number.reveal()).toBe(PAN);
    expect(openCard(sealCard(card, 'vault-0.a', key), 'vault-0.a', key.key)).not.toHaveProperty(
      'senderAccount',
    );
  });

  it('keeps the cryptogram of an authentication', () => {
    const key = dataKey();
    const cryptogram = new Cryptogram('AAACAgSRBklmQCFgMpEGAAAAAAA=');
    const sealed = sealCard({ ...card, cryptogram }, 'vault-0.a', key);
    const opened = openCard(sealed, 'vault-0.a', key.key);
    expect(opened.cryptogram?.reveal()).toBe(cryptogram.reveal());
    expect(opened).not.toHaveProperty('senderAccount');
    expect(sealed.ciphertext.toString('latin1')).not.toContain(cryptogram.reveal());
    const without = openCard(sealCard(card, 'vault-0.a', key), 'vault-0.a', key.key);
    expect(without).not.toHaveProperty('cryptogram');
  });

  it('has no holder when it was given none', () => {
    const key = dataKey();
    const { holder: _holder, ...nameless } = card;
    const opened = openCard(sealCard(nameless, 'vault-0.a', key), 'vault-0.a', key.key);
    expect(opened).not.toHaveProperty('holder');
  });

  it('shows nothing of the card and never the same twice', () => {
    const key = dataKey();
    const first = sealCard(card, 'vault-0.a', key);
    const second = sealCard(card, 'vault-0.a', key);
    expect(first.ciphertext.includes(PAN)).toBe(false);
    expect(first.ciphertext.equals(second.ciphertext)).toBe(false);
    expect(first.nonce.equals(second.nonce)).toBe(false);
  });

  it('does not open under another reference, key id or key (S-KEY-01)', () => {
    const key = dataKey();
    const sealed = sealCard(card, 'vault-0.a', key);
    const other = dataKey();
    expect(() => openCard(sealed, 'vault-0.b', key.key)).toThrow(SealBrokenError);
    expect(() => openCard({ ...sealed, dataKeyId: other.id }, 'vault-0.a', key.key)).toThrow(
      SealBrokenError,
    );
    expect(() => openCard(sealed, 'vault-0.a', other.key)).toThrow(SealBrokenError);
  });

  it('does not open with any bit of it changed', () => {
    const key = dataKey();
    const sealed = sealCard(card, 'vault-0.a', key);
    for (const field of ['nonce', 'ciphertext'] as const) {
      for (let index = 0; index < sealed[field].length; index += 1) {
        const altered = Buffer.from(sealed[field]);
        altered[index] = altered[index]! ^ 1;
        expect(() => openCard({ ...sealed, [field]: altered }, 'vault-0.a', key.key)).toThrow(
          SealBrokenError,
        );
      }
    }
    const short = { ...sealed, ciphertext: sealed.ciphertext.subarray(0, 8) };
    expect(() => openCard(short, 'vault-0.a', key.key)).toThrow(SealBrokenError);
  });
});

describe('a fingerprint (S-PCI-06)', () => {
  const key = createSecretKey(Buffer.alloc(32, 7));

  it('is the same for the same number and expiry, whatever else', () => {
    const fingerprint = cardFingerprint(card, key);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(cardFingerprint({ ...card, holder: 'Another', cvv: new Cvv('111') }, key)).toBe(
      fingerprint,
    );
  });

  it('differs with the number, the expiry and the key', () => {
    const all = [
      cardFingerprint(card, key),
      cardFingerprint({ ...card, number: new Pan('4200000000000000') }, key),
      cardFingerprint({ ...card, expiryMonth: '06' }, key),
      cardFingerprint({ ...card, expiryYear: '2035' }, key),
      cardFingerprint(card, createSecretKey(Buffer.alloc(32, 8))),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
