import {
  addressFile,
  databaseRolesOf,
  isCertified,
  type ServiceName,
  serviceNames,
  servicesWithTables,
} from '@sluice/contracts';
import { withGeneratedBlock } from '../generated-block.js';
import { inTestsAlone, secretsOf, speaksToKafka } from './service-needs.js';
import { assignments, testSettingsOf } from './settings-file.js';
import { linesOf, scalar } from './text.js';

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
  const files = secretsOf(name).map(({ file }) => `${name}/secrets/${file}`);
  return files.length === 0 ? [] : generatedSecret(`${name}-secrets`, files);
}

/** Of the pod for people and of the job of migrations, which come to every database. */
function operatorSecret(): readonly string[] {
  const addresses = servicesWithTables.flatMap((service) =>
    databaseRolesOf(service).map((role) => addressFile('operator', service, role)),
  );
  const files = ['operator/secrets/admin-database-url', ...addresses];
  return [...generatedSecret('operator-secrets', files), '    options: *stays'];
}

function generatedSecret(name: string, files: readonly string[]): readonly string[] {
  return [`  - name: ${name}`, '    files:', ...files.map((file) => `      - secrets/${file}`)];
}
