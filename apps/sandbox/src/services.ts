import { apps as declaredApps } from '@sluice/apps';
import {
  type AuthenticationVault,
  type BankAccountVault,
  type EventPublisher,
  eventPublishers,
  eventTopics,
  type SeededReceivers,
  type SavingVault,
  type TokenVault,
  type ServiceName,
  serviceNames,
  serviceRow,
  servicesWithTables,
  type Vault,
} from '@sluice/contracts';
import {
  type InstallationDatabase,
  type Keys,
  type LocalSettings,
  portRefusal,
  testWalletFiles,
} from '@sluice/local-installation';
import { InProcessBus, type InProcessContext } from '@sluice/messaging';
import type { HealthChecks, Logger } from '@sluice/service';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type * as apps from './apps.js';
import type { EntityClocks } from './entity-clocks.js';
import { publishedEvents } from './published-events.js';
import { addresses, loggerOf, SIMULATOR_PATH } from './service-parts.js';
import { startCheckouts, withCalls } from './start-checkouts.js';
import { startRegistrations } from './start-registrations.js';
import { startScheduling } from './start-scheduling.js';
import { receiversOf, startWebhooks } from './start-webhooks.js';

/** The apps, loaded; see apps.ts. */
export type Apps = typeof apps;
/** What a seed file came to. */
export type Seed = Extract<ReturnType<Apps['AccountsModule']['parseSeed']>, { kind: 'seed' }>;
/** What is served on edge's port beside the interface. */
type Pages = NonNullable<Parameters<Apps['EdgeModule']['start']>[0]['beside']>;
/** What edge reports about each finished request. */
type OnRequestDone = NonNullable<Parameters<Apps['EdgeModule']['start']>[0]['onRequestDone']>;
export type RequestDone = Parameters<OnRequestDone>[0];
/** Details of cards by their first digits. */
export type BinTable = ReturnType<Apps['EdgeModule']['readBinFile']>;

/** What the services are made of. */
export interface ServiceParts {
  readonly apps: Apps;
  readonly settings: LocalSettings;
  /** Where edge listens; the settings' own, and after a reset the one that it had. */
  readonly port: number;
  readonly dataFolder: string;
  readonly database: InstallationDatabase;
  readonly keys: Keys;
  readonly seed: Seed | undefined;
  readonly logger: Logger;
  /** In place of the built-in details of cards. */
  readonly binTable: BinTable | undefined;
  readonly onRequestDone: OnRequestDone;
  /** What time it is for whom. */
  readonly clocks: EntityClocks;
  /** What seeds have said so far of receivers of notifications; after a reset they are made anew. */
  readonly receivers: Map<string, SeededReceivers>;
  /** Hears when payments can be taken. */
  readonly health: HealthChecks;
}

/** The whole gateway, at work. */
export interface RunningServices {
  readonly url: string;
  /** Payments without a final outcome that an earlier run left behind. */
  readonly openAtStart: number;
  /** Creates or replaces nodes of the account tree; once it resolves channels can be paid on. */
  seed(accounts: Seed['accounts']): Promise<void>;
}

/** These get settings, keys or connections that no other service needs. */
const HAS_ITS_OWN_WAY: readonly ServiceName[] = [
  'simulator',
  'vault',
  'accounts',
  'reporting',
  'payments',
  'registrations',
  'checkouts',
  'risk',
  'scheduling',
  'webhooks',
  'sepa',
  'edge',
  'reference-page',
];
/** Everybody else, by what the app declares; each publisher of events has a relay here anyway. */
const OTHERS = serviceNames.filter(
  (name) => !HAS_ITS_OWN_WAY.includes(name) && serviceRow(name).relays === undefined,
);
/** The creditor that every test installation has. */
const DEMO_CREDITOR = 'demo';
/** How soon a file that somebody puts into the folder is read. */
const BANK_LOOK_MS = 1_000;
/** Requests in hand are not waited for: the sweeper settles what they leave open (D-63). */
const CLOSE_WAIT_MS = 50;
/** D-36: how long a duplicate of a running request waits for its answer. */
const DUPLICATE_WAIT_MS = 30_000;

