import { describe, expect, it } from '@jest/globals';
import type { AccountBank, InstrumentKind } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import { openDetails, sealDetails } from './detail-cipher.js';
import { accountFingerprint } from './kept-details.js';
import { card, numberOf } from './vault-fixture.js';

const MERCHANT = 'b'.repeat(32);
const KEY = createSecretKey(Buffer.alloc(32, 7));
const IBAN = 'DE23100000001234567890';

function fingerprint(
  kind: InstrumentKind,
  texts: Readonly<Record<string, string>>,
  bank?: AccountBank,
): string {
  const named = Object.entries(texts).map(([name, text]) => [name, new Detail(text)] as const);
  const account = { kind, details: Object.fromEntries(named), ...(bank && { bank }) };
  return accountFingerprint(account, MERCHANT, KEY);
}
const ofBank = (texts: Readonly<Record<string, string>>, bank?: AccountBank) =>
  fingerprint('bankAccount', texts, bank);

/** As it has always been made: lists of rules have such ones. */
function knownFingerprint(kind: InstrumentKind, name: string, text: string): string {
  return createHmac('sha256', KEY)
    .update(JSON.stringify(['registration', MERCHANT, kind, [[name, text]]]))
    .digest('hex');
}

describe('the fingerprint of an account', () => {
  it('stays that of before, of cards and of IBANs', () => {
    expect(accountFingerprint(card(1), MERCHANT, KEY)).toBe(
      knownFingerprint('card', 'card.number', numberOf(1)),
    );
    expect(ofBank({ 'bankAccount.iban': IBAN })).toBe(
      knownFingerprint('bankAccount', 'bankAccount.iban', IBAN),
    );
  });

  it('is one, however a bank account is sent', () => {
    const bank = { country: 'DE', code: '10000000' };
    const spelt = [
      ofBank({ 'bankAccount.iban': IBAN }),
      ofBank({ 'bankAccount.iban': IBAN, 'bankAccount.number': '1234567890' }),
      ofBank({ 'bankAccount.number': IBAN.toLowerCase() }),
      ofBank({ 'bankAccount.number': '1234567890' }, bank),
      ofBank({ 'bankAccount.number': '001234567890' }, bank),
    ];
    expect(new Set(spelt).size).toBe(1);
  });

  it('is another one of the same number at another bank', () => {
    const number = { 'bankAccount.number': '1234567890' };
    const codes = ['10000000', '10000001', '37040044'];
    expect(new Set(codes.map((code) => ofBank(number, { country: 'DE', code }))).size).toBe(3);
  });

  it('is one, however a gift card is sent', () => {
    const spelt = ['6006 4912 AB', '60064912ab', '6006-4912-AB'].map((number) =>
      fingerprint('giftCard', { 'giftCard.number': number }),
    );
    expect(new Set(spelt).size).toBe(1);
  });
});

describe('a sealed account', () => {
  it('has its bank with it', () => {
    const key = { id: randomUUID(), key: createSecretKey(Buffer.alloc(32, 1)) };
    const bank = { country: 'US', code: '021000021' };
    const details = { 'bankAccount.number': new Detail('12345') };
    const sealed = sealDetails({ kind: 'bankAccount', details, bank }, 'vault-0.a', key);
    expect(openDetails(sealed, 'vault-0.a', key.key).bank).toEqual(bank);
    const { 'bankAccount.number': number } = details;
    const without = sealDetails(
      { kind: 'bankAccount', details: { 'bankAccount.number': number } },
      'vault-0.a',
      key,
    );
    expect(openDetails(without, 'vault-0.a', key.key)).not.toHaveProperty('bank');
  });
});
