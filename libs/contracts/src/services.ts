/**
 * The table of services: one row for each process of an installation. Topics, access rules of Kafka,
 * callers, network policies, databases, secrets, the local cluster, kill lists and drills derive from
 * it. What cannot be derived (manifests, compose, pages) is compared with it by
 * `tools/repository/src/services.spec.ts`, which names what is missing. How to add a row:
 * `docs/how-to/add-a-service.md`.
 */

/** The keys that services share files of, with the variable that names the file. */
export const serviceKeys = {
  /** Of credential hashes (S-AUT-01). */
  credentials: { variable: 'CREDENTIAL_KEY_FILE', file: 'credential.key', owner: 'accounts' },
  /** Seal personal data in commands (decision 0035). */
  commands: { variable: 'COMMAND_KEY_FILE', file: 'command-keys.json', owner: 'payments' },
  /** Wrap the keys of payments' personal data. */
  payments: { variable: 'PAYMENTS_KEY_FILE', file: 'payments-keys.json', owner: 'payments' },
  /** Wrap the data keys of held cards. */
  vault: { variable: 'VAULT_KEY_FILE', file: 'vault-keys.json', owner: 'vault' },
  /** Of card fingerprints (S-PCI-06). */
  fingerprints: { variable: 'VAULT_FINGERPRINT_KEY_FILE', file: 'fingerprint.key', owner: 'vault' },
} as const;

/** One of them. */
export type ServiceKey = keyof typeof serviceKeys;

/** What is said of a service; what a row leaves out the service does not have or do. */
export interface ServiceRow<Name extends string = string> {
  /** Its folder in `apps`; a folder may have several programs. */
  readonly folder: string;
  /** The file of its program in that folder, without `.ts`. */
  readonly program: string;
  /** What the cluster of one machine calls it, where that is shorter. */
  readonly localName?: string;
  /** Whether it has a schema of its own in the database, with an owner role and an app role. */
  readonly keepsTables?: true;
  /** Whether it takes commands, from a topic of its own. */
  readonly takesCommands?: true;
  /** Whether it sends commands, to any service that takes them, and reads the replies. */
  readonly sendsCommands?: true;
  /** The name of the stream whose events it publishes: the topic is `<service>.<stream>.v1`. */
  readonly publishes?: string;
  /** The services whose outbox it empties, and whose tables it therefore reaches. */
  readonly relays?: readonly Name[];
  /** The services whose events it makes tables of; it may read their stored events for a rebuild. */
  readonly readsEventsOf?: readonly Name[];
  /** What it answers inside the installation, each with the services that may ask (D-44, D-45). */
  readonly routes?: Readonly<Record<string, readonly Name[]>>;
  /** The keys that it is given. */
  readonly keys?: readonly ServiceKey[];
  /**
   * `single`: one process does, or it writes what one process alone may write. `alike`: as many as
   * wished, and nobody cares which one answers. `numbered`: as many as wished, and each is known by
   * its number, because replies or callers look for that one.
   */
  readonly instances: 'single' | 'alike' | 'numbered';
  /** Who must be ready before it starts, where one machine starts them all. */
  readonly startsAfter: readonly Name[];
  /** Who must have ended before it stops: whoever still needs it for what has begun (D-20). */
  readonly stopsAfter: readonly Name[];
  /** Who outside of the installation it speaks with. */
  readonly outwardNetwork?: 'merchants' | 'acquirers';
  /** Test installations alone have it, in the place of the outward network. */
  readonly standsFor?: 'acquirers';
}

/** The rows, in the order of a payment's way. */
export const services = serviceTable({
  edge: {
    ...{ folder: 'edge', program: 'main' },
    sendsCommands: true,
    keys: ['credentials', 'commands'],
    instances: 'numbered',
    startsAfter: ['payments', 'vault', 'accounts', 'reporting'],
    stopsAfter: [],
    outwardNetwork: 'merchants',
  },
  payments: {
    ...{ folder: 'payments', program: 'main' },
    keepsTables: true,
    takesCommands: true,
    publishes: 'payment',
    routes: {
      transaction: ['edge'],
      transactionEntries: ['edge'],
      transactionsByReference: ['reporting'],
      referenceHeads: ['reporting'],
      streamEvents: ['reporting'],
      streamHeads: ['reporting'],
      personalParameters: ['reporting'],
    },
    keys: ['payments', 'commands'],
    instances: 'alike',
    startsAfter: [],
    stopsAfter: ['edge'],
    outwardNetwork: 'acquirers',
  },
  'payments-relay': {
    ...{ folder: 'payments', program: 'relay.main', localName: 'relay' },
    relays: ['payments'],
    instances: 'alike',
    startsAfter: ['payments'],
    stopsAfter: ['payments'],
  },
  vault: {
    ...{ folder: 'vault', program: 'main' },
    keepsTables: true,
    routes: {
      hold: ['edge'],
      reveal: ['payments'],
      // Edge too: a card that it holds for a request which then never leaves must not wait for its
      // expiry, and whoever forgets learns nothing.
      forget: ['edge', 'payments'],
    },
    keys: ['vault', 'fingerprints'],
    instances: 'numbered',
    startsAfter: [],
    stopsAfter: ['edge', 'payments'],
  },
  accounts: {
    ...{ folder: 'accounts', program: 'main' },
    keepsTables: true,
    routes: { directory: ['edge'] },
    keys: ['credentials'],
    instances: 'single',
    startsAfter: [],
    stopsAfter: ['edge'],
  },
  reporting: {
    ...{ folder: 'reporting', program: 'main' },
    keepsTables: true,
    readsEventsOf: ['payments'],
    routes: { transactions: ['edge'] },
    instances: 'alike',
    startsAfter: ['payments'],
    stopsAfter: ['edge', 'payments'],
  },
  simulator: {
    ...{ folder: 'simulator', program: 'main' },
    instances: 'single',
    startsAfter: [],
    stopsAfter: ['payments'],
    standsFor: 'acquirers',
  },
});

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

/** A service that publishes events. */
export type EventPublisher = ServicesWith<{ publishes: string }>;

/** Those that publish events. */
export const eventPublishers = servicesWith<EventPublisher>(
  ({ publishes }) => publishes !== undefined,
);

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

/** Whose tables a service comes to: its own, and those whose outbox it empties. */
export function tablesReachedBy(name: ServiceName): readonly ServiceWithTables[] {
  const { relays = [] } = serviceRow(name);
  return servicesWithTables.filter((one) => one === name || relays.includes(one));
}

/** The services whose events one makes tables of. */
export function eventsReadBy(name: ServiceName): readonly EventPublisher[] {
  return eventPublishers.filter((one) => serviceRow(name).readsEventsOf?.includes(one));
}

/** The services whose events one brings to their topics. */
export function eventsRelayedBy(name: ServiceName): readonly EventPublisher[] {
  return eventPublishers.filter((one) => serviceRow(name).relays?.includes(one));
}

/** The services that make tables of the events of another. */
export function readersOfEvents(publisher: ServiceName): readonly ServiceName[] {
  return serviceNames.filter((name) => serviceRow(name).readsEventsOf?.includes(publisher));
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
