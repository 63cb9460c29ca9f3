import { afterEach, describe, expect, it } from '@jest/globals';
import { browserFields } from './browser-fields.js';

const before = { navigator: globalThis.navigator, screen: globalThis.screen };

function withBrowser(language: string | undefined, colorDepth: unknown = 24): Map<string, string> {
  Object.defineProperty(globalThis, 'navigator', { value: { language }, configurable: true });
  const screen = { width: 1440, height: 900, colorDepth };
  Object.defineProperty(globalThis, 'screen', { value: screen, configurable: true });
  return new Map(browserFields());
}

afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
});

describe('what a card form tells of its browser', () => {
  it('is what issuers ask for', () => {
    expect([...withBrowser('de-DE').keys()].map((name) => name.split('.').at(-1))).toEqual([
      ...['language', 'screenWidth', 'screenHeight', 'screenColorDepth', 'timezone'],
      'javaEnabled',
    ]);
  });

  it.each([
    ['de-DE', 'de-DE'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['C', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['en_US.UTF-8', 'en'],
  ])('has no language that the gateway would refuse: %s', (said, told) => {
    expect(withBrowser(said).get('customer.browser.language')).toBe(told);
  });

  it('leaves out what is no number', () => {
    expect(withBrowser('de', Infinity).has('customer.browser.screenColorDepth')).toBe(false);
  });
});
