import type { Detail } from '@sluice/secrets';
import type { EntityId } from '@sluice/identifiers';
import type { Expiry } from './expiry.js';
import type { InstrumentKind, ShownInstrument } from './instruments.js';
import type { AmountMessage } from './messages.js';
import type { WalletName } from './wallets.js';

/** Details in clear, by wire name: `card.number`, `bankAccount.iban`. */
export type SecretDetails = Readonly<Record<string, Detail>>;

/**
 * What only the acquirer may see of a payment: all that the catalogue of parameters calls account
 * data. Edge gives it to the vault before any other service sees it. Besides the number or IBAN of
 * the instrument, that is the accounts of a transfer (D-45) and the proof of an authentication
 * (S-PCI-03).
 */
export interface DetailsToHold {
  readonly kind: InstrumentKind;
  /** May wait for the acquirer in an encrypted row. */
  readonly details: SecretDetails;
  /** In memory only, as a security code (D-42). */
  readonly inMemory?: SecretDetails;
  /** The reference of kept details, which these are revealed together with. */
  readonly kept?: string;
  /** Whose payments are told by the fingerprint of the account; absent: nobody asks for it. */
  readonly merchantId?: EntityId;
  /** Of a bank account by its national number, whose fingerprint is of both. */
  readonly bank?: AccountBank;
}

/** Which bank keeps an account: many banks have one of the same number. Each as it was sent, where it was. */
export interface AccountBank {
  readonly country?: string;
  readonly code?: string;
  readonly bic?: string;
}

/** What stands for the details from then on. */
export interface HeldDetails {
  /** Opaque, at most 64 characters; names the vault instance that has the security code (D-42). */
  readonly reference: string;
  /** Keyed hash of `details`, hex: for duplicate detection, never reversible (D-36). */
  readonly fingerprint: string;
  /**
   * Keyed hash of the account alone, hex, as that of `KeptDetails`. An older vault does not answer it.
   */
  readonly accountFingerprint?: string;
}

/** Held details that are to be kept for later payments. */
export interface DetailsToKeep {
  /** As `hold` answered it, or `keep` for another registration. */
  readonly heldReference: string;
  /** What they are kept for; keeping again for the same one keeps nothing twice. */
  readonly registrationId: string;
  /** The fingerprint is this merchant's own. */
  readonly merchantId: string;
  /** Who could use them: the same account is kept for them once, where that is asked for. */
  readonly scope?: string;
  /** What is kept for the same account within the scope already is to be used instead. */
  readonly mayBeExisting?: true;
}

/** What stands for kept details from then on. */
export interface KeptDetails {
  /** Opaque, at most 64 characters; any instance of the vault reveals it. */
  readonly reference: string;
  /** Keyed hash of the account, hex: the same account of the same merchant has the same one. */
  readonly fingerprint: string;
}

/** The same account is kept already, and nothing was kept a second time. */
export interface KeptBefore {
  /** The registration that it is kept for. */
  readonly keptFor: string;
  /** That of the account as it came now, where it is another one. */
  readonly expiry?: Expiry;
}

/** A change of kept details. */
export interface KeptChange {
  readonly registrationId: string;
  /**
   * Grows with every change of the same registration: one that comes late, after a later one, changes
   * nothing any more.
   */
  readonly revision: number;
  /** In place of the one that is kept. */
  readonly expiry: Expiry;
}

/** An instrument in clear, for one connector call. What was held in memory may be forgotten. */
export interface RevealedInstrument {
  readonly kind: InstrumentKind;
  readonly details: SecretDetails;
}

/**
 * What is to be revealed was kept for a registration, and the vault has forgotten it for good: the
 * registration was deleted, or its time was over. Unlike what is lost, nothing brings it back.
 */
export class RegistrationForgotten extends Error {
  override readonly name = 'RegistrationForgotten';

  constructor() {
    super('What was kept for a registration has been forgotten for good.');
  }
}

/**
 * Where account data goes (D-05): in process in the sandbox, HTTP with mutual TLS in the cluster.
 */
export interface Vault {
  /** Keeps the details, encrypted, until they are forgotten or expire. */
  hold(details: DetailsToHold): Promise<HeldDetails>;
  /**
   * The details in clear, or undefined when they are gone: expired, forgotten or lost in a crash.
   * After the last use a security code is forgotten at once, and the rest by itself, seconds later,
   * so that an answer that was lost can be asked for again.
   * @throws RegistrationForgotten where they are kept, or go with what is kept, and that is no more
   */
  reveal(reference: string, use?: 'last'): Promise<RevealedInstrument | undefined>;
  /** Forgets what is held; forgetting twice is no error, and what is kept stays. */
  forget(reference: string): Promise<void>;
}

/** A payment that is to be made with the token of a wallet. */
export interface TokenToOpen {
  readonly wallet: WalletName;
  /** All account data of the payment, with the token among it as `<wallet>.paymentToken`. */
  readonly toHold: DetailsToHold;
  /** What is to be paid: a token that was given for something else is refused. */
  readonly amount: AmountMessage;
  /** The brand of cards that the merchant named, if any. */
  readonly brand?: string;
  /** The channel and its merchant, whose tokens alone count. */
  readonly entityIds: readonly EntityId[];
  /** Which transaction of ours the page has named in its sheet: a token of another one is refused. */
  readonly transaction?: string;
  /** Who uses the token up, opaque: the same one may ask again, as a repeated request does. */
  readonly usedBy: string;
}

