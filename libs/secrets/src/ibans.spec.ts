import { describe, expect, it } from '@jest/globals';
import { ibanPlaces, isIban } from './ibans.js';
import { replacedIn } from './separated-numbers.js';

const IBAN = 'DE23100000001234567890';

function hidden(text: string): string {
  return replacedIn(text, ibanPlaces(text), (part) => '*'.repeat(part.length));
}

describe('IBANs in a text', () => {
  it.each([
    [IBAN, '*'.repeat(22)],
    [`note=${IBAN} 4111`, `note=${'*'.repeat(22)} 4111`],
    [`x${IBAN}9`, `x${'*'.repeat(22)}9`],
    ['de23 1000 0000 1234 5678 90, thanks', '**** **** **** **** **** **, thanks'],
    ['DE23-1000-0000-1234-5678-90', '****-****-****-****-****-**'],
    ['DE23 10000000 1234567890', '**** ******** **********'],
    ['DE23\r\n1000\r\n0000\r\n1234\r\n5678\r\n90', '****\r\n****\r\n****\r\n****\r\n****\r\n**'],
    ['GB29 NWBK 6016 1331 9268 19.', '**** **** **** **** **** **.'],
    ['gb29nwbk60161331926819', '*'.repeat(22)],
    ['NO9386011117947', '*'.repeat(15)],
    ['NO93 8601 1117 947', '**** **** **** ***'],
    ['MT84MALT011000012345MTLCAST001S', '*'.repeat(31)],
    ['ＤＥ２３１０００００００１２３４５６７８９０', '*'.repeat(22)],
    ['DE%32%33100000001234567890', '*'.repeat(26)],
    ['DE23%201000%200000%201234%205678%2090', '****%20****%20****%20****%20****%20**'],
    [`${IBAN} FR1420041010050500013M02606`, `${'*'.repeat(22)} ${'*'.repeat(27)}`],
  ])('%j becomes %j', (text, masked) => {
    expect(hidden(text)).toBe(masked);
  });

  it.each([
    ['other check digits', 'DE24100000001234567890'],
    ['a digit too few', 'DE2310000000123456789'],
    ['a country without IBANs', 'US23100000001234567890'],
    // Check digits that are right, and a letter where Germany has none.
    ['the form of no account', 'DE2410000000123456789A'],
    ['words between its parts', 'DE23 1000 and 0000 1234 5678 90'],
    ['blanks in plenty', 'DE23    1000    0000    1234    5678    90'],
    ['several marks in odd groups', 'DE23 10000000-1234567890'],
    ['letters in odd groups', 'GB29NW BK601613 31926819'],
    ['a country that stands apart', 'NO 9386011117947'],
    ['nothing', ''],
  ])('%s is none: %j', (_, text) => {
    expect(hidden(text)).toBe(text);
  });

  it('has the form of its country and right check digits', () => {
    expect(['DE23100000001234567890', 'GB29NWBK60161331926819'].every(isIban)).toBe(true);
    expect(['', 'DE', 'XX23100000001234567890', 'GB29123460161331926819'].some(isIban)).toBe(false);
  });

  it('leaves what shops write alone', () => {
    let state = 1;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    const digits = (count: number): string =>
      Array.from({ length: count }, () => String(next(10))).join('');
    const parts = [
      () => `invoice no ${digits(13)}`,
      () => `be ${digits(14)} at ${digits(18)} or so`,
      () => `see AB${digits(4)}-DE${digits(9)}`,
      () => `https://shop.example/de${digits(2)}/article/${digits(10)}`,
      () => `2026-0${digits(1)}-1${digits(1)} 10:${digits(2)}:00`,
      () => `EAN ${digits(13)}, DIN${digits(8)}`,
    ];
    const texts = Array.from({ length: 5_000 }, () =>
      Array.from({ length: 3 }, () => parts[next(parts.length)]?.() ?? '').join(' for '),
    );
    expect(texts.filter((text) => hidden(text) !== text)).toEqual([]);
  });

  it('takes a moment even for 8 KiB made to be slow', () => {
    const startedAt = performance.now();
    for (const text of [
      'DE23'.repeat(2_048),
      'DE2310000000123456789'.repeat(390),
      'GT00'.repeat(2_048),
      'LC12LCLCLC12'.repeat(680),
      'DE23 - '.repeat(1_170),
      'ＤＥ２３'.repeat(680),
      '%44%45%32%33'.repeat(680),
      '%25'.repeat(2_730),
    ]) {
      ibanPlaces(text);
    }
    // A machine that runs other suites meanwhile has some milliseconds for each; squares take minutes.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
