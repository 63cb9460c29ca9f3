import {
  type NetworkFlow,
  networkFlows,
  type NetworkPort,
  networkPorts,
  SECOND_CELL,
  workloadOfCell,
} from '@sluice/contracts';
import { cellOf, cellServices } from './cell-workloads.js';
import { yamlText } from './yaml-text.js';

/** A NetworkPolicy as this project writes it. */
export interface NetworkPolicy {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'NetworkPolicy';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly podSelector: PodSelector;
    readonly policyTypes: readonly ('Ingress' | 'Egress')[];
    readonly ingress?: readonly object[];
    readonly egress?: readonly object[];
  };
}

interface PodSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
}

/** Only test installations have one, so its ways are in a file of their own. */
const SIMULATOR = 'simulator';
/** So are those of the job that makes topics: in production Strimzi does. */
const TOPICS = 'topics';
/** Made by operators in production, whose pods have names of their own; ours is this label. */
const ENGINES = ['kafka', 'postgres'];

/** The pods of a workload, whoever made them. */
export function podsOf(workload: string): PodSelector {
  const label = ENGINES.includes(workload) ? 'sluice/engine' : 'app.kubernetes.io/name';
  return { matchLabels: { [label]: workload } };
}

/** One policy for each workload: who may come in, and where it may go. */
export function networkPolicies(flows: readonly NetworkFlow[]): readonly NetworkPolicy[] {
  const workloads = [...new Set(flows.flatMap(({ from, to }) => [from, to]))].sort();
  return workloads.map((workload) => policyOf(workload, workload, flows));
}

function policyOf(name: string, workload: string, flows: readonly NetworkFlow[]): NetworkPolicy {
  const comesIn = flows.filter(({ to }) => to === workload);
  const goesOut = flows.filter(({ from }) => from === workload);
  const ingress = grouped(comesIn, ({ from }) => from, 'from');
  const egress = grouped(goesOut, ({ to }) => to, 'to');
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: {
      podSelector: podsOf(workload),
      policyTypes: [
        ...(ingress.length > 0 ? (['Ingress'] as const) : []),
        ...(egress.length > 0 ? (['Egress'] as const) : []),
      ],
      ...(ingress.length > 0 ? { ingress } : {}),
      ...(egress.length > 0 ? { egress } : {}),
    },
  };
}

/** One rule for each port, with everybody at its other end. */
function grouped(
  flows: readonly NetworkFlow[],
  otherEnd: (flow: NetworkFlow) => string,
  key: 'from' | 'to',
): readonly object[] {
  // An egress rule names the port of one workload: others may have another at that number.
  const byPort = new Map<string, { port: NetworkPort; peers: string[] }>();
  for (const flow of flows) {
    const group = byPort.get(flow.port) ?? { port: flow.port, peers: [] };
    group.peers.push(otherEnd(flow));
    byPort.set(flow.port, group);
  }
  return [...byPort.values()].map(({ port, peers }) => ({
    [key]: peers.sort().map((peer) => ({ podSelector: podsOf(peer) })),
    ports: [{ protocol: 'TCP', port: networkPorts[port] }],
  }));
}

const GENERATED = 'Generated from libs/contracts by `npm run generate`; do not edit.';

/** `flows.yaml` of the component: every way but those of what only some installations have. */
export function networkPoliciesFile(): string {
  return yamlText(
    [
      GENERATED,
      'Who may open connections to whom. The card-data path begins at the Ingress controller, which reaches',
      '`edge` by plain HTTP (public.yaml), goes by mutual TLS through `vault` to `payments`, and ends where',
      'production lets payments out to its acquirers. SECURITY.md has every step of it.',
    ],
    networkPolicies(networkFlows.filter((flow) => !isOfSimulator(flow) && flow.from !== TOPICS)),
  );
}

/** The ways of the simulator, for installations that have one. */
export function simulatorPoliciesFile(): string {
  const flows = networkFlows.filter(isOfSimulator);
  const others = new Set(flows.flatMap(({ from, to }) => [from, to]));
  others.delete(SIMULATOR);
  const policies = [...others].map((other) => policyOf(`${other}-to-${SIMULATOR}`, other, flows));
  return yamlText([GENERATED], [policyOf(SIMULATOR, SIMULATOR, flows), ...policies]);
}

/** It is asked, and tells results of authentications. */
function isOfSimulator({ from, to }: NetworkFlow): boolean {
  return from === SIMULATOR || to === SIMULATOR;
}

/** The ways of a cell of payments beside the first one: those of the first one, for its own pods. */
export function flowsOfCell(cell: number): readonly NetworkFlow[] {
  const cells: readonly string[] = cellServices;
  const inCell = (workload: string) =>
    cells.includes(workload) ? workloadOfCell(workload, cell) : workload;
  return networkFlows
    .filter(({ from, to }) => cells.includes(from) || cells.includes(to))
    .map(({ from, to, port }) => ({ from: inCell(from), to: inCell(to), port }));
}

/** `flows.yaml` of the component that adds the second cell. */
export function secondCellPoliciesFile(): string {
  return cellPoliciesFile('', ({ to }) => to !== SIMULATOR);
}

/** The way of the second cell to the simulator, for installations that have one. */
export function secondCellSimulatorPoliciesFile(): string {
  return cellPoliciesFile(`-with-${SIMULATOR}`, ({ to }) => to === SIMULATOR);
}

/** Policies add up, so that each workload gets one more for what the cell adds to its ways. */
function cellPoliciesFile(ending: string, isMeant: (flow: NetworkFlow) => boolean): string {
  const flows = flowsOfCell(SECOND_CELL).filter(isMeant);
  const workloads = [...new Set(flows.flatMap(({ from, to }) => [from, to]))].sort();
  const name = (workload: string) =>
    `${workload}${cellOf(workload) === SECOND_CELL ? '' : `-of-cell-${SECOND_CELL}`}${ending}`;
  return yamlText(
    [GENERATED],
    workloads.map((workload) => policyOf(name(workload), workload, flows)),
  );
}

/** Those of the job that makes topics, for installations that have it. */
export function topicsPoliciesFile(): string {
  const flows = networkFlows.filter(({ from }) => from === TOPICS);
  const policies = [...new Set(flows.map(({ to }) => to))].map((to) =>
    policyOf(`${to}-from-${TOPICS}`, to, flows),
  );
  return yamlText([GENERATED], [policyOf(TOPICS, TOPICS, flows), ...policies]);
}
