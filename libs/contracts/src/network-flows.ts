import { internalCallers } from './internal-callers.js';
import { kafkaClients } from './kafka-access.js';
import { serviceNames, serviceRow, tablesReachedBy } from './services.js';

/** One workload that may open connections to a port of another; nobody else may. */
export interface NetworkFlow {
  /** Names of workloads, as `app.kubernetes.io/name` has them. */
  readonly from: string;
  readonly to: string;
  /** The name of the port. */
  readonly port: NetworkPort;
}

/** The ports that are reached inside an installation, by name. */
export const networkPorts = {
  /**
   * Mutual TLS between services. Inside an installation card data travels only through this port,
   * except for the plain HTTP from the Ingress controller to edge before it, and the call to an
   * acquirer after it.
   */
  internal: 8443,
  simulator: 8081,
  /** Test installations alone, by mutual TLS: where the 3-D Secure server takes results of networks. */
  results: 8444,
  /** The same: where the simulator's directory servers are asked. */
  directory: 8445,
  postgres: 5432,
  kafka: 9093,
  /** Among Kafka's own nodes. */
  kafkaController: 9094,
} as const;

/** One of them. */
export type NetworkPort = keyof typeof networkPorts;

/** The workloads that use tables. */
const DATABASE_CLIENTS = [
  ...serviceNames.filter((name) => tablesReachedBy(name).length > 0),
  ...['migrations', 'operator'],
];

/** The workloads that read, write or make topics. */
const KAFKA_CLIENTS = [...kafkaClients, 'topics', 'operator'];

/**
 * Every path through the network inside an installation (D-44, D-58): between services only what
 * `internalCallers` allows, and from each to the stores it has. Network policies are made from
 * this.
 */
export const networkFlows: readonly NetworkFlow[] = [
  ...callsBetweenServices(),
  ...callsToStandIns(),
  ...callsOfTests(),
  ...DATABASE_CLIENTS.map((from): NetworkFlow => ({ from, to: 'postgres', port: 'postgres' })),
  ...KAFKA_CLIENTS.map((from): NetworkFlow => ({ from, to: 'kafka', port: 'kafka' })),
  { from: 'kafka', to: 'kafka', port: 'kafka' },
  { from: 'kafka', to: 'kafka', port: 'kafkaController' },
];

function callsBetweenServices(): readonly NetworkFlow[] {
  const calls = Object.entries(internalCallers).flatMap(([route, callers]) =>
    callers.map((caller) => `${caller} ${route.split('.', 1).join('')}`),
  );
  return [...new Set(calls)].sort().map((call) => {
    const [from = '', to = ''] = call.split(' ');
    return { from, to, port: 'internal' };
  });
}

function callsOfTests(): readonly NetworkFlow[] {
  return serviceNames.flatMap((to) => {
    const { testPort } = serviceRow(to);
    return (testPort?.callers ?? []).map((from) => ({
      from,
      to,
      port: testPort?.name ?? 'results',
    }));
  });
}

/** The workloads that reach acquirers also reach their substitute in a test installation, and so do those for whom it plays others. */
function callsToStandIns(): readonly NetworkFlow[] {
  return serviceNames.flatMap((to) => {
    const { standsFor, playsFor = [] } = serviceRow(to);
    if (standsFor === undefined) return [];
    const askers = serviceNames.filter(
      (from) => serviceRow(from).outwardNetwork === standsFor || playsFor.includes(from),
    );
    return askers.map((from): NetworkFlow => ({ from, to, port: 'simulator' }));
  });
}
