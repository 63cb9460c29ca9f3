import { type ServiceName, serviceNames } from '@sluice/contracts';
import { after } from '@sluice/kill-test';
import type { DrillCluster, PodStart } from './drill-cluster.js';

/** Whose pods start anew, in this order: every process of our own that runs. */
export const STARTED = serviceNames;

/** How long one service took to start. */
export interface ServiceStart {
  readonly service: ServiceName;
  /** From when the node took the pod until it was ready. */
  readonly podMs: number;
  /** From when its container ran until it was ready. */
  readonly containerMs: number;
}

/** What starting everything once came to. */
export interface StartFigures {
  readonly starts: readonly ServiceStart[];
  /** Of every pod of the services, before any of them ended. */
  readonly memoryBytes: number;
  readonly pods: number;
  readonly faults: readonly string[];
}

/** What is promised of each service alone, and of all of them together. */
const READY_WITHIN_MS = 10_000;
const MEMORY_BYTES_MAX = 2_000_000_000;
/** A pod that ends has a grace of 45 s, and one of a StatefulSet comes only after that. */
const BACK_WITHIN_MS = 180_000;
/** What one start leaves to be done shall not be counted with the next one's. */
const REST_MS = 5_000;
const BYTES_PER_MEGABYTE = 1_000_000;

/** Deletes a pod of each service, one after the other, and looks how long each takes to be ready again. */
export async function measureStarts(
  cluster: DrillCluster,
  say: (line: string) => void,
  restMs = REST_MS,
): Promise<StartFigures> {
  const memory = await cluster.serviceMemory();
  const memoryBytes = memory.reduce((sum, { bytes }) => sum + bytes, 0);
  const starts: ServiceStart[] = [];
  for (const service of STARTED) {
    const start = await startAnew(cluster, service);
    starts.push(start);
    say(`  ${service} was ready ${inSeconds(start.podMs)} after its pod started`);
    await after(restMs, () => Promise.resolve());
  }
  const faults = [
    ...starts
      .filter(({ podMs }) => podMs > READY_WITHIN_MS)
      .map(({ service }) => `${service} was not ready within ${READY_WITHIN_MS / 1_000} s.`),
    ...(memory.length === 0 ? ['How much memory is used is not known: no metrics-server?'] : []),
    ...(memoryBytes > MEMORY_BYTES_MAX
      ? [`The services use more than ${MEMORY_BYTES_MAX / BYTES_PER_MEGABYTE} MB.`]
      : []),
  ];
  return { starts, memoryBytes, pods: memory.length, faults };
}

async function startAnew(cluster: DrillCluster, service: ServiceName): Promise<ServiceStart> {
  const before = await cluster.pods(service);
  const gone = before.find(({ isReady }) => isReady);
  if (gone === undefined) throw new Error(`No pod of ${service} is ready.`);
  await cluster.deletePod(gone.name);
  await cluster.untilReplaced(service, gone, before.length, BACK_WITHIN_MS);
  const known = new Set(before.map(({ uid }) => uid));
  const [start] = (await cluster.podStarts(service)).filter(({ uid }) => !known.has(uid));
  if (start === undefined) throw new Error(`The new pod of ${service} has not started.`);
  return { service, ...durations(start) };
}

function durations({ podAtMs, containerAtMs, readyAtMs }: PodStart): Omit<ServiceStart, 'service'> {
  return { podMs: readyAtMs - podAtMs, containerMs: readyAtMs - containerAtMs };
}

/** The table of the starts, and what was wrong. */
export function startLines(figures: StartFigures): readonly string[] {
  const { starts, memoryBytes, pods, faults } = figures;
  const megabytes = (memoryBytes / BYTES_PER_MEGABYTE).toFixed(0);
  return [
    '',
    '| service | ready after its pod started | after its container started |',
    '|---|---|---|',
    ...starts.map(
      ({ service, podMs, containerMs }) =>
        `| ${service} | ${inSeconds(podMs)} | ${inSeconds(containerMs)} |`,
    ),
    '',
    'Kubernetes notes these moments in whole seconds.',
    `${pods} pods of services had ${megabytes} MB in memory together, before any of them ended.`,
    `starts: ${faults.length === 0 ? 'passed.' : faults.join(' ')}`,
  ];
}

/** Whole ones, because that is how they are known. */
function inSeconds(ms: number): string {
  return `${ms / 1_000} s`;
}