/**
 * Starts everything behind one in-process bus (D-05). Whatever has been started is given to
 * `onStarted` at once, in order, so that a start which fails or is interrupted can be undone.
 */
export async function startServices(
  parts: ServiceParts,
  onStarted: (close: () => Promise<void>) => void,
): Promise<RunningServices> {
  const { apps, seed } = parts;
  const bus = new InProcessBus();
  onStarted(() => bus.close());
  const started = <Service extends { close(): Promise<void> }>(service: Service): Service => {
    onStarted(() => service.close());
    return service;
  };
  const [simulator, { vault }, accounts] = await Promise.all([
    startSimulator(parts).then(started),
    startVault(parts).then(started),
    startAccounts(parts, bus).then(started),
    startReporting(parts, bus).then(started),
  ]);
  const [payments, checkouts] = await Promise.all([
    startPayments(parts, bus, vault, simulator.url).then(started),
    startCheckouts(parts, bus, simulator.url).then(started),
    startRegistrations(parts, bus, vault).then(started),
    startRisk(parts, bus, { vault, simulator }).then(started),
    startScheduling(parts, bus).then(started),
    startSepa(parts, bus, vault).then(started),
    accounts.seed([...apps.AccountsModule.demo.accounts, ...(seed?.accounts ?? [])]),
  ]);
  parts.clocks.followedBy('payments', payments);
  // It has asked while the first accounts were being made.
  await payments.refreshRoutes();
  const webhooks = await startWebhooks(parts, bus).then(started);
  parts.clocks.followedBy('checkouts', withCalls(checkouts, webhooks));
  await webhooks.seed(receiversOf(parts.receivers, seed?.accounts ?? []));
  for (const name of OTHERS) await startOther(name, parts, bus).then(started);
  // After the readers of events, because an event without a listener counts as published.
  const relays: Awaited<ReturnType<typeof startRelay>>[] = [];
  for (const publisher of eventPublishers) {
    relays.push(await startRelay(parts, bus, publisher).then(started));
  }
  // In this order at each date: what has happened is published, and then receivers are told of it.
  parts.clocks.followedBy('relays', publishedEvents(relays));
  parts.clocks.followedBy('webhooks', webhooks);
  // Closed before its callers, so that none of them waits for a delayed answer.
  onStarted(() => simulator.close());
  // The last one, because it asks for the access directory, and whoever reaches it can pay.
  const edge = await startEdge(parts, bus, vault, simulator.pages).then(started);
  parts.health.started();
  return {
    url: edge.url,
    openAtStart: payments.openAtStart,
    seed: async (seeded) => {
      await accounts.seed(seeded);
      await webhooks.seed(receiversOf(parts.receivers, seeded));
      await Promise.all([edge.refreshAccess(), payments.refreshRoutes()]);
    },
  };
}

/** Where the simulator keeps its book. */
export function bookFolder(dataFolder: string): string {
  return join(dataFolder, 'simulator');
}

