import {
  type DetailsToHold,
  type DetailsToKeep,
  type HeldDetails,
  type KeptBefore,
  type KeepingVault,
  type KeptChange,
  type KeptDetails as Kept,
  type RevealedInstrument,
  RegistrationForgotten,
  type Vault,
} from '@sluice/contracts';
import { random } from '@sluice/identifiers';
import type { Detail } from '@sluice/secrets';
import type { Clock } from '@sluice/service';
import type { KeyObject } from 'node:crypto';
import {
  type Account,
  detailFingerprint,
  type OpenedDetails,
  openDetails,
  type SealedDetails,
  sealDetails,
} from './detail-cipher.js';
import type { DetailMemory } from './detail-memory.js';
import type { DataKeys } from './data-keys.js';
import type { HeldDetailRows } from './held-detail-rows.js';
import { momentaryBuffer, momentaryDetails } from './momentary-details.js';
import { accountFingerprint, KeptDetails } from './kept-details.js';
import type { SpentDetails } from './spent-details.js';
import type { VaultMetrics } from './vault-metrics.js';

const REFERENCE_RANDOM_BYTES = 16;
const CARD_NUMBER = 'card.number';
const REFERENCE = /^[a-z0-9-]{1,24}\.[0-9a-f]{32}$/;

/** The parts of the vault. */
export interface DetailVaultParts {
  /**
   * The name of this instance, which references begin with (D-42): 1 to 24 of a-z, 0-9 and hyphen.
   */
  readonly instance: string;
  readonly fingerprintKey: KeyObject;
  readonly rows: HeldDetailRows;
  readonly kept: KeptDetails;
  readonly memory: DetailMemory;
  readonly spent: SpentDetails;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  readonly metrics: VaultMetrics;
}

/**
 * Holds what payments are made with (D-42): the details in an encrypted, unlogged row that expires,
 * and a security code only in this process's memory. Keeps what registrations are of, without it.
 */
export class DetailVault implements Vault, KeepingVault {
  readonly #parts: DetailVaultParts;

  constructor(parts: DetailVaultParts) {
    this.#parts = parts;
  }

  async hold(toHold: DetailsToHold): Promise<HeldDetails> {
    const { instance, fingerprintKey, rows, memory, dataKeys, clock, metrics } = this.#parts;
    const reference = `${instance}.${random(REFERENCE_RANDOM_BYTES).toString('hex')}`;
    const sealed = sealDetails(toHold, reference, await dataKeys.forEncryption());
    await rows.insert(reference, sealed);
    const inMemory = toHold.inMemory && momentaryBuffer(toHold.inMemory);
    memory.remember(reference, sealed, inMemory, clock.monotonicMs());
    metrics.held.add();
    const fingerprint = detailFingerprint(toHold, fingerprintKey);
    const { merchantId, kept } = toHold;
    // What is held beside kept details is no account: theirs is known.
    if (merchantId === undefined || kept !== undefined) return { reference, fingerprint };
    const ofAccount = accountFingerprint(toHold, merchantId, fingerprintKey);
    return { reference, fingerprint, accountFingerprint: ofAccount };
  }

  async reveal(reference: string, use?: 'last'): Promise<RevealedInstrument | undefined> {
    if (KeptDetails.isKept(reference)) return this.#revealKept(reference);
    if (!REFERENCE.test(reference)) return undefined;
    const revealed = await this.#reveal(reference);
    if (use === 'last' && revealed !== undefined) {
      // At once: a security code is gone before its payment has an outcome (D-42).
      this.#parts.memory.forgetUnwritten(reference);
      this.#parts.spent.add(reference);
    }
    return revealed;
  }

