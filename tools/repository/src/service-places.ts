import {
  databaseRolesOf,
  databaseVariableOf,
  programOf,
  serviceKeys,
  type ServiceRow,
  type ServiceWithTables,
  urlsVariableOf,
} from '@sluice/contracts';

/** A place that a service has in a file which is written by hand. */
export interface ServicePlace {
  readonly file: string;
  /** What the file must have, as a word of its own; absent: the file itself must be there. */
  readonly entry?: string;
}

/** Every service by its name, with its row. */
export type ServiceTable = Readonly<Record<string, ServiceRow>>;

/** Everything that the row of a service asks for and that is neither derived nor generated. */
export function placesOf(name: string, table: ServiceTable): readonly ServicePlace[] {
  const row = table[name];
  if (row === undefined) throw new Error(`The table of services has no ${name}.`);
  return [
    ...codePlaces(name, row),
    ...settingsPlaces(name, row, table),
    ...basePlaces(name, row),
    ...localPlaces(name, row, table),
    ...composePlaces(name, row, table),
    ...(row.standsFor === undefined ? productionPlaces(name, row, table) : []),
    ...pagePlaces(name, row),
  ];
}

/** Who must have it: the sandbox, and the tools that read what each service declares. */
function codePlaces(name: string, { folder, program, localName }: ServiceRow) {
  const asDependency = entriesIn(`"@sluice/${folder}"`);
  return [
    { file: `apps/${folder}/package.json`, entry: `"scope:${folder}"` },
    { file: `apps/${folder}/src/${program}.ts`, entry: `name: '${name}'` },
    { file: 'apps/sandbox/src/apps.ts', entry: `'@sluice/${folder}'` },
    { file: 'apps/sandbox/src/services.ts', entry: `'${localName ?? name}'` },
    ...asDependency('apps/sandbox/package.json'),
    ...asDependency('tools/cluster/package.json'),
    ...asDependency('tools/manifests/package.json'),
    ...asDependency('tools/monitoring/package.json'),
  ];
}

/** What the service is told on Kubernetes and by compose, which reads the same file. */
function settingsPlaces(name: string, row: ServiceRow, table: ServiceTable) {
  const reached = [...(row.keepsTables === true ? [name] : []), ...(row.relays ?? [])];
  const read = row.readsEventsOf ?? [];
  const callees = Object.keys(table).filter((other) => calls(name, table[other]));
  return entriesOf(`k8s/base/${name}/settings.env`, [
    ...reached.map((one) => `${databaseVariableOf(one as ServiceWithTables, 'app')}_FILE`),
    ...read.map((one) => `${databaseVariableOf(one as ServiceWithTables, 'reader')}_FILE`),
    ...(row.keys ?? []).map((key) => serviceKeys[key].variable),
    ...callees.map(urlsVariableOf),
    ...(speaksToKafka(row) ? ['KAFKA_BROKERS', 'KAFKA_TLS_CERTIFICATE_FILE'] : []),
    ...(isCertified(name, table) ? ['TLS_CERTIFICATE_FILE'] : []),
  ]);
}

/** The folder of its manifests. */
function basePlaces(name: string, row: ServiceRow): readonly ServicePlace[] {
  const folder = `k8s/base/${name}`;
  const kinds = { single: undefined, alike: 'kind: Deployment', numbered: 'kind: StatefulSet' };
  const kind = kinds[row.instances];
  return [
    ...['kustomization.yaml', 'service-account.yaml', 'settings.env'].map((file) => ({
      file: `${folder}/${file}`,
    })),
    { file: `${folder}/workload.yaml`, entry: programOf(row) },
    ...(kind === undefined ? [] : [{ file: `${folder}/workload.yaml`, entry: kind }]),
    ...(isSpokenTo(row) ? [{ file: `${folder}/service.yaml` }] : []),
    ...(row.standsFor === undefined ? [{ file: `${folder}/disruption-budget.yaml` }] : []),
  ];
}

/** The overlay of one node: its secrets, from the files of `npm run k8s:secrets`. */
function localPlaces(name: string, row: ServiceRow, table: ServiceTable) {
  return entriesOf('k8s/overlays/local/kustomization.yaml', [
    ...(row.standsFor === undefined ? [] : [`../../base/${name}`]),
    ...(isCertified(name, table) ? [`${name}-tls`] : []),
    ...(speaksToKafka(row) ? [`kafka-${name}`] : []),
    ...(hasSecrets(row) ? [`${name}-secrets`] : []),
    ...(row.keys ?? []).map((key) => `secrets/${name}/secrets/${serviceKeys[key].file}`),
    ...(row.keepsTables === true ? [`secrets/${name}/secrets/database-url`] : []),
    ...rolesFiles(name, row),
  ]);
}