/**
 * Why a payment cannot be made with a token.
 *
 * - `noKeys`: the installation has no keys of this wallet for the merchant;
 * - `otherAmount`, `otherCurrency`: the shopper agreed to pay something else;
 * - `otherCheckout`: it was given on the page of another checkout, or of none;
 * - `usedBefore`: it was used for another payment;
 * - `number`, `brand`, `cardExpired`: the card in it;
 * - all others: the token itself.
 */
export const tokenRefusals = [
  ...(['unreadable', 'unsupported', 'otherMerchant', 'wrongChain', 'altered'] as const),
  ...(['unknownKey', 'expired', 'early', 'noKeys', 'otherAmount', 'otherCurrency'] as const),
  ...(['otherCheckout', 'usedBefore', 'number', 'brand', 'cardExpired'] as const),
] as const;

/** One of `tokenRefusals`. */
export type TokenRefusal = (typeof tokenRefusals)[number];

/** What becomes of a token; `fingerprint` is of the token as it was sent, as that of `HeldDetails`. */
export type OpenedToken =
  | {
      readonly kind: 'held';
      readonly fingerprint: string;
      /** As of `HeldDetails`, with the account of the card that was in it. */
      readonly reference: string;
      readonly accountFingerprint?: string;
      /** What may be shown of the card that was in it. */
      readonly card: Extract<ShownInstrument, { readonly kind: 'card' }>;
      readonly holder?: string;
      /** Two digits (Interface 2.17, `threeDSecure.eci`). */
      readonly eci?: string;
    }
  | { readonly kind: 'refused'; readonly fingerprint: string; readonly reason: TokenRefusal };

/** The part of the vault that opens the tokens of wallets (page 0057). */
export interface TokenVault {
  /** Holds the card that is in the token, and the other account data of its payment. */
  openToken(toOpen: TokenToOpen): Promise<OpenedToken>;
}

/** A bank account that is held, and is to be kept for the file of an order. */
export interface BankAccountToKeep {
  /** As `hold` answered it. */
  readonly heldReference: string;
  /** Whose account it is, 32 hexadecimal digits; keeping again for the same order keeps nothing twice. */
  readonly orderId: string;
}

/**
 * The part of the vault for whoever writes bank accounts into files (page 0061). It knows what it was
 * given to keep for orders and nothing else: what is held or kept as another instrument, or kept for a
 * registration, is answered like what nobody holds or keeps.
 */
export interface BankAccountVault {
  /** Keeps a held bank account until it is forgotten on purpose; false if none is held or kept. */
  keepBankAccount(toKeep: BankAccountToKeep): Promise<boolean>;
  /** What is kept for an order, in clear; undefined if nothing is. */
  revealBankAccount(orderId: string): Promise<RevealedInstrument | undefined>;
  /** Forgets for good what is kept for an order, with its key; twice is no error. */
  forgetBankAccount(orderId: string): Promise<void>;
}

/**
 * The part of the vault for what a shopper has typed and not yet paid with (page 0068): edge gives it away
 * and takes it back for the one payment that is made of it. It knows nothing else that is held or kept.
 */
export interface SavingVault {
  /**
   * Holds the details until they are forgotten, for so many milliseconds at the most: in an encrypted row,
   * and in memory only what is for memory only. Answers what stands for them from then on.
   */
  saveDetails(details: DetailsToHold, lifeMs: number): Promise<string>;
  /**
   * Those that are left, in clear: of an instance that was lost, not what was in memory only. Undefined
   * where they have expired or were forgotten.
   */
  readSaved(reference: string): Promise<SecretDetails | undefined>;
  /** Forgets them for good; twice is no error. */
  forgetSaved(reference: string): Promise<void>;
}

/**
 * The part of the vault for authentications of shoppers (Interface 2.17). Risk comes to a card's number and to
 * nothing else of it (D-44), and payments to the cryptogram that the issuer gave for it.
 */
export interface AuthenticationVault {
  /** The number of a card that is held or kept; undefined where it is gone. */
  revealNumber(reference: string): Promise<Detail | undefined>;
  /** Holds the cryptogram of an authentication, and answers what stands for it from then on. */
  holdProof(cryptogram: Detail): Promise<string>;
  /** The cryptogram in clear; undefined when it is gone. */
  revealProof(reference: string): Promise<Detail | undefined>;
}

/** The part of the vault that keeps details for later payments. */
export interface KeepingVault {
  /** Keeps what is held until it is forgotten on purpose; undefined if it is held no more. */
  keep(toKeep: DetailsToKeep): Promise<KeptDetails | KeptBefore | undefined>;
  /** Changes what is kept; false if nothing is. Done twice, it is done once. */
  changeKept(change: KeptChange): Promise<boolean>;
  /** Forgets for good what is kept for a registration, with its key; twice is no error. */
  forgetKept(registrationId: string): Promise<void>;
}
