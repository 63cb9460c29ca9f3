/**
 * The table of services: one row for each process of an installation. Topics, access rules of Kafka,
 * callers, databases, secrets, the local cluster, kill lists and drills derive from it while they run;
 * manifests, compose, network policies, alerts and the reference are written from it by
 * `npm run generate`. What a field means stands in `service-row.ts`, and how to add a row in
 * `docs/how-to/add-a-service.md`.
 */

import type { ServiceRow } from './service-row.js';

/** The rows, in the order of a payment's way. */
export const services = serviceTable({
  edge: {
    ...{ folder: 'edge', program: 'main' },
    purpose: 'takes requests of merchants, checks them and answers',
    sendsCommands: true,
    keys: ['credentials', 'commands'],
    // Each answers on a partition of replies of its own, the one of its number.
    instances: 'numbered',
    identity: { variable: 'EDGE_ORDINAL', as: 'number' },
    startsAfter: [
      'payments',
      'registrations',
      'checkouts',
      'vault',
      'risk',
      'scheduling',
      'accounts',
      'reporting',
    ],
    stopsAfter: [],
    outwardNetwork: 'merchants',
    testSettings: {
      // Whoever comes through the node's port has the address of the node.
      EDGE_CONNECTIONS_PER_ADDRESS: '0',
      EDGE_REFUSALS_PER_SECOND: '0',
    },
    pod: { cpu: '50m', heapMiB: 144, memoryMiB: 320 },
    autoscaled: 'production',
    hasPriority: true,
  },
  payments: {
    ...{ folder: 'payments', program: 'main' },
    purpose: 'decides commands, records events and calls acquirers',
    keepsTables: true,
    takesCommands: true,
    publishes: 'payment',
    routes: {
      transaction: ['edge', 'webhooks'],
      transactionOutcome: ['registrations', 'checkouts'],
      paidInstrument: ['edge'],
      // Of an authentication alone: the merchant pays with it later, perhaps elsewhere.
      authenticationProof: ['edge'],
      takenBrands: ['edge'],
      transactionEntries: ['edge'],
      redirect: ['edge'],
      shopperReturn: ['edge', 'checkouts'],
      bankReturn: ['sepa'],
      reverseAttempt: ['checkouts'],
      charge: ['scheduling'],
      reviewDecided: ['risk'],
      transactionsByReference: ['reporting'],
      referenceHeads: ['reporting'],
      streamEvents: ['reporting', 'risk'],
      eventsOfStreams: ['risk'],
      streamHeads: ['reporting', 'risk'],
      personalParameters: ['reporting'],
      carriedShards: [
        ...(['edge', 'registrations', 'checkouts', 'reporting', 'sepa', 'risk'] as const),
        'scheduling',
        'webhooks',
      ],
    },
    keys: ['payments', 'commands'],
    instances: 'alike',
    startsAfter: ['accounts'],
    stopsAfter: ['edge', 'scheduling', 'webhooks'],
    outwardNetwork: 'acquirers',
    testSettings: { PAYMENTS_SIMULATOR_URL: 'http://simulator:8081' },
    pod: { cpu: '50m', heapMiB: 192, memoryMiB: 384 },
    autoscaled: 'everywhere',
  },
  'payments-relay': relayOf('payments', 'relay'),
  registrations: {
    ...{ folder: 'registrations', program: 'main' },
    purpose: 'keeps what shoppers pay with, for later payments',
    keepsTables: true,
    takesCommands: true,
    publishes: 'registration',
    routes: {
      registration: ['edge', 'scheduling', 'webhooks'],
      transaction: ['edge', 'checkouts'],
      transactionEntries: ['edge'],
      transactionsByReference: ['reporting'],
      referenceHeads: ['reporting'],
      streamEvents: ['reporting'],
      streamHeads: ['reporting'],
      personalParameters: ['reporting'],
    },
    keys: ['registrations', 'commands'],
    instances: 'alike',
    startsAfter: [],
    stopsAfter: ['edge', 'scheduling', 'webhooks'],
  },
  'registrations-relay': relayOf('registrations', 'registrations-relay'),
  checkouts: {
    ...{ folder: 'checkouts', program: 'main' },
    purpose: 'keeps what shoppers are to pay in their browsers',
    keepsTables: true,
    takesCommands: true,
    routes: {
      status: ['edge'],
      serve: ['edge'],
      delete: ['edge'],
      neverAsked: ['edge'],
      toComplete: ['edge'],
      keepWidget: ['edge'],
      widget: ['edge'],
      wallets: ['edge'],
      applePaySession: ['edge'],
      // Before each call of a page of results: where it is, and whether it is still to be called.
      resultPage: ['webhooks'],
    },
    keys: ['checkouts', 'commands'],
    // The merchants' own certificates and names with the wallets: the file is theirs to fill.
    secretFiles: [{ variable: 'CHECKOUTS_WALLETS_FILE', file: 'wallets.json' }],
    instances: 'alike',
    startsAfter: [],
    stopsAfter: ['edge', 'webhooks'],
  },
  vault: {
    ...{ folder: 'vault', program: 'main' },
    purpose: 'keeps card numbers, IBANs and other account data',
    keepsTables: true,
    routes: {
      // Payments: the account of a shopper whose bank gets files is held once more, for sepa.
      hold: ['edge', 'payments'],
      openToken: ['edge'],
      reveal: ['payments'],
      // Edge too: what it handed over for a request that then never left must not wait for its expiry,
      // and whoever has something forgotten learns nothing.
      forget: ['edge', 'payments'],
      // What a shopper has typed and not yet paid with, and nothing else: edge had it, and has it again
      // for the one payment that is made of it.
      saveDetails: ['edge'],
      readSaved: ['edge'],
      forgetSaved: ['edge'],
      keep: ['registrations'],
      changeKept: ['registrations'],
      forgetKept: ['registrations'],
      // Those of orders alone: whoever writes accounts into files comes to no card.
      keepBankAccount: ['sepa'],
      revealBankAccount: ['sepa'],
      forgetBankAccount: ['sepa'],
      // Whoever has shoppers authenticated: the number alone, never the security code.
      revealNumber: ['risk'],
      holdProof: ['risk'],
      revealProof: ['payments'],
    },
    keys: ['vault', 'fingerprints'],
    // The merchants' own keys: nothing here can make them, so the file is theirs to fill.
    secretFiles: [{ variable: 'VAULT_WALLETS_FILE', file: 'wallets.json' }],
    // Callers go to the instance that the reference names.
    instances: 'numbered',
    identity: { variable: 'VAULT_INSTANCE', as: 'name' },
    startsAfter: [],
    stopsAfter: ['edge', 'payments', 'registrations', 'sepa', 'risk'],
  },
  risk: {
    ...{ folder: 'risk', program: 'main' },
    purpose: 'applies the rules of merchants and has shoppers authenticated, before money moves',
    keepsTables: true,
    routes: {
      assessedNodes: ['payments'],
      assess: ['payments'],
      authenticate: ['payments'],
      authentication: ['payments'],
      proceed: ['payments'],
      // From a frame that an issuer's page has led to edge: it wakes, and says nothing.
      methodDone: ['edge'],
      // What issuers had to say to shoppers, sealed before.
      issuerWords: ['edge'],
      // Of an authentication alone that a payment comes with.
      coveredAmount: ['payments'],
    },
    keys: ['risk'],
    testPort: { name: 'results', callers: ['simulator'] },
    testSettings: {
      RISK_SIMULATOR_URL: 'http://simulator:8081',
      RISK_TEST_DIRECTORY_URL: 'https://simulator:8445',
      RISK_RESULTS_HOST: '0.0.0.0',
      RISK_RESULTS_PORT: '8444',
      RISK_RESULTS_URL: 'https://risk:8444/3ds/results',
    },
    // Whom the operator has asked to score payments, and their secrets: the file is his to fill.
    secretFiles: [{ variable: 'RISK_SCORERS_FILE', file: 'scorers.json' }],
    instances: 'alike',
    startsAfter: [],
    stopsAfter: ['edge', 'payments'],
  },
  scheduling: {
    ...{ folder: 'scheduling', program: 'main' },
    purpose: 'charges what is stored at the times that merchants have set',
    keepsTables: true,
    takesCommands: true,
    publishes: 'schedule',
    routes: {
      schedule: ['edge', 'webhooks'],
      schedulesOfRegistration: ['edge'],
      transaction: ['edge'],
      transactionEntries: ['edge'],
      streamEvents: ['reporting'],
      streamHeads: ['reporting'],
      personalParameters: ['reporting'],
    },
    keys: ['scheduling', 'commands'],
    instances: 'alike',
    startsAfter: [],
    stopsAfter: ['edge', 'webhooks'],
  },
  'scheduling-relay': relayOf('scheduling', 'scheduling-relay'),
  webhooks: {
    ...{ folder: 'webhooks', program: 'main' },
    purpose:
      'tells merchants what has become of their payments, registrations and schedules, at addresses of their own',
    keepsTables: true,
    // Nobody else comes to addresses that merchants name.
    routes: { callResult: ['checkouts'] },
    followsEventsOf: ['payments', 'registrations', 'scheduling'],
    keys: ['webhooks'],
    instances: 'alike',
    startsAfter: ['payments', 'registrations', 'checkouts', 'scheduling'],
    stopsAfter: [],
    outwardNetwork: 'receivers',
    pod: { cpu: '25m', heapMiB: 144, memoryMiB: 320 },
  },
  sepa: {
    ...{ folder: 'sepa', program: 'main' },
    purpose: 'gathers direct debits and credits into files for a bank, and reads its answers',
    keepsTables: true,
    routes: { placeOrder: ['payments'], order: ['payments'], cancelOrder: ['payments'] },
    // It alone writes the files of its volume.
    instances: 'single',
    startsAfter: [],
    stopsAfter: ['payments'],
    settings: { SEPA_FOLDER: '/var/lib/sepa' },
    testSettings: { SEPA_DEMO_CREDITOR: 'true' },
    volume: { name: 'files', path: '/var/lib/sepa' },
    // For the largest file of a bank: it is read in one go, in memory of twenty times its size.
    pod: { cpu: '25m', heapMiB: 448, memoryMiB: 640 },
  },
  accounts: {
    ...{ folder: 'accounts', program: 'main' },
    purpose: 'keeps the account tree, tokens and what each may do',
    keepsTables: true,
    routes: {
      directory: ['edge'],
      routing: ['payments', 'webhooks'],
      schedules: ['scheduling'],
    },
    keys: ['credentials'],
    instances: 'alike',
    startsAfter: [],
    stopsAfter: ['edge', 'payments', 'scheduling', 'webhooks'],
    testSettings: { ACCOUNTS_DEMO_CHANNEL: 'true' },
    secretFiles: [{ variable: 'ACCOUNTS_SEED_FILE', file: 'seed.json' }],
  },
  reporting: {
    ...{ folder: 'reporting', program: 'main' },
    purpose: 'makes tables of events and answers queries from them',
    keepsTables: true,
    readsEventsOf: ['payments', 'registrations', 'scheduling'],
    routes: { transactions: ['edge'], linkedTransactions: ['edge'] },
    instances: 'alike',
    startsAfter: ['payments', 'registrations', 'scheduling'],
    stopsAfter: ['edge', 'payments', 'registrations', 'scheduling'],
    pod: { cpu: '25m', heapMiB: 192, memoryMiB: 384 },
  },
  'reference-page': {
    ...{ folder: 'reference-page', program: 'main' },
    purpose: 'shows the reference of the interface; sees no payment',
    instances: 'alike',
    startsAfter: [],
    stopsAfter: [],
    outwardNetwork: 'readers',
    // The Ingress leads to it and to edge at one address; test installations have none.
    settings: { GATEWAY_ENVIRONMENT: 'live', REFERENCE_PAGE_BESIDE_INTERFACE: 'true' },
    testSettings: { GATEWAY_ENVIRONMENT: 'test', REFERENCE_PAGE_BESIDE_INTERFACE: 'false' },
  },
  simulator: {
    ...{ folder: 'simulator', program: 'main' },
    purpose: 'is the acquirer of test installations',
    instances: 'single',
    startsAfter: [],
    stopsAfter: ['payments'],
    standsFor: 'acquirers',
    // The external scorer called simulator.
    playsFor: ['risk'],
    testPort: { name: 'directory', callers: ['risk'] },
    settings: {
      SIMULATOR_BOOK: '/var/lib/simulator/book.jsonl',
      SIMULATOR_DIRECTORY_PORT: '8445',
      // Where `kubectl port-forward` puts it: a shopper there is whoever tries it out.
      SIMULATOR_PAGES_URL: 'http://127.0.0.1:8082',
    },
    volume: { name: 'book', path: '/var/lib/simulator' },
  },
});

