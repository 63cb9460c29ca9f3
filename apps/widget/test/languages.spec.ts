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

  it.each(others)('%s says where the name of a brand stands, and an amount', (language) => {
    expect(textsOf(language)['goOn']?.split('{brand}')).toHaveLength(2);
    expect(textsOf(language)['payAmount']?.split('{amount}')).toHaveLength(2);
  });
});
