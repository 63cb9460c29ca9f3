import {
  addressFile,
  databaseRolesOf,
  databaseVariableOf,
  isCertified,
  kafkaAccess,
  podsWithAddress,
  serviceKeys,
  type ServiceName,
  serviceNames,
  serviceRow,
  servicesWithTables,
} from '@sluice/contracts';

/** A secret that a service finds as a file, and the variable that names it. */
export interface SecretNeed {
  readonly variable: string;
  /** Its name in the folder of secrets. */
  readonly file: string;
  readonly inTestsAlone: boolean;
}

/** The services of every installation: those that stand for somebody are in test installations. */
export const everywhere = serviceNames.filter((name) => serviceRow(name).standsFor === undefined);

/** Those of test installations alone. */
export const inTestsAlone = serviceNames.filter((name) => !everywhere.includes(name));

/** Whether a service has a certificate for Kafka. */
export function speaksToKafka(name: ServiceName): boolean {
  return name in kafkaAccess;
}

/** Every file among a service's secrets: addresses of databases, keys, and what its row names. */
export function secretsOf(name: ServiceName): readonly SecretNeed[] {
  const { keys = [], secretFiles = [] } = serviceRow(name);
  return [
    ...databaseSecrets(name),
    ...keys.map((key) => ({ ...serviceKeys[key], inTestsAlone: false })),
    ...secretFiles.map((one) => ({ ...one, inTestsAlone: one.inTestsAlone === true })),
  ].map(({ variable, file, inTestsAlone }) => ({ variable, file, inTestsAlone }));
}

function databaseSecrets(name: ServiceName): readonly SecretNeed[] {
  const own = servicesWithTables.filter((service) => service === name);
  const others = servicesWithTables.filter((service) => service !== name);
  return [...own, ...others].flatMap((service) =>
    databaseRolesOf(service)
      .filter((role) => podsWithAddress(service, role).includes(name))
      .map((role) => ({
        variable: `${databaseVariableOf(service, role)}_FILE`,
        file: addressFile(name, service, role).replace(`${name}/secrets/`, ''),
        inTestsAlone: false,
      })),
  );
}

/** Whether its pods mount a folder of secrets in this or that installation. */
export function hasSecrets(name: ServiceName): boolean {
  return secretsOf(name).length > 0;
}

/** Whether any of its secrets is the address of a database, whose authority it must then believe. */
export function comesToDatabases(name: ServiceName): boolean {
  return databaseSecrets(name).length > 0;
}

/** The folders of files that a container of the service is given. */
export function mountsOf(name: ServiceName): readonly ('tls' | 'kafka' | 'secrets')[] {
  return [
    ...(isCertified(name) ? (['tls'] as const) : []),
    ...(speaksToKafka(name) ? (['kafka'] as const) : []),
    ...(hasSecrets(name) ? (['secrets'] as const) : []),
  ];
}

/** Instances with names of their own, or files of their own. */
export function isStatefulSet(name: ServiceName): boolean {
  const { instances, volume } = serviceRow(name);
  return instances === 'numbered' || volume !== undefined;
}

/** How many there are of a service that is known by numbers, unless an overlay says otherwise. */
export const NUMBERED_REPLICAS = 2;

/** Under which addresses callers find a service that answers. */
export function urlsOf(name: ServiceName, port: number): string {
  const hosts =
    serviceRow(name).instances === 'numbered'
      ? Array.from({ length: NUMBERED_REPLICAS }, (_, index) => `${name}-${index}.${name}`)
      : [name];
  return hosts.map((host) => `https://${host}:${port}`).join(',');
}