/** The relay of a service that publishes events: one program for all, which is told whose it is. */
function relayOf<const Publisher extends string, const Short extends string>(
  publisher: Publisher,
  localName: Short,
) {
  return {
    ...{ folder: 'relay', program: 'main', localName },
    purpose: 'brings recorded events to their topic',
    relays: [publisher],
    instances: 'alike',
    startsAfter: [publisher],
    stopsAfter: [publisher],
    settings: { RELAYED_SERVICE: publisher },
  } as const;
}

/** The rows name each other, so a name that no row has does not compile. */
function serviceTable<
  const Rows extends Readonly<Record<keyof Rows, ServiceRow<keyof Rows & string>>>,
>(rows: Rows): Rows {
  return rows;
}

type Rows = typeof services;

/** A service, as workloads, certificates and clients of Kafka are called. */
export type ServiceName = keyof Rows;

/** Those services whose row has what the type says. */
export type ServicesWith<Traits> = {
  [Name in ServiceName]: Rows[Name] extends Traits ? Name : never;
}[ServiceName];

/** All of them, in the order of the table. */
export const serviceNames = Object.keys(services) as readonly ServiceName[];

/** A service's row, whatever is in it. */
export function serviceRow(name: ServiceName): ServiceRow<ServiceName> {
  return services[name];
}

