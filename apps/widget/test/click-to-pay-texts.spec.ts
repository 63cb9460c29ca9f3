import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { clickToPayEnglish } from '../src/click-to-pay-texts.js';
import { languages } from '../src/languages.js';

const folder = new URL('../src/click-to-pay-languages/', import.meta.url);
const others = Object.values(languages).filter((language) => language !== 'en');
const english: readonly (readonly [string, string])[] = Object.entries(clickToPayEnglish);

describe('what the sheet of Click to Pay says', () => {
  it('is in files, one for each language but English', () => {
    expect(readdirSync(folder).sort()).toEqual(others.map((one) => `${one}.json`).sort());
  });

  it.each(others)('is whole in %s, and in its own words', (language) => {
    const file = readFileSync(new URL(`${language}.json`, folder), 'utf8');
    const texts = JSON.parse(file) as typeof clickToPayEnglish;
    expect(Object.keys(texts)).toEqual(english.map(([name]) => name));
    const all: readonly (readonly [string, string])[] = Object.entries(texts);
    for (const [at, [name, text]] of all.entries()) {
      const [, inEnglish = ''] = english[at] ?? [];
      expect([name, text.trim() === text, text === inEnglish]).toEqual([name, true, false]);
      expect([name, /[.。]$/.test(text)]).toEqual([name, inEnglish.endsWith('.')]);
    }
    expect(texts.codeSent.split('{where}')).toHaveLength(2);
    expect(texts.noCards).toContain('Click to Pay');
  });
});
