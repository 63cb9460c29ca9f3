import { describe, expect, it } from '@jest/globals';
import {
  type TokenRefusal,
  tokenRefusals,
  walletBrands,
  type WalletName,
  walletNames,
} from '@sluice/contracts';
import { cardInToken } from './instruments/wallet-card.js';
import { registrationRejection, storedRejection } from './registration-checks.js';
import { instrumentKindOf, shownInstrumentOf } from './instruments.js';
import { firstRejection } from './payment-checks.js';
import { detailsToHold } from './held-details.js';
import { tokenRejection } from './token-rejection.js';
import { formOf } from './violations-fixture.js';
import { checkForm, violations } from './violations.js';

type Sent = Readonly<Record<string, string>>;

const nowMs = Date.parse('2026-03-15T12:00:00Z');
const paid = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const card = {
  ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  ...{ 'threeDSecure.verificationId': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', 'threeDSecure.eci': '05' },
};
const shown = {
  ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
  ...{ expiryMonth: '05', expiryYear: '2034' },
};

function asked(sent: Sent) {
  const form = formOf({ ...paid, ...sent });
  const { kind, violations } = checkForm(form, 'payments', 'INTERNAL');
  if (kind !== 'payment' && kind !== 'walletPayment') throw new Error(`it is a ${kind}`);
  const names = violations.map(({ name }) => name);
  const rejection = firstRejection(form, { kind, mode: 'INTERNAL', nowMs });
  return { form, kind, names, code: rejection?.code };
}

describe.each(walletNames)('%s, decrypted by the merchant', (wallet) => {
  const source = { [`${wallet}.source`]: 'app' };
  const brand = walletBrands[wallet];

  it('is paid by the card that was in it, of which the wallet is known', () => {
    const { form, kind, names, code } = asked({ ...card, ...source, paymentBrand: brand });
    expect({ kind, names, code }).toEqual({ kind: 'payment', names: [], code: undefined });
    expect(shownInstrumentOf(form, kind)).toEqual({
      ...{ ...shown, brandDetected: true, wallet, numberType: 'DPAN' },
    });
    expect(Object.keys(detailsToHold(form, kind)?.details ?? {})).toContain(
      'threeDSecure.verificationId',
    );
  });

  it('may name the brand of the card, and whose number it is', () => {
    const sent = { ...card, ...source, paymentBrand: 'VISA', 'card.numberType': 'PAN' };
    const { form, kind, code } = asked(sent);
    expect(code).toBeUndefined();
    expect(shownInstrumentOf(form, kind)).toEqual({ ...shown, wallet, numberType: 'PAN' });
  });

  it('says where the shopper paid, in whatever case its brand is named', () => {
    for (const paymentBrand of [
      brand,
      brand.toLowerCase(),
      `${brand[0]}${brand.slice(1).toLowerCase()}`,
    ]) {
      expect(asked({ ...card, paymentBrand }).names).toEqual([`${wallet}.source`]);
    }
    expect(asked({ ...card, paymentBrand: 'VISA' }).names).toEqual([]);
  });

  it('needs no security code, and everything else of a card', () => {
    const code = (more: Sent): unknown =>
      asked({ ...card, ...source, paymentBrand: brand, ...more }).code;
    expect(code({})).toBeUndefined();
    expect(code({ 'card.number': '4200000000000001' })).toBe('100.100.101');
    expect(code({ 'card.number': '0000000000000000' })).toBe('100.100.700');
    expect(code({ 'card.expiryYear': '2025' })).toBe('100.100.303');
    expect(code({ paymentBrand: 'MASTER' })).toBe('100.100.700');
    expect(code({ paymentBrand: walletBrands[otherThan(wallet)] })).toBe('100.100.700');
    expect(code({ paymentBrand: 'PAYPAL' })).toBe('600.200.500');
  });
});

describe.each(walletNames)('the token of %s', (wallet) => {
  const brand = walletBrands[wallet];
  const token = { [`${wallet}.paymentToken`]: '{}', paymentBrand: brand };

  it('is for the vault, and says nothing of a card', () => {
    const { form, kind, names, code } = asked(token);
    expect({ kind, names, code }).toEqual({ kind: 'walletPayment', names: [], code: undefined });
    expect(instrumentKindOf(form, kind)).toBe('wallet');
    expect(shownInstrumentOf(form, kind)).toEqual({ kind: 'wallet', brand, wallet });
    expect(Object.keys(detailsToHold(form, kind)?.details ?? {})).toEqual([
      `${wallet}.paymentToken`,
    ]);
  });

  it.each([
    ['no token at all', { [`${wallet}.paymentToken`]: '' }, '200.100.601'],
    ["another wallet's brand", { paymentBrand: walletBrands[otherThan(wallet)] }, '100.100.700'],
    ['a brand of neither cards nor wallets', { paymentBrand: 'PAYPAL' }, '100.100.700'],
    ['the brand of a card', { paymentBrand: 'visa' }, undefined],
  ])('is checked before it is opened: %s', (_, more, code) => {
    const sent = Object.entries({ ...token, ...more }).filter(([, value]) => value !== '');
    expect(asked(Object.fromEntries(sent)).code).toBe(code);
  });

  it('is stored with a payment, and not without one', () => {
    expect(asked({ ...token, createRegistration: 'true' }).code).toBeUndefined();
    const rejection = registrationRejection(formOf(token), nowMs, 'INTERNAL');
    expect(rejection?.code).toBe('600.200.500');
    expect(rejection?.description).toContain('createRegistration');
  });
});

describe.each(walletNames)('the brand of another wallet than %s', (wallet) => {
  const other = otherThan(wallet);
  const message = 'contradicts paymentBrand, which is that of another wallet';
  const faults = (sent: Sent) =>
    checkForm(formOf({ ...paid, ...sent }), 'payments', 'INTERNAL').violations;

  it.each([walletBrands[other], walletBrands[other].toLowerCase()])(
    'is refused by name: %s',
    (paymentBrand) => {
      const [source, token] = [`${wallet}.source`, `${wallet}.paymentToken`];
      expect(faults({ ...card, [source]: 'web', paymentBrand })).toEqual([
        { name: source, value: 'web', message },
      ]);
      // A token is repeated nowhere.
      expect(faults({ [token]: '{}', paymentBrand })).toEqual([{ name: token, message }]);
      expect(faults({ [token]: '{}', [source]: 'web', paymentBrand })).toMatchObject([
        ...[{ name: token }, { name: source }],
      ]);
    },
  );

  it('is refused where something is stored, and with a checkout', () => {
    const sent = { ...card, [`${wallet}.source`]: 'web', paymentBrand: walletBrands[other] };
    const { 'threeDSecure.eci': _, 'threeDSecure.verificationId': __, ...stored } = sent;
    const named = [{ name: `${wallet}.source` }];
    expect(violations(formOf(stored), 'registration', 'INTERNAL')).toMatchObject(named);
    const { paymentBrand } = sent;
    const form = formOf({ ...paid, paymentBrand, [`${wallet}.source`]: 'web' });
    expect(violations(form, 'checkout', 'INTERNAL')).toMatchObject(named);
  });
});

describe('two wallets', () => {
  it('contradict each other, as tokens and decrypted', () => {
    const tokens = { 'applePay.paymentToken': '{}', 'googlePay.paymentToken': '{}' };
    expect(asked({ ...tokens, paymentBrand: 'APPLEPAY' }).names).toEqual([
      'googlePay.paymentToken',
    ]);
    // The brand says which one is meant.
    expect(asked({ ...tokens, paymentBrand: 'googlepay' }).names).toEqual([
      'applePay.paymentToken',
    ]);
    const sources = { 'googlePay.source': 'web', 'applePay.source': 'web' };
    expect(asked({ ...card, ...sources, paymentBrand: 'VISA' }).names).toEqual(['applePay.source']);
  });
});

describe('a card out of a token', () => {
  const inToken = {
    ...({ wallet: 'applePay', numberType: 'DPAN' } as const),
    ...{ number: '4200000000000000', expiryMonth: '05', expiryYear: '2034' },
  };

  it('is shown as one that was sent', () => {
    const ofWallet = { wallet: 'applePay', numberType: 'DPAN' };
    expect(cardInToken(inToken, undefined, nowMs)).toEqual({
      kind: 'card',
      card: { ...shown, ...ofWallet, brandDetected: true },
    });
    expect(cardInToken(inToken, 'visa', nowMs)).toEqual({
      kind: 'card',
      card: { ...shown, ...ofWallet },
    });
  });

  it.each<[string, Partial<typeof inToken> & { brand?: string }, TokenRefusal]>([
    ['a wrong check digit', { number: '4200000000000001' }, 'number'],
    ['a number of no brand', { number: '0000000000000000' }, 'brand'],
    ['the number of another brand', { brand: 'MASTER' }, 'brand'],
    ['a brand that nobody knows', { brand: 'BOOKCARD' }, 'brand'],
    ['a time that is over', { expiryYear: '2026', expiryMonth: '02' }, 'cardExpired'],
  ])('is refused with %s', (_, { brand, ...change }, reason) => {
    expect(cardInToken({ ...inToken, ...change }, brand, nowMs)).toEqual({
      ...{ kind: 'refused', reason },
    });
  });
});

describe('the refusal of a token', () => {
  it.each(tokenRefusals)('%s has a code, and says no more than the reason', (refusal) => {
    const { code, description } = tokenRejection(refusal);
    expect(code).toMatch(/^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/);
    expect((description ?? '').length).toBeLessThanOrEqual(255);
  });

  it('says which it is', () => {
    expect(tokenRejection('expired')).toEqual({
      code: '200.100.603',
      description: 'the payment token of the wallet could not be decrypted - its time is over',
    });
    expect(tokenRejection('usedBefore').code).toBe('800.110.100');
    expect(tokenRejection('noKeys').code).toBe('600.200.500');
  });
});

describe('the stored number of a device', () => {
  const stored = { ...shown, kind: 'card', wallet: 'applePay', numberType: 'DPAN' } as const;
  const byMerchant = { 'standingInstruction.source': 'MIT' };

  it.each<[string, Sent, string | undefined]>([
    ['what the merchant initiates', byMerchant, undefined],
    ['the same in legacy words', { recurringType: 'REPEATED' }, undefined],
    ['what the shopper does', {}, '600.200.500'],
    ['what the shopper does again', { 'standingInstruction.source': 'CIT' }, '600.200.500'],
    ['one click', { recurringType: 'REGISTRATION_BASED' }, '600.200.500'],
    ['with a security code', { 'card.cvv': '123' }, '600.200.500'],
  ])('pays %s: %j is %s', (_, sent, code) => {
    expect(storedRejection(stored, formOf({ ...paid, ...sent }), nowMs)?.code).toBe(code);
  });

  it('is a card in everything else: its time, and its brand', () => {
    const code = (change: object, sent: Sent): unknown =>
      storedRejection({ ...stored, ...change }, formOf({ ...paid, ...byMerchant, ...sent }), nowMs)
        ?.code;
    expect(code({ expiryYear: '2025' }, {})).toBe('100.100.303');
    expect(code({}, { paymentBrand: 'MASTER' })).toBe('100.100.700');
    expect(code({}, { paymentBrand: 'visa' })).toBeUndefined();
    expect(code({}, { paymentBrand: 'applepay' })).toBeUndefined();
    expect(code({}, { paymentBrand: 'GOOGLEPAY' })).toBe('100.100.700');
    expect(code({ wallet: undefined }, { paymentBrand: 'APPLEPAY' })).toBe('100.100.700');
    expect(code({ numberType: 'PAN' }, {})).toBeUndefined();
  });

  it('that is the card’s own pays like any card', () => {
    const own = { ...stored, numberType: 'PAN' } as const;
    expect(storedRejection(own, formOf(paid), nowMs)).toBeUndefined();
  });
});

function otherThan(wallet: WalletName): WalletName {
  return walletNames.find((name) => name !== wallet) ?? wallet;
}
