import {
  calledBy,
  networkPorts,
  programOf,
  type ServiceName,
  serviceNames,
  serviceRow,
  tablesReachedBy,
  urlsVariableOf,
} from '@sluice/contracts';
import { withGeneratedBlock } from '../generated-block.js';
import { inTestsAlone, mountsOf, speaksToKafka } from './service-needs.js';
import { testSettingsOf } from './settings-file.js';
import { indented, linesOf, scalar, when } from './text.js';

/** `docker/compose.yaml`, with a container for each service and its share of the secrets. */
export function composeFile(text: string): string {
  const withShare = serviceNames.filter((name) => mountsOf(name).length > 0);
  const volumes = serviceNames.flatMap((name) => {
    const { volume } = serviceRow(name);
    return volume === undefined ? [] : [`${name}-${volume.name}`];
  });
  const blocks = {
    shares: linesOf(withShare.map((name) => `      - ${name}-secrets:/to/${name}`)),
    services: linesOf(
      serviceNames.flatMap((name, index) => [...when(index > 0, ''), ...containerOf(name)]),
    ),
    volumes: linesOf(
      volumes.map((volume) => `  ${volume}:`),
      withShare.map((name) => `  ${name}-secrets:`),
    ),
  };
  return Object.entries(blocks).reduce(
    (whole, [name, block]) => withGeneratedBlock(whole, name, block),
    text,
  );
}

function containerOf(name: ServiceName): readonly string[] {
  const row = serviceRow(name);
  const { outwardNetwork, volume } = row;
  const volumes = [
    ...when(mountsOf(name).length > 0, `${name}-secrets:/etc/sluice:ro`),
    ...(volume === undefined ? [] : [`${name}-${volume.name}:${volume.path}`]),
  ];
  const alias = onlyInstanceOf(name);
  return [
    `  ${name}:`,
    ...indented(4, [
      '<<: *service',
      `command: [${programOf(row)}]`,
      `env_file: ../k8s/base/${name}/settings.env`,
      ...environmentOf(name),
      ...when(outwardNetwork === 'merchants', "ports: ['127.0.0.1:${SLUICE_PORT:-8080}:8080']"),
      ...when(outwardNetwork === 'readers', "ports: ['127.0.0.1:${REFERENCE_PORT:-8081}:8080']"),
      ...when(volumes.length > 0, `volumes: [${volumes.join(', ')}]`),
      ...when(alias !== name, 'networks:', '  default:', `    aliases: [${alias}]`),
      'healthcheck: *ready',
      ...waitsOf(name),
    ]),
  ];
}

/** The name by which its callers know the one instance that there is here. */
function onlyInstanceOf(name: ServiceName): string {
  const { instances, routes } = serviceRow(name);
  return instances === 'numbered' && routes !== undefined ? `${name}-0.${name}` : name;
}

/** What is otherwise than on Kubernetes: it is a test installation, with one instance of each. */
function environmentOf(name: ServiceName): readonly string[] {
  const { identity } = serviceRow(name);
  const numbered = calledBy(name).filter((one) => onlyInstanceOf(one) !== one);
  const environment: Readonly<Record<string, string>> = {
    ...testSettingsOf(name),
    ...(identity?.as === 'name' ? { [identity.variable]: `${name}-0` } : {}),
    ...Object.fromEntries(
      numbered.map((one) => [
        urlsVariableOf(one),
        `https://${onlyInstanceOf(one)}:${networkPorts.internal}`,
      ]),
    ),
  };
  const lines = Object.entries(environment).map(([key, value]) => `  ${key}: ${scalar(value)}`);
  return lines.length === 0 ? [] : ['environment:', ...lines];
}

/** Tables and topics must be there; who has no tables waits for those it cannot do without. */
function waitsOf(name: ServiceName): readonly string[] {
  const { startsAfter, outwardNetwork } = serviceRow(name);
  const hasTables = tablesReachedBy(name).length > 0;
  const neighbours = hasTables
    ? []
    : [...startsAfter, ...(outwardNetwork === 'merchants' ? inTestsAlone : [])];
  const jobs = [
    ...when(hasTables, 'migrations'),
    ...when(speaksToKafka(name) && neighbours.length === 0, 'topics'),
  ];
  const conditions = [
    ...jobs.map((job) => [job, 'service_completed_successfully']),
    ...neighbours.map((one) => [one, 'service_healthy']),
  ];
  if (conditions.length === 0) return [];
  return [
    'depends_on:',
    ...conditions.flatMap(([one, condition]) => [`  ${one}:`, `    condition: ${condition}`]),
  ];
}
