import 'reflect-metadata';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type {
  AuthenticationVault,
  BankAccountVault,
  KeepingVault,
  SavingVault,
  TokenVault,
  Vault,
} from '@sluice/contracts';
import {
  type Clock,
  ensureMigrated,
  type InternalServer,
  type InternalSettings,
  type KeyProvider,
  type Logger,
  type OpenKeys,
  openKeys,
  Outage,
  type RunningService,
  withDefaults,
} from '@sluice/service';
import {
  CLOCK,
  Database,
  DatabaseModule,
  type DatabaseUse,
  given,
  LOGGER,
  made,
  METRICS,
  noTransport,
  ServerTransport,
  ServiceModule,
  type ServiceParts,
  startModule,
  type Token,
  token,
  TRANSPORT,
} from '@sluice/service-module';
import { createSecretKey } from 'node:crypto';
import { Pool } from 'pg';
import { AuthenticationDetails } from './authentication-details.js';
import { DetailMemory } from './detail-memory.js';
import { detailRoutes } from './detail-routes.js';
import { DetailVault } from './detail-vault.js';
import { DataKeys } from './data-keys.js';
import { HeldDetailRows, type HeldDetailRowsOptions } from './held-detail-rows.js';
import { KeptDetails } from './kept-details.js';
import { OrderAccounts } from './order-accounts.js';
import { migrations } from './schema.js';
import { VaultLifecycle } from './vault.lifecycle.js';
import { VaultMetrics } from './vault-metrics.js';
import { VaultSettings } from './settings.js';
import { SavedDetails } from './saved-details.js';
import { SpentDetails } from './spent-details.js';
import { SweepProcessor } from './sweep.processor.js';
import { TokenOpener } from './token-opener.js';
import { UsedTokens } from './used-tokens.js';
import { WalletRecipients } from './wallet-recipients.js';

/** What the vault is started with. */
export interface VaultOptions extends ServiceParts {
  /** Absent ones have their defaults; `databaseUrl` and `fingerprintKey` have none. */
  readonly settings: Partial<VaultSettings> & Pick<VaultSettings, 'databaseUrl' | 'fingerprintKey'>;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
  /** Where details arrive; absent if the callers are in the same process. */
  readonly listens?: { readonly server: InternalServer; readonly at: InternalSettings };
}

/** A running vault; `vault` is the port for callers in the same process (D-05, D-44). */
export interface RunningVault extends RunningService {
  readonly vault: Vault &
    KeepingVault &
    TokenVault &
    BankAccountVault &
    SavingVault &
    AuthenticationVault;
}

interface PortParts {
  readonly details: DetailVault;
  readonly tokens: TokenVault;
  readonly accounts: BankAccountVault;
  readonly saved: SavingVault;
  readonly authentications: AuthenticationVault;
}

const KEYS: Token<OpenKeys> = token('keys');

/** The vault: the only service that keeps account data and security codes (D-42). */
@Module({})
export class VaultModule {
  /**
   * Migrates if it is given the owner's address, makes its first data key and begins to answer.
   * Throws an error with a readable message if settings, key file or database cannot be used.
   */
  static async start(options: VaultOptions): Promise<RunningVault> {
    const settings = withDefaults(VaultSettings, options.settings);
    const { logger, keyProvider } = options;
    const keys = await openKeys(
      { keyProvider, keyFile: settings.keyFile, variable: 'VAULT_KEY_FILE' },
      logger,
    );
    const { walletsFile } = settings;
    const recipients =
      walletsFile === undefined ? WalletRecipients.none : await WalletRecipients.read(walletsFile);
    const given = { ...options, recipients };
    const running = await startModule(VaultModule.of(given, settings, keys), logger);
    const vault = portOf({
      ...{ details: running.get(DetailVault), tokens: running.get(TokenOpener) },
      ...{ accounts: running.get(OrderAccounts), saved: running.get(SavedDetails) },
      authentications: running.get(AuthenticationDetails),
    });
    return { vault, close: () => running.close() };
  }

