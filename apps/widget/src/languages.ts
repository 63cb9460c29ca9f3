import type { TextName, Texts } from './english.js';

/** The 25 languages by the names of the interface (Interface 4), and what browsers call them. */
export const languages = {
  en: 'en',
  de: 'de',
  fr: 'fr',
  es: 'es',
  it: 'it',
  nl: 'nl',
  dk: 'da',
  fi: 'fi',
  se: 'sv',
  tr: 'tr',
  ja: 'ja',
  sl: 'sl',
  pt: 'pt',
  pl: 'pl',
  cz: 'cs',
  hu: 'hu',
  bg: 'bg',
  ro: 'ro',
  ru: 'ru',
  cn: 'zh',
  gr: 'el',
  no: 'no',
  sk: 'sk',
  ar: 'ar',
  ko: 'ko',
} as const;

/** A language as files and the attribute `lang` name it. */
export type Language = (typeof languages)[keyof typeof languages];

/** The two written Norwegians. */
const NORWEGIAN = ['nb', 'nn'];

/**
 * The language of a locale (`de`, `de-AT`, `de_AT`, also by a country as the interface has it: `dk`);
 * undefined if it is none of them.
 */
export function languageOf(locale: string): Language | undefined {
  const [word = ''] = locale.toLowerCase().split(/[-_]/);
  if (NORWEGIAN.includes(word)) return 'no';
  const known = Object.entries(languages).find(
    ([name, language]) => name === word || language === word,
  );
  return known?.[1];
}

/** Which way a language is written. Numbers of cards go from left to right in all of them. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** What the shop says instead, by name. */
export type OwnTexts = Readonly<Partial<Record<TextName, string>>>;

/** What is said. */
export function textsWith(texts: Texts, own: OwnTexts): Texts {
  return { ...texts, ...own };
}