/** The addresses that people and jobs have of a database. */
function rolesFiles(name: string, row: ServiceRow): readonly string[] {
  return databaseRoles(name, row).map((role) => {
    const kind = role === 'app' ? '' : `-${role}`;
    return `secrets/operator/secrets/${name}${kind}-database-url`;
  });
}

function composePlaces(name: string, row: ServiceRow, table: ServiceTable) {
  const hasVolume = hasSecrets(row) || speaksToKafka(row) || isCertified(name, table);
  return entriesOf('docker/compose.yaml', [
    `  ${name}:`,
    programOf(row),
    `../k8s/base/${name}/settings.env`,
    ...(hasVolume ? [`${name}-secrets:/to/${name}`, `${name}-secrets:/etc/sluice:ro`] : []),
  ]);
}

/** What operators make of the production overlay, and who is missed when it is away. */
function productionPlaces(name: string, row: ServiceRow, table: ServiceTable) {
  const overlay = 'k8s/overlays/production';
  const outward = { merchants: 'ingress.yaml', acquirers: 'acquirers.yaml' };
  return [
    ...(isCertified(name, table) ? entriesIn(`${name}-tls`)(`${overlay}/certificates.yaml`) : []),
    ...(speaksToKafka(row) ? entriesIn(`${name}-settings`)(`${overlay}/kustomization.yaml`) : []),
    ...entriesOf(
      `${overlay}/postgres/cluster.yaml`,
      databaseRoles(name, row).map((role) => `sluice_${name}_${role}`),
    ),
    ...(row.outwardNetwork === undefined
      ? []
      : entriesIn(`name: ${name}`)(`${overlay}/${outward[row.outwardNetwork]}`)),
    ...entriesIn(`"${name}"`)('k8s/components/monitoring/rules.yaml'),
  ];
}

/** Pages that list services. */
function pagePlaces(name: string, row: ServiceRow): readonly ServicePlace[] {
  const { localName = name, instances, standsFor } = row;
  const named = entriesIn(`\`${name}\``);
  return [
    ...entriesIn(`\`${row.folder}\``)('ARCHITECTURE.md'),
    ...(instances === 'single'
      ? []
      : entriesIn(`\`${localName}\``)('docs/how-to/run-the-cluster.md')),
    ...(standsFor === undefined ? named('docs/how-to/scale.md') : []),
    ...(standsFor === undefined ? entriesIn(name)('docs/how-to/deploy-to-kubernetes.md') : []),
    ...(standsFor === undefined ? named('docs/runbooks/sluice-service-missing.md') : []),
    ...(databaseRoles(name, row).length > 0 || row.relays !== undefined
      ? entriesIn(name)('docs/how-to/restore-a-database.md')
      : []),
  ];
}

function entriesOf(file: string, entries: readonly string[]): readonly ServicePlace[] {
  return entries.map((entry) => ({ file, entry }));
}

function entriesIn(entry: string): (file: string) => readonly ServicePlace[] {
  return (file) => [{ file, entry }];
}

function databaseRoles(name: string, { keepsTables }: ServiceRow) {
  return keepsTables === true ? databaseRolesOf(name as ServiceWithTables) : [];
}

function calls(name: string, callee: ServiceRow | undefined): boolean {
  return Object.values(callee?.routes ?? {}).some((callers) => callers.includes(name));
}

function isCertified(name: string, table: ServiceTable): boolean {
  const isAsked = table[name]?.routes !== undefined;
  return isAsked || Object.values(table).some((other) => calls(name, other));
}

function isSpokenTo({ routes, outwardNetwork, standsFor }: ServiceRow): boolean {
  return routes !== undefined || outwardNetwork === 'merchants' || standsFor !== undefined;
}

function speaksToKafka({ takesCommands, sendsCommands, relays, readsEventsOf }: ServiceRow) {
  return (
    takesCommands === true ||
    sendsCommands === true ||
    relays !== undefined ||
    readsEventsOf !== undefined
  );
}

function hasSecrets({ keys, keepsTables, relays }: ServiceRow): boolean {
  return keys !== undefined || keepsTables === true || relays !== undefined;
}