function servicesWith<Name extends ServiceName>(
  has: (row: ServiceRow<ServiceName>) => boolean,
): readonly Name[] {
  return serviceNames.filter((name): name is Name => has(services[name]));
}

/** A service with a schema of its own. */
export type ServiceWithTables = ServicesWith<{ keepsTables: true }>;

/** Those with a schema of their own. */
export const servicesWithTables = servicesWith<ServiceWithTables>(
  ({ keepsTables }) => keepsTables === true,
);

/** A service that takes commands. */
export type CommandTaker = ServicesWith<{ takesCommands: true }>;

/** Those that take commands. */
export const commandTakers = servicesWith<CommandTaker>(
  ({ takesCommands }) => takesCommands === true,
);

/** A service that sends commands. */
type CommandSender = ServicesWith<{ sendsCommands: true }>;

/**
 * The only one. A second one would read the replies of edge's instances, because topic and group of
 * replies are named once, so it does not compile here until `KafkaBus` is told whose they are.
 */
export const commandSender: [CommandSender] extends ['edge']
  ? CommandSender
  : 'only edge sends commands: give each sender a topic and a group of replies first, see REPLY_TOPIC' =
  'edge';

/** A service that publishes events. */
export type EventPublisher = ServicesWith<{ publishes: string }>;

