import type { AccountNumber, Cryptogram, Cvv, Pan } from '@sluice/secrets';

/**
 * The accounts between which a card payment moves money (Interface 2.13). They may be an IBAN or the
 * number of another card, so they are held with the card and stand in no command or event (D-45).
 */
export interface TransferAccounts {
  /** `sender.accountNumber`. */
  readonly senderAccount?: AccountNumber;
  /** `recipient.accountNumber`. */
  readonly recipientAccount?: AccountNumber;
}

/**
 * What else of a payment the acquirer alone may see. It goes the way of the card: held with it, revealed
 * for the connector's call, and gone with the outcome (S-PCI-03).
 */
export interface HeldWithCard extends TransferAccounts {
  /** `threeDSecure.verificationId`. */
  readonly cryptogram?: Cryptogram;
}

/** A card as edge hands it over, before anyone else sees it. */
export interface CardToHold extends HeldWithCard {
  readonly number: Pan;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly holder?: string;
  readonly cvv?: Cvv;
}

/** What stands for the card from then on. */
export interface HeldCard {
  /** Opaque, at most 64 characters; names the vault instance that has the security code (D-42). */
  readonly reference: string;
  /** Keyed hash of number and expiry, hex: for duplicate detection, never reversible (D-36). */
  readonly fingerprint: string;
}

/** A card in clear, for one connector call. `cvv` is absent once it is forgotten. */
export interface RevealedCard extends HeldWithCard {
  readonly number: Pan;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly holder?: string;
  readonly cvv?: Cvv;
}

/** Where card data goes (D-05): in process in the sandbox, HTTP with mutual TLS in the cluster. */
export interface Vault {
  /** Keeps the card, encrypted, until it is forgotten or expires. */
  hold(card: CardToHold): Promise<HeldCard>;
  /** The card in clear, or undefined when it is gone: expired, forgotten or lost in a crash. */
  reveal(reference: string): Promise<RevealedCard | undefined>;
  /** Forgets card and security code; forgetting twice is no error. */
  forget(reference: string): Promise<void>;
}
