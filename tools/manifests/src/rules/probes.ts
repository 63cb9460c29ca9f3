import { isDeepStrictEqual } from 'node:util';
import { isRecord, nameOf } from '../json-schema.js';
import {
  componentOf,
  type Container,
  environmentOf,
  type Manifests,
  workloadsOf,
} from '../manifests.js';
import { eachContainer } from './containers.js';

/** What each probe of a service asks its management port; `/livez` asks nothing but the event loop. */
const PATHS = { startupProbe: '/startupz', livenessProbe: '/livez', readinessProbe: '/readyz' };
const PROBES = Object.keys(PATHS) as readonly (keyof typeof PATHS)[];
/** By which name probes know it, and its number in the image, which policies let the metrics by. */
export const MANAGEMENT = { name: 'management', containerPort: 9080 };
/** These end by themselves, or a person is inside. */
const WITHOUT_PROBES = ['job', 'operator'];
/** How a probe asks, beside how often. */
const QUESTIONS = ['httpGet', 'tcpSocket', 'exec', 'grpc'];

/** Whatever goes on running says how it is, where it says so. */
export function probesAreSet(manifests: Manifests): readonly string[] {
  return workloadsOf(manifests)
    .filter((workload) => !WITHOUT_PROBES.includes(componentOf(workload) ?? ''))
    .flatMap((workload) => {
      const isService = componentOf(workload) === 'service';
      return workload.spec.template.spec.containers.flatMap((container) =>
        [
          ...(isService ? managementProblems(manifests, container) : []),
          ...PROBES.flatMap((probe) => probeProblems(probe, container, isService)),
        ].map((text) => `${nameOf(workload)}, ${container.name}: ${text}`),
      );
    });
}

function managementProblems(manifests: Manifests, container: Container): readonly string[] {
  const { name, containerPort } = MANAGEMENT;
  const isOpen = (container.ports ?? []).some(
    (port) => port.name === name && port.containerPort === containerPort,
  );
  const told = environmentOf(manifests, container).get('MANAGEMENT_PORT') ?? String(containerPort);
  return isOpen && told === String(containerPort)
    ? []
    : [
        `probes and metrics find no port ${name} at ${containerPort}; that is where the image listens`,
      ];
}

function probeProblems(
  name: keyof typeof PATHS,
  { [name]: probe, ports = [] }: Container,
  isService: boolean,
): readonly string[] {
  if (!isRecord(probe)) return [`no ${name}`];
  return [
    ...questionProblems(name, probe, ports, isService),
    ...(name === 'readinessProbe' ? readinessProblems(probe) : []),
  ];
}

/** Whoever answers nothing gets no calls soon. */
const UNREADY_WITHIN_S = 15;

function readinessProblems(probe: Readonly<Record<string, unknown>>): readonly string[] {
  const { periodSeconds = 10, failureThreshold = 3 } = probe;
  const afterS = Number(periodSeconds) * Number(failureThreshold);
  return afterS <= UNREADY_WITHIN_S
    ? []
    : [`unready after ${afterS} s without an answer; it must be within ${UNREADY_WITHIN_S} s`];
}

function questionProblems(
  name: keyof typeof PATHS,
  probe: Readonly<Record<string, unknown>>,
  ports: NonNullable<Container['ports']>,
  isService: boolean,
): readonly string[] {
  const asked = Object.entries(probe).filter(([field]) => QUESTIONS.includes(field));
  const text = JSON.stringify(Object.fromEntries(asked));
  if (isService) {
    const right = { httpGet: { path: PATHS[name], port: MANAGEMENT.name } };
    const isRight = isDeepStrictEqual(Object.fromEntries(asked), right);
    return isRight ? [] : [`${name} asks ${text}; it must ask ${JSON.stringify(right)}`];
  }
  // A database or a broker: a command inside, or a port that it has.
  const isRight = asked.some(
    ([field, value]) =>
      field === 'exec' ||
      (field === 'tcpSocket' &&
        ports.some((port) => isDeepStrictEqual(value, { port: port.name }))),
  );
  return isRight ? [] : [`${name} asks ${text}; it must run a command, or ask a port by its name`];
}

/** A process on a busy node waits seconds for a core, and a restart makes the node busier. */
const ALIVE_UNTIL_S = 60;
const ANSWER_WITHIN_S = 10;
/** Liveness finds a process that is dead, not one that is slow or whose database is away (D-19). */
export function livenessIsPatient(manifests: Manifests): readonly string[] {
  return eachContainer(manifests, ({ livenessProbe: probe }) => {
    if (probe === undefined) return [];
    const { periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1, httpGet } = probe;
    const aliveS = periodSeconds * failureThreshold;
    return [
      ...(aliveS >= ALIVE_UNTIL_S ? [] : [`restarted after ${aliveS} s without an answer`]),
      ...(httpGet === undefined || timeoutSeconds >= ANSWER_WITHIN_S
        ? []
        : [`liveness waits ${timeoutSeconds} s for an answer`]),
    ];
  });
}
