import {
  calledBy,
  cellName,
  databaseVariableOf,
  type EventPublisher,
  eventsReadBy,
  FIRST_CELL,
  isSpokenTo,
  kafkaAccess,
  localName,
  type LocalServiceName,
  programOf,
  schemaVariableOf,
  SERVICE_OF_CELLS,
  serviceKeys,
  type ServiceName,
  serviceNames,
  serviceRow,
  type ServiceWithTables,
  tablesReachedBy,
  urlsVariableOf,
} from '@sluice/contracts';
import {
  databaseVariables,
  type InstallationDatabase,
  keyFiles,
  testWalletFiles,
} from '@sluice/local-installation';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ClusterSettings, LOCAL_CELLS_MAX } from './settings.js';

/** One process of the cluster before it runs. */
export interface ServiceProcess {
  /** `payments`, or `payments-0` where there are several. */
  readonly name: string;
  readonly service: LocalServiceName;
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

/** How often it is looked for files of the bank, as in the sandbox. */
const BANK_LOOK_MS = 1_000;
const ROOT = new URL('../../../', import.meta.url);
const LOOPBACK = '127.0.0.1';
/** Where risk takes results. */
const RESULTS_PATH = '/3ds/results';

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

/**
 * Every process has a management port, and another one where it is spoken to. How many cells there
 * are is known later, unless it is said, so there are ports for as many as there can be.
 */
export function portsNeeded(settings: ClusterSettings): number {
  const processes = serviceNames.reduce((sum, name) => sum + countOf(settings, name), 0);
  const ofOneCell = CELL_SERVICES.reduce((sum, name) => sum + countOf(settings, name), 0);
  const ofCells = ofOneCell * ((settings.cells ?? LOCAL_CELLS_MAX) - FIRST_CELL);
  const besides = serviceNames.filter((name) => serviceRow(name).testPort !== undefined);
  const third = besides.reduce((sum, name) => sum + countOf(settings, name), 0);
  return 2 * (processes + ofCells) + third;
}

/** What each cell of payments has of its own (page 0047). */
const CELL_SERVICES: readonly ServiceName[] = serviceNames.filter((name) =>
  tablesReachedBy(name).includes(SERVICE_OF_CELLS),
);

/** Every process with all that it is told. Secrets travel in environments and files alone. */
export function serviceProcesses(parts: ClusterParts): readonly ServiceProcess[] {
  const ports = [...parts.ports];
  const cells = parts.database.cells.map((_, index) => index + FIRST_CELL);
  const places = Object.fromEntries(
    serviceNames.map((service) => {
      const count = countOf(parts.settings, service);
      const all = (CELL_SERVICES.includes(service) ? cells : [FIRST_CELL]).flatMap((cell) => {
        const name = cellName(localName(service), cell);
        return Array.from({ length: count }, (_, ordinal) => ({
          ...{ service, cell, ordinal, name: count === 1 ? name : `${name}-${ordinal}` },
          ...{ managementPort: nextOf(ports), port: nextOf(ports) },
          ...(serviceRow(service).testPort !== undefined && { testPort: nextOf(ports) }),
        }));
      });
      return [service, all];
    }),
  ) as unknown as Places;
  return Object.values(places)
    .flat()
    .map((one) => processOf(parts, places, one));
}

function nextOf(ports: number[]): number {
  const port = ports.pop();
  if (port === undefined) throw new Error('There are more processes than ports.');
  return port;
}

function countOf({ instances }: ClusterSettings, service: ServiceName): number {
  const counts: Readonly<Record<string, number>> = instances;
  return counts[localName(service)] ?? 1;
}

interface Place {
  readonly service: ServiceName;
  readonly cell: number;
  /** Within its cell. */
  readonly ordinal: number;
  readonly name: string;
  readonly managementPort: number;
  readonly port: number;
  /** Where its row has a port for card networks. */
  readonly testPort?: number;
}

type Places = Readonly<Record<ServiceName, readonly Place[]>>;

function processOf(parts: ClusterParts, places: Places, place: Place): ServiceProcess {
  const { service, name, managementPort } = place;
  const own = environmentOf(parts, places, place);
  const port = service === 'edge' ? own['EDGE_PORT'] : String(place.port);
  const host = service === 'edge' ? parts.settings.host : LOOPBACK;
  return {
    name,
    service: localName(service),
    entry: fileURLToPath(new URL(programOf(serviceRow(service)), ROOT)),
    environment: {
      // The cluster's log shows less unless it is told otherwise; it reads some of it itself.
      LOG_LEVEL: parts.settings.logLevel === 'debug' ? 'debug' : 'info',
      MANAGEMENT_PORT: String(managementPort),
      ...own,
    },
    nodeOptions: parts.settings.nodeOptions,
    management: `http://${LOOPBACK}:${managementPort}`,
    ...(isSpokenTo(service) ? { url: `http://${bracketed(host)}:${port ?? ''}` } : {}),
  };
}

type Environment = Readonly<Record<string, string>>;

/** What its row says of every service, and what is particular about this one. */
function environmentOf(parts: ClusterParts, places: Places, place: Place): Environment {
  const { service } = place;
  const { routes, keys = [], identity, settings, testSettings } = serviceRow(service);
  const files = keyFiles(parts.dataFolder);
  return {
    ...merged(tablesReachedBy(service).map((owner) => databaseOf(parts, place, owner))),
    ...merged(eventsReadBy(service).map((one) => eventSourceOf(parts, one))),
    ...(routes === undefined ? {} : { INTERNAL_PORT: String(place.port) }),
    ...(service in kafkaAccess ? { KAFKA_BROKERS: parts.brokers } : {}),
    ...merged(keys.map((key) => ({ [serviceKeys[key].variable]: files[key] }))),
    ...merged(calledBy(service).map((one) => urlsToCall(parts, places, one))),
    ...(identity === undefined ? {} : { [identity.variable]: identityOf(place, identity.as) }),
    ...settings,
    ...testSettings,
    ...PARTICULAR[service]?.(parts, place, places),
  };
}

/** In a cell of payments its own database. */
function databaseOf({ database }: ClusterParts, { cell }: Place, owner: ServiceWithTables) {
  const ofCell = database.cells[cell - FIRST_CELL];
  if (owner !== SERVICE_OF_CELLS || ofCell === undefined) return databaseVariables(database, owner);
  const services = { ...database.services, [SERVICE_OF_CELLS]: ofCell };
  return databaseVariables({ services }, owner);
}

/** Where a service is, and where each of its cells is if it has several. */
function urlsToCall({ database }: ClusterParts, places: Places, callee: ServiceName): Environment {
  const cells = database.cells.map((_, index) =>
    urlsOf(places[callee].filter(({ cell }) => cell === index + FIRST_CELL)),
  );
  const [first = ''] = cells;
  const hasCells = callee === SERVICE_OF_CELLS && cells.length > 1;
  return {
    [urlsVariableOf(callee)]: first,
    ...(hasCells && { PAYMENTS_CELLS: cells.join(';') }),
  };
}

function identityOf({ service, ordinal }: Place, as: 'number' | 'name'): string {
  return as === 'number' ? String(ordinal) : `${service}-${ordinal}`;
}

function merged(environments: readonly Environment[]): Environment {
  return Object.assign({}, ...environments) as Environment;
}

/** What no row says. */
const PARTICULAR: Partial<
  Record<ServiceName, (parts: ClusterParts, place: Place, places: Places) => Environment>
> = {
  edge: edgeOf,
  'reference-page': (_parts, { port }) => ({ REFERENCE_PAGE_PORT: String(port) }),
  payments: ({ settings }, { cell }, { simulator }) => ({
    ...recoveryOf(settings),
    ...outboundOf(settings),
    ...(settings.sepaGatherMs === undefined ? {} : { PAYMENTS_SEPA_CREDITOR: 'demo' }),
    PAYMENTS_CELL: String(cell),
    PAYMENTS_SIMULATOR_URL: urlsOf(simulator),
  }),
  // Browsers reach the simulator where it is.
  checkouts: (_parts, _place, { simulator }) => ({
    CHECKOUTS_WALLET_SIMULATOR_URL: urlsOf(simulator),
  }),
  risk: (_parts, place, { simulator }) => ({
    RISK_SIMULATOR_URL: urlsOf(simulator),
    RISK_TEST_DIRECTORY_URL: testUrlsOf(simulator),
    RISK_RESULTS_HOST: LOOPBACK,
    RISK_RESULTS_PORT: String(place.testPort),
    // Results come to the process that has asked.
    RISK_RESULTS_URL: `${testUrlsOf([place])}${RESULTS_PATH}`,
  }),
  // A receiver or shop that is being developed is on this machine, and so is whoever reads the mails.
  webhooks: ({ settings: { binFile }, dataFolder }) => ({
    WEBHOOKS_PRIVATE_TARGETS: 'all',
    WEBHOOKS_MAIL_RELAY: pathToFileURL(resolve(dataFolder, 'mails')).href,
    WEBHOOKS_MAIL_SENDER: 'sluice@cluster.example',
    ...(binFile === undefined ? {} : { WEBHOOKS_BIN_FILE: resolve(binFile) }),
  }),
  vault: ({ dataFolder }) => ({ VAULT_WALLETS_FILE: testWalletFiles(dataFolder).recipients }),
  sepa: ({ settings: { sepaGatherMs }, dataFolder }) => ({
    SEPA_FOLDER: join(dataFolder, 'sepa'),
    ...(sepaGatherMs === undefined ? {} : bankTimes(sepaGatherMs)),
  }),
  accounts: ({ settings: { seedFile } }): Environment =>
    seedFile === undefined ? {} : { ACCOUNTS_SEED_FILE: seedFile },
  simulator: ({ settings, dataFolder }, place) => ({
    SIMULATOR_PORT: String(place.port),
    SIMULATOR_DIRECTORY_PORT: String(place.testPort),
    // Its row says where Kubernetes forwards it to; here browsers reach it where it is.
    SIMULATOR_PAGES_URL: urlsOf([place]),
    SIMULATOR_WALLETS_FILE: testWalletFiles(dataFolder).senders,
    SIMULATOR_BOOK: join(dataFolder, 'simulator', 'book.jsonl'),
    SIMULATOR_PAGE_MS: String(settings.simulatorPageMs),
    SIMULATOR_PENDING_MS: String(settings.simulatorPendingMs),
  }),
};

/** Nobody who tries it waits for a look that comes every ten seconds. */
function bankTimes(gatherMs: number): Environment {
  return {
    SEPA_GATHER_EVERY_MS: String(gatherMs),
    SEPA_LOOK_EVERY_MS: String(Math.min(gatherMs, BANK_LOOK_MS)),
  };
}

function edgeOf({ settings }: ClusterParts, { ordinal, port }: Place): Environment {
  const { throttlePerSecond, throttleReadsPerSecond, host } = settings;
  // The first has the port that was asked for; the others are listed in the cluster's file.
  const isFirst = ordinal === 0 && settings.port !== 0;
  return {
    EDGE_PORT: String(isFirst ? settings.port : port),
    EDGE_HOST: host,
    THROTTLE_PER_SECOND: String(throttlePerSecond),
    THROTTLE_BURST: String(Math.max(1, throttlePerSecond)),
    THROTTLE_READS_PER_SECOND: String(throttleReadsPerSecond),
    THROTTLE_READS_BURST: String(Math.max(1, throttleReadsPerSecond)),
    ...(settings.binFile === undefined ? {} : { EDGE_BIN_FILE: resolve(settings.binFile) }),
    EDGE_LENIENT: String(settings.isLenient),
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

/** Where merchant accounts may lead, and what they say there. */
function outboundOf({ secretsFolder, privateTargets }: ClusterSettings): Environment {
  return {
    ...(secretsFolder === undefined ? {} : { PAYMENTS_SECRETS_FOLDER: resolve(secretsFolder) }),
    ...(privateTargets.length === 0 ? {} : { PAYMENTS_PRIVATE_TARGETS: privateTargets.join(',') }),
  };
}

/** Where somebody reads the stored events of a service when it rebuilds. */
function eventSourceOf({ database }: ClusterParts, publisher: EventPublisher): Environment {
  const { schema } = database.services[publisher];
  const databases = databasesOf(database, publisher);
  return {
    [databaseVariableOf(publisher, 'reader')]: databases.map(({ appUrl }) => appUrl).join(' '),
    [schemaVariableOf(publisher)]: schema,
  };
}

function databasesOf({ services, cells }: InstallationDatabase, service: ServiceWithTables) {
  return service === SERVICE_OF_CELLS ? cells : [services[service]];
}

function urlsOf(places: readonly Place[]): string {
  return places.map(({ port }) => `http://${LOOPBACK}:${port}`).join(',');
}

function testUrlsOf(places: readonly Place[]): string {
  return places.map(({ testPort }) => `http://${LOOPBACK}:${testPort}`).join(',');
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
