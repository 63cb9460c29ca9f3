import type { AccountNumber, Cvv, Pan } from '@sluice/secrets';

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

/** A card as edge hands it over, before anyone else sees it. */
export interface CardToHold extends TransferAccounts {
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
export interface RevealedCard extends TransferAccounts {
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