async function startSimulator(parts: ServiceParts): ReturnType<Apps['SimulatorModule']['start']> {
  const folder = bookFolder(parts.dataFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return parts.apps.SimulatorModule.start({
    settings: {
      ...{ port: 0, directoryPort: 0 },
      bookFile: join(folder, 'book.jsonl'),
      pendingMs: parts.settings.simulatorPendingMs,
      pageMs: parts.settings.simulatorPageMs,
      walletsFile: testWalletFiles(parts.dataFolder).senders,
    },
    // At edge's port, which is the only one that a container publishes.
    pagesUrl: (returnUrl) => `${new URL(returnUrl).origin}${SIMULATOR_PATH}/pages`,
    // Asked for before anybody's browser has come; where edge takes any port, it is where it listens.
    methodsUrl: () =>
      parts.port === 0 ? undefined : `http://127.0.0.1:${parts.port}${SIMULATOR_PATH}`,
    logger: loggerOf(parts, 'simulator'),
  });
}

function startVault(parts: ServiceParts): ReturnType<Apps['VaultModule']['start']> {
  const { apps, database, dataFolder, keys } = parts;
  return apps.VaultModule.start({
    settings: {
      ...addresses(database.services.vault),
      fingerprintKey: keys.fingerprints,
      walletsFile: testWalletFiles(dataFolder).recipients,
    },
    keyProvider: keys.vault,
    logger: loggerOf(parts, 'vault'),
  });
}

function startAccounts(
  parts: ServiceParts,
  bus: InProcessBus,
): ReturnType<Apps['AccountsModule']['start']> {
  const { apps, database, keys } = parts;
  return apps.AccountsModule.start({
    database: addresses(database.services.accounts),
    credentialKey: keys.credentials,
    manualChargebacks: true,
    transport: bus.transport('accounts'),
    logger: loggerOf(parts, 'accounts'),
  });
}

function startPayments(
  parts: ServiceParts,
  bus: InProcessBus,
  vault: Vault & AuthenticationVault,
  simulatorUrl: string,
): ReturnType<Apps['PaymentsModule']['start']> {
  const { apps, database, keys, settings } = parts;
  return apps.PaymentsModule.start({
    settings: {
      ...addresses(database.services.payments),
      callTimeoutMs: settings.connectorTimeoutMs,
      maxInFlightMs: settings.maxInFlightMs,
      sendWindowMs: settings.sendWindowMs,
      leaseMs: settings.sweeperLeaseMs,
      inquireAfterMs: settings.inquireAfterMs,
      resolveByMs: settings.resolveByMs,
      lateInquiryAfterMs: settings.lateInquiryMs,
      sweepIntervalMs: settings.sweepIntervalMs,
      privateTargets: settings.privateTargets,
      ...(settings.secretsFolder !== undefined && { secretsFolder: settings.secretsFolder }),
    },
    acquirers: {
      ...(settings.sepaGatherMs !== undefined && { sepa: { creditor: DEMO_CREDITOR } }),
      simulator: { url: simulatorUrl },
    },
    transport: bus.transport('payments'),
    queries: bus.queries,
    vault,
    keyProvider: keys.payments,
    commandKeys: keys.commands,
    logger: loggerOf(parts, 'payments'),
    health: parts.health,
    setClocks: parts.clocks,
  });
}

async function startRisk(
  parts: ServiceParts,
  bus: InProcessBus,
  {
    vault,
    simulator: { url: simulatorUrl, directoryUrl },
  }: {
    readonly vault: AuthenticationVault;
    readonly simulator: { readonly url: string; readonly directoryUrl?: string };
  },
): ReturnType<Apps['RiskModule']['start']> {
  const { apps, clocks, database, keys } = parts;
  const risk = await apps.RiskModule.start({
    settings: { ...addresses(database.services.risk), simulatorUrl },
    authentication: {
      resultsPort: 0,
      ...(directoryUrl !== undefined && { testDirectoryUrl: directoryUrl }),
    },
    vault,
    transport: bus.transport('risk'),
    queries: bus.queries,
    keyProvider: keys.risk,
    logger: loggerOf(parts, 'risk'),
    health: parts.health,
    setClocks: clocks,
  });
  clocks.followedBy('risk', risk);
  return risk;
}

/** Where the simulator takes direct debits, there are no files. */
async function startSepa(
  parts: ServiceParts,
  bus: InProcessBus,
  vault: BankAccountVault,
): Promise<{ close(): Promise<void> }> {
  const { apps, database, dataFolder, settings } = parts;
  const { sepaGatherMs: gatherEveryMs } = settings;
  if (gatherEveryMs === undefined) return { close: () => Promise.resolve() };
  const sepa = await apps.SepaModule.start({
    settings: {
      ...addresses(database.services.sepa),
      folder: join(dataFolder, 'sepa'),
      demoCreditor: true,
      gatherEveryMs,
      lookEveryMs: Math.min(gatherEveryMs, BANK_LOOK_MS),
    },
    transport: bus.transport('sepa'),
    queries: bus.queries,
    vault,
    logger: loggerOf(parts, 'sepa'),
    health: parts.health,
    setClocks: parts.clocks,
  });
  parts.clocks.followedBy('sepa', sepa);
  return sepa;
}

function startReporting(
  parts: ServiceParts,
  bus: InProcessBus,
): ReturnType<Apps['ReportingModule']['start']> {
  const { payments, registrations, scheduling, reporting } = parts.database.services;
  return parts.apps.ReportingModule.start({
    settings: {
      ...addresses(reporting),
      eventSourceUrls: [payments.appUrl],
      eventSourceSchema: payments.schema,
      registrationSourceUrl: registrations.appUrl,
      registrationSourceSchema: registrations.schema,
      scheduleSourceUrl: scheduling.appUrl,
      scheduleSourceSchema: scheduling.schema,
    },
    transport: bus.transport('reporting'),
    events: bus.events,
    queries: bus.queries,
    logger: loggerOf(parts, 'reporting'),
  });
}

async function startOther(
  name: ServiceName,
  parts: ServiceParts,
  bus: InProcessBus,
): Promise<{ close(): Promise<void> }> {
  const { startInProcess } = await declaredApps[name]();
  if (startInProcess === undefined) {
    throw new Error(`The app of ${name} declares no start in one process.`);
  }
  const withTables = servicesWithTables.find((one) => one === name);
  const context: InProcessContext = {
    ...{ commands: bus.commands, queries: bus.queries, events: bus.events },
    transport: bus.transport(name),
    ...(withTables === undefined ? {} : { database: parts.database.services[withTables] }),
    ...{ logger: loggerOf(parts, name), health: parts.health },
  };
  return startInProcess(context);
}

function startRelay(
  parts: ServiceParts,
  bus: InProcessBus,
  service: EventPublisher,
): ReturnType<Apps['startRelay']> {
  const { appUrl: databaseUrl, schema } = parts.database.services[service];
  return parts.apps.startRelay({
    ...{ service, databaseUrl, schema, topic: eventTopics[service] },
    events: bus.events,
    logger: loggerOf(parts, 'relay'),
  });
}

function startEdge(
  parts: ServiceParts,
  bus: InProcessBus,
  vault: Vault & TokenVault & SavingVault,
  pages: Pages,
): ReturnType<Apps['EdgeModule']['start']> {
  const { apps, keys, settings, binTable, onRequestDone } = parts;
  const starting = apps.EdgeModule.start({
    settings: {
      port: parts.port,
      host: settings.host,
      gatewayEnvironment: 'test',
      credentialKey: keys.credentials,
      throttlePerSecond: settings.throttlePerSecond,
      throttleBurst: Math.max(1, settings.throttlePerSecond),
      throttleReadsPerSecond: settings.throttleReadsPerSecond,
      throttleReadsBurst: Math.max(1, settings.throttleReadsPerSecond),
      // Whoever switches throttling off means this one, too.
      ...(settings.throttlePerSecond === 0 && { checkoutReadsPerMinute: 0 }),
      // Everybody who reaches a sandbox has the same address, and tests send what they like.
      connectionsPerAddress: 0,
      refusalsPerSecond: 0,
      duplicateWaitMs: DUPLICATE_WAIT_MS,
      closeWaitMs: CLOSE_WAIT_MS,
      trustsTraceparent: false,
      ...(binTable !== undefined && { binTable }),
      isLenient: settings.isLenient,
    },
    commands: bus.commands,
    queries: bus.queries,
    sendsEveryCommand: true,
    ...{ beside: pagesBeside(parts, pages), clocks: parts.clocks, setClocks: parts.clocks },
    vault,
    commandKeys: keys.commands,
    logger: loggerOf(parts, 'edge'),
    onRequestDone,
    health: parts.health,
  });
  return starting.catch((error: unknown) => {
    const { syscall } = error as NodeJS.ErrnoException;
    // Another process has taken the port since it was found free.
    throw syscall === 'listen'
      ? portRefusal(settings.host, parts.port, error as NodeJS.ErrnoException)
      : error;
  });
}

/** Page and interface are at one port, so the page's form can pay; and shoppers' browsers reach it. */
function pagesBeside({ apps }: ServiceParts, pages: Pages): Pages {
  const reference = apps.ReferencePageModule.routes({
    ...{ environment: 'test', isBesideInterface: true },
    demo: apps.AccountsModule.demo,
  });
  return (server, _options, done) => {
    void server.register(reference);
    void server.register(pages, { prefix: SIMULATOR_PATH });
    done();
  };
}
