import { declarations } from '@sluice/apps';
import { answeringServices, kafkaAccess, serviceNames } from '@sluice/contracts';
import {
  describeSettings,
  InternalSettings,
  KafkaSettings,
  ProcessSettings,
  type SettingsClass,
  TlsSettings,
  TracingSettings,
  variableNames,
} from '@sluice/service';
import { readFileSync } from 'node:fs';
import { serviceOf } from './cell-workloads.js';

const declared = await declarations();

/** The settings classes that each service's main file loads. */
const classes: Readonly<Record<string, readonly SettingsClass[]>> = Object.fromEntries(
  serviceNames.map((name) => [
    name,
    [
      ...declared[name].settings,
      ...(name in kafkaAccess ? [KafkaSettings] : []),
      ...(answeringServices.includes(name) ? [InternalSettings] : []),
    ],
  ]),
);
/** What runService loads for every service. */
const processClasses = [ProcessSettings, TlsSettings, TracingSettings];
/** What Node itself reads. */
const NODE_VARIABLES = ['NODE_OPTIONS'];

/** What a workload may and must be told. */
export interface KnownVariables {
  readonly known: ReadonlySet<string>;
  /** In whatever form: itself, or `…_FILE`. */
  readonly required: readonly string[];
  /** These may be set as `…_FILE` alone (D-47). */
  readonly secret: ReadonlySet<string>;
}

/** Those of a service, by the name of its workload; undefined for what is none of ours. */
export function serviceVariables(workload: string): KnownVariables | undefined {
  const own = classes[serviceOf(workload)];
  if (own === undefined) return undefined;
  const all = [...own, ...processClasses];
  const described = all.flatMap((settingsClass) => describeSettings(settingsClass));
  return {
    known: new Set([...all.flatMap(variableNames), ...NODE_VARIABLES]),
    required: described.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    secret: new Set(described.filter(({ secret }) => secret).map(({ name }) => name)),
  };
}

/** Pools that no setting makes larger. */
const fixedPools: Readonly<Record<string, number | undefined>> = Object.fromEntries(
  serviceNames.map((name) => [name, declared[name].connectionsMax]),
);

/** How many connections to its database an instance keeps at most; undefined without one. */
export function connectionsMaxOf(
  workload: string,
  environment: ReadonlyMap<string, string>,
): number | undefined {
  const service = serviceOf(workload);
  const setting = (classes[service] ?? [])
    .flatMap((settingsClass) => describeSettings(settingsClass))
    .find(({ name }) => name.endsWith('_CONNECTIONS_MAX'));
  if (setting === undefined) return fixedPools[service];
  return Number(environment.get(setting.name) ?? setting.default);
}

const REFERENCE = new URL('../../../docs/reference/command-line.md', import.meta.url);

/** Those of the command line, which its reference lists; it is generated from its settings. */
export function commandLineVariables(): KnownVariables {
  const text = readFileSync(REFERENCE, 'utf8');
  const names = [...text.matchAll(/`([A-Z][A-Z0-9_]{2,60})`/g)].map(([, name = '']) => name);
  const secret = names.filter((name) => names.includes(`${name}_FILE`));
  return { known: new Set([...names, ...NODE_VARIABLES]), required: [], secret: new Set(secret) };
}