/** Those that publish events. */
export const eventPublishers = servicesWith<EventPublisher>(
  ({ publishes }) => publishes !== undefined,
);

/** Those that make tables of the events of others. */
export const eventReaders = servicesWith(({ readsEventsOf }) => readsEventsOf !== undefined);

/** A service that may run more than once. */
export type ScalableService = ServicesWith<{ instances: 'alike' | 'numbered' }>;

/** Those that may run more than once. */
export const scalableServices = servicesWith<ScalableService>(
  ({ instances }) => instances !== 'single',
);

/** Those that answer others. */
export const answeringServices = servicesWith(({ routes }) => routes !== undefined);

/** The services that one may ask something, in the order of the table. */
export function calledBy(name: ServiceName): readonly ServiceName[] {
  return serviceNames.filter((other) =>
    Object.values(serviceRow(other).routes ?? {}).some((callers) => callers.includes(name)),
  );
}

/** Those that a service may ask, as a type. */
export type Callees<Name extends ServiceName> = {
  [Callee in ServiceName]: Rows[Callee] extends { routes: infer Routes }
    ? Name extends CallersOf<Routes>
      ? Callee
      : never
    : never;
}[ServiceName];

type CallersOf<Routes> = Routes[keyof Routes] extends readonly (infer Caller)[] ? Caller : never;

