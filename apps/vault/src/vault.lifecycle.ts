import type { OnModuleInit, OnApplicationShutdown } from '@nestjs/common';
import type { OpenKeys } from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { DetailMemory } from './detail-memory.js';
import type { DataKeys } from './data-keys.js';
import type { HeldDetailRows } from './held-detail-rows.js';
import type { SavedDetails } from './saved-details.js';
import type { SpentDetails } from './spent-details.js';
import type { SweepProcessor } from './sweep.processor.js';

/** The parts that begin and end. */
export interface VaultLifecycleParts {
  readonly database: Database;
  readonly dataKeys: DataKeys;
  readonly sweeper: SweepProcessor;
  readonly rows: HeldDetailRows;
  readonly memory: DetailMemory;
  readonly spent: SpentDetails;
  readonly saved: Pick<SavedDetails, 'clear'>;
  readonly keys: OpenKeys;
}

/** What the vault does before it holds anything, and after its last request. */
export class VaultLifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly parts: VaultLifecycleParts) {}

  /** A vault that cannot encrypt does not start. */
  async onModuleInit(): Promise<void> {
    const { database, dataKeys, sweeper } = this.parts;
    await database.whenThere(() => dataKeys.forEncryption());
    sweeper.start();
  }

  async onApplicationShutdown(): Promise<void> {
    const { sweeper, rows, memory, spent, saved, keys } = this.parts;
    await sweeper.close();
    await spent.close();
    await rows.writeNow().catch(() => undefined);
    memory.clear();
    saved.clear();
    keys.close();
  }
}
