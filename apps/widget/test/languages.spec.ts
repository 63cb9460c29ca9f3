import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { english } from '../src/english.js';
import { languages } from '../src/languages.js';

const folder = new URL('../src/languages/', import.meta.url);
const textsOf = (language: string) =>
  JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Record<string, string>;
const others = Object.values(languages).filter((language) => language !== 'en');

/** Abbreviations, which are the same in every language: English has them for all. */
const EVERYWHERE = ['accountIban', 'accountBic'];
const translated = Object.entries(english).filter(([name]) => !EVERYWHERE.includes(name));

describe('the languages of the forms', () => {
  it('are files, one for each but English', () => {
    const files = others.map((language) => `${language}.json`);
    expect(readdirSync(folder).sort()).toEqual(files.sort());
  });

  it.each(others)('%s says all that English says, in its own words', (language) => {
    const texts = textsOf(language);
    expect(Object.keys(texts)).toEqual(translated.map(([name]) => name));
    const same = translated.filter(([name, text]) => name !== 'mmyy' && texts[name] === text);
    expect(same).toEqual([]);
    for (const text of Object.values(texts)) expect(text.trim()).toBe(text);
  });

  it.each(others)('%s ends its sentences where English does', (language) => {
    const texts = textsOf(language);
    for (const [name, text] of translated) {
      expect([name, /[.。]$/.test(texts[name] ?? '')]).toEqual([name, text.endsWith('.')]);
    }
  });

  it.each(others)(
    '%s is set as it is printed, without quotes and dots of typewriters',
    (language) => {
      for (const text of Object.values(textsOf(language)))
        expect(text).not.toMatch(/['"]|\.\.\.|\s\s/);
    },
  );

  it('fr has spaces before its marks that do not break a line', () => {
    const all = Object.values(textsOf('fr')).join('\n');
    expect(all).toMatch(/\u00a0:/);
    expect(all).not.toMatch(/[^\u00a0]:|[^\u202f][?!;]/);
  });

  it('it says tu, es Compruebe, and ko -해 주세요: each speaks to the shopper in one way', () => {
    const allOf = (language: string) => Object.values(textsOf(language)).join('\n');
    expect(allOf('it')).not.toMatch(/Controlli|Scelga|Riprovi|Torni|Confermi|utilizzi|paghi/i);
    expect(allOf('es')).not.toMatch(/Revis[ea]/i);
    expect(allOf('ko')).not.toMatch(/하세요/);
  });

  it.each(others)('%s says where the name of a brand stands, and an amount', (language) => {
    expect(textsOf(language)['goOn']?.split('{brand}')).toHaveLength(2);
    expect(textsOf(language)['payAmount']?.split('{amount}')).toHaveLength(2);
  });
});
