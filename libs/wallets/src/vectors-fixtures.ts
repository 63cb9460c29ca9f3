import { readFileSync } from 'node:fs';
import { applePayRecipient, type ApplePayMerchant } from './apple-pay.js';
import { clickToPayRecipient, srcSystems } from './click-to-pay.js';
import { googlePayRecipient } from './google-pay.js';
import { samsungPayRecipient } from './samsung-pay.js';
import type { WalletOpening } from './wallet-card.js';

/** What every file of vectors has. */
interface Vectors {
  /** When the tokens are opened. */
  readonly now: string;
  /** By what is special about each. */
  readonly opened: Readonly<Record<string, string>>;
  /** By reason, then by what is wrong. */
  readonly refused: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export type AppleVectors = Vectors & {
  readonly root: string;
  readonly merchants: readonly ApplePayMerchant[];
  /** A merchant whose certificate says nothing of an id. */
  readonly withoutId: ApplePayMerchant;
};
export type GoogleVectors = Vectors & Parameters<typeof googlePayRecipient>[0];
export type SamsungVectors = Vectors & Parameters<typeof samsungPayRecipient>[0];

export type ClickToPayVectors = Vectors &
  Omit<Parameters<typeof clickToPayRecipient>[0], 'systems'> & {
    readonly systems: Parameters<typeof srcSystems>[0];
  };

/** The vectors of this name, and a thing of type `Of` in them. */
export function vectors<Of>(name: string): Of {
  const file = new URL(`../test/vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Of;
}

export const apple = vectors<AppleVectors>('apple-pay');
export const google = vectors<GoogleVectors>('google-pay');
export const samsung = vectors<SamsungVectors>('samsung-pay');
export const clickToPay = vectors<ClickToPayVectors>('click-to-pay');
export const appleRecipient = applePayRecipient({ ...apple, roots: [apple.root] });
export const googleRecipient = googlePayRecipient(google);
export const samsungRecipient = samsungPayRecipient(samsung);
export const dpaRecipient = clickToPayRecipient({
  ...clickToPay,
  systems: srcSystems(clickToPay.systems),
});

/** The rows of a table of tests: reason, what is wrong, token. */
export function refusedRows({ refused }: Vectors): readonly [string, string, string][] {
  return Object.entries(refused).flatMap(([reason, tokens]) =>
    Object.entries(tokens).map(
      ([what, token]) => [reason, what, token] as [string, string, string],
    ),
  );
}

/** What an opening says, with its secrets in clear, as expectations state it. */
export function plain(opening: WalletOpening) {
  if (opening.kind === 'refused') return opening.reason;
  const { number, cryptogram, amount, ...rest } = opening.card;
  return {
    ...rest,
    number: number.reveal(),
    ...(cryptogram && { cryptogram: cryptogram.reveal() }),
    ...(amount && { amount: `${amount.minor} ${amount.currency}` }),
  };
}
