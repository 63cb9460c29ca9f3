import { nameOf } from '../json-schema.js';
import {
  componentOf,
  type Container,
  containersOf,
  environmentOf,
  type Manifests,
  ofKind,
  type Workload,
  workloadName,
  workloadsOf,
} from '../manifests.js';
import {
  commandLineVariables,
  type KnownVariables,
  serviceVariables,
} from '../service-variables.js';

function variablesOf(workload: Workload): KnownVariables | undefined {
  const component = componentOf(workload);
  if (component === 'job' || component === 'operator') return commandLineVariables();
  return component === 'service' ? serviceVariables(workloadName(workload)) : undefined;
}

function eachOfOurs(
  manifests: Manifests,
  check: (
    variables: KnownVariables,
    environment: ReadonlyMap<string, string>,
    container: Container,
  ) => readonly string[],
): readonly string[] {
  return workloadsOf(manifests).flatMap((workload) => {
    const variables = variablesOf(workload);
    if (variables === undefined) return [];
    return containersOf(workload).flatMap((container) =>
      check(variables, environmentOf(manifests, container), container).map(
        (text) => `${nameOf(workload)}, ${container.name}: ${text}`,
      ),
    );
  });
}

/** A variable that nobody reads is a mistyped one, and its default is in force. */
export function variablesAreKnown(manifests: Manifests): readonly string[] {
  return eachOfOurs(manifests, ({ known }, environment) =>
    [...environment.keys()].filter((name) => !known.has(name)).map((name) => `${name} is unknown`),
  );
}

/** Whatever a service refuses to start without is there. */
export function requiredVariablesAreSet(manifests: Manifests): readonly string[] {
  return eachOfOurs(manifests, ({ required }, environment) =>
    required
      .filter((name) => !environment.has(name) && !environment.has(`${name}_FILE`))
      .map((name) => `${name} is not set`),
  );
}

/** Looks like a key, like an address with a password in it, or like SQL that sets one. */
const SECRET_TEXT =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY|:\/\/[^/\s:@]{1,100}:[^/\s@]{1,200}@|PASSWORD '[^']/i;

/** Every text of an object, each by itself: an address of one setting has no password in the next one. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The addresses of a simulator, whatever it plays. */
const OF_SIMULATOR = /_SIMULATOR_URL$|_TEST_DIRECTORY_URL$/;

/** What obeys the request is in test installations alone (D-41). */
export function simulatorIsForTests(manifests: Manifests): readonly string[] {
  if (manifests.overlay === 'local') return [];
  const simulators = workloadsOf(manifests).filter((one) => workloadName(one) === 'simulator');
  const asked = eachOfOurs(manifests, (_variables, environment) =>
    [...environment.keys()]
      .filter((name) => OF_SIMULATOR.test(name))
      .map((name) => `${name} is set`),
  );
  return [...simulators.map((one) => `${nameOf(one)}: is a simulator`), ...asked];
}

/** Secrets are files, in no environment and no ConfigMap (D-47). */
export function secretsAreFiles(manifests: Manifests): readonly string[] {
  const plain = eachOfOurs(manifests, ({ secret }, environment) =>
    [...environment.keys()].filter((name) => secret.has(name)).map((name) => `${name} is plain`),
  );
  const fromSecrets = workloadsOf(manifests).flatMap((workload) =>
    containersOf(workload)
      .filter(
        ({ env = [], envFrom = [] }) =>
          env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined) ||
          envFrom.some(({ secretRef }) => secretRef !== undefined),
      )
      .map(({ name }) => `${nameOf(workload)}, ${name}: a secret is a variable`),
  );
  const readable = manifests.objects
    .filter(({ kind }) => kind !== 'Secret')
    .filter((object) => textsIn(object).some((text) => SECRET_TEXT.test(text)))
    .map((object) => `${nameOf(object)}: holds what looks like a secret`);
  // The local overlay's are made from files that are not committed; production's come from outside.
  const committed = manifests.overlay === 'local' ? [] : ofKind(manifests, 'Secret');
  return [
    ...plain,
    ...fromSecrets,
    ...readable,
    ...committed.map((one) => `${nameOf(one)}: is in a file`),
  ];
}

/** A file that a variable names is below a mounted folder; nothing is mounted by subPath (D-55). */
export function filesAreMounted(manifests: Manifests): readonly string[] {
  const files = eachOfOurs(manifests, (_variables, environment, { volumeMounts = [] }) =>
    [...environment]
      .filter(([name]) => /_FILE$|_BOOK$/.test(name))
      .filter(([, path]) => !volumeMounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`)))
      .map(([name, path]) => `${name}: nothing is mounted at ${path}`),
  );
  const parts = workloadsOf(manifests).flatMap((workload) =>
    containersOf(workload).flatMap(({ name, volumeMounts = [] }) =>
      volumeMounts
        .filter(({ subPath }) => subPath !== undefined)
        .map(({ mountPath }) => `${nameOf(workload)}, ${name}: ${mountPath} never changes`),
    ),
  );
  return [...files, ...parts];
}
