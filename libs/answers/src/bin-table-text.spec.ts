import { describe, expect, it } from '@jest/globals';
import { parseBinTable } from './bin-table-text.js';

const whole = {
  prefix: '457173',
  type: 'DEBIT',
  level: 'CLASSIC',
  country: 'DK',
  issuer: { bank: 'Bank', phone: '+45 1', website: 'https://bank.example' },
  regulated: true,
  maxPanLength: 16,
  binType: 'PERSONAL',
};
const parse = (...bins: readonly unknown[]) => parseBinTable(JSON.stringify({ bins }));

describe('a file of card details', () => {
  it('is in force as it stands, and nothing else is', () => {
    const table = parse(whole, { prefix: '5' });
    expect(table.size).toBe(2);
    expect(table.fieldsOf('457173')).toEqual({
      ...{ type: 'DEBIT', level: 'CLASSIC', country: 'DK', binCountry: 'DK' },
      ...{ issuer: whole.issuer, regulatedFlag: 'true', maxPanLength: '16', binType: 'PERSONAL' },
    });
    expect(table.fieldsOf('512345')).toEqual({});
    expect(table.fieldsOf('420000')).toBeUndefined();
  });

  it('may have what is in an issuer left out', () => {
    const issuer = { bank: 'Bank' };
    expect(parse({ prefix: '4', issuer }).fieldsOf('400000')).toEqual({ issuer });
  });

  it('tells brands, also by more digits than are kept of a card', () => {
    const table = parse(
      { ...whole, brands: ['dankort', 'VISA'] },
      { prefix: '45717399', country: 'SE' },
    );
    expect(table.rangeOf('45717312')).toEqual({
      ...{ brands: ['DANKORT', 'VISA'], country: 'DK', type: 'DEBIT' },
    });
    expect(table.rangeOf('45717399')).toEqual({ brands: [], country: 'SE' });
    expect(table.rangeOf('420000')).toEqual({ brands: [] });
    expect(table.fieldsOf('45717399')).toMatchObject({ country: 'DK' });
  });

  it.each([
    ['no list', 'bins must be a list of rows', { bins: {} }],
    ['no row', 'bins must be a list of rows', { bins: [] }],
    ['a list alone', 'content must be an object', []],
    ['another field', 'content must have no other fields than bins', { bins: [whole], x: 1 }],
  ])('with %s is refused', (_, message, content) => {
    expect(() => parseBinTable(JSON.stringify(content))).toThrow(`names a file whose ${message}`);
  });

  it.each<[string, object | string | null]>([
    ['bins[1] must be an object', null],
    ['bins[1] must be an object', 'x'],
    ['bins[1] must have no other fields than prefix, type', { ...whole, colour: 'red' }],
    ['bins[1].prefix must be one to 8 digits', { ...whole, prefix: '457173000' }],
    ['bins[1].prefix must be one to 8 digits', { ...whole, prefix: '' }],
    ['bins[1].prefix must be one to 8 digits', { ...whole, prefix: 457173 }],
    ['bins[1].prefix must be one to 8 digits', { type: 'DEBIT' }],
    ['bins[1].prefix must not be that of an earlier row', { prefix: '1' }],
    ['bins[1].brands must be a list of 1 to 8 brands', { prefix: '2', brands: 'VISA' }],
    ['bins[1].brands must be a list of 1 to 8 brands', { prefix: '2', brands: [] }],
    ['bins[1].brands must be a list of 1 to 8 brands', { prefix: '2', brands: ['PAYPAL'] }],
    ['bins[1].brands must be a list of 1 to 8 brands', { prefix: '2', brands: ['VISA', 'visa'] }],
    ['bins[1].country must be two letters of ISO 3166-1', { ...whole, country: 'XX' }],
    ['bins[1].country must be two letters of ISO 3166-1', { ...whole, country: 45 }],
    ['bins[1].type must be text of 1 to 2048 characters', { ...whole, type: '' }],
    ['bins[1].level must be text', { ...whole, level: 'x'.repeat(2_049) }],
    ['bins[1].binType must be text', { ...whole, binType: 1 }],
    ['bins[1].regulated must be true or false', { ...whole, regulated: 'true' }],
    ['bins[1].maxPanLength must be 8 to 19', { ...whole, maxPanLength: 20 }],
    ['bins[1].maxPanLength must be 8 to 19', { ...whole, maxPanLength: '16' }],
    ['bins[1].issuer must be an object', { ...whole, issuer: 'Bank' }],
    ['bins[1].issuer must have no other fields', { ...whole, issuer: { name: 'Bank' } }],
    ['bins[1].issuer.phone must be text', { ...whole, issuer: { phone: 45 } }],
  ])('is refused by the first row that is wrong: %s', (message, row) => {
    expect(() => parse({ prefix: '1' }, row, { prefix: 'wrong too' })).toThrow(
      `names a file whose ${message}`,
    );
  });

  it('that is not JSON is refused without a word of it', () => {
    expect(() => parseBinTable('4200000000000000')).toThrow('content must be an object');
    expect(() => parseBinTable('secret')).toThrow(/^names a file that is not JSON$/);
  });
});
