import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { creditorsIn, takesMode } from './creditors.js';

const books = {
  ...{ name: 'Books', iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' },
  ...{ creditorId: 'DE98ZZZ09999999999', isLive: true },
};
const read = (told: object, name = 'books') =>
  creditorsIn(JSON.stringify({ creditors: { [name]: told } }));

describe('the file of creditors', () => {
  it('has creditors by name, whose account nobody sees who prints them', () => {
    const [creditor] = read(books);
    expect(creditor).toMatchObject({ name: 'books', creditorId: 'DE98ZZZ09999999999' });
    expect(inspect(creditor, { depth: 9 })).not.toContain('3704');
  });

  it('says of each whether its files move money', () => {
    const [live] = read(books);
    const [test] = read({ ...books, isLive: false });
    const modes = ['INTERNAL', 'EXTERNAL', 'LIVE'] as const;
    expect(modes.map((mode) => live && takesMode(live, mode))).toEqual([false, false, true]);
    expect(modes.map((mode) => test && takesMode(test, mode))).toEqual([true, true, false]);
  });

  it.each([
    ['a wrong digit of the IBAN', { ...books, iban: 'DE88370400440532013000' }, 'no valid IBAN'],
    ['a wrong BIC', { ...books, bic: 'X' }, 'no valid BIC'],
    ['a wrong identifier', { ...books, creditorId: 'DE97ZZZ09999999999' }, 'identifier'],
    ['no name', { ...books, name: '' }, 'no name'],
    ['no word of live money', { ...books, isLive: undefined }, 'isLive'],
    ['a field too many', { ...books, colour: 'red' }, '"colour"'],
  ])('is refused for %s, and its account is not repeated', (_, told, why) => {
    const reading = () => read(told);
    expect(reading).toThrow(why);
    expect(reading).not.toThrow(/[0-9]{8}/u);
  });

  it('is refused for what is no such file', () => {
    expect(() => creditorsIn('{')).toThrow('is no JSON');
    expect(() => creditorsIn('[]')).toThrow('must be');
    expect(() => read(books, 'Books & Co')).toThrow('other letters');
  });
});
