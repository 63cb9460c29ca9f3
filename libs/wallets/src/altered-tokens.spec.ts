import { describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { openApplePayToken } from './apple-pay.js';
import { openClickToPayToken } from './click-to-pay.js';
import { openGooglePayToken } from './google-pay.js';
import { openSamsungPayToken } from './samsung-pay.js';
import {
  apple,
  appleRecipient,
  clickToPay,
  dpaRecipient,
  google,
  googleRecipient,
  samsung,
  samsungRecipient,
} from './vectors-fixtures.js';
import type { WalletOpening } from './wallet-card.js';

/** Each bit, one after the other: each byte is altered in one way, which is another for the next. */
const MASKS = [1, 2, 4, 8, 16, 32, 64];

function withByte(token: string, at: number, mask: number): string {
  const byte = String.fromCharCode(token.charCodeAt(at) ^ mask);
  return `${token.slice(0, at)}${byte}${token.slice(at + 1)}`;
}

/** Where a token is opened although a byte of it was altered. */
function openedAlterations(token: string, open: (token: string) => WalletOpening): string[] {
  expect(open(token).kind).toBe('opened');
  const found: string[] = [];
  for (let at = 0; at < token.length; at += 1) {
    const altered = withByte(token, at, MASKS[at % MASKS.length]!);
    if (open(altered).kind === 'opened' && !saysTheSame(token, altered)) {
      found.push(`${at}: ${altered.slice(Math.max(0, at - 20), at + 20)}`);
    }
  }
  return found;
}

/** JSON has several ways to write one value (\u003d, \u003D): the same token in other letters. */
function saysTheSame(token: string, altered: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(token), JSON.parse(altered));
  } catch {
    return false;
  }
}

describe('a token with one byte altered is refused', () => {
  const [appleNow, googleNow, samsungNow] = [apple, google, samsung].map(
    ({ now }) => new Date(now),
  );
  const last = <Value>(values: readonly Value[]): Value => values.at(-1)!;

  it.each(Object.entries(apple.opened))(
    'Apple Pay, %s',
    (_, token) => {
      const open = (text: string) => openApplePayToken(text, appleRecipient, appleNow!);
      expect(openedAlterations(token, open)).toEqual([]);
    },
    300_000,
  );

  it('Google Pay', () => {
    const open = (text: string) => openGooglePayToken(text, googleRecipient, googleNow!);
    expect(openedAlterations(last(Object.values(google.opened)), open)).toEqual([]);
  }, 300_000);

  it.each(Object.entries(samsung.opened))(
    'Samsung Pay, %s',
    (_, token) => {
      const open = (text: string) => openSamsungPayToken(text, samsungRecipient, samsungNow!);
      expect(openedAlterations(token, open)).toEqual([]);
    },
    300_000,
  );

  it.each(Object.entries(clickToPay.opened))(
    'Click to Pay, %s',
    (_, token) => {
      const now = new Date(clickToPay.now);
      const open = (text: string) => openClickToPayToken(text, dpaRecipient, now);
      expect(openedAlterations(token, open)).toEqual([]);
    },
    300_000,
  );
});