  private static of(
    options: VaultOptions & { readonly recipients: WalletRecipients },
    settings: VaultSettings,
    keys: OpenKeys,
  ): DynamicModule {
    const { listens, recipients } = options;
    return {
      module: VaultModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      providers: [
        given(KEYS, keys),
        given(WalletRecipients, recipients),
        ...detailProviders(settings),
        made(
          TRANSPORT,
          {
            ...{ details: DetailVault, tokens: TokenOpener, accounts: OrderAccounts },
            ...{ saved: SavedDetails, authentications: AuthenticationDetails },
          },
          (parts) =>
            listens === undefined ? noTransport : detailTransport(portOf(parts), listens),
        ),
      ],
    };
  }
}

/** All that callers may ask the vault for. */
function portOf({
  details,
  tokens,
  accounts,
  saved,
  authentications,
}: PortParts): RunningVault['vault'] {
  return {
    hold: (toHold) => details.hold(toHold),
    reveal: (reference, use) => details.reveal(reference, use),
    forget: (reference) => details.forget(reference),
    keep: (toKeep) => details.keep(toKeep),
    changeKept: (change) => details.changeKept(change),
    forgetKept: (registrationId) => details.forgetKept(registrationId),
    openToken: (toOpen) => tokens.openToken(toOpen),
    keepBankAccount: (toKeep) => accounts.keepBankAccount(toKeep),
    revealBankAccount: (orderId) => accounts.revealBankAccount(orderId),
    forgetBankAccount: (orderId) => accounts.forgetBankAccount(orderId),
    saveDetails: (toHold, lifeMs) => saved.saveDetails(toHold, lifeMs),
    readSaved: (reference) => saved.readSaved(reference),
    forgetSaved: (reference) => saved.forgetSaved(reference),
    revealNumber: (reference) => authentications.revealNumber(reference),
    holdProof: (cryptogram) => authentications.holdProof(cryptogram),
    revealProof: (reference) => authentications.revealProof(reference),
  };
}

function databaseOf(settings: VaultSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'vault', calledInLog: "the vault's database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
    check: (pool) => pool.query('SELECT FROM held_cards LIMIT 0'),
  };
}

/** Who may call which route is in contracts (D-44). */
function detailTransport(
  vault: RunningVault['vault'],
  { server, at }: NonNullable<VaultOptions['listens']>,
): ServerTransport {
  for (const route of detailRoutes(vault)) server.route(route);
  return new ServerTransport(
    () => server.listen(at.host, at.port),
    () => server.close(),
  );
}

function detailProviders(settings: VaultSettings): Provider[] {
  const { cardLifetimeMs, dataKeySliceMs: sliceMs, dataKeyUsesMax: usesMax } = settings;
  return [
    made(VaultMetrics, { metrics: METRICS }, ({ metrics }) => new VaultMetrics(metrics)),
    made(DetailMemory, { metrics: VaultMetrics }, ({ metrics }) => {
      const memory = new DetailMemory(cardLifetimeMs);
      metrics.watch(memory);
      return memory;
    }),
    heldDetailRows(settings),
    made(DataKeys, { pool: Pool, keys: KEYS, clock: CLOCK }, ({ pool, keys, clock }) => {
      return new DataKeys(pool, keys.provider, clock, { sliceMs, usesMax, cardLifetimeMs });
    }),
    made(
      SpentDetails,
      { rows: HeldDetailRows, memory: DetailMemory, metrics: VaultMetrics, logger: LOGGER },
      ({ logger, ...parts }) => {
        const onFailed = (error: unknown): void =>
          logger.warn({ err: error }, 'Rows of spent cards were not deleted; they will expire.');
        return new SpentDetails({ ...parts, onFailed });
      },
    ),
    ...keptProviders(settings),
    ...tokenProviders(settings),
    savedDetails(settings),
    made(
      DetailVault,
      {
        kept: KeptDetails,
        ...{ rows: HeldDetailRows, memory: DetailMemory, spent: SpentDetails, dataKeys: DataKeys },
        ...{ clock: CLOCK, metrics: VaultMetrics },
      },
      (parts) => {
        const { instance, fingerprintKey } = settings;
        return new DetailVault({
          ...{ ...parts, instance },
          fingerprintKey: createSecretKey(fingerprintKey),
        });
      },
    ),
    authenticationDetails(settings),
    made(
      SweepProcessor,
      {
        ...{ memory: DetailMemory, rows: HeldDetailRows, dataKeys: DataKeys, kept: KeptDetails },
        ...{ saved: SavedDetails, usedTokens: UsedTokens, clock: CLOCK, logger: LOGGER },
      },
      (parts) => new SweepProcessor(parts),
    ),
    made(
      VaultLifecycle,
      {
        ...{ database: Database, dataKeys: DataKeys, sweeper: SweepProcessor },
        ...{ rows: HeldDetailRows, memory: DetailMemory, spent: SpentDetails, keys: KEYS },
        saved: SavedDetails,
      },
      (parts) => new VaultLifecycle(parts),
    ),
  ];
}

