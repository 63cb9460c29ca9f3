import { describe, expect, it } from '@jest/globals';
import { checksOf, isAvs, isCvv } from './card-checks.js';

const APPROVED = '000.100.110';

const card = { securityCodeSent: true, addressSent: false, wished: {} };
const bare = { ...card, securityCodeSent: false };

describe('the checks of a card', () => {
  it('without a security code, an address and a wish are none', () => {
    expect(checksOf(bare, APPROVED)).toEqual({});
  });

  it('find that what was sent matches', () => {
    expect(checksOf(card, APPROVED)).toEqual({ cvv: 'M' });
    expect(checksOf({ ...bare, addressSent: true }, APPROVED)).toEqual({ avs: 'F' });
    expect(checksOf({ ...card, addressSent: true }, '800.400.104')).toEqual({ avs: 'A', cvv: 'M' });
  });

  it.each([
    ['000.400.020', { cvv: 'N' }],
    ['800.100.153', { cvv: 'N' }],
    ['000.400.010', { avs: 'N', cvv: 'M' }],
    ['800.400.100', { avs: 'N', cvv: 'M' }],
    ['800.400.101', { avs: 'Z', cvv: 'M' }],
    ['800.400.102', { avs: 'Z', cvv: 'M' }],
    ['800.400.104', { avs: 'A', cvv: 'M' }],
    ['800.400.110', { avs: 'N', cvv: 'M' }],
    ['800.100.152', { cvv: 'M' }],
  ])('agree with the result code %s', (resultCode, found) => {
    expect(checksOf(card, resultCode)).toEqual(found);
  });

  it('are what was wished for, whatever was sent and decided', () => {
    const wished = { avs: 'F', cvv: 'S' };
    expect(checksOf({ ...bare, wished }, '800.400.100')).toEqual(wished);
    expect(checksOf({ ...card, addressSent: true, wished }, '800.100.153')).toEqual(wished);
  });
});

describe('a wish', () => {
  it('is one letter of the interface', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    expect(letters.filter(isAvs).join('')).toBe('AFNUZ');
    expect(letters.filter(isCvv).join('')).toBe('MNPSU');
  });

  it.each(['', 'm', 'MM', ' M', '123', 7, null, ['M']])('is never %j', (value) => {
    expect([isAvs(value), isCvv(value)]).toEqual([false, false]);
  });
});
