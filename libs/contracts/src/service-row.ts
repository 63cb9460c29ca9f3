/** The keys that services share files of, with the variable that names the file. */
export const serviceKeys = {
  /** Of credential hashes (S-AUT-01). */
  credentials: { variable: 'CREDENTIAL_KEY_FILE', file: 'credential.key', owner: 'accounts' },
  /** Seal personal data in commands (decision 0035). */
  commands: { variable: 'COMMAND_KEY_FILE', file: 'command-keys.json', owner: 'payments' },
  /** Wrap the keys of payments' personal data. */
  payments: { variable: 'PAYMENTS_KEY_FILE', file: 'payments-keys.json', owner: 'payments' },
  /** Wrap the keys of registrations' personal data. */
  registrations: {
    variable: 'REGISTRATIONS_KEY_FILE',
    file: 'registrations-keys.json',
    owner: 'registrations',
  },
  /** Wrap the keys of checkouts' personal data. */
  checkouts: { variable: 'CHECKOUTS_KEY_FILE', file: 'checkouts-keys.json', owner: 'checkouts' },
  /** Wrap the keys of risk's personal data. */
  risk: { variable: 'RISK_KEY_FILE', file: 'risk-keys.json', owner: 'risk' },
  /** Wrap the keys of schedules' personal data. */
  scheduling: {
    variable: 'SCHEDULING_KEY_FILE',
    file: 'scheduling-keys.json',
    owner: 'scheduling',
  },
  /** Wrap the keys of the secrets that notifications are encrypted with. */
  webhooks: { variable: 'WEBHOOKS_KEY_FILE', file: 'webhooks-keys.json', owner: 'webhooks' },
  /** Wrap the data keys of held and kept details. */
  vault: { variable: 'VAULT_KEY_FILE', file: 'vault-keys.json', owner: 'vault' },
  /** Of card fingerprints (S-PCI-06). */
  fingerprints: { variable: 'VAULT_FINGERPRINT_KEY_FILE', file: 'fingerprint.key', owner: 'vault' },
} as const;

/** One of them. */
export type ServiceKey = keyof typeof serviceKeys;

/** Those that the pod for people has, too: whoever adds a receiver seals its secret (`sluice webhooks add`). */
export const operatorKeys: readonly ServiceKey[] = ['webhooks'];

/** What is said of a service; what a row leaves out the service does not have or do. */
export interface ServiceRow<Name extends string = string> {
  /** Its folder in `apps`; a folder may have several programs. */
  readonly folder: string;
  /** The file of its program in that folder, without `.ts`. */
  readonly program: string;
  /** What it is there for, as the reference of services says it. */
  readonly purpose: string;
  /** What the cluster of one machine calls it, where that is shorter. */
  readonly localName?: string;
  /** Whether it has a schema of its own in the database, with an owner role and an app role. */
  readonly keepsTables?: true;
  /** Whether it takes commands, from a topic of its own. */
  readonly takesCommands?: true;
  /** Whether it sends commands, to any service that takes them, and reads the replies; one alone. */
  readonly sendsCommands?: true;
  /** The name of the stream whose events it publishes: the topic is `<service>.<stream>.v1`. */
  readonly publishes?: string;
  /** The services whose outbox it empties, and whose tables it therefore reaches. */
  readonly relays?: readonly Name[];
  /** The services whose events it makes tables of; it may read their stored events for a rebuild. */
  readonly readsEventsOf?: readonly Name[];
  /** The services whose events it acts on, as they come; it makes no table of them, and rebuilds none. */
  readonly followsEventsOf?: readonly Name[];
  /** What it answers inside the installation, each with the services that may ask (D-44, D-45). */
  readonly routes?: Readonly<Record<string, readonly Name[]>>;
  /**
   * Beside that of its routes, a port by which it and the simulator of card networks speak in test
   * installations, by mutual TLS; with the services that come to it.
   */
  readonly testPort?: { readonly name: TestPort; readonly callers: readonly Name[] };
  /** The keys that it is given. */
  readonly keys?: readonly ServiceKey[];
  /**
   * `single`: one process does, or it writes what one process alone may write. `alike`: as many as
   * wished, and nobody cares which one answers. `numbered`: as many as wished, and each is known by
   * its number, because replies or callers look for that one.
   */
  readonly instances: 'single' | 'alike' | 'numbered';
  /** The variable that tells a numbered one which it is: `1`, or `vault-1`. */
  readonly identity?: { readonly variable: string; readonly as: 'number' | 'name' };
  /** Who must be ready before it starts, where one machine starts them all. */
  readonly startsAfter: readonly Name[];
  /** Who must have ended before it stops: whoever still needs it for what has begun (D-20). */
  readonly stopsAfter: readonly Name[];
  /**
   * Who outside of the installation it speaks with: merchants and readers come to it, readers to pages where
   * they pay nothing; acquirers are called, and so are receivers, at addresses that merchants name.
   */
  readonly outwardNetwork?: 'merchants' | 'readers' | 'acquirers' | 'receivers';
  /** Test installations alone have it, in the place of the outward network. */
  readonly standsFor?: 'acquirers';
  /** Who asks it besides, at the same port: it plays somebody for them, too. */
  readonly playsFor?: readonly Name[];
  /** What it is told on Kubernetes and in containers beside what follows from this row. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The same in test installations alone; the cluster of one machine is one. */
  readonly testSettings?: Readonly<Record<string, string>>;
  /** Files among its secrets that are neither keys nor addresses of databases. */
  readonly secretFiles?: readonly SecretFile[];
  /** A volume of its own, which outlives it; such a service runs once. */
  readonly volume?: { readonly name: string; readonly path: string };
  /** How large its pods are, where `smallPod` would not do. */
  readonly pod?: PodSize;
  /** Where something else says how many there are: `autoscaler.yaml` in its folder, or production. */
  readonly autoscaled?: 'everywhere' | 'production';
  /** Whether it is scheduled before others, by the `priority-class.yaml` in its folder. */
  readonly hasPriority?: true;
}

/** Of directory servers, who are asked for authentications; and of whoever takes their results. */
export type TestPort = 'directory' | 'results';

/** A secret as a file. */
export interface SecretFile {
  /** The variable that names the file. */
  readonly variable: string;
  readonly file: string;
  readonly inTestsAlone?: true;
}

/** What a pod asks for and may use. */
export interface PodSize {
  /** Asked for; the limit is the same for all. */
  readonly cpu: string;
  /** For the objects of Node.js. */
  readonly heapMiB: number;
  readonly memoryMiB: number;
}

/** Of a service whose row says nothing else. */
export const smallPod: PodSize = { cpu: '25m', heapMiB: 96, memoryMiB: 256 };

/** So many of a numbered one have names in its certificate; an installation may have fewer. */
export const NAMED_INSTANCES = 4;