function authenticationDetails({ instance }: VaultSettings): Provider {
  return made(
    AuthenticationDetails,
    { details: DetailVault, rows: HeldDetailRows, dataKeys: DataKeys },
    (parts) => new AuthenticationDetails({ ...parts, instance }),
  );
}

function savedDetails({ instance, cardLifetimeMs: lifetimeMs }: VaultSettings): Provider {
  return made(
    SavedDetails,
    { rows: HeldDetailRows, dataKeys: DataKeys, clock: CLOCK, metrics: VaultMetrics },
    (parts) => new SavedDetails({ ...parts, instance, lifetimeMs }),
  );
}

function tokenProviders(settings: VaultSettings): Provider[] {
  return [
    made(UsedTokens, { pool: Pool }, ({ pool }) => new UsedTokens(pool)),
    made(
      TokenOpener,
      {
        ...{ recipients: WalletRecipients, used: UsedTokens, vault: DetailVault },
        ...{ clock: CLOCK, metrics: VaultMetrics },
      },
      (parts) => {
        const fingerprintKey = createSecretKey(settings.fingerprintKey);
        return new TokenOpener({ ...parts, fingerprintKey });
      },
    ),
  ];
}

function keptProviders(settings: VaultSettings): Provider[] {
  return [
    made(KeptDetails, { pool: Pool, keys: KEYS }, ({ pool, keys }) => {
      const fingerprintKey = createSecretKey(settings.fingerprintKey);
      return new KeptDetails({ pool, provider: keys.provider, fingerprintKey });
    }),
    made(
      OrderAccounts,
      { vault: DetailVault, kept: KeptDetails, metrics: VaultMetrics },
      (parts) => new OrderAccounts(parts),
    ),
  ];
}

function heldDetailRows(settings: VaultSettings): Provider {
  return made(
    HeldDetailRows,
    { pool: Pool, clock: CLOCK, logger: LOGGER },
    ({ pool, clock, logger }) => {
      return new HeldDetailRows(pool, rowOptions(settings, clock, logger));
    },
  );
}

function rowOptions(
  { cardLifetimeMs, cardWriteAfterMs }: VaultSettings,
  clock: Clock,
  logger: Logger,
): HeldDetailRowsOptions {
  const outage = new Outage(clock, logger, {
    begins: 'Held cards are in memory only.',
    goesOn: 'Held cards are still in memory only.',
    ends: 'Held cards are written again.',
  });
  return {
    lifetimeMs: cardLifetimeMs,
    writeAfterMs: cardWriteAfterMs,
    onWriteFailed: (error) => outage.failed(error),
    onWritten: () => outage.over(),
  };
}
