import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID } from '@sluice/domain-accounts';
import { databaseVariables, type InstallationDatabase, keyFiles } from '@sluice/local-installation';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClusterSettings } from './settings.js';

/** One process of the cluster before it runs. */
export interface ServiceProcess {
  /** `payments`, or `payments-0` where there are several. */
  readonly name: string;
  readonly service: ServiceName;
  /** Its compiled program. */
  readonly entry: string;
  /** All that it is told; holds secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** For Node.js itself, before the program. */
  readonly nodeOptions?: readonly string[];
  /** Where it answers probes. */
  readonly management: string;
  /** Where it answers other services or merchants. */
  readonly url?: string;
}

/** The services of the cluster; the relay is a second program of payments. */
export type ServiceName = keyof typeof ENTRIES;

const ENTRIES = {
  simulator: 'apps/simulator/dist/main.js',
  accounts: 'apps/accounts/dist/main.js',
  vault: 'apps/vault/dist/main.js',
  payments: 'apps/payments/dist/main.js',
  relay: 'apps/payments/dist/relay.main.js',
  reporting: 'apps/reporting/dist/main.js',
  edge: 'apps/edge/dist/main.js',
} as const;

/** In which order they are started: whatever is in a group needs only what stands before it. */
export const START_ORDER: readonly (readonly ServiceName[])[] = [
  ['simulator', 'accounts', 'vault', 'payments'],
  ['relay', 'reporting'],
  ['edge'],
];

/**
 * In which order they stop: edge ends what merchants wait for, then payments ends its calls, and
 * whatever both of them need goes last (D-20).
 */
export const STOP_ORDER: readonly (readonly ServiceName[])[] = [
  ['edge'],
  ['payments'],
  ['relay', 'reporting'],
  ['vault', 'accounts', 'simulator'],
];

const ROOT = new URL('../../../', import.meta.url);
const LOOPBACK = '127.0.0.1';

/** What the processes are made of. */
export interface ClusterParts {
  readonly settings: ClusterSettings;
  /** Absolute. */
  readonly dataFolder: string;
  readonly database: InstallationDatabase;
  readonly brokers: string;
  /** Enough free ports, see `portsNeeded`. */
  readonly ports: readonly number[];
}

/** Every process has a management port, and another one where it is spoken to. */
export function portsNeeded(settings: ClusterSettings): number {
  const scaled = Object.values(settings.instances).reduce((sum, count) => sum + count, 0);
  return 2 * (scaled + 2);
}

/** Every process with all that it is told. Secrets travel in environments and files alone. */
export function serviceProcesses(parts: ClusterParts): readonly ServiceProcess[] {
  const ports = [...parts.ports];
  const place = (service: ServiceName, count: number): Place[] =>
    Array.from({ length: count }, (_, ordinal) => ({
      service,
      ordinal,
      name: count === 1 ? service : `${service}-${ordinal}`,
      managementPort: ports.pop() ?? 0,
      port: ports.pop() ?? 0,
    }));
  const { edge, payments, relay, vault, reporting } = parts.settings.instances;
  const places = {
    ...{ simulator: place('simulator', 1), accounts: place('accounts', 1) },
    ...{ vault: place('vault', vault), payments: place('payments', payments) },
    ...{ relay: place('relay', relay), reporting: place('reporting', reporting) },
    edge: place('edge', edge),
  };
  return Object.values(places)
    .flat()
    .map((one) => processOf(parts, places, one));
}

interface Place {
  readonly service: ServiceName;
  readonly ordinal: number;
  readonly name: string;
  readonly managementPort: number;
  readonly port: number;
}

type Places = Readonly<Record<ServiceName, readonly Place[]>>;

function processOf(parts: ClusterParts, places: Places, place: Place): ServiceProcess {
  const { service, name, managementPort } = place;
  const own = environmentOf(parts, places, place);
  const port = service === 'edge' ? own['EDGE_PORT'] : String(place.port);
  const host = service === 'edge' ? parts.settings.host : LOOPBACK;
  return {
    name,
    service,
    entry: fileURLToPath(new URL(ENTRIES[service], ROOT)),
    environment: {
      // The cluster's log shows less unless it is told otherwise; it reads some of it itself.
      LOG_LEVEL: parts.settings.logLevel === 'debug' ? 'debug' : 'info',
      MANAGEMENT_PORT: String(managementPort),
      ...own,
    },
    nodeOptions: parts.settings.nodeOptions,
    management: `http://${LOOPBACK}:${managementPort}`,
    ...(service === 'relay' ? {} : { url: `http://${bracketed(host)}:${port ?? ''}` }),
  };
}

type Environment = Readonly<Record<string, string>>;

