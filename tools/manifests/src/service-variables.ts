import { AccountsSettings } from '@sluice/accounts';
import { RELAY_CONNECTIONS_MAX } from '@sluice/aggregates';
import { acquirerSettings } from '@sluice/connectors';
import { answeringServices, kafkaAccess, type ServiceName, serviceNames } from '@sluice/contracts';
import { EdgeUpstreams, EdgeSettings } from '@sluice/edge';
import { PaymentsUpstreams, PaymentsSettings, RelaySettings } from '@sluice/payments';
import { ReportingUpstreams, ReportingSettings } from '@sluice/reporting';
import {
  describeSettings,
  InternalSettings,
  KafkaSettings,
  ProcessSettings,
  TlsSettings,
  TracingSettings,
  variableNames,
} from '@sluice/service';
import { SimulatorSettings } from '@sluice/simulator';
import { VaultSettings } from '@sluice/vault';
import { readFileSync } from 'node:fs';

type SettingsClass = new () => object;

/** The settings classes of each service's own. */
const ownClasses: Readonly<Record<ServiceName, readonly SettingsClass[]>> = {
  edge: [EdgeSettings, EdgeUpstreams],
  payments: [PaymentsSettings, PaymentsUpstreams, ...Object.values(acquirerSettings)],
  'payments-relay': [RelaySettings],
  vault: [VaultSettings],
  accounts: [AccountsSettings],
  reporting: [ReportingSettings, ReportingUpstreams],
  simulator: [SimulatorSettings],
};

/** The settings classes that each service's main file loads. */
const classes: Readonly<Record<string, readonly SettingsClass[]>> = Object.fromEntries(
  serviceNames.map((name) => [
    name,
    [
      ...ownClasses[name],
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

/** Those of a service; undefined for what is none of ours. */
export function serviceVariables(service: string): KnownVariables | undefined {
  const own = classes[service];
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
const FIXED_POOLS: Readonly<Record<string, number>> = { 'payments-relay': RELAY_CONNECTIONS_MAX };

/** How many connections to its database an instance keeps at most; undefined without one. */
export function connectionsMaxOf(
  service: string,
  environment: ReadonlyMap<string, string>,
): number | undefined {
  const setting = (classes[service] ?? [])
    .flatMap((settingsClass) => describeSettings(settingsClass))
    .find(({ name }) => name.endsWith('_CONNECTIONS_MAX'));
  if (setting === undefined) return FIXED_POOLS[service];
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
