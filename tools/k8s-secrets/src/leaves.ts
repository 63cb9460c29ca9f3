import {
  isCertified,
  kafkaClients,
  NAMED_INSTANCES,
  SECOND_CELL,
  SERVICE_OF_CELLS,
  serviceNames,
  workloadOfCell,
} from '@sluice/contracts';

/** Which authority signs: two, as cert-manager's and Strimzi's are two. */
export type AuthorityName = 'internal' | 'kafka';

/** A certificate of the installation, and the files that it is in. */
export interface Leaf {
  /** Whose it is, as `--renew` takes it; somebody may have several. */
  readonly owner: string;
  readonly authority: AuthorityName;
  readonly dnsNames: readonly string[];
  /** Where it is found without a name. */
  readonly addresses?: readonly string[];
  /** Who it is to the other services (D-45); Kafka goes by the common name, the owner's. */
  readonly uris: readonly string[];
  /** Relative to the output folder; the first two may be the same file. */
  readonly files: {
    readonly key: string;
    readonly certificate: string;
    readonly authority: readonly string[];
  };
}

/** Where everything runs. */
export const NAMESPACE = 'sluice';

/** Of services that call others or are called: the layout of cert-manager. */
const internalServices = serviceNames.filter(isCertified);

/** Pods with names of their own, by the headless Service through which they are found. */
const headlessServices: Readonly<Record<string, string>> = {
  edge: 'edge-instances',
  vault: 'vault',
  kafka: 'kafka',
};

/** Every certificate there is. */
export const leaves: readonly Leaf[] = [
  ...internalServices.map((service): Leaf => ({
    owner: service,
    authority: 'internal',
    // Who it is to others is the same in every cell (page 0047).
    dnsNames:
      service === SERVICE_OF_CELLS
        ? [...namesOf(service), ...namesOf(workloadOfCell(service, SECOND_CELL))]
        : namesOf(service),
    uris: [`spiffe://sluice/${service}`],
    files: filesIn(service, 'tls'),
  })),
  ...['postgres', workloadOfCell('postgres', SECOND_CELL)].map((server): Leaf => ({
    owner: server,
    authority: 'internal',
    dnsNames: namesOf(server),
    uris: [],
    files: filesIn(server, 'tls'),
  })),
  // The layout of Strimzi's KafkaUser. The operator makes topics and access rules.
  ...[...kafkaClients, 'operator'].map((client): Leaf => ({
    owner: client,
    authority: 'kafka',
    dnsNames: [],
    uris: [],
    files: filesIn(`${client}/kafka`, 'user'),
  })),
  {
    owner: 'kafka',
    authority: 'kafka',
    // A probe in the pod may call it localhost; `npm run kafka` runs it on the loopback interface.
    dnsNames: [...namesOf('kafka'), 'localhost'],
    addresses: ['127.0.0.1'],
    uris: [],
    // Kafka takes a key and its certificate from one file.
    files: {
      key: 'kafka/keystore.pem',
      certificate: 'kafka/keystore.pem',
      authority: ['kafka/truststore.pem', 'kafka/ca.crt'],
    },
  },
];

function filesIn(folder: string, name: string): Leaf['files'] {
  return {
    key: `${folder}/${name}.key`,
    certificate: `${folder}/${name}.crt`,
    authority: [`${folder}/ca.crt`],
  };
}

/** A Service under all of its names, and its pods where each has one. */
function namesOf(service: string): readonly string[] {
  const headless = headlessServices[service];
  const pods =
    headless === undefined
      ? []
      : Array.from({ length: NAMED_INSTANCES }, (_, index) => `${service}-${index}.${headless}`);
  const names = new Set([service, ...(headless === undefined ? [] : [headless]), ...pods]);
  return [...names].flatMap((name) => [
    name,
    `${name}.${NAMESPACE}`,
    `${name}.${NAMESPACE}.svc`,
    `${name}.${NAMESPACE}.svc.cluster.local`,
  ]);
}
