import type { CardToHold, HeldCard, RevealedCard, Vault } from '@sluice/contracts';
import { random } from '@sluice/identifiers';
import { Cvv } from '@sluice/secrets';
import type { Clock } from '@sluice/service';
import type { KeyObject } from 'node:crypto';
import { cardFingerprint, openCard, type SealedCard, sealCard } from './card-cipher.js';
import type { CardMemory } from './card-memory.js';
import type { DataKeys } from './data-keys.js';
import type { HeldCardRows } from './held-card-rows.js';
import type { VaultMetrics } from './vault-metrics.js';

const REFERENCE_RANDOM_BYTES = 16;
const REFERENCE = /^[a-z0-9-]{1,24}\.[0-9a-f]{32}$/;

/** The parts of the vault. */
export interface CardVaultParts {
  /** This instance, as references name it (D-42): 1 to 24 of a-z, 0-9 and hyphen. */
  readonly instance: string;
  readonly fingerprintKey: KeyObject;
  readonly rows: HeldCardRows;
  readonly memory: CardMemory;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  readonly metrics: VaultMetrics;
}

/**
 * Holds the cards of payments (D-42): number, expiry and holder encrypted in an unlogged row that
 * expires, the security code in this process's memory alone.
 */
export class CardVault implements Vault {
  readonly #parts: CardVaultParts;

  constructor(parts: CardVaultParts) {
    this.#parts = parts;
  }

  async hold(card: CardToHold): Promise<HeldCard> {
    const { instance, fingerprintKey, rows, memory, dataKeys, clock, metrics } = this.#parts;
    const reference = `${instance}.${random(REFERENCE_RANDOM_BYTES).toString('hex')}`;
    const sealed = sealCard(card, reference, await dataKeys.forEncryption());
    await rows.insert(reference, sealed);
    const code = card.cvv && Buffer.from(card.cvv.reveal(), 'latin1');
    memory.remember(reference, sealed, code, clock.monotonicMs());
    metrics.held.add();
    return { reference, fingerprint: cardFingerprint(card, fingerprintKey) };
  }

  async reveal(reference: string): Promise<RevealedCard | undefined> {
    if (!REFERENCE.test(reference)) return undefined;
    const { memory, rows, clock, metrics } = this.#parts;
    const remembered = memory.recall(reference, clock.monotonicMs());
    if (remembered) {
      const card = await this.#open(remembered.sealed, reference);
      const { code } = remembered;
      metrics.revealedFromMemory.add();
      return card && code !== undefined ? { ...card, cvv: new Cvv(code) } : card;
    }
    const sealed = await rows.select(reference);
    const card = sealed && (await this.#open(sealed, reference));
    if (card) metrics.revealedFromRow.add();
    else metrics.revealedNothing.add();
    return card;
  }

  async forget(reference: string): Promise<void> {
    if (!REFERENCE.test(reference)) return;
    this.#parts.memory.forget(reference);
    this.#parts.metrics.forgotten.add();
    await this.#parts.rows.delete(reference);
  }

  async #open(sealed: SealedCard, reference: string): Promise<RevealedCard | undefined> {
    const key = await this.#parts.dataKeys.forDecryption(sealed.dataKeyId);
    return key && openCard(sealed, reference, key);
  }
}
