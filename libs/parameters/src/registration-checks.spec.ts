import { describe, expect, it } from '@jest/globals';
import type { ShownInstrument } from '@sluice/contracts';
import { parseForm } from './form-parser.js';
import type { Form } from './form.js';
import {
  registeredInstrumentOf,
  registrationRejection,
  storedRejection,
} from './registration-checks.js';

const NOON_MS = Date.UTC(2026, 0, 15, 12);

const card = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};

function formOf(parameters: Readonly<Record<string, string>>): Form {
  const parsed = parseForm(new URLSearchParams(parameters).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.form;
}

describe('what is agreed when a card is stored', () => {
  const stores = (said: Readonly<Record<string, string>>) =>
    registrationRejection(
      formOf({
        ...card,
        ...Object.fromEntries(
          Object.entries(said).map(([name, value]) => [`standingInstruction.${name}`, value]),
        ),
      }),
      NOON_MS,
      'INTERNAL',
    );

  it('is refused where it allows no payment any more', () => {
    const initial = { mode: 'INITIAL', source: 'CIT', type: 'RECURRING' };
    expect(stores({ ...initial, expiry: '2020-01-01' })).toEqual({
      ...{ code: '600.200.501' },
      description: expect.stringContaining('expiry 2020-01-01 is over'),
    });
    expect(stores({ ...initial, expiry: '2030-01-01' })).toBeUndefined();
  });

  it('is refused where it cannot be agreed', () => {
    expect(stores({ mode: 'INITIAL', source: 'MIT' })?.code).toBe('100.900.500');
    expect(stores({ mode: 'REPEATED', source: 'MIT' })).toBeUndefined();
  });
});

describe('a card that is stored for installments', () => {
  it.each([
    ['3', '600.200.500'],
    ['1', undefined],
    ['0', undefined],
    ['', undefined],
    ['x', '600.200.500'],
  ])('(%s) is %s', (number, code) => {
    const form = formOf({ ...card, 'recurring.numberOfInstallments': number });
    expect(registrationRejection(form, NOON_MS, 'INTERNAL')?.code).toBe(code);
  });
});

describe('what was stored', () => {
  it('says that the brand is another one, also where no card is stored', () => {
    const stored: ShownInstrument = {
      ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
      ...{ expiryMonth: '05', expiryYear: '2034' },
    };
    expect(storedRejection(stored, formOf({ paymentBrand: 'MASTER' }), NOON_MS)).toEqual({
      ...{ code: '100.100.700' },
      description: expect.stringContaining('must be the one that is stored, or absent'),
    });
    expect(storedRejection(stored, formOf({ paymentBrand: 'VISA' }), NOON_MS)).toBeUndefined();
  });

  it('is paid in installments where it is a card', () => {
    const inThree = formOf({ paymentType: 'DB', 'recurring.numberOfInstallments': '3' });
    const shown: ShownInstrument = {
      ...{ kind: 'card', bin: '420000', last4: '0000', brand: 'VISA' },
      ...{ expiryMonth: '05', expiryYear: '2034' },
    };
    expect(storedRejection(shown, inThree, NOON_MS)).toBeUndefined();
    const { code, description } = storedRejection(token, inThree, NOON_MS) ?? {};
    expect(code).toBe('600.200.500');
    expect(description).toContain('recurring.numberOfInstallments must be 0, 1 or absent');
  });

  const token: ShownInstrument = {
    ...{ kind: 'tokenAccount', paymentMethod: 'NT', brand: 'VISA' },
    ...{ maskedNumber: '************0075' },
  };

  it.each([
    ['in its last month', { expiryMonth: '01', expiryYear: '2026' }, undefined],
    ['whose time is over', { expiryMonth: '12', expiryYear: '2025' }, '100.100.303'],
    ['that never expires', {}, undefined],
  ])('is a token %s', (_case, expiry, code) => {
    const rejection = storedRejection({ ...token, ...expiry }, formOf({}), NOON_MS);
    expect(rejection?.code).toBe(code);
  });
});

it('of a token, what is stored says when it expires, if that was sent', () => {
  const sent = {
    ...{ paymentBrand: 'VISA', 'tokenAccount.number': '4200000000000075' },
    'tokenAccount.type': 'NETWORK',
  };
  const expiry = { 'tokenAccount.expiryMonth': '11', 'tokenAccount.expiryYear': '2034' };
  expect(registeredInstrumentOf(formOf({ ...sent, ...expiry }))).toMatchObject({
    ...{ kind: 'tokenAccount', expiryMonth: '11', expiryYear: '2034' },
  });
  expect(registeredInstrumentOf(formOf(sent))).not.toHaveProperty('expiryYear');
});

describe('a card that is stored with a wish for an authentication', () => {
  const stored = (wish: Readonly<Record<string, string>>) =>
    registrationRejection(formOf({ ...card, ...wish }), NOON_MS, 'INTERNAL');

  it.each([
    { 'threeDSecure.challengeIndicator': '04' },
    { 'threeDSecure.npa': 'true' },
    { 'threeDSecure.threeRIInd': 'RECURRING' },
  ])('%j is refused, because nobody would be asked', (wish) => {
    expect(stored(wish)).toEqual({
      code: '600.200.500',
      description: expect.stringContaining('nobody is asked when an account is stored'),
    });
  });

  it.each([
    { 'threeDSecure.challengeIndicator': '02' },
    { 'threeDSecure.npa': 'false' },
    { 'threeDSecure.npa': 'true', 'threeDSecure.disable': 'true' },
    { 'customParameters[3DS2_enrolled]': 'true' },
  ])('%j is stored', (wish) => {
    expect(stored(wish)).toBeUndefined();
  });
});
