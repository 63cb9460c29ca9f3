import {
  addressFile,
  cellAddressFile,
  databaseRolesOf,
  operatorKeys,
  serviceKeys,
  isCertified,
  readersOfEvents,
  SECOND_CELL,
  SERVICE_OF_CELLS,
  type ServiceName,
  serviceNames,
  servicesWithTables,
  workloadOfCell,
} from '@sluice/contracts';
import { cellServices } from '../cell-workloads.js';
import { withGeneratedBlock } from '../generated-block.js';
import { inTestsAlone, secretsOf, speaksToKafka } from './service-needs.js';
import { assignments, testSettingsOf } from './settings-file.js';
import { linesOf, scalar } from './text.js';

/** Where somebody finds the events of all cells. */
const CELL_READERS = 'POD/secrets/payments-cell-reader-database-urls';

/** The local overlay's `kustomization.yaml`, with the parts that follow from the table of services. */
export function localKustomization(text: string): string {
  const blocks = {
    'stand-ins': linesOf(inTestsAlone.map((name) => `  - ../../base/${name}`)),
    settings: linesOf(serviceNames.flatMap(settingsOf)),
    secrets: linesOf(
      serviceNames.filter(isCertified).flatMap(certificateOf),
      serviceNames.filter(speaksToKafka).flatMap(kafkaCertificateOf),
      serviceNames.flatMap((name) => secretOf(name)),
      operatorSecret(),
      secondCell(),
    ),
  };
  return Object.entries(blocks).reduce(
    (whole, [name, block]) => withGeneratedBlock(whole, name, block),
    text,
  );
}

function settingsOf(name: ServiceName): readonly string[] {
  const literals = assignments(testSettingsOf(name));
  if (literals.length === 0) return [];
  return [
    `  - name: ${name}-settings`,
    '    behavior: merge',
    '    literals:',
    ...literals.map((literal) => `      - ${scalar(literal)}`),
  ];
}

function certificateOf(name: ServiceName): readonly string[] {
  const files = ['tls.crt', 'tls.key', 'ca.crt'].map((file) => `${name}/${file}`);
  return generatedSecret(`${name}-tls`, files);
}

function kafkaCertificateOf(name: ServiceName): readonly string[] {
  const files = ['user.crt', 'user.key'].map((file) => `${name}/kafka/${file}`);
  return generatedSecret(`kafka-${name}`, files);
}

function secretOf(name: ServiceName): readonly string[] {
  const ofCells = readersOfEvents(SERVICE_OF_CELLS).includes(name)
    ? [CELL_READERS.replace('POD', name)]
    : [];
  const own = secretsOf(name).map(({ file }) => `${name}/secrets/${file}`);
  const files = [...own, ...ofCells];
  return files.length === 0 ? [] : generatedSecret(`${name}-secrets`, files);
}

/** Of the pod for people and of the job of migrations, which come to every database. */
function operatorSecret(): readonly string[] {
  const addresses = servicesWithTables.flatMap((service) =>
    databaseRolesOf(service).map((role) => addressFile('operator', service, role)),
  );
  const ofCells = databaseRolesOf(SERVICE_OF_CELLS).map((role) =>
    cellAddressFile(SECOND_CELL, 'operator', role),
  );
  const files = [
    ...['operator/secrets/admin-database-url', ...addresses],
    ...['operator/secrets/admin-2-database-url', ...ofCells],
    'operator/secrets/payments-cell-owner-database-urls',
    CELL_READERS.replace('POD', 'operator'),
    ...operatorKeys.map((key) => `operator/secrets/${serviceKeys[key].file}`),
  ];
  return [...generatedSecret('operator-secrets', files), '    options: *stays'];
}

/** Of the second cell, which only `second-cell` mounts: its database's, and addresses of its pods. */
function secondCell(): readonly string[] {
  const server = workloadOfCell('postgres', SECOND_CELL);
  return [
    '  # Nobody mounts these but what the component second-cell adds.',
    ...cellServices.flatMap((name) => {
      const own = workloadOfCell(name, SECOND_CELL);
      const files = secretsOf(name).map(({ file }) => `${own}/secrets/${file}`);
      return generatedSecret(`${own}-secrets`, files);
    }),
    ...generatedSecret(`${server}-tls`, [`${server}/tls.crt`, `${server}/tls.key`]),
    ...generatedSecret(`${server}-secrets`, [`${server}/secrets/admin-password`]),
    ...generatedSecret(`${server}-ca`, [`${server}/ca.crt`]),
    '    options: *stays',
  ];
}

function generatedSecret(name: string, files: readonly string[]): readonly string[] {
  return [`  - name: ${name}`, '    files:', ...files.map((file) => `      - secrets/${file}`)];
}
