import type { EntityId } from '@sluice/identifiers';
import type { Mode } from './payments.js';

/** The query `checkouts.wallets`: which wallets a channel has on its pages. */
export interface OfferedWalletsQuery {
  /** The channel, and then its merchant: what is set up for either is theirs. */
  readonly entityIds: readonly [channel: EntityId, merchant: EntityId];
  readonly mode: Mode;
  /** Where shoppers' browsers reach this gateway, without a slash at the end. */
  readonly publicUrl: string;
}

/** Its answer: nothing of a wallet that is not set up. */
export interface OfferedWalletsAnswer {
  readonly applePay?: OfferedApplePay;
  readonly googlePay?: OfferedGooglePay;
  readonly clickToPay?: OfferedClickToPay;
}

/** What a page has to know of Apple Pay. */
export interface OfferedApplePay {
  /** The provider's own script, for browsers that have no such wallet in them. */
  readonly script: string;
  /** Whether a simulator plays it, in every browser. */
  readonly isSimulated: boolean;
  /** The shop, as its shoppers read it, where the page does not say it. */
  readonly displayName?: string;
  readonly countryCode: string;
}

/** What a page has to know of Google Pay. */
export interface OfferedGooglePay {
  readonly script: string;
  /** Whether a simulator plays it, whatever else the page has loaded. */
  readonly isSimulated: boolean;
  readonly environment: 'TEST' | 'PRODUCTION';
  /** Our name with the provider, and whose payment it is. */
  readonly gateway: string;
  readonly gatewayMerchantId: EntityId;
  /** The merchant's id with the provider, which live payments need. */
  readonly merchantId?: string;
  readonly displayName?: string;
  readonly countryCode: string;
}

/** What a page has to know of Click to Pay. */
export interface OfferedClickToPay {
  /** Whether a simulator plays it, whatever else the page has loaded. */
  readonly isSimulated: boolean;
  /** The schemes' systems, in which shoppers have their cards. */
  readonly systems: readonly OfferedSrcSystem[];
  readonly displayName?: string;
}

/** A scheme's system, and as whom it knows us. */
export interface OfferedSrcSystem {
  readonly script: string;
  /** Where its script leaves its interface on the page: `SRCSDK_MASTERCARD`. */
  readonly global: string;
  /** The gateway, and the merchant. */
  readonly srcInitiatorId: string;
  readonly srciDpaId: string;
}

/**
 * The query `checkouts.applePaySession`: has Apple confirm that a page is the merchant's, for one sheet.
 * Checkouts does it because it alone calls what browsers name.
 */
export interface ApplePaySessionQuery extends OfferedWalletsQuery {
  /** As the shopper's browser has said it: whatever anybody likes. */
  readonly validationUrl: string;
  /** Of the page, as its browser says it. */
  readonly domain: string;
  readonly displayName?: string;
}

/** Its answer; a session is JSON that nobody but the wallet reads. */
export type ApplePaySessionAnswer =
  | { readonly kind: 'session'; readonly session: string }
  /** Apple Pay is not set up for the channel. */
  | { readonly kind: 'notSetUp' }
  /** It is none of the addresses at which Apple confirms pages. */
  | { readonly kind: 'foreignAddress' }
  /** Apple knows the merchant's page as somebody else's, or as nobody's. */
  | { readonly kind: 'notConfirmed' }
  | { readonly kind: 'unavailable' };
