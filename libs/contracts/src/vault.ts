import type { Detail } from '@sluice/secrets';
import type { InstrumentKind } from './instruments.js';

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
}

/** What stands for the details from then on. */
export interface HeldDetails {
  /** Opaque, at most 64 characters; names the vault instance that has the security code (D-42). */
  readonly reference: string;
  /** Keyed hash of `details`, hex: for duplicate detection, never reversible (D-36). */
  readonly fingerprint: string;
}

/** An instrument in clear, for one connector call. What was held in memory may be forgotten. */
export interface RevealedInstrument {
  readonly kind: InstrumentKind;
  readonly details: SecretDetails;
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
   */
  reveal(reference: string, use?: 'last'): Promise<RevealedInstrument | undefined>;
  /** Forgets all of it; forgetting twice is no error. */
  forget(reference: string): Promise<void>;
}