/** Whose tables a service comes to: its own, and those whose outbox it empties. */
export function tablesReachedBy(name: ServiceName): readonly ServiceWithTables[] {
  const { relays = [] } = serviceRow(name);
  return servicesWithTables.filter((one) => one === name || relays.includes(one));
}

/** The services whose events one makes tables of. */
export function eventsReadBy(name: ServiceName): readonly EventPublisher[] {
  return eventPublishers.filter((one) => serviceRow(name).readsEventsOf?.includes(one));
}

/** The services whose events one hears, whatever it does with them. */
export function eventsHeardBy(name: ServiceName): readonly EventPublisher[] {
  const { readsEventsOf = [], followsEventsOf = [] } = serviceRow(name);
  const heard: readonly ServiceName[] = [...readsEventsOf, ...followsEventsOf];
  return eventPublishers.filter((one) => heard.includes(one));
}

/** The services whose events one brings to their topics. */
export function eventsRelayedBy(name: ServiceName): readonly EventPublisher[] {
  return eventPublishers.filter((one) => serviceRow(name).relays?.includes(one));
}

/** The services that make tables of the events of another. */
export function readersOfEvents(publisher: ServiceName): readonly ServiceName[] {
  return serviceNames.filter((name) => serviceRow(name).readsEventsOf?.includes(publisher));
}

/** Whether it has a certificate of the internal authority: whoever is asked by others or asks them. */
export function isCertified(name: ServiceName): boolean {
  const { testPort } = serviceRow(name);
  return answeringServices.includes(name) || calledBy(name).length > 0 || testPort !== undefined;
}

/** Whether it is reached from outside of the installation: by merchants, or by readers of pages. */
export function isPublic(name: ServiceName): boolean {
  const { outwardNetwork } = serviceRow(name);
  return outwardNetwork === 'merchants' || outwardNetwork === 'readers';
}

/** Whether anybody opens connections to it: other services, outsiders, or whoever calls acquirers. */
export function isSpokenTo(name: ServiceName): boolean {
  const { routes, standsFor } = serviceRow(name);
  return routes !== undefined || isPublic(name) || standsFor !== undefined;
}

/** What the cluster of one machine calls a service. */
export type LocalServiceName<Name extends ServiceName = ServiceName> = Name extends ServiceName
  ? Rows[Name] extends { localName: infer Short extends string }
    ? Short
    : Name
  : never;

/** The same name as a value. */
export function localName<Name extends ServiceName>(name: Name): LocalServiceName<Name> {
  return (serviceRow(name).localName ?? name) as LocalServiceName<Name>;
}

/** Where a service's compiled program is, from the root of the repository or of the image. */
export function programOf({ folder, program }: ServiceRow): string {
  return `apps/${folder}/dist/${program}.js`;
}