function environmentOf(parts: ClusterParts, places: Places, place: Place): Environment {
  const { settings, dataFolder, brokers } = parts;
  const keys = keyFiles(dataFolder);
  const internal = { INTERNAL_PORT: String(place.port) };
  const kafka = { KAFKA_BROKERS: brokers };
  switch (place.service) {
    case 'simulator':
      return {
        SIMULATOR_PORT: String(place.port),
        SIMULATOR_BOOK: join(dataFolder, 'simulator', 'book.jsonl'),
        SIMULATOR_PENDING_MS: String(settings.simulatorPendingMs),
      };
    case 'accounts':
      return {
        ...databaseVariables(parts.database, 'accounts'),
        ...internal,
        CREDENTIAL_KEY_FILE: keys.credentials,
        ACCOUNTS_DEMO_CHANNEL: 'true',
        ...(settings.seedFile === undefined ? {} : { ACCOUNTS_SEED_FILE: settings.seedFile }),
      };
    case 'vault':
      return {
        ...databaseVariables(parts.database, 'vault'),
        ...internal,
        VAULT_KEY_FILE: keys.vault,
        VAULT_FINGERPRINT_KEY_FILE: keys.fingerprints,
        VAULT_INSTANCE: `vault-${place.ordinal}`,
      };
    case 'payments':
      return {
        ...databaseVariables(parts.database, 'payments'),
        ...internal,
        ...kafka,
        ...recoveryOf(settings),
        PAYMENTS_KEY_FILE: keys.payments,
        COMMAND_KEY_FILE: keys.commands,
        PAYMENTS_SIMULATOR_URL: urlsOf(places.simulator),
        VAULT_URLS: urlsOf(places.vault),
      };
    case 'relay':
      return { ...databaseVariables(parts.database, 'payments'), ...kafka };
    case 'reporting':
      return {
        ...databaseVariables(parts.database, 'reporting'),
        ...eventSourceOf(parts),
        ...internal,
        ...kafka,
        PAYMENTS_URLS: urlsOf(places.payments),
      };
    case 'edge':
      return { ...edgeOf(parts, place), ...kafka, ...neighboursOf(places) };
  }
}

function edgeOf({ settings, dataFolder }: ClusterParts, { ordinal, port }: Place): Environment {
  const { throttlePerSecond, throttleReadsPerSecond, host } = settings;
  // The first has the port that was asked for; the others are listed in the cluster's file.
  const isFirst = ordinal === 0 && settings.port !== 0;
  return {
    EDGE_PORT: String(isFirst ? settings.port : port),
    EDGE_HOST: host,
    EDGE_ORDINAL: String(ordinal),
    CREDENTIAL_KEY_FILE: keyFiles(dataFolder).credentials,
    COMMAND_KEY_FILE: keyFiles(dataFolder).commands,
    // Everybody who reaches this machine has the same address.
    EDGE_CONNECTIONS_PER_ADDRESS: '0',
    EDGE_REFUSALS_PER_SECOND: '0',
    THROTTLE_PER_SECOND: String(throttlePerSecond),
    THROTTLE_BURST: String(Math.max(1, throttlePerSecond)),
    THROTTLE_READS_PER_SECOND: String(throttleReadsPerSecond),
    THROTTLE_READS_BURST: String(Math.max(1, throttleReadsPerSecond)),
    DEMO_ENTITY_ID,
    DEMO_ACCESS_TOKEN,
    ...(settings.binFile === undefined ? {} : { EDGE_BIN_FILE: resolve(settings.binFile) }),
    EDGE_LENIENT: String(settings.isLenient),
  };
}

function neighboursOf(places: Places): Environment {
  return {
    VAULT_URLS: urlsOf(places.vault),
    ACCOUNTS_URLS: urlsOf(places.accounts),
    PAYMENTS_URLS: urlsOf(places.payments),
    REPORTING_URLS: urlsOf(places.reporting),
  };
}

function recoveryOf(settings: ClusterSettings): Environment {
  return {
    PAYMENTS_CALL_TIMEOUT_MS: String(settings.connectorTimeoutMs),
    PAYMENTS_MAX_IN_FLIGHT_MS: String(settings.maxInFlightMs),
    PAYMENTS_SEND_WINDOW_MS: String(settings.sendWindowMs),
    PAYMENTS_LEASE_MS: String(settings.sweeperLeaseMs),
    PAYMENTS_INQUIRE_AFTER_MS: settings.inquireAfterMs.join(','),
    PAYMENTS_RESOLVE_BY_MS: String(settings.resolveByMs),
    PAYMENTS_LATE_INQUIRY_AFTER_MS: String(settings.lateInquiryMs),
    PAYMENTS_SWEEP_INTERVAL_MS: String(settings.sweepIntervalMs),
  };
}

/** Where reporting reads events when it rebuilds. */
function eventSourceOf({ database }: ClusterParts): Environment {
  const { appUrl, schema } = database.services.payments;
  return { PAYMENTS_READER_DATABASE_URL: appUrl, PAYMENTS_SCHEMA: schema };
}

function urlsOf(places: readonly Place[]): string {
  return places.map(({ port }) => `http://${LOOPBACK}:${port}`).join(',');
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