  /** The number of a card that is held or kept, for whoever may know nothing else of it. */
  async revealNumber(reference: string): Promise<Detail | undefined> {
    if (KeptDetails.isKept(reference)) {
      return (await this.#revealKept(reference)).details[CARD_NUMBER];
    }
    if (!REFERENCE.test(reference)) return undefined;
    const { memory, rows, clock } = this.#parts;
    const remembered = memory.recall(reference, clock.monotonicMs());
    const sealed = remembered?.sealed ?? (await rows.select(reference));
    const opened = sealed && (await this.#openWhole(sealed, reference));
    return opened?.details[CARD_NUMBER];
  }

  async keep(toKeep: DetailsToKeep): Promise<Kept | KeptBefore | undefined> {
    const { kept, metrics } = this.#parts;
    const held = await this.#openToKeep(toKeep.heldReference);
    // It may have been kept before the held details were forgotten, and the answer was lost.
    if (held === undefined) return kept.find(toKeep.registrationId);
    const answer = await kept.keep(held, toKeep);
    if ('reference' in answer) metrics.kept.add();
    return answer;
  }

  /**
   * What is held, for whatever of the vault keeps it. Without what is in memory only: a security code is
   * never kept (S-PCI-03).
   */
  async openHeld(reference: string): Promise<Account | undefined> {
    if (!REFERENCE.test(reference)) return undefined;
    const { memory, rows, clock } = this.#parts;
    const remembered = memory.recall(reference, clock.monotonicMs());
    const sealed = remembered?.sealed ?? (await rows.select(reference));
    return sealed && this.#open(sealed, reference);
  }

  async changeKept(change: KeptChange): Promise<boolean> {
    const isChanged = await this.#parts.kept.change(change);
    this.#parts.metrics.keptChanged.add();
    return isChanged;
  }

  async forgetKept(registrationId: string): Promise<void> {
    await this.#parts.kept.forget(registrationId);
    this.#parts.metrics.keptForgotten.add();
  }

  async #revealKept(reference: string): Promise<RevealedInstrument> {
    const { kept, metrics } = this.#parts;
    const revealed = await kept.reveal(reference);
    if (revealed === undefined) {
      metrics.revealedNothing.add();
      throw new RegistrationForgotten();
    }
    metrics.revealedKept.add();
    return revealed;
  }

  /** What is kept for one registration can be kept for another. */
  #openToKeep(reference: string): Promise<Account | undefined> {
    return KeptDetails.isKept(reference)
      ? this.#parts.kept.account(reference)
      : this.openHeld(reference);
  }

  async #reveal(reference: string): Promise<RevealedInstrument | undefined> {
    const { memory, rows, clock, metrics } = this.#parts;
    const remembered = memory.recall(reference, clock.monotonicMs());
    if (remembered) {
      const opened = await this.#openWhole(remembered.sealed, reference);
      metrics.revealedFromMemory.add();
      return opened && withDetails(opened, remembered.inMemory);
    }
    const sealed = await rows.select(reference);
    const opened = sealed && (await this.#openWhole(sealed, reference));
    if (opened) metrics.revealedFromRow.add();
    else metrics.revealedNothing.add();
    return opened;
  }

  /** Together with the kept details that it goes with; nothing without them. */
  async #openWhole(
    sealed: SealedDetails,
    reference: string,
  ): Promise<RevealedInstrument | undefined> {
    const opened = await this.#open(sealed, reference);
    if (opened === undefined) return undefined;
    const { kind, details, kept: keptReference } = opened;
    if (keptReference === undefined) return { kind, details };
    const kept = await this.#revealKept(keptReference);
    return { ...kept, details: { ...kept.details, ...details } };
  }

  async forget(reference: string): Promise<void> {
    if (KeptDetails.isKept(reference) || !REFERENCE.test(reference)) return;
    this.#parts.memory.forget(reference);
    this.#parts.metrics.forgotten.add();
    await this.#parts.rows.delete(reference);
  }

  async #open(sealed: SealedDetails, reference: string): Promise<OpenedDetails | undefined> {
    const key = await this.#parts.dataKeys.forDecryption(sealed.dataKeyId);
    return key && openDetails(sealed, reference, key);
  }
}

function withDetails(opened: RevealedInstrument, inMemory: string | undefined): RevealedInstrument {
  return { ...opened, details: { ...opened.details, ...momentaryDetails(inMemory) } };
}
