import type { Amount } from '@sluice/money';
import { Detail } from '@sluice/secrets';

/** What a wallet's payment token says, once its signatures are checked and it is decrypted. */
export interface WalletCard {
  /** The card's own number, or the number that its network gave the device. */
  readonly number: Detail;
  /** Which of the two it is (Interface 2.4, `card.numberType`). */
  readonly numberType: 'PAN' | 'DPAN';
  /** Two digits. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  readonly holder?: string;
  /** Proves this one payment to the issuer (Interface 2.16, `threeDSecure.verificationId`). */
  readonly cryptogram?: Detail;
  /** Two digits (Interface 2.16, `threeDSecure.eci`). */
  readonly eci?: string;
  /** What the shopper has agreed to pay, where the token says so. */
  readonly amount?: Amount;
  /** For which transaction of ours it was made, where the token says so. */
  readonly transaction?: string;
  /** The same for every copy of this token and for no other: whoever pays twice with it replays it. */
  readonly tokenId: string;
  /** From then on nobody opens it any more, so that nobody has to know its id. */
  readonly goodUntil: Date;
}

/**
 * Why a token is refused.
 *
 * - `unreadable`: too long, not of the provider's form, or its contents are none of a card;
 * - `unsupported`: a version, algorithm or kind of contents that is not served;
 * - `otherMerchant`: made for a key or a merchant that is not the recipient's;
 * - `wrongChain`: who signed it has no certificate or key that leads to the provider's root;
 * - `altered`: a signature, an authentication code or a sealed text is not that of what it stands for;
 * - `unknownKey`: rightly signed for the recipient, but encrypted for a key that the recipient lacks;
 * - `expired`: it, or a key that signed it, is older than allowed;
 * - `early`: it, or a certificate of it, comes from the future.
 */
export const walletRefusals = [
  'unreadable',
  'unsupported',
  'otherMerchant',
  'wrongChain',
  'altered',
  'unknownKey',
  'expired',
  'early',
] as const;

/** One of `walletRefusals`. */
export type WalletRefusal = (typeof walletRefusals)[number];

/** A token that is not taken. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: WalletRefusal;
}

/** What opening a token gives. */
export type WalletOpening = { readonly kind: 'opened'; readonly card: WalletCard } | Refused;

/** A refusal for this reason. */
export function refused(reason: WalletRefusal): Refused {
  return { kind: 'refused', reason };
}

/** As ISO/IEC 7812 has them, and no shorter than any network issues. */
const CARD_NUMBER = /^[0-9]{12,19}$/;
const MONTH = /^(?:0[1-9]|1[0-2])$/;
/** No token is for a card of another century, and an expiry like 9999 is none. */
const YEAR = /^20[0-9]{2}$/;
/** One digit or two: networks write `5` and `05` alike. */
const ECI = /^[0-9]{1,2}$/;
/** Networks' cryptograms have 20 bytes; Interface 2.8 takes up to 32 characters. */
const CRYPTOGRAM = /^[A-Za-z0-9+/]{2,32}={0,2}$/;
const CRYPTOGRAM_LENGTH_MAX = 32;
/** Interface 2.4: at most 128 characters. */
const HOLDER_LENGTH_MAX = 128;

/** The parts of a card as tokens have them, before anything is known of their form. */
export interface CardParts {
  readonly number: unknown;
  readonly numberType: WalletCard['numberType'];
  readonly month: unknown;
  readonly year: unknown;
  readonly holder?: unknown;
  readonly cryptogram?: unknown;
  readonly eci?: unknown;
}

/** What the parts of a card say; the rest is said by the token around them. */
export type CardOfToken = Omit<WalletCard, 'amount' | 'transaction' | 'tokenId' | 'goodUntil'>;

/** The card of these parts; nothing if one of them is not of its form. */
export function cardOf(parts: CardParts): CardOfToken | undefined {
  const { number, month, year, holder, cryptogram, eci } = parts;
  if (!matches(number, CARD_NUMBER) || !matches(month, MONTH) || !matches(year, YEAR)) return;
  if (eci !== undefined && !matches(eci, ECI)) return;
  if (cryptogram !== undefined && !matches(cryptogram, CRYPTOGRAM)) return;
  if (cryptogram !== undefined && cryptogram.length > CRYPTOGRAM_LENGTH_MAX) return;
  if (holder !== undefined && !(typeof holder === 'string' && holder.length <= HOLDER_LENGTH_MAX)) {
    return;
  }
  return {
    number: new Detail(number),
    numberType: parts.numberType,
    expiryMonth: month,
    expiryYear: year,
    ...(holder !== undefined && holder.trim() !== '' && { holder }),
    ...(cryptogram !== undefined && { cryptogram: new Detail(cryptogram) }),
    ...(eci !== undefined && { eci: eci.padStart(2, '0') }),
  };
}

function matches(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}
