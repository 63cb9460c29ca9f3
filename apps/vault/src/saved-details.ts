import type { DetailsToHold, SavingVault, SecretDetails } from '@sluice/contracts';
import { random } from '@sluice/identifiers';
import type { Clock } from '@sluice/service';
import { openDetails, sealDetails } from './detail-cipher.js';
import { DetailMemory } from './detail-memory.js';
import type { DataKeys } from './data-keys.js';
import type { HeldDetailRows } from './held-detail-rows.js';
import { momentaryBuffer, momentaryDetails } from './momentary-details.js';
import type { VaultMetrics } from './vault-metrics.js';

const REFERENCE_RANDOM_BYTES = 16;
/**
 * Unlike a reference of what is held for a payment, and nothing is opened under another one's: who may
 * read what was saved reads nothing else.
 */
const REFERENCE = /^[a-z0-9-]{1,24}\.s[0-9a-f]{32}$/;

/** The parts it is made of. */
export interface SavedDetailsParts {
  /** As of `DetailVaultParts`. */
  readonly instance: string;
  readonly rows: HeldDetailRows;
  readonly dataKeys: DataKeys;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly metrics: Pick<VaultMetrics, 'saved' | 'savedRead' | 'savedForgotten'>;
  /** However long a caller asks for. */
  readonly lifetimeMs: number;
}

/**
 * What shoppers have typed and not yet paid with (page 0068): as what is held for a payment, in an encrypted,
 * unlogged row, and in this process's memory alone what is never written. A security code is in it before
 * anything is authorized with it, and has to be forgotten before anything is.
 */
export class SavedDetails implements SavingVault {
  /** Apart from that of payments, so that whoever saves a lot drives out nobody who pays. */
  readonly #memory: DetailMemory;

  constructor(private readonly parts: SavedDetailsParts) {
    this.#memory = new DetailMemory(parts.lifetimeMs);
  }

  async saveDetails(details: DetailsToHold, lifeMs: number): Promise<string> {
    const { instance, rows, dataKeys, clock, metrics, lifetimeMs } = this.parts;
    const reference = `${instance}.s${random(REFERENCE_RANDOM_BYTES).toString('hex')}`;
    const { inMemory } = details;
    const key = await dataKeys.forEncryption();
    const sealed = sealDetails(details, reference, key);
    const life = Math.min(lifeMs, lifetimeMs);
    await rows.insert(reference, sealed, life);
    this.#memory.rememberUntil(reference, {
      ...{ sealed, untilMs: clock.monotonicMs() + life },
      inMemory: inMemory && momentaryBuffer(inMemory),
    });
    metrics.saved.add();
    return reference;
  }

  /** Of an instance that is gone the row is left, and not what it had in memory alone. */
  async readSaved(reference: string): Promise<SecretDetails | undefined> {
    if (!REFERENCE.test(reference)) return undefined;
    const { clock, rows, dataKeys, metrics } = this.parts;
    const remembered = this.#memory.recall(reference, clock.monotonicMs());
    const sealed = remembered?.sealed ?? (await rows.select(reference));
    const key = sealed && (await dataKeys.forDecryption(sealed.dataKeyId));
    if (sealed === undefined || key === undefined) return undefined;
    metrics.savedRead.add();
    const { details } = openDetails(sealed, reference, key);
    return { ...details, ...momentaryDetails(remembered?.inMemory) };
  }

  async forgetSaved(reference: string): Promise<void> {
    if (!REFERENCE.test(reference)) return;
    this.#memory.forget(reference);
    await this.parts.rows.delete(reference);
    this.parts.metrics.savedForgotten.add();
  }

  /** Forgets from memory what has expired. */
  sweep(nowMs: number): void {
    this.#memory.sweep(nowMs);
  }

  /** Forgets from memory everything. */
  clear(): void {
    this.#memory.clear();
  }
}
