import { databaseRolesOf, type ServiceRow, type ServiceWithTables } from '@sluice/contracts';

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
  return [...codePlaces(name, row), ...manifestPlaces(name, row), ...pagePlaces(name, row)];
}

/** Who must have it: the sandbox, and the tools that read what each service declares. */
function codePlaces(name: string, { folder, program, localName, relays }: ServiceRow) {
  const asDependency = entriesIn(`"@sluice/${folder}"`);
  return [
    { file: `apps/${folder}/package.json`, entry: `"scope:${folder}"` },
    // The program of relays is told its name.
    {
      file: `apps/${folder}/src/${program}.ts`,
      ...(relays === undefined && { entry: `name: '${name}'` }),
    },
    { file: 'apps/sandbox/src/apps.ts', entry: `'@sluice/${folder}'` },
    { file: 'apps/sandbox/src/services.ts', entry: `'${localName ?? name}'` },
    ...asDependency('apps/sandbox/package.json'),
    ...asDependency('tools/cluster/package.json'),
    ...asDependency('tools/manifests/package.json'),
    ...asDependency('tools/monitoring/package.json'),
  ];
}

/** What of the manifests is written by hand: how it scales, and whom it meets outside. */
function manifestPlaces(name: string, { autoscaled, hasPriority, outwardNetwork }: ServiceRow) {
  const outward = { merchants: 'ingress.yaml', acquirers: 'acquirers.yaml' };
  return [
    ...(autoscaled === 'everywhere' ? [{ file: `k8s/base/${name}/autoscaler.yaml` }] : []),
    ...(hasPriority === true ? [{ file: `k8s/base/${name}/priority-class.yaml` }] : []),
    ...(outwardNetwork === undefined
      ? []
      : entriesIn(`name: ${name}`)(`k8s/overlays/production/${outward[outwardNetwork]}`)),
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

function entriesIn(entry: string): (file: string) => readonly ServicePlace[] {
  return (file) => [{ file, entry }];
}

function databaseRoles(name: string, { keepsTables }: ServiceRow) {
  return keepsTables === true ? databaseRolesOf(name as ServiceWithTables) : [];
}
