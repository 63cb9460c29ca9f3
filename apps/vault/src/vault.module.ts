import 'reflect-metadata';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Vault } from '@sluice/contracts';
import {
  assertDurable,
  type Clock,
  createPool,
  frameworkLog,
  type HealthChecks,
  type KeyProvider,
  type Logger,
  type Metrics,
  Outage,
  ensureMigrated,
  openKeys,
  type RunningService,
  systemClock,
  withDefaults,
} from '@sluice/service';
import { createSecretKey } from 'node:crypto';
import type { Pool } from 'pg';
import { DetailMemory } from './detail-memory.js';
import { DetailVault } from './detail-vault.js';
import { DataKeys } from './data-keys.js';
import { HeldDetailRows } from './held-detail-rows.js';
import { migrations } from './schema.js';
import { VaultMetrics } from './vault-metrics.js';
import { VaultSettings } from './settings.js';
import { SweepProcessor } from './sweep.processor.js';

/** What the vault is started with. */
export interface VaultOptions {
  /** Absent ones have their defaults; `databaseUrl` and `fingerprintKey` have none. */
  readonly settings: Partial<VaultSettings> & Pick<VaultSettings, 'databaseUrl' | 'fingerprintKey'>;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Hears when the vault can answer. */
  readonly health?: HealthChecks;
}

/** A running vault; `vault` is the port for callers in the same process (D-05, D-44). */
export interface RunningVault extends RunningService {
  readonly vault: Vault;
}

/** The vault: the only service that keeps card numbers and security codes (D-42). */
@Module({})
export class VaultModule {
  /**
   * Migrates if it is given the owner's address, makes its first data key and takes cards. Throws
   * a sentence when settings, key file or database cannot be used.
   */
  static async start(options: VaultOptions): Promise<RunningVault> {
    const settings = withDefaults(VaultSettings, options.settings);
    const { logger, clock = systemClock } = options;
    const { keyProvider } = options;
    const keys = await openKeys(
      { keyProvider, keyFile: settings.keyFile, variable: 'VAULT_KEY_FILE' },
      logger,
    );
    await ensureMigrated(settings, migrations);
    const pool = createPool(settings.databaseUrl, {
      service: 'vault',
      schema: settings.schema,
      connectionsMax: settings.connectionsMax,
      metrics: options.metrics,
      onError: (error) => logger.warn({ err: error }, 'A database connection was lost'),
    });
    try {
      await assertDurable(pool);
      const parts = { settings, pool, keyProvider: keys.provider, clock, logger };
      const metrics = new VaultMetrics(options.metrics);
      const context = await NestFactory.createApplicationContext(moduleOf(parts, metrics), {
        logger: frameworkLog(logger),
        abortOnError: false,
      });
      await context.get(DataKeys).forEncryption();
      options.health?.readyWhen('database', () => pool.query('SELECT FROM held_cards LIMIT 0'));
      return new VaultInProcess(context.get(DetailVault), async () => {
        await context.get(SweepProcessor).close();
        await context
          .get(HeldDetailRows)
          .writeNow()
          .catch(() => undefined);
        context.get(DetailMemory).clear();
        await context.close();
        keys.close();
        await pool.end();
      });
    } catch (error) {
      keys.close();
      await pool.end();
      throw error;
    }
  }
}

class VaultInProcess implements RunningVault {
  #closed: Promise<void> | undefined;

  constructor(
    readonly vault: Vault,
    private readonly release: () => Promise<void>,
  ) {}

  close(): Promise<void> {
    this.#closed ??= this.release();
    return this.#closed;
  }
}

interface Parts {
  readonly settings: VaultSettings;
  readonly pool: Pool;
  readonly keyProvider: KeyProvider;
  readonly clock: Clock;
  readonly logger: Logger;
}

function moduleOf(
  { settings, pool, keyProvider, clock, logger }: Parts,
  metrics: VaultMetrics,
): DynamicModule {
  const { cardLifetimeMs, dataKeySliceMs: sliceMs, dataKeyUsesMax: usesMax } = settings;
  const limits = { sliceMs, usesMax, cardLifetimeMs };
  const memory = new DetailMemory(cardLifetimeMs);
  metrics.watch(memory);
  const outage = new Outage(clock, logger, {
    begins: 'Held cards are in memory only.',
    goesOn: 'Held cards are still in memory only.',
    ends: 'Held cards are written again.',
  });
  const rows = new HeldDetailRows(pool, {
    lifetimeMs: cardLifetimeMs,
    writeAfterMs: settings.cardWriteAfterMs,
    onWriteFailed: (error) => {
      outage.failed(error);
    },
    onWritten: () => {
      outage.over();
    },
  });
  const dataKeys = new DataKeys(pool, keyProvider, clock, limits);
  const vault = new DetailVault({
    instance: settings.instance,
    fingerprintKey: createSecretKey(settings.fingerprintKey),
    rows,
    memory,
    dataKeys,
    clock,
    metrics,
  });
  const providers: Provider[] = [
    { provide: DetailMemory, useValue: memory },
    { provide: HeldDetailRows, useValue: rows },
    { provide: DataKeys, useValue: dataKeys },
    { provide: DetailVault, useValue: vault },
    {
      provide: SweepProcessor,
      useFactory: () => new SweepProcessor({ memory, rows, dataKeys, clock, logger }),
    },
  ];
  return { module: VaultModule, providers };
}
