import { describe, expect, it } from '@jest/globals';
import { directionOf, languageOf, languages } from './languages.js';

describe('the language of a locale', () => {
  it.each([
    ['en', 'en'],
    ['en-US', 'en'],
    ['de-AT', 'de'],
    ['pt_BR', 'pt'],
    ['DK', 'da'],
    ['da', 'da'],
    ['se', 'sv'],
    ['cz', 'cs'],
    ['cn', 'zh'],
    ['zh-TW', 'zh'],
    ['gr', 'el'],
    ['nb-NO', 'no'],
    ['ar', 'ar'],
    ['xx', undefined],
    ['', undefined],
  ])('%j is %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language);
  });

  it('is one of 25', () => {
    expect(new Set(Object.values(languages)).size).toBe(25);
  });

  it('is written to the left in Arabic alone', () => {
    const leftwards = Object.values(languages).filter((one) => directionOf(one) === 'rtl');
    expect(leftwards).toEqual(['ar']);
  });
});
