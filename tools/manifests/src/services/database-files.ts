import {
  databaseRolesOf,
  databaseVariableOf,
  operatorKeys,
  serviceKeys,
  serviceNames,
  serviceRow,
  servicesWithTables,
} from '@sluice/contracts';
import { yamlText } from '../yaml-text.js';
import { KAFKA_SETTINGS } from './settings-file.js';

const GENERATED = 'Generated from libs/contracts by `npm run generate`; do not edit.';

/** `kustomization.yaml` of the base: the folders of services, jobs and the pod for people. */
export function baseKustomizationFile(): string {
  const everywhere = serviceNames.filter((name) => serviceRow(name).standsFor === undefined);
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'sluice',
    resources: [...everywhere, 'migrations', 'namespace.yaml', 'operator'].sort(),
    components: ['../components/service-pod'],
  };
  return yamlText(
    [
      GENERATED,
      'What every installation has. An overlay adds where Kafka and PostgreSQL are, secrets and images.',
    ],
    [kustomization],
  );
}

/** `settings.env` of the job of migrations, which comes to every database. */
export function migrationsSettingsFile(): string {
  return settingsFile(allDatabases());
}

/** `settings.env` of the pod for people, which comes to Kafka too. */
export function operatorSettingsFile(): string {
  const keys = operatorKeys.map((key) => {
    const { variable, file } = serviceKeys[key];
    return `${variable}=/etc/sluice/secrets/${file}`;
  });
  return settingsFile([...allDatabases(), ...keys, ...KAFKA_SETTINGS]);
}

function allDatabases(): readonly string[] {
  return servicesWithTables.flatMap((service) =>
    databaseRolesOf(service).map((role) => {
      const variable = databaseVariableOf(service, role);
      const file = variable.toLowerCase().replaceAll('_', '-');
      return `${variable}_FILE=/etc/sluice/secrets/${file}`;
    }),
  );
}

function settingsFile(lines: readonly string[]): string {
  return [`# ${GENERATED}`, ...lines, ''].join('\n');
}

/** `postgres/database.yaml` of production: a schema for each service that keeps tables. */
export function databaseFile(): string {
  const database = {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Database',
    metadata: { name: 'sluice' },
    spec: {
      cluster: { name: 'postgres' },
      name: 'sluice',
      owner: 'sluice',
      schemas: [...servicesWithTables]
        .sort()
        .map((name) => ({ name, owner: `sluice_${name}_owner` })),
    },
  };
  return yamlText(
    [GENERATED, "Each service's tables are in a schema that its own role owns."],
    [database],
  );
}
